"""The type checker for device selectors: one environment of cel-expr-python per Kubernetes version and gates.

Nothing is ever evaluated in it: it parses, checks and hands out the checked expression as bytes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dralint.cel.device.libraries import Overload, Settings, libraries
from dralint.cel.device.messages import Pool, without_protobuf
from dralint.errors import UsageError

_ANY = "google.protobuf.Any"
_SIMPLE = {"duration": "google.protobuf.Duration", "timestamp": "google.protobuf.Timestamp", _ANY: "any"}


def _yaml_type(name: str) -> dict[str, Any]:
    """A type as the engine's YAML configuration writes it, from `map<string, list<~T>>`."""
    if name.startswith("~"):
        return {"type_name": name[1:], "is_type_param": True}
    outer, _, rest = name.partition("<")
    if not rest:
        return {"type_name": _SIMPLE.get(outer, outer)}
    return {"type_name": outer, "params": [_yaml_type(part) for part in _parts(rest[:-1])]}


def _parts(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        if character == "<":
            depth += 1
        elif character == ">":
            depth -= 1
        elif character == "," and not depth:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


def _configured(overloads: list[Overload]) -> list[dict[str, Any]]:
    """Functions that the engine takes from its configuration only."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for each in overloads:
        signature: dict[str, Any] = {
            "id": each.id,
            "args": [_yaml_type(kind) for kind in each.takes],
            "return": _yaml_type(each.gives),
        }
        if each.of:
            signature["target"] = _yaml_type(each.of)
        by_name.setdefault(each.name, []).append(signature)
    return [{"name": name, "overloads": signatures} for name, signatures in by_name.items()]


def _declared(cel: Any, overloads: list[Overload]) -> Any:
    """Functions whose signatures join those of functions that exist already."""
    by_name: dict[str, list[Any]] = {}
    for each in overloads:
        parameters = (each.of, *each.takes) if each.of else each.takes
        by_name.setdefault(each.name, []).append(
            cel.Overload(
                each.id,
                return_type=cel.Type(each.gives),
                parameters=[cel.Type(kind) for kind in parameters],
                is_member=each.of is not None,
            )
        )
    return cel.CelExtension("kubernetes", [cel.FunctionDecl(*item) for item in by_name.items()])


def _engine() -> Any:
    """The package, which has no wheel for every platform. Raises UsageError."""
    try:
        from cel_expr_python import cel  # type: ignore[import-untyped]  # its .pyi is not marked as typed
    except ImportError:
        raise UsageError(
            "cel-expr-python is not installed",
            advice="use --engine cel-python, or a platform that has a wheel",
        ) from None
    return cel


@lru_cache(maxsize=16)
def environment(settings: Settings) -> Any:
    """The cel.Env for these settings.

    `device` is declared twice: as a message, which serves `device.driver` and knows its fields, and as
    variables whose names hold a dot, because no message can describe a map of maps; the checker
    takes the longest name.
    """
    import json

    cel = _engine()
    known = libraries(settings)
    attribute = "dyn" if settings.list_type_attributes or settings.stored else "any"
    variables = {
        "device": known.device,
        "device.attributes": f"map<string, map<string, {attribute}>>",
        "device.capacity": "map<string, map<string, kubernetes.Quantity>>",
    }
    config = {
        "name": "device-selectors",
        "extensions": [
            {"name": name} if version is None else {"name": name, "version": version}
            for name, version in known.extensions
        ],
        "variables": [{"name": name, **_yaml_type(kind)} for name, kind in variables.items()],
        "functions": _configured([each for each in known.overloads if not each.merge]),
    }
    with without_protobuf():
        return cel.NewEnv(
            descriptor_pool=Pool(known.messages, known.device, known.device_fields),
            config=cel.NewEnvConfigFromYaml(json.dumps(config)),
            extensions=[_declared(cel, [each for each in known.overloads if each.merge])],
        )
