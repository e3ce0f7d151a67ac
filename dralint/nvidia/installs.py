"""What installs NVIDIA's software, read from manifests and Helm values: data/installs.yaml says how it looks."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, Plain, children, entries, get, string

if TYPE_CHECKING:
    from dralint.nvidia.target import Stack

_DATA = os.path.join(os.path.dirname(__file__), "data", "installs.yaml")
Steps = tuple[str, ...]


class InstallKind(NamedTuple):
    """One way to install something; see data/installs.yaml for the fields."""

    what: str
    title: str
    stack: Stack | None
    stack_if: str | None
    charts: tuple[str, ...]
    resource: tuple[str, str] | None
    any: tuple[Steps, ...]
    both: tuple[tuple[Steps, ...], ...]
    settings: Mapping[str, Plain]
    gates: Steps | None
    env: Steps | None
    dra_driver: Steps | None
    gpu_driver: Steps | None
    device_plugin_if: Sequence[str] | None
    manages_driver_if: Sequence[str] | None


class Holder(NamedTuple):
    """A kind of object that holds a chart's values; paths are from `each`, or from the object."""

    resource: tuple[str, str]
    each: Steps
    chart: Steps
    version: Steps | None
    values: Steps
    more: tuple[Steps, ...]


class GateSetting(NamedTuple):
    """An entry of a driver's feature gates; value: None for what is no boolean. path: absolute."""

    name: str
    value: bool | None
    path: Path


@cache
def _data() -> Any:
    return load_data(_DATA)


def _optional(entry: Mapping[str, Any], key: str) -> Steps | None:
    return steps(entry[key]) if key in entry else None


@cache
def install_kinds() -> tuple[InstallKind, ...]:
    """All kinds of installation, in the order of the data."""
    return tuple(
        InstallKind(
            entry["what"],
            entry["title"],
            entry.get("stack"),
            entry.get("stack_if"),
            tuple(entry.get("charts", ())),
            (entry["group"], entry["kind"]) if "kind" in entry else None,
            tuple(map(steps, entry.get("any", ()))),
            tuple(tuple(map(steps, each)) for each in entry.get("both", ())),
            entry["settings"],
            _optional(entry, "gates"),
            _optional(entry, "env"),
            _optional(entry, "dra_driver"),
            _optional(entry, "gpu_driver"),
            entry.get("device_plugin_if"),
            entry.get("manages_driver_if"),
        )
        for entry in _data()["kinds"]
    )


@cache
def _resources() -> Mapping[tuple[str, str], InstallKind]:
    return {kind.resource: kind for kind in install_kinds() if kind.resource is not None}


@cache
def _charts() -> Mapping[str, InstallKind]:
    return {chart: kind for kind in install_kinds() for chart in kind.charts}


@cache
def _holders() -> tuple[Holder, ...]:
    return tuple(
        Holder(
            (entry["group"], entry["kind"]),
            steps(entry.get("each", "")),
            steps(entry["chart"]),
            _optional(entry, "version"),
            steps(entry["values"]),
            tuple(map(steps, entry.get("more", ()))),
        )
        for entry in _data()["holders"]
    )


