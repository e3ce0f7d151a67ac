"""NVIDIA's DeviceClasses, and which of NVIDIA's devices a class of somebody else selects."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.nvidia.gates import release
from dralint.yamltext.load import load_data

DeviceType = Literal["gpu", "mig", "vfio", "channel", "daemon"]
_DATA = os.path.join(os.path.dirname(__file__), "data", "classes.yaml")


class DeviceClass(NamedTuple):
    """A class that the driver installs.

    gpu                it hands out a whole GPU or a part of one
    extended_resource  the resource name the class serves, by stack ("standalone", "operator")
    extended_since     the first release of the driver where it does, None for all of them
    """

    name: str
    driver: str
    type: DeviceType
    gpu: bool
    extended_resource: Mapping[str, str]
    extended_since: str | None = None


@lru_cache(maxsize=1)
def device_classes() -> Mapping[str, DeviceClass]:
    """The driver's own classes by name."""
    data: Any = load_data(_DATA)
    return {
        entry["name"]: DeviceClass(
            entry["name"],
            entry["driver"],
            entry["type"],
            entry["gpu"],
            entry.get("extended_resource", {}),
            entry.get("extended_since"),
        )
        for entry in data["classes"]
    }


def served_by_stack(resource: str, stack: str, dra_driver: str) -> str | None:
    """The class by which a driver's installation serves a resource name; None where it does not.

    stack: "standalone" or "operator"; dra_driver: the release, since when the chart sets the name
    """
    for known in device_classes().values():
        if known.extended_resource.get(stack) == resource and (
            known.extended_since is None or release(dra_driver) >= release(known.extended_since)
        ):
            return known.name
    return None


class Selected(NamedTuple):
    """What selectors say about the devices they let through; None where they do not say it; profile: of a MIG device."""

    driver: str | None = None
    type: DeviceType | None = None
    profile: str | None = None


# kubernetes/api resource/v1: CELSelectorExpressionMaxLength.
_LONGEST = 10240
_QUOTED = r"""(?:"([^"\\]*)"|'([^'\\]*)')"""
_DRIVER = re.compile(rf"\bdevice\s*\.\s*driver\s*==\s*{_QUOTED}")
_TYPE = re.compile(
    rf"""\bdevice\s*\.\s*attributes\s*\[\s*{_QUOTED}\s*\]\s*(?:\.\s*type|\[\s*["']type["']\s*\])\s*==\s*{_QUOTED}"""
)
_PROFILE = re.compile(
    rf"""\bdevice\s*\.\s*attributes\s*\[\s*{_QUOTED}\s*\]\s*\.\s*(?:profile\s*==\s*{_QUOTED}|(?:profile|parentUUID)\b)"""
)
# With these a comparison found in the text need not hold for the device.
_NOT_PLAIN = re.compile(r"\|\||!(?!=)|(?<![.\[])\?")


def _type_of(domain: str, word: str) -> DeviceType | None:
    for known in device_classes().values():
        if known.driver == domain and known.type == word:
            return known.type
    return None


def selected(expressions: Iterable[str]) -> Selected:
    """What CEL selectors that must all hold demand of the device's driver and type.

    Read from the text, not evaluated: only comparisons that are joined by `&&` count, so anything
    with `||`, a negation or `? :` says nothing. A selector on the MIG profile demands a MIG device.
    """
    return _selected(tuple(expressions))


# Many claims have the same selectors.
@lru_cache(maxsize=256)
def _selected(expressions: tuple[str, ...]) -> Selected:
    driver: str | None = None
    kind: DeviceType | None = None
    profile: str | None = None
    for expression in expressions:
        if len(expression) > _LONGEST or _NOT_PLAIN.search(expression):
            continue
        for match in _DRIVER.finditer(expression):
            driver = match[1] if match[1] is not None else match[2]
        for match in _TYPE.finditer(expression):
            domain = match[1] if match[1] is not None else match[2]
            kind = _type_of(domain, match[3] if match[3] is not None else match[4])
            driver = driver or domain
        for match in _PROFILE.finditer(expression):
            domain = match[1] if match[1] is not None else match[2]
            if _type_of(domain, "mig") is not None:
                driver, kind = driver or domain, kind or "mig"
                profile = match[3] or match[4] or profile
    return Selected(driver, kind, profile)
