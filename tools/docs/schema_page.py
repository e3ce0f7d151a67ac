"""A JSON Schema as a table for people: each key with its path, its values and what it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tools.docs.rule_page import text

_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "mapping",
    "array": "list",
    "null": "null",
}
# What every kind of subject has; told once.
_COMMON = ("target", "complete", "object")
_DEEPEST = 6


class Schema(NamedTuple):
    """A schema, its $ref followed; resolver: what its own parts refer to, from referencing."""

    data: Mapping[str, Any]
    resolver: Any

    def part(self, data: Any) -> Schema:
        """A part of it; of true, which allows anything, there is nothing to say."""
        part = Schema(data if isinstance(data, dict) else {}, self.resolver)
        while "$ref" in part.data:
            own = {key: value for key, value in part.data.items() if key != "$ref"}
            found = part.resolver.lookup(part.data["$ref"])
            part = Schema({**found.contents, **own}, found.resolver)
        return part

    def parts(self, *keys: str) -> Iterator[Schema]:
        """The members of lists of schemas, such as oneOf."""
        for key in keys:
            yield from map(self.part, self.data.get(key, ()))


def opened(schemas: Iterable[Mapping[str, Any]]) -> list[Schema]:
    """Schemas that may refer to each other by their $id."""
    resources = [DRAFT202012.create_resource(each) for each in schemas]
    registry: Registry[Any] = Registry().with_resources((each.id() or "", each) for each in resources)
    return [Schema(each.contents, registry.resolver_with_root(each)) for each in resources]


class Key(NamedTuple):
    """A key of a schema: its path, what it may hold, and what is said of it, all as Markdown."""

    path: str
    values: str
    says: str
    required: bool
    stable: bool


def _literal(value: Any) -> str:
    return "null" if value is None else f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _values(schema: Schema) -> str:
    if "const" in schema.data:
        return _literal(schema.data["const"])
    if "enum" in schema.data:
        return ", ".join(map(_literal, schema.data["enum"]))
    alternatives = [_values(each) for each in schema.parts("oneOf", "anyOf")]
    if any(alternatives):
        return " or ".join(dict.fromkeys(filter(None, alternatives)))
    types = schema.data.get("type", [])
    inside = _values(schema.part(schema.data["items"])) if "items" in schema.data else ""
    return " or ".join(
        f"list of {inside}" if each == "array" and inside else _WORDS[each]
        for each in ([types] if isinstance(types, str) else types)
    )


def _keys(schema: Schema, path: str, depth: int = 0) -> Iterator[Key]:
    """The keys of a mapping, of mappings in a list, of the values of an open mapping, of alternatives."""
    if depth > _DEEPEST:
        return
    properties = schema.data.get("properties", {})
    for name in dict.fromkeys((*properties, *schema.data.get("required", ()))):
        part = schema.part(properties.get(name, schema.data.get("additionalProperties")))
        place = f"{path}.{name}" if path else name
        required = name in schema.data.get("required", ())
        says = text(part.data.get("description", ""))
        yield Key(place, _values(part), says, required, bool(part.data.get("x-stable")))
        yield from _keys(part, place, depth + 1)
    for key, mark in (("items", "[]"), ("additionalProperties", ".*")):
        yield from _keys(schema.part(schema.data.get(key)), path + mark, depth + 1)
    for part in schema.parts("oneOf", "anyOf", "allOf"):
        yield from _keys(part, path, depth + 1)


def keys(schema: Schema) -> list[Key]:
    """Every key at any depth, in the order of the schema; of a key that alternatives share, the first."""
    found: dict[str, Key] = {}
    for key in _keys(schema, ""):
        found.setdefault(key.path, key)
    return list(found.values())


def _table(found: list[Key], *, facts: bool = False) -> str:
    # Of facts, every key is always there.
    some = not facts and {key.required for key in found} == {True, False}
    rows = [
        f"| key | values | meaning |{' stable |' if facts else ''}",
        f"|---|---|---|{'---|' if facts else ''}",
    ]
    for key in found:
        needed = " (required)" if some and key.required else ""
        stable = f" {'yes' if key.stable else ''} |" if facts else ""
        rows.append(f"| `{key.path}`{needed} | {key.values} | {key.says} |{stable}")
    return "\n".join(rows) + "\n"


def _facts(schema: Schema) -> Iterator[str]:
    kinds = {name: schema.data["$defs"][name] for name in schema.data["x-kinds"]}
    first = next(iter(kinds.values()))["properties"]
    common = schema.part({"properties": {name: first[name] for name in _COMMON}})
    yield f"## In every subject\n\n{_table(keys(common), facts=True)}"
    for name, kind in kinds.items():
        yield f"## {name}\n\n{text(kind['description'])}\n"
        own = {key: value for key, value in kind["properties"].items() if key not in _COMMON}
        if own:
            yield _table(keys(schema.part({"properties": own})), facts=True)


def schema_page(schema: Schema, file: str) -> str:
    """The page, as Markdown. file: the schema's name in the site."""
    parts = [f"# {text(schema.data['title'])}\n"]
    if "description" in schema.data:
        parts.append(f"{text(schema.data['description'])}\n")
    parts.append(f"For tools and editors: [{file}]({file}).\n")
    parts += _facts(schema) if "x-kinds" in schema.data else [_table(keys(schema))]
    return "\n".join(parts)
