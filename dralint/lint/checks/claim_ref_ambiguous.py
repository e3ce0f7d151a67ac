"""claim-ref-ambiguous: a pod's claim has one source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.shapes import node_of
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.view import entries

_NAMES = ("resourceClaimName", "resourceClaimTemplateName")


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a pod claim with both names, or with none.

    Not where something else may be one misspelt, nor in a patch, whose entry is joined with another.
    """
    facts: Any = subject.facts
    node = node_of(subject)
    if facts["legacy_source"] or node is None:
        return
    if facts["claim_name"] is not None and facts["template_name"] is not None:
        both = f"{_NAMES[0]} {facts['claim_name']} and {_NAMES[1]} {facts['template_name']}"
        yield Hit("", {"what": f"has both {both}; keep one of them"})
    elif set(entries(node)) <= {"name"} and not facts["pod"]["partial"]:
        yield Hit("", {"what": f"has neither {_NAMES[0]} nor {_NAMES[1]}"})
