"""Subjects of mig-parted configurations: `mig_layouts`, with the profiles that claims ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dralint.kube.embedded import Found, mappings
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.nvidia.mig_layouts import KEY, layouts, offered
from dralint.yamltext.node import MAP
from dralint.yamltext.view import Path, Plain, entries, get

KINDS = frozenset({"mig_layouts"})
_PROFILE = re.compile(
    r"""\[\s*['"]gpu\.nvidia\.com['"]\s*\]\s*(?:\.\s*profile|\[\s*['"]profile['"]\s*\])\s*==\s*['"]([^'"\\]+)['"]"""
)
# With these a profile that stands in the text need not be asked for.
_NOT_PLAIN = ("||", "!", "?")


def _asked(around: Surroundings) -> dict[str, tuple[KubeObject, Path]]:
    """The profiles that selectors of claims among the named files demand, each with the first selector."""
    found: dict[str, tuple[KubeObject, Path]] = {}
    for obj, view in around.gpu_claims:
        for request in view.spec.requests:
            # An alternative that does not fit leaves the others.
            for selector in request.selectors:
                text = selector.expression or ""
                if not any(mark in text for mark in _NOT_PLAIN):
                    for match in _PROFILE.finditer(text):
                        found.setdefault(match[1], (obj, (*selector.path, "cel", "expression")))
    return found


def _subject(obj: KubeObject, found: Found, around: Surroundings) -> Subject:
    made = offered(layouts(found.node))
    asked = _asked(around) if made else {}
    missing: Sequence[str] = [name for name in asked if name not in made]
    path: Path = found.path if found.inside else (*found.path, KEY)
    anchors = {f"asked{index}": asked[name] for index, name in enumerate(missing)}
    facts: dict[str, Plain] = {
        "offered": [*made],
        "asked": [*asked],
        "missing": [*missing],
        "dynamic_mig": around.run.target.driver_gate("DynamicMIG"),
    }
    subject = around.subject("mig_layouts", obj, path, facts, anchors)
    key = entries(found.node)[KEY].key
    subject.span = found.span(key)
    return subject


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The mig-parted configurations of an object, those in its strings too."""
    for found in mappings(obj, (KEY,)):
        written = get(found.node, KEY)
        if written is not None and written.kind == MAP:
            yield _subject(obj, found, around)
