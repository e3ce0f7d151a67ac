"""Subjects of CEL selectors: `selector`, with what it reads, whether it compiles and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.device.answers import CompileErrors
from dralint.cel.positions import line_and_column
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.selectors.view import View, Written, views
from dralint.lint.subject import Subject
from dralint.yamltext.view import Plain

KINDS = frozenset({"selector"})
# Of longer lists, which no person writes, facts show the beginning.
_SHOWN = 100


def _errors(written: Written) -> list[Plain]:
    if not isinstance(written.program, CompileErrors) or not written.program.judged:
        return []
    found: list[Plain] = []
    for error in written.program.errors[:_SHOWN]:
        line, column = line_and_column(written.text, error.offset)
        found.append({"message": error.message, "line": line, "column": column})
    return found


def _reads(written: Written) -> list[Plain]:
    return [
        {"map": read.map, "domain": read.domain, "name": read.name, "guarded": read.guarded}
        for read in written.reads[:_SHOWN]
    ]


def _compiles(written: Written) -> bool | None:
    if not isinstance(written.program, CompileErrors):
        return True
    return False if written.program.judged else None


def _selector(view: View, written: Written, around: Surroundings) -> Subject:
    facts: dict[str, Plain] = {
        "expression": written.text,
        "of": view.what,
        "device_class": view.ask.device_class if view.ask else None,
        "class_known": view.class_known,
        "driver": view.driver,
        "type": view.type,
        "compiles": _compiles(written),
        "errors": _errors(written),
        "cost": None if isinstance(written.program, CompileErrors) else written.program.cost,
        "reads": _reads(written),
    }
    return around.subject("selector", view.object, written.path, facts)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The selectors of a claim's requests and alternatives, or of a class."""
    del kinds
    for view in views(obj, around.run):
        for written in view.selectors:
            yield _selector(view, written, around)
