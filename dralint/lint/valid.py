"""Does a file's data fit its JSON Schema? For the start-up time: jsonschema is needed for what does not.

jsonschema takes longer to import than a check of a file takes. Only the keywords of dralint's own schemas
of files that people write are known here; an unknown one leaves the answer to jsonschema.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from dralint.resources import directory

Schema = bool | Mapping[str, Any]


class _Unknown(Exception):
    """A keyword that is not known here."""


@cache
def schema(name: str) -> Mapping[str, Any]:
    """A schema of schemas/ by its file name."""
    with open(os.path.join(directory("schemas"), name), encoding="utf-8") as file:
        found: Mapping[str, Any] = json.load(file)
    return found


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda data: isinstance(data, dict),
    "array": lambda data: isinstance(data, list),
    "string": lambda data: isinstance(data, str),
    "boolean": lambda data: isinstance(data, bool),
    "null": lambda data: data is None,
    "integer": lambda data: (
        not isinstance(data, bool)
        and (isinstance(data, int) or (isinstance(data, float) and data.is_integer()))
    ),
}
_NOTES = frozenset(("$schema", "$id", "$defs", "title", "description", "default"))


def _typed(data: Any, types: str | list[str]) -> bool:
    return any(_TYPES[each](data) for each in ([types] if isinstance(types, str) else types))


def _is(data: Any, value: Any) -> bool:
    """Equal as JSON: true is not 1."""
    return bool(data == value) and isinstance(data, bool) == isinstance(value, bool)


def _unlike(items: list[Any]) -> bool:
    texts = [json.dumps(each, sort_keys=True) for each in items]
    return len(set(texts)) == len(texts)


class _Schema:
    """A schema, to whose $defs its parts refer."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root

    def fits(self, data: Any, schema: Schema) -> bool:
        if isinstance(schema, bool):
            return schema
        return all(self._holds(data, schema, keyword) for keyword in schema if keyword not in _NOTES)

    def _holds(self, data: Any, schema: Mapping[str, Any], keyword: str) -> bool:
        value = schema[keyword]
        if keyword == "$ref":
            return self.fits(data, self._root["$defs"][value.removeprefix("#/$defs/")])
        if keyword == "type":
            return _typed(data, value)
        if keyword == "enum":
            return any(_is(data, each) for each in value)
        if keyword == "oneOf":
            return sum(self.fits(data, each) for each in value) == 1
        if keyword == "allOf":
            return all(self.fits(data, each) for each in value)
        if keyword in ("pattern", "minLength", "maxLength"):
            return not isinstance(data, str) or self._text(data, keyword, value)
        if keyword in ("items", "minItems", "uniqueItems"):
            return not isinstance(data, list) or self._array(data, keyword, value)
        if keyword in ("properties", "additionalProperties", "required", "minProperties"):
            return not isinstance(data, dict) or self._object(data, schema, keyword)
        if keyword == "minimum":
            return isinstance(data, bool) or not isinstance(data, (int, float)) or bool(data >= value)
        raise _Unknown(keyword)

    @staticmethod
    def _text(data: str, keyword: str, value: Any) -> bool:
        if keyword == "pattern":
            return re.search(value, data) is not None
        return bool(len(data) >= value if keyword == "minLength" else len(data) <= value)

    def _array(self, data: list[Any], keyword: str, value: Any) -> bool:
        if keyword == "items":
            return all(self.fits(each, value) for each in data)
        return bool(len(data) >= value if keyword == "minItems" else not value or _unlike(data))

    def _object(self, data: dict[str, Any], schema: Mapping[str, Any], keyword: str) -> bool:
        value = schema[keyword]
        if keyword == "required":
            return all(each in data for each in value)
        if keyword == "minProperties":
            return bool(len(data) >= value)
        if keyword == "properties":
            return all(self.fits(data[key], each) for key, each in value.items() if key in data)
        known = schema.get("properties", {})
        return all(self.fits(each, value) for key, each in data.items() if key not in known)


def errors(data: Any, name: str) -> list[Any]:
    """What jsonschema says of data under the schema of that name: its errors, none when it fits."""
    found = schema(name)
    try:
        if _Schema(found).fits(data, found):
            return []
    except (_Unknown, RecursionError):
        pass
    from jsonschema import Draft202012Validator

    return list(Draft202012Validator(found).iter_errors(data))
