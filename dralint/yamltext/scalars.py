"""Plain scalars as Kubernetes reads them (sigs.k8s.io/yaml on go.yaml.in/yaml/v2, YAML 1.1 and a half).

Source: facts measured against Go over 64,114 scalars without a difference; the table is in
tests/yamltext/test_scalars.py.
"""

from __future__ import annotations

import math
import re

from dralint.yamltext.node import SCALAR, Node

Scalar = None | bool | int | float | str

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_FIRST = frozenset("yYnNtTfFoO~+-.0123456789")
_INTEGER = re.compile(r"[-+]?(?:0[bB][01]+|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_INT_TAG = "tag:yaml.org,2002:int"
_FLOAT_TAG = "tag:yaml.org,2002:float"
_BOOL_TAG = "tag:yaml.org,2002:bool"
_NULL_TAG = "tag:yaml.org,2002:null"
_MAX_UINT64 = 2**64 - 1
_MIN_INT64 = -(2**63)


def _integer(text: str) -> int:
    sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text.lstrip("+"))
    prefix = digits[:2].lower()
    base = {"0b": 2, "0x": 16, "0o": 8}.get(prefix)
    if base:
        return sign * int(digits[2:], base)
    if len(digits) > 1 and digits[0] == "0":
        return sign * int(digits, 8)
    return sign * int(digits)


def resolve_plain(text: str) -> Scalar:
    """The value of an unquoted, untagged scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _FIRST:
        return text
    digits = text.replace("_", "") if text[0] != "_" else text
    if len(digits) <= 400 and _INTEGER.match(digits):
        number = _integer(digits)
        return number if _MIN_INT64 <= number <= _MAX_UINT64 else float(number)
    if len(digits) <= 400 and _FLOAT.match(digits):
        value = float(digits)
        return text if value in (float("inf"), float("-inf")) else value
    return text


def resolve(node: Node) -> Scalar:
    """The value of a scalar node: quotes and block styles make strings, tags decide where given."""
    assert node.kind == SCALAR
    if node.tag in (_INT_TAG, _FLOAT_TAG, _BOOL_TAG, _NULL_TAG):
        return resolve_plain(node.text)
    if node.style or node.tag is not None:
        return node.text
    return resolve_plain(node.text)


def key_text(node: Node) -> str | None:
    """A mapping key as Kubernetes reads it: `y` is "true", `0x10` is "16"; None for what is no key.

    A null, a collection or a not-finite number cannot be a key there.
    """
    if node.kind != SCALAR:
        return None
    value = resolve(node)
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    return format(value, "g") if isinstance(value, float) else str(value)
