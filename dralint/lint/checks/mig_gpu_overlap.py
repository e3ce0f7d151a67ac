"""mig-gpu-overlap: a GPU that is cut into MIG devices is offered as a whole, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from dralint.kube.bundle import Bundle
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.published import gpu_driver_name
from dralint.yamltext.node import MAP, SCALAR, Node
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, children, get, string

_KIND, _GROUP = "ResourceSlice", "resource.k8s.io"
_Pool = tuple[str | None, str | None]


class _Device(NamedTuple):
    """A device of a slice; counted: shared counters keep it from being given away twice."""

    object: KubeObject
    path: Path
    name: str
    type: str | None
    uuid: str | None
    parent: str | None
    counted: bool


def _attribute(node: Node, name: str) -> str | None:
    attributes = get(node, "attributes")
    return string(get(attributes, name, "string")) or string(
        get(attributes, f"{gpu_driver_name()}/{name}", "string")
    )


def _devices(obj: KubeObject) -> Iterator[_Device]:
    for index, item in enumerate(children(get(obj.node, "spec", "devices"))):
        basic = get(item, "basic")
        node = basic if basic is not None and basic.kind == MAP else item
        yield _Device(
            obj,
            (*obj.path, "spec", "devices", index),
            string(get(item, "name")) or "",
            _attribute(node, "type"),
            _attribute(node, "uuid"),
            _attribute(node, "parentUUID"),
            bool(children(get(node, "consumesCounters"))),
        )


def _pool(obj: KubeObject) -> _Pool:
    spec = get(obj.node, "spec")
    return string(get(spec, "driver")), string(get(spec, "pool", "name"))


def _generation(obj: KubeObject) -> int:
    node = get(obj.node, "spec", "pool", "generation")
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, int) else 0


@lru_cache(maxsize=2)
def _pools(bundle: Bundle) -> Mapping[_Pool, list[KubeObject]]:
    """The slices of each pool's newest generation."""
    found: dict[_Pool, list[KubeObject]] = defaultdict(list)
    for obj in bundle.objects:
        if obj.ref.kind == _KIND and obj.group == _GROUP:
            found[_pool(obj)].append(obj)
    newest = {pool: max(map(_generation, slices)) for pool, slices in found.items()}
    return {
        pool: [each for each in slices if _generation(each) == newest[pool]] for pool, slices in found.items()
    }


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each whole GPU of a slice whose MIG devices stand in the same pool, without counters."""
    obj = subject.object
    if _pool(obj)[0] != gpu_driver_name():
        return
    pool = _pools(run.bundle).get(_pool(obj), [])
    if obj not in pool:
        return
    slices = [device for each in pool for device in _devices(each) if device.parent is not None]
    for device in _devices(obj):
        if device.type != "gpu" or device.uuid is None:
            continue
        own = [
            each for each in slices if each.parent == device.uuid and not (each.counted and device.counted)
        ]
        if own:
            more = f" and {len(own) - 1} more" if len(own) > 1 else ""
            related = tuple((each.object, each.path, "this MIG device is a part of it") for each in own[:3])
            values = {"gpu": device.name, "mig": f"{own[0].name}{more}"}
            yield Hit(device.path, values, related=related)
