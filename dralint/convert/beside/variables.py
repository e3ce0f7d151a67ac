"""Variables by which containers choose GPUs: with a claim the driver does that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dralint.convert.beside.companion import Companion, beside_data, companion
from dralint.convert.claims import CLAIMED
from dralint.convert.requests import count_of
from dralint.convert.work import PodWork
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.places import Container, containers, pod_specs
from dralint.nvidia.resources import classify
from dralint.yamltext.node import SCALAR, Node, deref
from dralint.yamltext.operations import Remove
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import children, entries, get, string

# Far above any container.
_MAX_NODES = 10_000


def _entries(container: Node, name: str) -> list[tuple[int, Node]]:
    """The entries of a container's env with a name, with their indexes."""
    listed = enumerate(children(get(container, "env")))
    return [(index, each) for index, each in listed if string(get(each, "name")) == name]


def _value(variable: Node) -> str | None:
    """The value as it is written, "" where there is none; None where it comes from elsewhere."""
    node = get(variable, "value")
    if node is None:
        return None if get(variable, "valueFrom") is not None else ""
    if node.kind != SCALAR:
        return None
    return string(node) if string(node) is not None else ("" if resolve(node) is None else node.text)


def _used(container: Node, name: str) -> bool:
    """Whether another text of the container speaks of the variable, or it is too large to look at all of it."""
    waiting, seen = [container], set[int]()
    while waiting:
        if len(seen) > _MAX_NODES:
            return True
        node = deref(waiting.pop())
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.kind == SCALAR and name in node.text and node.text != name:
            return True
        waiting.extend(node.items)
    return False


def _visible(work: PodWork, container: Container) -> Companion | None:
    """NVIDIA_VISIBLE_DEVICES in a container that gets a claim."""
    known = beside_data()["visible_devices"]
    name = known["name"]
    found = _entries(container.node, name)
    if not found:
        return None
    values = [_value(variable) for _, variable in found]
    why = f"the driver sets {name} to void in a container with a device of its own"
    at, topic, obj = found[0][1], "visible-devices", work.pod.object
    other = next((value for value in values if value not in known["removed"]), "")
    if other is None:
        return companion(
            obj, at, topic, f"{why}, so what it takes from elsewhere here is overridden: remove it"
        )
    if other:
        message = (
            f"{why}, so {other} is overridden: remove it; a selector of a claim can say which device is meant"
        )
        return companion(obj, at, topic, message)
    said = f"{why}, so the value here is overridden at best: remove it"
    if _used(container.node, name):
        return companion(obj, at, topic, f"{said}, and see to what else reads it in this container")
    whole = len(found) == len(children(get(container.node, "env")))
    path = (*container.path, "env")
    document = obj.document
    operations = (
        [Remove(document, path)] if whole else [Remove(document, (*path, index)) for index, _ in found]
    )
    if work.way == "extended-resource":
        operations = []  # The pod stays as it is.
    done = f"{name}={values[-1]} is gone: the driver sets it to void and brings in the devices that were allocated"
    return companion(obj, at, topic, said, operations, done)


def _cuda(work: PodWork, container: Container, devices: int) -> Companion | None:
    """CUDA_VISIBLE_DEVICES that names other devices than the container sees."""
    known = beside_data()["cuda_devices"]
    found = _entries(container.node, known["name"])
    value = _value(found[-1][1]) if found else None
    if not value:
        return None
    parts = [part.strip() for part in value.split(",")]
    if any(part.startswith(tuple(known["uuids"])) for part in parts):
        says = "names one device of one node: with any other one in the claim CUDA sees none; select it in the claim, or remove the variable"
    elif devices and all(part.isdecimal() for part in parts) and any(int(part) >= devices for part in parts):
        says = (
            f"counts beyond the devices of this container, which are 0 to {devices - 1}: remove it, or name only those"
            if devices > 1
            else "counts beyond the only device of this container, which is 0: remove it, or name only that"
        )
    else:
        return None
    return companion(work.pod.object, found[-1][1], "visible-devices", f"{known['name']}={value} {says}")


def _claimed(work: PodWork) -> Iterator[tuple[int, int]]:
    """The containers that ask for devices which claims give, with the number of them."""
    for index, requests in work.asked.items():
        counts = [count_of(each).value or 0 for each in requests if each.resource.base in CLAIMED]
        if sum(counts):
            yield index, sum(counts)


def variable_companions(work: PodWork) -> Iterator[Companion]:
    """The variables of a pod that is converted, or is going to be."""
    known = beside_data()["visible_devices"]
    devices = dict(_claimed(work))
    for index, container in enumerate(work.containers):
        if index in devices:
            yield from filter(None, (_visible(work, container), _cuda(work, container, devices[index])))
            continue
        for _, variable in _entries(container.node, known["name"]):
            value = _value(variable)
            if index not in work.asked and value not in known["nothing"]:
                yield companion(work.pod.object, variable, "visible-devices", _unasked(container.name))
                break


def _unasked(container: str | None) -> str:
    name = beside_data()["visible_devices"]["name"]
    who = f"container {container}" if container else "the container"
    return f"{who} asks for no GPU, and {name} may give it some: only where the nvidia container runtime is, and then also those that others hold"


def unasked_companions(files: Iterable[ParsedFile]) -> Iterator[Companion]:
    """Containers that take GPUs of their node without a request, in pods that ask for none."""
    known = beside_data()["visible_devices"]
    for file in files:
        for obj in file.objects if file.holds(known["name"].encode()) else ():
            yield from _in_object(obj)


def _in_object(obj: KubeObject) -> Iterator[Companion]:
    known = beside_data()["visible_devices"]
    for pod in pod_specs(obj):
        every = list(containers(pod))
        if children(get(pod.node, "resourceClaims")) or any(map(_asks, every)):
            continue
        for container in every:
            for _, variable in _entries(container.node, known["name"]):
                if _value(variable) not in known["nothing"]:
                    yield companion(obj, variable, "visible-devices", _unasked(container.name), info=True)
                    break


def _asks(container: Container) -> bool:
    for side in ("limits", "requests"):
        mapping = get(container.node, "resources", side)
        if mapping is not None and mapping.items and any(classify(name) for name in entries(mapping)):
            return True
    return False
