"""Objects read from a cluster: who made them, whether they still run, and what the cluster wrote into them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dralint.convert.dump.owners import Reference, above, controller, data
from dralint.convert.emptied import goes_with
from dralint.convert.model import Note, Outcome
from dralint.convert.occurrences import Verdict
from dralint.kube.kinds import is_listed
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.kube.places import PodSpec
from dralint.yamltext.operations import Operation, Remove
from dralint.yamltext.view import get, string

if TYPE_CHECKING:
    from dralint.convert.work import Ground, PodWork


def is_live(obj: KubeObject) -> bool:
    """Whether the object is one of a cluster's dump: an item of a List, with a uid.

    One that somebody keeps as a file of its own stays as it is, but for its requests.
    """
    return obj.path[:1] == ("items",) and string(get(obj.node, "metadata", "uid")) is not None


def finished(obj: KubeObject) -> str | None:
    """The word that says that the object runs no more."""
    for entry in data()["finished"]:
        if (entry["group"], entry["kind"]) != (obj.group, obj.ref.kind):
            continue
        for match in follow(obj.node, steps(entry["path"])):
            said = string(match.node)
            if said is None and string(get(match.node, "status")) == "True":
                said = string(get(match.node, "type"))
            if said in entry["values"]:
                return said
    return None


def _was_read(owner: Reference, obj: KubeObject, ground: Ground) -> bool:
    return any(
        ground.bundle.find(each.kind, obj.ref.namespace, each.name, each.group)
        for each in (owner, *above(obj, owner))
    )


def owner_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """One note where pods were kept because of owners that nobody has converted."""
    waiting: dict[KubeObject, Reference] = {}
    for work in works:
        obj = work.pod.object
        owner = controller(obj)
        if owner is None or not is_listed(owner.group, owner.kind) or ground.owners.topmost(obj) is not None:
            continue
        if not _was_read(owner, obj, ground):
            waiting.setdefault(obj, owner)
    for obj, owner in waiting.items():
        line, column = obj.file.text.position(obj.node.start)
        several = f" and {len(waiting) - 1} more objects" if len(waiting) > 1 else ""
        message = f"the owner of {obj.ref.kind} {obj.ref.name}{several} was not read: convert {owner}, too"
        yield Note(obj.file.file.name, line, column, "owners", message, obj.ref)
        return


def _owned(obj: KubeObject, ground: Ground) -> Verdict | None:
    """The verdict on an object that a controller made."""
    owner = controller(obj)
    if owner is None:
        return None
    top = ground.owners.topmost(obj)
    if top is not None:
        made_by = f"{top.ref.kind} {top.ref.name} ({top.file.place(top.node.start)})"
        return Verdict(
            Outcome.KEPT, f"a controller made it for {made_by}, and makes it anew once that one changes"
        )
    if is_listed(owner.group, owner.kind):
        made = f"a controller made it for {owner}"
        if _was_read(owner, obj, ground):
            return Verdict(Outcome.KEPT, f"{made}, which asks for no GPU by such a name")
        return Verdict(Outcome.KEPT, f"{made}, which is not among what was read", f"convert {owner}")
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"a controller made it for {owner}, and would undo a change",
        f"see how {owner} asks for GPUs, and change it there",
    )


def live_verdict(obj: KubeObject | None, ground: Ground) -> Verdict | None:
    """The verdict on an object that its controller or the kubelet makes, or that runs no more; else None."""
    if obj is None:
        return None
    mirror = data()["mirror"]
    if get(obj.node, "metadata", "annotations", mirror["annotation"]) is not None:
        return Verdict(Outcome.UNSUPPORTED, mirror["reason"], mirror["next"])
    owned = _owned(obj, ground)
    if owned is not None:
        return owned
    done = finished(obj)
    if done is not None:
        return Verdict(Outcome.KEPT, f"it runs no more: {done}")
    if is_live(obj) and get(obj.node, "metadata", "deletionTimestamp") is not None:
        return Verdict(Outcome.KEPT, "it is being deleted")
    return None


def made_by_itself(obj: KubeObject) -> bool:
    """Whether a person made the object, and it is to run: no controller's, no static pod's, not finished."""
    mirror = get(obj.node, "metadata", "annotations", data()["mirror"]["annotation"])
    return controller(obj) is None and mirror is None and finished(obj) is None


def scheduled(pod: PodSpec) -> bool:
    """Whether the pod's nodeName was written by the scheduler: a live Pod that was not applied with one."""
    obj = pod.object
    if (obj.group, obj.ref.kind) != ("", "Pod") or not is_live(obj):
        return False
    applied = string(get(obj.node, "metadata", "annotations", data()["applied"]))
    return applied is None or '"nodeName"' not in applied


def live_operations(work: PodWork) -> Sequence[Operation]:
    """Take out of a live object what is wrong once its pods ask for claims.

    What kubectl noted still names the limit; a node is chosen anew for a pod that is made anew.
    """
    obj = work.pod.object
    root = obj.file.documents[obj.document].root
    if root is None or not is_live(obj):
        return ()
    operations: list[Operation] = []
    path = (*obj.path, "metadata", "annotations", data()["applied"])
    if get(root, *path) is not None:
        operations.append(Remove(obj.document, goes_with(root, path, {path}, len(obj.path) + 1)))
    if get(work.pod.node, "nodeName") is not None and scheduled(work.pod):
        operations.append(Remove(obj.document, (*work.pod.path, "nodeName")))
    return operations
