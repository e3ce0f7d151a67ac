"""A device of a ResourceSlice as selectors see it.

Source: dynamic-resource-allocation/cel/compile.go (DeviceMatches).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dralint.cel.device import quantity, semver
from dralint.cel.device.values import MAX_INT, MIN_INT, CelError, Domains

# The devices of a cluster share a few versions and sizes.
_parse_version = lru_cache(maxsize=1024)(semver.parse)
_parse_quantity = lru_cache(maxsize=1024)(quantity.parse)


class DeviceError(ValueError):
    """An attribute or capacity that a selector could not be evaluated on."""


def _value(kind: str, value: Any) -> Any:
    match kind, value:
        case ("string", str()) | ("bool", bool()):
            return value
        case "int", int() if type(value) is int and MIN_INT <= value <= MAX_INT:
            return value
        case "version", str():
            return _parse_version(value)
        case (("strings" | "ints" | "bools" | "versions"), list()):
            return [_value(kind[:-1], each) for each in value]
    raise CelError(f"{value!r} is no {kind}")


def _attribute(written: Any) -> Any:
    if not isinstance(written, Mapping):
        raise CelError(f"{written!r} is no attribute")
    given = [(kind, value) for kind, value in written.items() if value is not None]
    if len(given) != 1:
        raise CelError("exactly one value must be given")
    return _value(*given[0])


def _capacity(written: Any) -> Any:
    text = written.get("value") if isinstance(written, Mapping) else written
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise CelError(f"{text!r} is no quantity")
    return _parse_quantity(str(text))


def _by_domain(driver: str, what: str, written: Mapping[str, Any], read: Any) -> Domains:
    found = Domains()
    for name, each in written.items():
        domain, slash, identifier = name.partition("/")
        if not slash:
            domain, identifier = driver, name
        try:
            value = read(each)
        except CelError as error:
            raise DeviceError(f"{what} {name}: {error.message}") from None
        found.setdefault(domain, {})[identifier] = value
    return found


def make_device(
    driver: str,
    attributes: Mapping[str, Any],
    capacity: Mapping[str, Any],
    allow_multiple_allocations: bool | None = None,
) -> dict[str, Any]:
    """The value of the variable `device`, from the fields of a device in resource.k8s.io/v1.

    attributes  {"type": {"string": "gpu"}, "example.com/x": {"int": 1}}: a name without a domain belongs
                to the driver's
    capacity    {"memory": {"value": "80Gi"}} or {"memory": "80Gi"}

    Raises DeviceError, naming the attribute.
    """
    return {
        "driver": driver,
        "attributes": _by_domain(driver, "attribute", attributes, _attribute),
        "capacity": _by_domain(driver, "capacity", capacity, _capacity),
        "allowMultipleAllocations": bool(allow_multiple_allocations),
    }
