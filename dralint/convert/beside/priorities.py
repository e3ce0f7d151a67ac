"""Priority: the scheduler evicts no pods to free devices for a claim."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.beside.companion import Companion, beside_data, companion
from dralint.convert.work import Ground, PodWork
from dralint.yamltext.view import entries, get, string

_GROUP, _KIND = "scheduling.k8s.io", "PriorityClass"
_NEVER = "Never"


def _evicts(name: str, ground: Ground) -> bool:
    """Whether pods of a priority class evict others: no, where its object is known and says so."""
    known = ground.bundle.find(_KIND, None, name, _GROUP) or ground.context.bundle.find(
        _KIND, None, name, _GROUP
    )
    return not known or any(string(get(obj.node, "preemptionPolicy")) != _NEVER for obj in known)


def priority_companions(work: PodWork, ground: Ground) -> Iterator[Companion]:
    """A pod that counts on its priority, which gets it no claimed device."""
    entry = entries(work.pod.node).get("priorityClassName")
    name = string(entry.value) if entry is not None else None
    if entry is None or not name or name.startswith(beside_data()["system_priorities"]["prefix"]):
        return
    if string(get(work.pod.node, "preemptionPolicy")) != _NEVER and _evicts(name, ground):
        message = f"priorityClassName {name}: the scheduler does not evict other pods to free devices for a claim, so the pod may wait behind pods of lower priority"
        yield companion(work.pod.object, entry.key, "preemption", message)
