"""The message types that the type checker must know, given to cel-expr-python without protobuf.

The C++ engine takes a Python descriptor pool, of which it calls two methods, and looks up
`google.protobuf.message_factory`, which it would need to hand messages to Python. We hand it none:
an empty stand-in saves protobuf's import, which costs more than compiling a selector.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType

from dralint.cel.device.wire import encoded

_LABEL_OPTIONAL, _LABEL_REPEATED = 1, 3
_TYPE_MESSAGE = 11
_SCALARS = {"bool": 8, "string": 9}
_STRUCT = ".google.protobuf.Struct"
_FACTORY = "google.protobuf.message_factory"
_lock = threading.Lock()


def _field(name: str, number: int, kind: int, label: int = _LABEL_OPTIONAL, message: str = "") -> bytes:
    """A FieldDescriptorProto."""
    parts = encoded(1, name) + encoded(3, number) + encoded(4, label) + encoded(5, kind)
    return parts + (encoded(6, message) if message else b"")


def _map_field(owner: str, name: str, number: int) -> tuple[bytes, bytes]:
    """A field map<string, Struct> and the entry message that it needs."""
    entry = f"{name.capitalize()}Entry"
    message = (
        encoded(1, entry)
        + encoded(2, _field("key", 1, _SCALARS["string"]))
        + encoded(2, _field("value", 2, _TYPE_MESSAGE, message=_STRUCT))
        + encoded(7, encoded(7, 1))  # option map_entry
    )
    return _field(name, number, _TYPE_MESSAGE, _LABEL_REPEATED, f".{owner}.{entry}"), message


def _file(name: str, full_name: str, message: bytes) -> bytes:
    package, _, _ = full_name.rpartition(".")
    return (
        encoded(1, name)
        + encoded(2, package)
        + encoded(3, "google/protobuf/struct.proto")
        + encoded(4, message)
        + encoded(12, "proto3")
    )


class _File:
    def __init__(self, serialized_pb: bytes) -> None:
        self.serialized_pb = serialized_pb


class Pool:
    """A descriptor pool with messages without fields, and one for the device.

    names          full names of the messages without fields
    device         full name of the device's message, with the maps `attributes` and `capacity`
    device_fields  its other fields: (name, "string" or "bool")
    """

    def __init__(self, names: Sequence[str], device: str, device_fields: Sequence[tuple[str, str]]) -> None:
        self._by_symbol: dict[str, _File] = {}
        for full_name in names:
            self._add(full_name, encoded(1, full_name.rpartition(".")[2]))
        message = encoded(1, device.rpartition(".")[2])
        for number, (name, kind) in enumerate(device_fields, 3):
            message += encoded(2, _field(name, number, _SCALARS[kind]))
        for number, name in ((1, "attributes"), (2, "capacity")):
            field, entry = _map_field(device, name, number)
            message += encoded(2, field) + encoded(3, entry)
        self._add(device, message)

    def _add(self, full_name: str, message: bytes) -> None:
        self._by_symbol[full_name] = _File(_file(f"{full_name}.proto", full_name, message))

    def FindFileContainingSymbol(self, symbol: str) -> _File:  # noqa: N802  # protobuf's name
        """Called by the engine; KeyError means that there is none."""
        return self._by_symbol[symbol]

    def FindFileByName(self, name: str) -> _File:  # noqa: N802  # protobuf's name
        """Called by the engine; KeyError means that there is none."""
        return self._by_symbol[name.removesuffix(".proto")]


@contextmanager
def without_protobuf() -> Iterator[None]:
    """While an environment is made: the engine finds its message factory without importing protobuf."""
    with _lock:
        stand_ins: dict[str, ModuleType] = {}
        if _FACTORY not in sys.modules:
            factory = ModuleType(_FACTORY)
            factory.__dict__["GetMessageClass"] = _no_messages
            stand_ins[_FACTORY] = factory
            if "google" not in sys.modules:
                stand_ins["google"] = ModuleType("google")
        sys.modules.update(stand_ins)
        try:
            yield
        finally:
            for name in stand_ins:
                del sys.modules[name]


def _no_messages(descriptor: object) -> object:
    raise TypeError(f"{descriptor} has no Python class")
