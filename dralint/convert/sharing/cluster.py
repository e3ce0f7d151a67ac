"""What files given by options say of the cluster: device plugin configurations and MIG layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from dralint.errors import InputError, Place
from dralint.kube.embedded import documents_of_string, mappings
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.nvidia.mig_layouts import KEY, Layout, layout_label, layouts
from dralint.nvidia.plugin_config import (
    MigStrategy,
    Replicated,
    as_strategy,
    configs_in_values,
    effective,
    is_config,
    mig_strategy,
    mistakes,
    strategies_elsewhere,
)
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import entries, get, string


class Shared(NamedTuple):
    """A resource that a configuration shares, and where it says so."""

    said: Replicated
    place: Place


@dataclass(frozen=True, eq=False)
class PluginConfig:
    """A configuration of the device plugin; name: by which a node's label chooses it, None where it has none."""

    name: str | None
    place: Place
    mig_strategy: MigStrategy | None = None
    shares: tuple[Shared, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, list[Shared]]:
        """What is shared, by its own name and by the one that is advertised."""
        found: dict[str, list[Shared]] = {}
        for each in self.shares:
            for name in dict.fromkeys((each.said.resource, each.said.advertised)):
                found.setdefault(name, []).append(each)
        return found


class PlacedLayout(NamedTuple):
    """A MIG layout, and where it stands."""

    layout: Layout
    place: Place


class Label(NamedTuple):
    """The layout that a node's label names."""

    layout: str
    place: Place


@dataclass(frozen=True, eq=False)
class Cluster:
    """What is known of the cluster; files: where it stands.

    strategy  the MIG strategy of configurations that name none, and where it stands
    """

    configs: tuple[PluginConfig, ...] = ()
    layouts: tuple[PlacedLayout, ...] = ()
    labels: tuple[Label, ...] = ()
    strategy: tuple[MigStrategy, Place] | None = None
    files: tuple[ParsedFile, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str | None, list[PluginConfig]]:
        """The configurations by their name."""
        found: dict[str | None, list[PluginConfig]] = {}
        for each in self.configs:
            found.setdefault(each.name, []).append(each)
        return found

    @property
    def tells_strategy(self) -> bool:
        """Whether the MIG strategy of every node is known."""
        known = [config.mig_strategy is not None for config in self.configs]
        return self.strategy is not None or (bool(known) and all(known))


UNKNOWN = Cluster()


class _Source(NamedTuple):
    """Where configurations are read from; outside: the place of the string, where offsets say nothing."""

    file: ParsedFile
    outside: Place | None = None

    def place(self, node: Node) -> Place:
        return self.outside or self.file.place(node.start)


def _config(source: _Source, name: str | None, root: Node, at: Node) -> PluginConfig:
    for mistake in mistakes(root):
        raise InputError(mistake.what, source.place(mistake.node), mistake.advice)
    shares = tuple(Shared(each, source.place(each.node)) for each in effective(root))
    return PluginConfig(name, source.file.place(at.start), mig_strategy(root), shares)


def _named_config(file: ParsedFile, name: str, key: Node, value: Node) -> PluginConfig | None:
    """The configuration at an entry of a map of configurations; None where the entry holds something else."""
    if value.kind == MAP:
        return _config(_Source(file), name, value, key) if is_config(value) else None
    if value.kind != SCALAR or resolve(value) is None:
        return None
    if not value.text.strip():
        return PluginConfig(name, file.place(key.start))
    for document, placed in documents_of_string(file, value):
        source = _Source(file, None if placed else file.place(value.start))
        if document.problem is not None:
            raise InputError(f"{name} is no YAML: {document.problem[0]}", file.place(key.start), "correct it")
        if is_config(document.root) and document.root is not None:
            return _config(source, name, document.root, key)
    return None


