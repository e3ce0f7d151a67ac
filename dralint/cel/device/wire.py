"""Protocol Buffers' wire format, as much as a checked expression and a few descriptors need.

No package on PyPI carries the schema of `cel.expr.CheckedExpr`, and protobuf's import alone costs more
than compiling a selector. Source: protobuf.dev/programming-guides/encoding.
"""

from __future__ import annotations

import struct

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5

# The fields of a message by number, each with its values in order: an int for a varint, bytes for the rest.
Fields = dict[int, list[int | bytes]]


def fields(message: bytes) -> Fields:
    """All fields of a message. Raises ValueError when it is cut short or uses a group."""
    found: Fields = {}
    position, end = 0, len(message)
    while position < end:
        key, position = _varint(message, position)
        kind = key & 7
        value: int | bytes
        if kind == _VARINT:
            value, position = _varint(message, position)
        else:
            if kind == _LENGTH:
                length, position = _varint(message, position)
            elif kind in (_FIXED64, _FIXED32):
                length = 8 if kind == _FIXED64 else 4
            else:
                raise ValueError(f"wire type {kind}")
            value = message[position : position + length]
            position += length
            if position > end:
                raise ValueError("cut short")
        found.setdefault(key >> 3, []).append(value)
    return found


def _varint(message: bytes, position: int) -> tuple[int, int]:
    byte = message[position]
    position += 1
    if byte < 128:
        return byte, position
    value, shift = byte & 127, 7
    while True:
        byte = message[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7


def number(found: Fields, field: int, default: int = 0) -> int:
    """A varint field; of repeated values the last counts."""
    values = found.get(field)
    if not values:
        return default
    value = values[-1]
    assert isinstance(value, int)
    return value


def signed(found: Fields, field: int) -> int:
    """An int64 field."""
    value = number(found, field)
    return value - 2**64 if value >= 2**63 else value


def double(found: Fields, field: int) -> float:
    """A double field."""
    value: float = struct.unpack("<d", blob(found, field, b"\0" * 8))[0]
    return value


def blob(found: Fields, field: int, default: bytes = b"") -> bytes:
    """A bytes or message field; of repeated values the last counts."""
    values = found.get(field)
    if not values:
        return default
    value = values[-1]
    assert isinstance(value, bytes)
    return value


def text(found: Fields, field: int) -> str:
    """A string field."""
    return blob(found, field).decode("utf-8")


def blobs(found: Fields, field: int) -> list[bytes]:
    """All values of a repeated string or message field."""
    return [value for value in found.get(field, ()) if isinstance(value, bytes)]


def _encoded_varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def encoded(field: int, value: int | bytes | str) -> bytes:
    """One field of a message, ready to be joined with others."""
    if isinstance(value, int):
        return _encoded_varint(field << 3 | _VARINT) + _encoded_varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _encoded_varint(field << 3 | _LENGTH) + _encoded_varint(len(content)) + content
