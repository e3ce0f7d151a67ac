"""What one unit of a GPU resource is on the nodes that a pod can come to, where it is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from dralint.convert.sharing.choosing import PRODUCT, TELLING, Choosing
from dralint.convert.sharing.cluster import Cluster, PlacedLayout, PluginConfig, Shared
from dralint.nvidia.mig_layouts import layout_label, named_layout
from dralint.nvidia.plugin_config import Way, selecting_label
from dralint.nvidia.resources import GpuResource, with_domain

What = Literal["whole", "shared", "unknown"]
# More of them make a message longer and no clearer.
_SHOWN = 4


class Unit(NamedTuple):
    """What a unit is.

    what      whole: a device of its own; shared: one of several on a device; unknown: nobody can tell
    device    the resource with the device that it stands for: `nvidia.com/gpu` may be a MIG device
    because   what says so, with file and line; for unknown why, without a full stop
    advice    for unknown what a person can do, without a full stop
    way       how a device is shared; None: in several ways
    replicas  how many units a device gives; None: different numbers
    fails     what makes the device plugin refuse more than one unit, with file and line; "": nothing
    """

    what: What
    device: GpuResource
    because: str
    advice: str = ""
    way: Way | None = None
    replicas: int | None = None
    fails: str = ""


def _list(texts: Sequence[str]) -> str:
    more = len(texts) - _SHOWN
    return ", ".join(texts[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _chosen(cluster: Cluster, choosing: Choosing) -> list[PluginConfig]:
    """The configurations that the nodes of a pod may have."""
    label = selecting_label()
    names = choosing.named(label)
    if names is not None:
        return [each for name in (None, *names) for each in cluster.by_name.get(name, ())]
    return [each for each in cluster.configs if each.name is None or choosing.allows(label, each.name)]


def _of_name(cluster: Cluster, name: str) -> list[PlacedLayout]:
    return [each for each in cluster.layouts if each.layout.name == name]


class _Cut(NamedTuple):
    """How cards are cut: the profiles, whether some stay whole, and what says so; problem: why that is open."""

    profiles: tuple[str, ...] = ()
    whole: bool = False
    because: str = ""
    problem: str = ""


def _cut_by(cluster: Cluster, names: Sequence[str], because: str) -> _Cut:
    """How the layouts of these names cut cards."""
    profiles: dict[str, None] = {}
    whole, said = False, []
    for name in names:
        placed = _of_name(cluster, name)
        by_name = named_layout(name)
        layouts = [each.layout for each in placed] or ([by_name] if by_name is not None else [])
        makes = any(each.profiles or each.whole for each in layouts)
        if not makes or any(each.strange for each in layouts):
            where = f" ({placed[0].place})" if placed else ""
            return _Cut(problem=f"which profiles the MIG layout {name} makes is not known{where}")
        profiles.update(dict.fromkeys(profile for each in layouts for profile in each.profiles))
        whole = whole or any(each.whole for each in layouts)
        said.append(f"the MIG layout {name}" + (f" ({placed[0].place})" if placed else ""))
    return _Cut(tuple(profiles), whole, _list(said) + because)


def _cut(cluster: Cluster, choosing: Choosing) -> _Cut:
    """How the cards of the nodes that a pod can come to are cut, with MIG strategy single."""
    sliced = choosing.sliced()
    if sliced:
        return _Cut(tuple(sliced), because=f"the pod's own product label ({choosing.where(PRODUCT)})")
    label = layout_label()
    own = choosing.named(label)
    if own:
        return _cut_by(cluster, own, f" that the pod selects ({choosing.where(label)})")
    if cluster.labels:
        fitting = [each for each in cluster.labels if choosing.allows(label, each.layout)]
        if not fitting:
            return _Cut(problem="no node given has a MIG layout that the pod selects")
        names = [*dict.fromkeys(each.layout for each in fitting)]
        return _cut_by(cluster, names, f" of the node's label ({fitting[0].place})")
    defined = [each.layout.name for each in cluster.layouts if choosing.allows(label, each.layout.name)]
    if not defined:
        return _Cut(problem="no MIG layout is known")
    return _cut_by(cluster, [*dict.fromkeys(defined)], "")


def _advice() -> str:
    return (
        f"select the nodes by {layout_label()} in the pod, or name the layout that they have: "
        "--mig-config with a file of that layout alone, or of Nodes with the label"
    )


def _single(resource: GpuResource, said: str, cluster: Cluster, choosing: Choosing) -> Unit:
    """What nvidia.com/gpu is with MIG strategy single; said: what says that it is."""
    uncut = choosing.uncut()
    if uncut is not None:
        return Unit("whole", resource, f"the pod selects whole cards by {uncut} ({choosing.where(uncut)})")
    cut = _cut(cluster, choosing)
    if cut.problem:
        return Unit("unknown", resource, f"{said}, and {cut.problem}", _advice())
    if not cut.profiles:
        return Unit("whole", resource, f"cards stay whole by {cut.because}")
    if cut.whole or len(cut.profiles) > 1:
        made = [*cut.profiles, *(["whole cards"] if cut.whole else [])]
        return Unit("unknown", resource, f"{said}, and by {cut.because} it may be {_list(made)}", _advice())
    device = resource._replace(base="mig", profile=cut.profiles[0])
    return Unit("whole", device, f"one unit is a MIG device {cut.profiles[0]}: {said}, and {cut.because}")


def _config_name(config: PluginConfig) -> str:
    return (
        f"the configuration {config.name} of the device plugin"
        if config.name
        else "the device plugin's configuration"
    )


def _strategy(config: PluginConfig, cluster: Cluster) -> str:
    """What says that the MIG strategy is single; "" where nothing does."""
    if config.mig_strategy is not None:
        return f"the MIG strategy is single ({config.place})" if config.mig_strategy == "single" else ""
    if cluster.strategy is not None and cluster.strategy[0] == "single":
        return f"the MIG strategy is single ({cluster.strategy[1]})"
    return ""


def _of_config(
    resource: GpuResource, config: PluginConfig, cluster: Cluster, choosing: Choosing
) -> Unit | None:
    """What a unit is on nodes of one configuration; None where they do not advertise the name."""
    shares = config.by_name.get(resource.name, ())
    here = [each for each in shares if each.said.advertised == resource.name]
    if not here and (shares or resource.shared):
        return None
    whole = f"{_config_name(config)} does not share it ({config.place})"
    unit = Unit("whole", resource, whole)
    said = _strategy(config, cluster)
    if resource.base == "gpu" and said:
        unit = _single(resource, said, cluster, choosing)
    if not here or unit.what != "whole":
        return unit
    shared = _as_shared(unit, here)
    unshared = choosing.unshared() if resource.base == "gpu" and not resource.shared else None
    if unshared is None:
        return shared
    why = f"{shared.because}, and the pod selects nodes that do not share by {unshared} ({choosing.where(unshared)})"
    return Unit("unknown", unit.device, why, f"take {unshared} out of the pod, if it is out of date")


def _as_shared(unit: Unit, shares: Sequence[Shared]) -> Unit:
    first = shares[0]
    numbers = {each.said.replicas for each in shares}
    what = f"a device plugin configuration shares {first.said.advertised} by {first.said.way}, {first.said.replicas} to a device ({first.place})"
    return Unit(
        "shared",
        unit.device,
        what,
        way=first.said.way,
        replicas=first.said.replicas if len(numbers) == 1 else None,
        fails=f"the device plugin refuses requests for more than one ({first.place})"
        if first.said.fails
        else "",
    )


def _merged(units: Sequence[tuple[PluginConfig, Unit]]) -> Unit:
    """What a unit is where it is one of these."""
    first = units[0][1]
    others = [unit for _, unit in units[1:]]
    unknown = next((unit for _, unit in units if unit.what == "unknown"), None)
    if unknown is not None:
        return unknown
    if all(each.what == first.what and each.device == first.device for each in others):
        return first._replace(
            way=first.way if all(each.way == first.way for each in others) else None,
            replicas=first.replicas if all(each.replicas == first.replicas for each in others) else None,
            fails=first.fails if all(each.fails for each in others) else "",
        )
    said = "; ".join(unit.because for unit in dict.fromkeys(unit for _, unit in units))
    names = [config.name for config, _ in units if config.name is not None]
    advice = f"select the nodes by {selecting_label()} in the pod" + (
        f": {' or '.join(names[:_SHOWN])}" if names else ""
    )
    return Unit("unknown", first.device, f"the configurations disagree: {said}", advice)


def _without_config(resource: GpuResource, cluster: Cluster, choosing: Choosing) -> Unit | None:
    """What is known where no configuration was given: only what the MIG strategy and the pod itself say."""
    if resource.base != "gpu" or resource.shared:
        return None
    if choosing.sliced():
        said = "such labels are on nodes of MIG strategy single only"
        return _single(resource, said, cluster, choosing)
    if choosing.single:
        return _single(resource, "the pod selects nodes of MIG strategy single", cluster, choosing)
    if cluster.strategy is not None and cluster.strategy[0] == "single":
        return _single(resource, f"the MIG strategy is single ({cluster.strategy[1]})", cluster, choosing)
    return None


@lru_cache(maxsize=1024)
def _for_any_node(resource: GpuResource, cluster: Cluster) -> Unit | None:
    return _unit(resource, cluster, Choosing(None))


def unit_of(resource: GpuResource, cluster: Cluster, choosing: Choosing) -> Unit | None:
    """What one unit of a resource is for a pod; None where nothing that was given tells."""
    if not choosing.demands((selecting_label(), layout_label(), *TELLING)):
        # Most pods, and a cluster may have many configurations.
        return _for_any_node(resource, cluster)
    return _unit(resource, cluster, choosing)


def _unit(resource: GpuResource, cluster: Cluster, choosing: Choosing) -> Unit | None:
    if resource.name != with_domain(resource.name.partition("/")[2]):
        return None
    if not cluster.configs:
        return _without_config(resource, cluster, choosing)
    if resource.base == "gpu" and not resource.shared and choosing.sliced():
        return _without_config(resource, cluster, choosing)
    chosen = _chosen(cluster, choosing)
    if not chosen:
        named = choosing.named(selecting_label()) or ["another one"]
        why = f"the pod selects nodes of the configuration {_list(named)} ({choosing.where(selecting_label())}), which is not among those given"
        return Unit("unknown", resource, why, "give it by --device-plugin-config, too")
    units = [(each, unit) for each in chosen if (unit := _of_config(resource, each, cluster, choosing))]
    if units:
        return _merged(units)
    if resource.shared:
        why = f"no configuration given makes {resource.name}: {_list([*_places(chosen)])}"
        return Unit("unknown", resource, why, "give the configuration that does by --device-plugin-config")
    return Unit("whole", resource, f"what is shared has another name ({chosen[0].shares[0].place})")


def _places(configs: Sequence[PluginConfig]) -> Iterator[str]:
    yield from (str(each.place) for each in configs)
