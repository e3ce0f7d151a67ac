"""Selections of devices that stand elsewhere than in claims and classes, such as in a NIMService: by data."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.devices import Ask, Selector, mappings
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.kube.versions import Version
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, get, string

_NO_LINE_BREAK = re.compile(r"[^\n]")
_DATA = os.path.join(os.path.dirname(__file__), "data", "selector_places.yaml")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# As the NIM operator's webhook wants it.
SEMVER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:[-+].*)?\Z")
_LITERALS: Mapping[str, type] = {"boolValue": bool, "intValue": int, "stringValue": str, "versionValue": str}
# `op` on what is no number: by a method.
_METHODS: Mapping[str, str] = {"versionValue": "semver", "quantity": "quantity"}
Range = tuple[int, int]


class Part(NamedTuple):
    """A range of an expression, and the node that it says in other words, with its path."""

    range: Range
    node: Node
    path: Path


class InFields(NamedTuple):
    """A selector {key, op, value} as the expression that means the same.

    path  of the selector
    """

    path: Path
    node: Node
    expression: str
    parts: tuple[Part, ...]


class Selection(NamedTuple):
    """What one place of an object selects.

    ask        with the CEL selectors
    in_fields  and what fields say, which must hold as well
    driver     the driver whose devices alone are meant, where a field says so
    narrowed   fields that narrow it to a pool or a device, which no selector can say
    """

    ask: Ask
    in_fields: tuple[InFields, ...]
    driver: str | None = None
    narrowed: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


@lru_cache(maxsize=1)
def _places() -> Mapping[tuple[str, str], Mapping[str, Any]]:
    return {(place["group"], place["kind"]): place for place in _data()["places"]}


@lru_cache(maxsize=1)
def _annotations() -> Mapping[str, Mapping[str, str]]:
    return {each["group"]: each for each in _data()["annotations"]}


@lru_cache(maxsize=1)
def _signs() -> Mapping[str, str]:
    return {each["op"]: each["sign"] for each in _data()["ops"]}


def _name(node: Node, field: Mapping[str, str]) -> str | None:
    return string(get(node, field["field"])) or field.get("absent")


def _literal(value: Node) -> tuple[str, str, Node] | None:
    """(key, literal of CEL, the scalar) of a value; None where it has not exactly one of a known kind."""
    found = [(key, node) for key in _LITERALS if (node := get(value, key)) is not None]
    if len(found) != 1 or found[0][1].kind != SCALAR:
        return None
    key, node = found[0]
    given = resolve(node)
    kind = _LITERALS[key]
    if not isinstance(given, kind) or (kind is int and isinstance(given, bool)):
        return None
    if key == "versionValue" and not SEMVER.match(str(given)):
        return None
    return key, json.dumps(given, ensure_ascii=False), node


def _comparison(subject: str, sign: str, kind: str) -> tuple[str, str]:
    """What stands before and behind the literal."""
    function = _METHODS.get(kind)
    if function is None:
        return f"{subject} {sign} ", ""
    return f"{subject}.compareTo({function}(", f")) {sign} 0"


def _in_fields(path: Path, node: Node, which: str, driver: str) -> InFields | None:
    """None for one that the webhook refuses, or that is no selector."""
    key, sign, value = get(node, "key"), _signs().get(string(get(node, "op")) or ""), get(node, "value")
    text = string(key)
    if key is None or text is None or sign is None or value is None:
        return None
    if which == "capacity":
        size = value.text if value.kind == SCALAR else None
        found = ("quantity", json.dumps(size, ensure_ascii=False), value) if size is not None else None
    else:
        found = _literal(value)
    if found is None:
        return None
    domain, _, name = text.rpartition("/")
    field = f".{name}" if _NAME.match(name) else f"[{json.dumps(name, ensure_ascii=False)}]"
    subject = f"device.{which}[{json.dumps(domain or driver, ensure_ascii=False)}]{field}"
    before, after = _comparison(subject, sign, found[0])
    end = len(before) + len(found[1])
    at: Path = (*path, "value", found[0]) if which == "attributes" else (*path, "value")
    parts = (Part((len(before), end), found[2], at), Part((0, len(subject)), key, (*path, "key")))
    return InFields(path, node, f"{before}{found[1]}{after}", parts)


def _selection(path: Path, node: Node, place: Mapping[str, Any]) -> Selection:
    device_class, driver = _name(node, place["class"]), _name(node, place["driver"]) or ""
    expressions = [
        Selector((*path, *match.path), match.node, string(match.node))
        for match in follow(node, steps(place["expressions"]))
    ]
    ask = Ask(path, node, None, device_class, None, None, admin_access=False, selectors=expressions)
    in_fields = [
        found
        for field, which in (("attributes", "attributes"), ("capacities", "capacity"))
        if field in place
        for where, item in mappings(get(node, place[field]), (*path, place[field]))
        if (found := _in_fields(where, item, which, driver)) is not None
    ]
    only = string(get(node, place["driver"]["field"])) if place.get("only_driver") else None
    narrowed = tuple(field for field in place.get("narrowed", ()) if string(get(node, field)) is not None)
    return Selection(ask, tuple(in_fields), only, narrowed)


def selections(obj: KubeObject, version: Version) -> Iterator[Selection]:
    """The selections of an object that is no claim and no class; nothing for those and for most others.

    version  of Kubernetes: what it does not have any more is not looked at
    """
    place = _places().get((obj.group, obj.ref.kind or ""))
    if place is None or ("until" in place and Version(place["until"]) < version):
        return
    for match in follow(obj.node, steps(place["at"])):
        if match.node.kind == MAP:
            yield _selection((*obj.path, *match.path), match.node, place)


def lines(text: str) -> Iterator[str]:
    """Each line that is not empty, with blanks in the place of those before it: places in it are places in the text."""
    position = 0
    for line in text.split("\n"):
        if line.strip():
            yield _NO_LINE_BREAK.sub(" ", text[:position]) + line
        position += len(line) + 1


class Annotated(NamedTuple):
    """A selection by annotations: one of them names the class, of another each line is an expression.

    class_path   of the annotation that names the class
    expressions  as `lines` gives them
    """

    device_class: str
    class_path: Path
    node: Node | None
    expressions: tuple[str, ...]


def annotated(obj: KubeObject) -> Annotated | None:
    """What an object's annotations select; None where they name no class."""
    known = _annotations().get(obj.group)
    annotations = get(obj.node, "metadata", "annotations") if known else None
    if known is None or annotations is None or annotations.kind != MAP:
        return None
    name, node = string(get(annotations, known["class"])), get(annotations, known["expressions"])
    if name is None:
        return None
    path: Path = (*obj.path, "metadata", "annotations", known["class"])
    text = string(node)
    return Annotated(name, path, node, tuple(lines(text)) if text is not None else ())
