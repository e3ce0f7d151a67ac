"""Subjects of single fields: `field`, with what the API server asks of it and what it is."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.fields import FieldValue, field_values, length
from dralint.kube.formats import FORMATS
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.parts import Part, parts
from dralint.lint.facts.patched import is_patch
from dralint.lint.facts.placeholders import templated
from dralint.lint.facts.replaced import is_replaced
from dralint.lint.run import Run
from dralint.lint.subject import Subject
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Plain

KINDS = frozenset({"field"})
_REFERENCE = "object-reference"


def _number(node: Node | None) -> int | float | None:
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _name(value: FieldValue) -> str:
    """What the field is called: of a key the mapping, of an item the list."""
    path = value.path[:-1] if value.rule.of_keys else value.path
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _filled_in(value: FieldValue, obj: KubeObject, run: Run) -> bool:
    """Whether a reference that can be no name is a place for one."""
    text = value.text
    return (
        value.rule.format == _REFERENCE
        and text is not None
        and not FORMATS[_REFERENCE](text)
        and is_replaced(obj, run)
    )


def _facts(part: Part, value: FieldValue, *, filled_in: bool) -> dict[str, Plain]:
    rule, text = value.rule, value.text
    filled_later = templated(text) or filled_in
    known = text is None or filled_later
    size = None if rule.most is None or filled_later else length(value)
    return {
        "place": part.place,
        "field": rule.field,
        "name": _name(value),
        "key": rule.of_keys,
        "present": value.node is not None,
        "value": text,
        "required": rule.required,
        "format": rule.format,
        "says": rule.says,
        "conforms": known
        or rule.format is None
        or (rule.blank and not text)
        or FORMATS[rule.format](text or ""),
        "choices": [*rule.choices],
        "allowed": known or not rule.choices or text in rule.choices or (text == "" and not rule.required),
        "size": size,
        "most": rule.most,
        "unit": "bytes" if text is not None or rule.unit else "entries",
        "number": _number(value.node),
        "least": rule.least,
        "repeats": value.repeats and not filled_later,
    }


def _left_to_base(obj: KubeObject, part: Part, value: FieldValue) -> bool:
    """Whether a field that is missing is one of the object that a patch changes; DRA's lists it replaces whole."""
    path = (*part.path[len(obj.path) :], *value.path)
    return value.node is None and not any(isinstance(step, int) for step in path) and is_patch(obj)


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The fields of a DRA object or of a pod with claims of which something is asked, present or required."""
    version = around.run.target.kubernetes
    for part in parts(obj):
        kind = obj.ref.kind if part.place == "object" else None
        for value in field_values(part.place, kind, part.node, version):
            if _left_to_base(obj, part, value):
                continue
            facts = _facts(part, value, filled_in=_filled_in(value, obj, around.run))
            yield around.subject("field", obj, (*part.path, *value.path), facts)
