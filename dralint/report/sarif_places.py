"""Places in SARIF: artifacts, regions, logical locations, the edits of a fix."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from dralint.lint.finding import Finding, Region, TextEdit
from dralint.lint.fingerprint import object_text
from dralint.report.escape import escape
from dralint.report.located import is_stream, repository_path
from dralint.yamltext.text import SourceText

Data = Mapping[str, Any]
ROOT = "%SRCROOT%"


@lru_cache(maxsize=64)
def artifact(path: str) -> Data:
    """A path of `repository_path` or of a template: a URI below the root of the work tree where it lies there."""
    if os.path.isabs(path):
        return {"uri": PurePath(path).as_uri()}
    uri = quote(os.fsencode(path))
    return {"uri": uri} if is_stream(path) else {"uri": uri, "uriBaseId": ROOT}


def message(*lines: str) -> Data:
    """A message of lines that hold names from files: nothing in it is taken for a link or a control character."""
    return {"text": "\n".join(escape(line) for line in lines if line).replace("](", "] (")}


def region_data(region: Region) -> Mapping[str, int]:
    """SARIF's columns end after the last character, as ours do."""
    return {
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }


def physical(region: Region, root: str) -> Data:
    """A place in a file."""
    return {"artifactLocation": artifact(repository_path(region.path, root)), "region": region_data(region)}


def _logical(finding: Finding) -> Sequence[Data]:
    name = escape(object_text(finding))
    if not name:
        return []
    if not finding.field:
        return [{"name": name, "fullyQualifiedName": name, "kind": "object"}]
    field = escape(finding.field)
    return [{"name": field, "fullyQualifiedName": f"{name} {field}", "kind": "property"}]


def location(finding: Finding, root: str) -> Data:
    """Where a finding is shown. For rendered input that is the first line of its template.

    Which line made it nobody knows, but code scanning shows no result without a region.
    """
    if finding.source is None:
        place = physical(finding.region, root)
    else:
        start = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
        place = {"artifactLocation": artifact(finding.source.template), "region": start}
    logical = _logical(finding)
    return {"physicalLocation": place, **({"logicalLocations": logical} if logical else {})}


def replacement(edit: TextEdit, text: SourceText) -> Data:
    """One edit of a file."""
    (line, column), (end_line, end_column) = text.position(edit.start), text.position(edit.end)
    deleted = region_data(Region("", line, column, end_line, end_column))
    return {"deletedRegion": deleted, "insertedContent": {"text": edit.text}}
