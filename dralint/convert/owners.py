"""Which object a controller made another one for: the chain of `ownerReferences` up to one that asks for GPUs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from dralint.kube.objects import KubeObject
from dralint.yamltext.node import SCALAR
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import children, get, string


class Reference(NamedTuple):
    """The controller of an object, as the object names it."""

    group: str
    kind: str
    name: str
    uid: str | None

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


def controller(obj: KubeObject) -> Reference | None:
    """The owner that keeps an object as it wants it; None for an object that a person made."""
    for entry in children(get(obj.node, "metadata", "ownerReferences")):
        flag = get(entry, "controller")
        kind, name = string(get(entry, "kind")), string(get(entry, "name"))
        if flag is not None and flag.kind == SCALAR and resolve(flag) is True and kind and name:
            group = (string(get(entry, "apiVersion")) or "").rpartition("/")[0]
            return Reference(group, kind, name, string(get(entry, "uid")))
    return None


class Owners:
    """Objects that ask for GPUs, by their uid and by their name."""

    def __init__(self, asking: Iterable[KubeObject]) -> None:
        self._asking = dict.fromkeys(asking)

    @cached_property
    def _known(self) -> dict[object, KubeObject]:
        found: dict[object, KubeObject] = {}
        for obj in self._asking:
            uid = string(get(obj.node, "metadata", "uid"))
            found.setdefault(uid or (obj.group, *obj.ref[1:]), obj)
        return found

    def _find(self, owner: Reference, namespace: str | None) -> KubeObject | None:
        """The owner: by its uid, or where it has none written by its name."""
        known = self._known
        return known.get(owner.uid) or known.get((owner.group, owner.kind, namespace, owner.name))

    def topmost(self, obj: KubeObject) -> KubeObject | None:
        """The last object up the chain of owners that asks for GPUs; None where no owner does."""
        top: KubeObject | None = None
        seen = {obj}
        current: KubeObject | None = obj
        while current is not None:
            owner = controller(current)
            current = self._find(owner, current.ref.namespace) if owner is not None else None
            if current in seen:
                break
            if current is not None:
                seen.add(current)
                top = current
        return top