def _of_map(file: ParsedFile, node: Node | None) -> Iterator[PluginConfig]:
    """The configurations of a mapping by name; empty ones count only beside others."""
    if node is None or node.kind != MAP:
        return
    found: list[PluginConfig] = []
    telling = False
    for name, entry in entries(node).items():
        value = get(node, name)
        config = _named_config(file, name, entry.key, value) if value is not None else None
        if config is not None and value is not None:
            found.append(config)
            telling = telling or value.kind == MAP or bool(value.text.strip())
    if telling:
        yield from found


def _configs(obj: KubeObject) -> Iterator[PluginConfig]:
    """The configurations of an object, of Helm values, or of a document that is one."""
    if obj.ref.kind == "ConfigMap" and obj.group == "":
        yield from _of_map(obj.file, get(obj.node, "data"))
        return
    roots = [obj.node, get(obj.node, "spec", "values")]
    if obj.ref.kind is None:
        roots += [get(obj.node, key) for key in entries(obj.node)]
    maps = [
        found
        for root in roots
        for path in configs_in_values()
        if (found := get(root, *path)) is not None and found.kind == MAP
    ]
    for each in maps:
        yield from _of_map(obj.file, each)
    if not maps and is_config(obj.node):
        yield _config(_Source(obj.file), None, obj.node, obj.node)


def layouts_of(obj: KubeObject) -> Iterator[PlacedLayout]:
    """The MIG layouts of an object, those in its strings too."""
    for found in mappings(obj, (KEY,)):
        for layout in layouts(found.node):
            node = layout.node
            if node is None or not found.placed:
                node = get(obj.file.documents[obj.document].root, *found.path) or obj.node
            yield PlacedLayout(layout, obj.file.place(node.start))


def label_of(obj: KubeObject) -> Label | None:
    """The layout that a Node's label names."""
    node = get(obj.node, "metadata", "labels", layout_label()) if obj.ref.kind == "Node" else None
    value = string(node)
    return Label(value, obj.file.place(node.start)) if node is not None and value else None


def _strategy(obj: KubeObject) -> tuple[MigStrategy, Place] | None:
    if obj.ref.kind not in (None, "ClusterPolicy"):
        return None
    for path in strategies_elsewhere():
        node = get(obj.node, *path)
        strategy = as_strategy(string(node))
        if node is not None and strategy is not None:
            return strategy, obj.file.place(node.start)
    return None


def _objects(files: Sequence[ParsedFile]) -> Iterator[KubeObject]:
    for file in files:
        for problem in file.problems:
            raise problem
        yield from (obj for obj in file.objects if not obj.template)


def read_cluster(plugin: Sequence[ParsedFile], mig: Sequence[ParsedFile]) -> Cluster:
    """What the files say: those for the device plugin, and those for MIG layouts; layouts are read from both.

    Raises InputError for a configuration that the device plugin refuses, and for a file without what it is
    given for.
    """
    configs: list[PluginConfig] = []
    for file in plugin:
        of_file = [config for obj in _objects([file]) for config in _configs(obj)]
        if not of_file:
            what = "it holds no configuration of the device plugin"
            raise InputError(
                what,
                Place(file.file.name),
                "name a file with version, flags or sharing, or a ConfigMap of them",
            )
        configs += of_file
    every = [*_objects([*plugin, *mig])]
    for file in mig:
        known = [obj for obj in every if obj.file is file]
        if not any(True for obj in known for _ in layouts_of(obj)) and not any(map(label_of, known)):
            what = "it holds no MIG layout"
            advice = f"name a file with {KEY}, or Nodes with the label {layout_label()}"
            raise InputError(what, Place(file.file.name), advice)
    strategies = (strategy for obj in every if (strategy := _strategy(obj)) is not None)
    return Cluster(
        tuple(configs),
        tuple(dict.fromkeys(layout for obj in every for layout in layouts_of(obj))),
        tuple(label for obj in every if (label := label_of(obj)) is not None),
        next(strategies, None),
        (*plugin, *mig),
    )
