"""What the API server asks of single fields of claims, classes, slices and pods, from data/fields.yaml."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from dralint.kube.paths import follow, steps
from dralint.kube.versions import Version
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, entries, get


class FieldRule(NamedTuple):
    """What is asked of a field; data/fields.yaml explains the keys.

    field  the path as data writes it; steps: the same in steps
    says   what the format is called
    """

    field: str
    steps: tuple[str, ...]
    required: bool
    unless: tuple[str, ...] | None
    format: str | None
    says: str
    of_keys: bool
    blank: bool
    choices: tuple[str, ...]
    most: int | None
    unit: str | None
    least: int | None
    unique: bool
    since: Version | None


class FieldValue(NamedTuple):
    """A field, or the key of one, with what is asked of it.

    path     from the place
    node     None: required and not there
    text     the string at it, or the key; None where it is no string
    repeats  an item before it in the same list has the same
    """

    rule: FieldRule
    path: Path
    node: Node | None
    text: str | None
    repeats: bool


def _rule(data: Mapping[str, Any], formats: Mapping[str, str]) -> FieldRule:
    unless, since = data.get("unless"), data.get("since")
    return FieldRule(
        data["path"],
        steps(data["path"]),
        data.get("required", False),
        steps(unless) if unless else None,
        data.get("format"),
        formats[data["format"]] if "format" in data else "",
        data.get("of_keys", False),
        data.get("blank", False),
        tuple(data.get("choices", ())),
        data.get("most"),
        data.get("unit"),
        data.get("least"),
        data.get("unique", False),
        Version(since) if since else None,
    )


@cache
def field_rules(place: str, kind: str | None = None) -> Sequence[FieldRule]:
    """What is asked of the fields of a place; kind: of the object, for the place `object`."""
    data: Any = load_data(os.path.join(os.path.dirname(__file__), "data", "fields.yaml"))
    return [
        _rule(field, data["formats"])
        for entry in data["places"]
        if entry["place"] == place and (kind is None or kind in entry["kinds"])
        for field in entry["fields"]
    ]


# Of longer lists, which the API server refuses for their length, the beginning is looked at.
_LOOKED_AT = 1000


def _is_null(node: Node) -> bool:
    return node.kind == SCALAR and resolve(node) is None


def _missing(rule: FieldRule, node: Node) -> Iterator[FieldValue]:
    """The required field wherever what should hold it is there and the field is not."""
    *parents, last = rule.steps
    for holder in follow(node, parents):
        if holder.node.kind != MAP:
            continue
        found = get(holder.node, last)
        if found is None or _is_null(found):
            yield FieldValue(rule, (*holder.path, last), None, None, repeats=False)


def _keys(rule: FieldRule, node: Node) -> Iterator[FieldValue]:
    for match in follow(node, rule.steps):
        if match.node.kind == MAP:
            for key, entry in islice(entries(match.node).items(), _LOOKED_AT):
                yield FieldValue(rule, (*match.path, key), entry.value, key, repeats=False)


def _list_of(path: Path) -> Path:
    """The innermost list that holds a path, for what has to be unique in it."""
    last = max((index for index, step in enumerate(path) if isinstance(step, int)), default=0)
    return path[:last]


def _values(rule: FieldRule, node: Node) -> Iterator[FieldValue]:
    seen: set[tuple[Path, str]] = set()
    for match in follow(node, rule.steps):
        if any(isinstance(step, int) and step >= _LOOKED_AT for step in match.bound):
            continue
        value = resolve(match.node) if match.node.kind == SCALAR else None
        if match.node.kind == SCALAR and value is None:
            continue
        text = value if isinstance(value, str) else None
        place = (_list_of(match.path), text or "")
        repeats = rule.unique and text is not None and place in seen
        if rule.unique:
            seen.add(place)
        yield FieldValue(rule, match.path, match.node, text, repeats)


def field_values(rules: Sequence[FieldRule], node: Node, version: Version) -> Iterator[FieldValue]:
    """The fields at a place that a Kubernetes release checks, in the order of the data; nulls are absent."""
    for rule in rules:
        if rule.since is not None and version < rule.since:
            continue
        if rule.of_keys:
            yield from _keys(rule, node)
            continue
        yield from _values(rule, node)
        if rule.required and (rule.unless is None or get(node, *rule.unless) is None):
            yield from _missing(rule, node)


def length(value: FieldValue) -> int | None:
    """Items of a list, entries of a mapping, bytes of a text; None for other values."""
    node = value.node
    if value.rule.unit is not None and node is not None and node.kind == MAP:
        import json

        from dralint.yamltext.view import plain

        return len(json.dumps(plain(node), separators=(",", ":"), ensure_ascii=False).encode())
    if value.text is not None:
        return len(value.text.encode("utf-8", "surrogatepass"))
    if node is None or node.kind == SCALAR:
        return None
    return len(entries(node)) if node.kind == MAP else len(node.items)
