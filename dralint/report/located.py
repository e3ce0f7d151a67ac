"""Where a CI service looks for a finding: paths from the root of the work tree, templates for rendered input."""

from __future__ import annotations

import os
from functools import lru_cache

from dralint.lint.finding import Finding
from dralint.lint.fingerprint import object_text
from dralint.report.escape import escape


def is_stream(name: str) -> bool:
    """Whether a file's name only stands for one, such as <stdin>."""
    return name.startswith("<") and name.endswith(">")


@lru_cache(maxsize=64)
def _below(absolute: str, root: str) -> str:
    """An absolute path from the root, where it lies below it; many findings are of one file."""
    below = os.path.join(root, "")
    directory, name = os.path.split(absolute)
    # A name may lead to the work tree through a link.
    for path in (absolute, os.path.join(os.path.realpath(directory), name)):
        if path.startswith(below):
            return path[len(below) :].replace(os.sep, "/")
    return absolute.replace(os.sep, "/")


def repository_path(name: str, root: str) -> str:
    """A file's name with "/" between its parts, relative to the absolute path `root` where it lies below it.

    Elsewhere it is the absolute path; <stdin> stays as it is.
    """
    return name if is_stream(name) else _below(os.path.abspath(name), root)


def reported_path(finding: Finding, root: str) -> str:
    """The file that somebody can edit: the template of rendered input, else `repository_path`."""
    return finding.source.template if finding.source else repository_path(finding.region.path, root)


def place_text(finding: Finding) -> str:
    """`deploy/pod.yaml:8:5`, the name as it was given, safe to show."""
    region = finding.region
    return f"{escape(region.path)}:{region.line}:{region.column}"


def subject_text(finding: Finding) -> str:
    """`spec.resourceClaims[0] of Pod lab/one`, or what of it is known, safe to show."""
    return escape(" of ".join(part for part in (finding.field, object_text(finding)) if part))
