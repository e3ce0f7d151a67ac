"""What a selector gives that is not true or false, in Kubernetes' words.

Source: dynamic-resource-allocation/cel/compile.go, cel-go common/types (ConvertToNative).
"""

from __future__ import annotations

from typing import Any

from dralint.cel.device.semver import Semver
from dralint.cel.device.values import CelError, type_name


def not_bool(value: Any) -> CelError:
    """The error for a result that is no bool."""
    name = type_name(value)
    match value:
        case str():
            why = "unsupported native conversion from string to 'bool'"
        case int():
            why = f"unsupported type conversion from '{name}' to bool"
        case Semver():
            why = "type conversion error from 'Semver' to 'bool'"
        case _:
            why = f"type conversion error from '{name}' to 'bool'"
    return CelError(f"CEL result of type {name} could not be converted to bool: {why}")
