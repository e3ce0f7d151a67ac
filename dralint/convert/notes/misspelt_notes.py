"""Notes on names that were meant to be those of GPUs: they count for nothing, and nothing is converted for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dralint.convert.model import Note
from dralint.kube.objects import KubeObject
from dralint.kube.places import containers, pod_specs
from dralint.nvidia.misspelt import meant
from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import entries, get

TOPIC = "misspelt"


def _wrong(obj: KubeObject) -> Iterator[tuple[Node, str, str]]:
    """The key of each wrong name, the name, and what it was meant to be; once for each container."""
    for pod in pod_specs(obj):
        for container in containers(pod):
            seen = set()
            for side in ("limits", "requests"):
                mapping = get(container.node, "resources", side)
                for name, entry in entries(mapping).items() if mapping and mapping.kind == MAP else ():
                    right = meant(name) if classify(name) is None and name not in seen else None
                    if right is not None:
                        seen.add(name)
                        yield entry.key, name, right


def misspelt_notes(objects: Iterable[KubeObject]) -> Iterator[Note]:
    """A note for each container that asks for GPUs by a name which no device plugin offers."""
    for obj in objects:
        for key, name, right in _wrong(obj):
            line, column = obj.file.text.position(key.start)
            message = f"{name} is no resource that a device plugin offers: if {right} was meant, correct it before it can be converted"
            yield Note(obj.file.file.name, line, column, TOPIC, message, obj.ref)