class Install:
    """One installation.

    path     absolute, of the mapping that the kind's paths begin in
    node     that mapping; None where an object that names the chart gives no values
    partial  values of one file, beside which others may count
    version  of the chart, where an object names it
    """

    __slots__ = ("kind", "node", "object", "partial", "path", "version")

    def __init__(
        self,
        kind: InstallKind,
        obj: KubeObject,
        path: Path,
        node: Node | None,
        *,
        partial: bool = False,
        version: str | None = None,
    ) -> None:
        self.kind, self.object, self.path, self.node = kind, obj, path, node
        self.partial, self.version = partial, version

    def given(self, setting: str) -> bool:
        """Whether it sets a setting itself."""
        return get(self.node, *steps(setting)) is not None

    def value(self, setting: str) -> Plain:
        """A setting: a scalar, True for a mapping or list that is there, or the default."""
        node = get(self.node, *steps(setting))
        if node is None:
            return self.kind.settings.get(setting)
        return resolve(node) if node.kind == SCALAR else True

    @property
    def gates(self) -> list[GateSetting]:
        """The driver's feature gates that it sets."""
        found = get(self.node, *self.kind.gates) if self.kind.gates is not None else None
        if found is None or found.kind != MAP or self.kind.gates is None:
            return []
        return [
            GateSetting(name, _boolean(get(found, name)), (*self.path, *self.kind.gates, name))
            for name in entries(found)
        ]

    def variable(self, name: str) -> tuple[str | None, Path] | None:
        """The value and the path of a variable that it gives the plugin's container, if it does."""
        for index, each in enumerate(children(get(self.node, *self.kind.env)) if self.kind.env else ()):
            if string(get(each, "name")) == name and self.kind.env is not None:
                return string(get(each, "value")), (*self.path, *self.kind.env, index)
        return None

    @property
    def dra_driver(self) -> str | None:
        """The version of the DRA driver it installs, as written."""
        own = string(get(self.node, *self.kind.dra_driver)) if self.kind.dra_driver else None
        return own or (self.version if self.kind.what == "standalone-chart" else None)

    @property
    def gpu_driver(self) -> str | None:
        """The version of the GPU driver it installs, as written."""
        return string(get(self.node, *self.kind.gpu_driver)) if self.kind.gpu_driver else None

    @property
    def stack(self) -> Stack | None:
        """The stack that it makes of the cluster."""
        if self.kind.stack_if is not None and self.value(self.kind.stack_if) is not True:
            return None
        return self.kind.stack

    def _all_true(self, settings: Sequence[str] | None) -> bool:
        return settings is not None and all(self.value(each) is True for each in settings)

    @property
    def runs_device_plugin(self) -> bool:
        """Whether it runs the device plugin."""
        return self._all_true(self.kind.device_plugin_if)

    @property
    def manages_driver(self) -> bool:
        """Whether it installs the GPU driver in a container."""
        return self._all_true(self.kind.manages_driver_if)


def _boolean(node: Node | None) -> bool | None:
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, bool) else None


def _held(obj: KubeObject) -> Iterator[Install]:
    for holder in _holders():
        if holder.resource != (obj.group, obj.ref.kind):
            continue
        for match in follow(obj.node, holder.each):
            kind = _charts().get(string(get(match.node, *holder.chart)) or "")
            if kind is not None:
                version = string(get(match.node, *holder.version)) if holder.version else None
                path = (*obj.path, *match.path, *holder.values)
                values = get(match.node, *holder.values)
                partial = values is None or any(get(match.node, *each) is not None for each in holder.more)
                yield Install(kind, obj, path, values, partial=partial, version=version)


def _chart_s_own(obj: KubeObject) -> bool:
    """Whether the values stand beside a Chart.yaml: a chart's defaults install nothing."""
    path = obj.file.file.path
    return path is not None and os.path.exists(
        os.path.join(os.path.dirname(os.path.abspath(path)), "Chart.yaml")
    )


def _values(obj: KubeObject) -> Iterator[Install]:
    """Values without a kind: of a chart by their keys, or of a subchart by its name."""
    for kind in install_kinds():
        for chart in kind.charts:
            below = get(obj.node, chart)
            if below is not None and below.kind == MAP:
                yield Install(kind, obj, (*obj.path, chart), below, partial=True)
        if _chart_s_own(obj):
            continue
        certain = any(get(obj.node, *path) is not None for path in kind.any)
        likely = bool(kind.both) and all(
            any(get(obj.node, *path) is not None for path in each) for each in kind.both
        )
        if certain or likely:
            yield Install(kind, obj, obj.path, obj.node, partial=True)


def installs(obj: KubeObject) -> Iterator[Install]:
    """What an object, or a file of values, installs."""
    if obj.ref.kind is None:
        if obj.ref.api_version is None:
            yield from _values(obj)
        return
    kind = _resources().get((obj.group, obj.ref.kind))
    if kind is not None:
        yield Install(kind, obj, obj.path, obj.node)
    yield from _held(obj)


@cache
def words() -> tuple[bytes, ...]:
    """Byte words of files that hold an installation."""
    return tuple(word.encode() for word in _data()["words"])
