"""Patches that delete a whole workload: what its conversion adds goes with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dralint.convert.around import applied, namespace_of
from dralint.convert.kustomize.applied import Patch, Slot
from dralint.convert.kustomize.count_patches import Unnamed, home_of, stands_alone
from dralint.convert.kustomize.joint import Change, Joint, can_change, can_try
from dralint.convert.work import Ground, PodWork
from dralint.kube.dra import CLAIM, GROUP, TEMPLATE
from dralint.yamltext.node import MAP, Node, deref
from dralint.yamltext.operations import Insert
from dralint.yamltext.render import BlockStyle, mapping_lines
from dralint.yamltext.view import Plain, get, string

_MERGES = "patchesStrategicMerge"


def deletes(body: Node) -> bool:
    """Whether a patch deletes the object that it is for."""
    root = deref(body)
    return root.kind == MAP and string(get(root, "$patch")) == "delete"


def _entry(kind: str, name: str, namespace: Plain, *, merges: bool) -> Plain:
    metadata: dict[str, Plain] = {"name": name, **({"namespace": namespace} if namespace else {})}
    lines = mapping_lines(
        {"$patch": "delete", "apiVersion": f"{GROUP}/v1", "kind": kind, "metadata": metadata}, 0, BlockStyle()
    )
    text = "\n".join(lines)
    return text if merges else {"patch": text}


def _changes(slot: Slot, works: Sequence[PodWork]) -> list[Change]:
    """Patches behind the one in the slot that delete what the workload's pods claim."""
    key, index = slot.path
    found: dict[tuple[str, str], Change] = {}
    for work in works:
        for each in work.found:
            claim = each.verdict.claim if each.verdict is not None else None
            for one in (claim, *claim.others) if claim is not None else ():
                kind = CLAIM if one.shared else TEMPLATE
                entry = _entry(kind, one.template, namespace_of(work.pod.object), merges=key == _MERGES)
                found[kind, one.template] = Insert(slot.document, (key,), index + 1, entry)
    return list(found.values())


def goes_with_deleted(base: PodWork, patch: Patch, body: Node, ground: Ground) -> Joint | Unnamed | bool:
    """The change that deletes the templates of a workload where a patch deletes the workload.

    True: nothing has to be changed; False: it cannot be
    """
    obj, slot = applied(base.pod.object), patch.slot
    if base.way == "implicit":
        return True
    if ground.options.overlay is not None or not stands_alone(base, patch, ground):
        return False
    if not ground.kustomizations.reaches_only(patch, obj) or not patch.is_for(body, obj):
        return False
    if ground.kustomizations.named(slot.file) is None:
        return Unnamed(slot.file)
    home = home_of(patch, ground)
    trial = Insert(
        slot.document, (slot.path[0],), slot.path[1] + 1, _entry(TEMPLATE, "t", None, merges=False)
    )
    if home is None or not can_try(home, "$patch") or not can_change(home, [trial]):
        return False
    return Joint(slot.file, home, ("deleted", slot, obj), partial(_changes, slot))
