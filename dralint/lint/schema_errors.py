"""What is wrong with a file that does not fit its schema: in one line, and where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dralint.nvidia.nearest import did_you_mean
from dralint.yamltext.view import Path

_LONGEST = 200
# What JSON Schema calls the types, as YAML's readers call them.
_TYPES = {
    "array": "list",
    "object": "mapping",
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "null": "null",
}


def _extra(error: Any) -> list[str]:
    """The keys that the schema does not know."""
    known = error.schema.get("properties", ())
    return [key for key in error.instance if key not in known]


def _is_unknown_key(error: Any) -> bool:
    return bool(error.validator == "additionalProperties" and error.validator_value is False)


def _inner(error: Any) -> Any:
    """Of alternatives, the error of the one that fits best."""
    if error.validator in ("oneOf", "anyOf") and error.context:
        from jsonschema.exceptions import best_match

        return _inner(best_match(error.context))
    return error


def _unknown_key(error: Any) -> str:
    key = _extra(error)[0]
    known = sorted(error.schema.get("properties", ()))
    meant = did_you_mean(key, known) or f"known are {', '.join(known)}"
    return f"unknown key {key}; {meant}"


def _wrong_type(error: Any) -> str:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    value = error.instance
    if wanted == ["boolean"]:
        return f"{value!r} is neither true nor false"
    said = f"{'null' if value is None else repr(value)} is no {' or '.join(_TYPES.get(str(each), str(each)) for each in wanted)}"
    if "string" in wanted and _is_number(value):
        return f"{said}; put it in quotes"
    if "array" in wanted and isinstance(value, str):
        return f"{said}; write [{value}]"
    return said


def _missing(error: Any) -> str:
    return f"the key {next(each for each in error.validator_value if each not in error.instance)} is missing"


_WORDS = {"type": _wrong_type, "required": _missing}


def what(error: Any) -> str:
    """A schema error in one line."""
    error = _inner(error)
    if _is_unknown_key(error):
        return _unknown_key(error)
    words = _WORDS.get(error.validator)
    said = words(error) if words is not None else str(error.message).splitlines()[0]
    if error.validator == "enum" and isinstance(error.instance, str):
        meant = did_you_mean(
            error.instance, [each for each in error.validator_value if isinstance(each, str)]
        )
        said += f"; {meant}" if meant else ""
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def position(error: Any) -> Path:
    """The path of what is wrong, from the root of the data."""
    path = tuple(error.absolute_path)
    inner = _inner(error)
    if _is_unknown_key(inner):
        return (*inner.absolute_path, _extra(inner)[0])
    return path


def first(errors: Sequence[Any]) -> Any:
    """The error to tell: an unknown key before all others, as those may follow from it."""
    from jsonschema.exceptions import best_match

    unknown = [each for each in errors if _is_unknown_key(each)]
    return unknown[0] if unknown else best_match(errors)
