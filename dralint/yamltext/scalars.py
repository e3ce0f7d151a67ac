"""Scalars as Kubernetes reads them (sigs.k8s.io/yaml on go.yaml.in/yaml/v2: YAML 1.1 and a half).

Every row was compared with kubectl, the cases are in tests/yamltext/test_scalars.py.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from dralint.yamltext.node import SCALAR, Node

Scalar = None | bool | int | float | str

_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), math.inf),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -math.inf),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), math.nan),
}
_FIRST = frozenset("yYnNtTfFoO~+-.0123456789")
_INTEGER = re.compile(r"[-+]?(?:0[bB][01]+|0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
# After a leading dot Go wants underscores between digits; elsewhere they are only dropped.
_LOOSE_UNDERSCORE = re.compile(r"(?<![0-9])_|_(?![0-9])")
# Longer digit strings overflow a float; int() of a hostile one would take quadratic time.
_MAX_DIGITS = 400
# Characters of a scalar whose value is remembered.
_SHORT = 64
_MAX_UINT64 = 2**64 - 1
_MAX_INT64 = 2**63 - 1
_MIN_INT64 = -(2**63)

_CORE = "tag:yaml.org,2002:"
_BINARY_TAG = _CORE + "binary"
_TYPES_OF_TAG: dict[str, type | tuple[type, ...]] = {
    _CORE + "int": int,
    _CORE + "float": (int, float),
    _CORE + "bool": bool,
    _CORE + "null": type(None),
}
# Kubernetes keeps the text of timestamps and never parses other tags; these two only check it.
_TIMESTAMP_TAG = _CORE + "timestamp"
_TIMESTAMP = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?:[Tt ].*)?\Z")
_MERGE_TAG = _CORE + "merge"


def _integer(digits: str) -> int | None:
    """The number as Go's ParseInt and ParseUint read it, None where both overflow."""
    sign = -1 if digits[0] == "-" else 1
    bare = digits.lstrip("+-")
    base = {"0b": 2, "0x": 16, "0o": 8}.get(bare[:2].lower())
    if base:
        number = sign * int(bare[2:], base)
    elif len(bare) > 1 and bare[0] == "0":
        number = sign * int(bare, 8)
    else:
        number = sign * int(bare)
    highest = _MAX_INT64 if digits[0] in "+-" else _MAX_UINT64
    return number if _MIN_INT64 <= number <= highest else None


def resolve_plain(text: str) -> Scalar:
    """The value of an unquoted, untagged scalar; infinities and NaN as floats."""
    if text and text[0] not in _FIRST:
        return text
    return _read_often(text) if len(text) < _SHORT else _read(text)


def _read(text: str) -> Scalar:
    """The value of a scalar that by its first character may be more than a string."""
    if text in _WORDS:
        return _WORDS[text]
    digits = text.replace("_", "")
    if len(digits) > _MAX_DIGITS or (text[0] == "." and _LOOSE_UNDERSCORE.search(text)):
        return text
    if _INTEGER.match(digits):
        number = _integer(digits)
        if number is not None:
            return number
    if _FLOAT.match(digits):
        value = float(digits)
        return text if math.isinf(value) else value
    return text


# A file says the same few words and numbers again and again.
_read_often = lru_cache(maxsize=16_384)(_read)


def _binary(text: str) -> str | None:
    import base64
    import binascii

    try:
        data = base64.b64decode(text.replace("\r", "").replace("\n", ""), validate=True)
    except binascii.Error:
        return None
    return data.decode("utf-8", "replace")


def resolve(node: Node) -> Scalar:
    """The value of a scalar node: quotes and block styles make strings, tags decide where given."""
    assert node.kind == SCALAR
    tag = node.tag
    if tag is None:
        return node.text if node.style else resolve_plain(node.text)
    if tag in _TYPES_OF_TAG:
        return resolve_plain(node.text)
    if tag == _BINARY_TAG:
        decoded = _binary(node.text)
        return node.text if decoded is None else decoded
    return node.text


def tag_problem(node: Node) -> str | None:
    """Why a tagged scalar cannot be what its tag says, or None; Kubernetes refuses such a document."""
    tag = node.tag or ""
    name = tag.replace(_CORE, "!!")
    if tag == _BINARY_TAG and _binary(node.text) is None:
        return "!!binary is not valid base64"
    if tag == _TIMESTAMP_TAG and not _TIMESTAMP.match(node.text):
        return f"{name} cannot hold {node.text[:40]!r}"
    if tag in _TYPES_OF_TAG:
        value = resolve_plain(node.text)
        good = isinstance(value, _TYPES_OF_TAG[tag])
        if not good or (isinstance(value, bool) and not tag.endswith("bool")):
            return f"{name} cannot hold {node.text[:40]!r}"
    return None


def is_merge_key(key: Node) -> bool:
    """Whether a key is the merge key: an unquoted `<<`."""
    return key.text == "<<" and key.kind == SCALAR and (key.tag == _MERGE_TAG if key.tag else not key.style)


def _float_key(value: float) -> str:
    """Go's FormatFloat(value, 'g', -1, 32), by which float keys become text."""
    if math.isinf(value) or abs(value) >= 3.4028235677973366e38:
        return "-.inf" if value < 0 else ".inf"
    if math.isnan(value):
        return ".nan"
    import struct

    single = struct.unpack("f", struct.pack("f", value))[0]
    for digits in range(9):
        scientific = f"{single:.{digits}e}"
        if struct.pack("f", float(scientific)) == struct.pack("f", single):
            break
    power = int(scientific.partition("e")[2])
    if -5 < power < 6:
        return f"{float(scientific):.{max(0, digits - power)}f}"
    return scientific


def key_text(node: Node) -> str | None:
    """A mapping key as Kubernetes reads it: `y` is "true", `0x10` is "16"; None for what is no key.

    A null or a collection cannot be a key there.
    """
    if node.kind != SCALAR:
        return None
    if node.style and node.tag is None:
        return node.text
    value = resolve(node)
    if isinstance(value, str):
        return value
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return _float_key(value) if isinstance(value, float) else str(value)
