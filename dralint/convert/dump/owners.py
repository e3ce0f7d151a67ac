"""Which object a controller made another one for: the chain of `ownerReferences` up to one that asks for GPUs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import children, get, string


@cache
def data() -> Any:
    """What clusters write into objects."""
    return load_data(os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "live.yaml"))


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


def above(obj: KubeObject, owner: Reference) -> Iterator[Reference]:
    """What may have made the owner of an object, by what controllers write into names and labels."""
    labels = get(obj.node, "metadata", "labels")
    for entry in data()["passed_over"]:
        if (entry["owner"]["group"], entry["owner"]["kind"]) != (owner.group, owner.kind):
            continue
        value = string(get(labels, entry["label"])) if "label" in entry else None
        if "suffix" in entry:
            pattern = entry["suffix"].format(label=re.escape(value or ""))
            cut = re.compile(pattern).search(owner.name) if value or "label" not in entry else None
            value = owner.name[: cut.start()] if cut is not None else None
        if value:
            yield Reference(entry["group"], entry["kind"], value, None)


class Owners:
    """Objects that ask for GPUs, by their uid and by their name."""

    def __init__(self, asking: Iterable[KubeObject]) -> None:
        self._asking = dict.fromkeys(asking)

    @cached_property
    def _known(self) -> dict[object, KubeObject]:
        found: dict[object, KubeObject] = {}
        for obj in self._asking:
            uid = string(get(obj.node, "metadata", "uid"))
            for key in (uid, (obj.group, *obj.ref[1:])) if uid else ((obj.group, *obj.ref[1:]),):
                found.setdefault(key, obj)
        return found

    def _find(self, obj: KubeObject, owner: Reference) -> KubeObject | None:
        """The owner by its uid or name; where it was not read, the owner's owner."""
        known, namespace = self._known, obj.ref.namespace
        found = known.get(owner.uid) or known.get((owner.group, owner.kind, namespace, owner.name))
        if found is not None:
            return found
        for each in above(obj, owner):
            found = known.get((each.group, each.kind, namespace, each.name))
            if found is not None:
                return found
        return None

    def topmost(self, obj: KubeObject) -> KubeObject | None:
        """The last object up the chain of owners that asks for GPUs; None where no owner does."""
        top: KubeObject | None = None
        seen = {obj}
        current: KubeObject | None = obj
        while current is not None:
            owner = controller(current)
            current = self._find(current, owner) if owner is not None else None
            if current in seen:
                break
            if current is not None:
                seen.add(current)
                top = current
        return top
