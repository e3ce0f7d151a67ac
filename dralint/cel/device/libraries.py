"""Which functions, extensions and messages a Kubernetes version knows, read from data/libraries.yaml."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.yamltext.load import load_data

_PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data", "libraries.yaml")
_STORED_MINOR = 999


class Settings(NamedTuple):
    """What decides which CEL is available.

    minor                 of the API server: 36 for Kubernetes 1.36
    consumable_capacity   feature gate DRAConsumableCapacity
    list_type_attributes  feature gate DRAListTypeAttributes
    stored                the expression is in the cluster already: everything known is allowed
    """

    minor: int
    consumable_capacity: bool = True
    list_type_attributes: bool = False
    stored: bool = False


class Overload(NamedTuple):
    """One signature of a function; types as cel-expr-python writes them (`list<string>`).

    of     the receiver's type of a member function, else None
    merge  it joins a function of that name that exists already
    """

    name: str
    id: str
    of: str | None
    takes: tuple[str, ...]
    gives: str
    merge: bool


class Libraries(NamedTuple):
    """Everything a checker is told.

    extensions     name and version (None: no versions)
    messages       full names of the messages without fields
    hidden         those of them whose name is no identifier
    device         full name of the device's message
    device_fields  its fields besides `attributes` and `capacity`: name and type
    """

    extensions: tuple[tuple[str, int | None], ...]
    overloads: tuple[Overload, ...]
    messages: tuple[str, ...]
    hidden: frozenset[str]
    device: str
    device_fields: tuple[tuple[str, str], ...]


def _minor(version: str) -> int:
    return int(version.partition(".")[2])


def _available(entry: dict[str, Any], settings: Settings) -> bool:
    """What stands behind a gate follows the gate alone (apiserver, EnvSet: gate or version); else the minor
    version before the server's counts, so that a rollback can still read what was written.
    """
    minor = _STORED_MINOR if settings.stored else settings.minor - 1
    if "gate" in entry:
        gates = {
            "DRAConsumableCapacity": settings.consumable_capacity,
            "DRAListTypeAttributes": settings.list_type_attributes,
        }
        return settings.stored or gates[entry["gate"]]
    since, until = _minor(entry.get("since", "1.0")), _minor(entry.get("until", f"1.{_STORED_MINOR + 1}"))
    return since <= minor < until


@lru_cache(maxsize=16)
def libraries(settings: Settings) -> Libraries:
    """The libraries for these settings."""
    data: Any = load_data(_PATH)
    overloads = [
        Overload(
            each["name"],
            each["id"],
            each.get("of"),
            tuple(each.get("takes", ())),
            each["gives"],
            each.get("merge", False),
        )
        for library in data["libraries"]
        if _available(library, settings)
        for each in library["functions"]
    ]
    return Libraries(
        tuple(
            (each["name"], each.get("version")) for each in data["extensions"] if _available(each, settings)
        ),
        tuple(overloads),
        tuple(each["name"] for each in data["messages"]),
        frozenset(each["name"] for each in data["messages"] if each["hidden"]),
        data["device"]["message"],
        tuple(
            (each["name"], each["type"]) for each in data["device"]["fields"] if _available(each, settings)
        ),
    )
