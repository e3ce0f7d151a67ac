"""The target of a run: what the configuration says of it, for all files and for some, then the options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dralint.cli.config import Config, Path
from dralint.errors import UsageError
from dralint.nvidia.target import Target, make_target

# The keys of a configuration's `target` and the arguments of make_target.
_KEYS = {"kubernetes": "kubernetes", "dra-driver": "dra_driver", "gpu-driver": "gpu_driver", "stack": "stack"}


class TargetFlags(NamedTuple):
    """The target options as given; None, or no gates: not said."""

    kubernetes: str | None = None
    dra_driver: str | None = None
    gpu_driver: str | None = None
    stack: str | None = None
    gates: Sequence[str] = ()


class _Said(NamedTuple):
    """A value of the configuration and where it stands."""

    value: str
    path: Path


def _layers(config: Config, patterns: Sequence[str]) -> list[tuple[Path, Mapping[str, Any]]]:
    """The `target` mappings that count for some files; later ones come before earlier ones."""
    found: list[tuple[Path, Mapping[str, Any]]] = [(("target",), config.data.get("target", {}))]
    for pattern in patterns:
        settings = config.data["paths"][pattern]
        found.append((("paths", pattern, "target"), settings.get("target", {})))
    return found


def _refused(**values: Any) -> bool:
    try:
        make_target(**values)
    except UsageError:
        return True
    return False


def _culprit(values: Mapping[str, _Said], gates: Sequence[_Said], given: Mapping[str, str]) -> Path | None:
    """The key of the configuration that make_target refuses; None where an option is wrong."""
    for name, said in values.items():
        if _refused(**{name: said.value}):
            return said.path
    versions = {name: given[name] for name in ("kubernetes", "dra_driver") if name in given}
    if not _refused(**versions):
        for said in gates:
            if _refused(**versions, gates=[said.value]):
                return said.path
    return None


def target_of(config: Config, flags: TargetFlags, patterns: Sequence[str] = ()) -> Target:
    """The target for files that the given patterns of `paths` match. Raises UsageError, with its place."""
    values: dict[str, _Said] = {}
    gates: list[_Said] = []
    for path, layer in _layers(config, patterns):
        for key, name in _KEYS.items():
            if key in layer and getattr(flags, name) is None:
                values[name] = _Said(str(layer[key]), (*path, key))
        for gate, on in layer.get("gates", {}).items():
            gates.append(_Said(f"{gate}={str(on).lower()}", (*path, "gates", gate)))
    given = {name: said.value for name, said in values.items()}
    given |= {name: value for name in _KEYS.values() if (value := getattr(flags, name)) is not None}
    try:
        return make_target(**given, gates=[*(said.value for said in gates), *flags.gates])
    except UsageError as error:
        culprit = _culprit(values, gates, given)
        if culprit is None:
            raise
        raise UsageError(error.what, config.where(culprit), error.advice) from None
