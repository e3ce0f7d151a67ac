"""Is there anything round a pod that a claim would not fit to?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache

from dralint.convert.around import named_object, spot_of
from dralint.convert.claims import CLAIMED
from dralint.convert.dump.live import scheduled
from dralint.convert.existing import gpu_claim, of_file
from dralint.convert.inherited import scheduling_field
from dralint.convert.model import Outcome
from dralint.convert.names import unusable_name
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.options import Options
from dralint.convert.requests import is_zero
from dralint.convert.sharing.evidence import PodSign, pod_signs
from dralint.convert.sharing.sharing import EXCLUSIVE, choices, divided
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.node import MAP, deref
from dralint.yamltext.view import children, get, string

_FIELD = "resourceFieldRef"


# A conversion looks at one file after the other.
@lru_cache(maxsize=2)
def is_json(file: ParsedFile) -> bool:
    """Whether the file is JSON, where a second document has no place."""
    if not file.text.text.lstrip().startswith("{"):
        return False
    try:
        json.loads(file.text.text)
    except ValueError:
        return False
    return True


def _in_typed_json_list(obj: KubeObject) -> bool:
    if spot_of(obj).path is not None or not is_json(obj.file):
        return False
    kind = string(get(obj.file.documents[obj.document].root, "kind")) or ""
    return "items" in obj.path and kind.endswith("List")


def _field_reference(work: PodWork) -> str | None:
    """A resourceFieldRef of the pod to a request that would go; every node is looked at once."""
    going = (
        each for each in work.found if work.way != "extended-resource" or each.resource.base not in CLAIMED
    )
    names = {f"{side}.{each.resource.name}" for each in going for side in ("limits", "requests")}
    seen: set[int] = set()
    waiting = [work.pod.node]
    while waiting:
        node = deref(waiting.pop())
        if id(node) in seen:
            continue
        seen.add(id(node))
        # What a merge key brings in is looked at in the mapping that it is from.
        if node.kind == MAP and any(deref(key).text == _FIELD for key in node.items[::2]):
            resource = string(get(node, _FIELD, "resource"))
            if resource in names:
                return resource
        waiting.extend(node.items)
    return None


def _shared_text(work: PodWork) -> bool:
    """Whether an alias gives two containers with requests the same text."""
    users: dict[int, int] = {}
    for index in work.asked:
        container = work.containers[index].node
        for path in ((), ("resources",), ("resources", "limits"), ("resources", "requests")):
            node = get(container, *path)
            if node is not None and users.setdefault(id(node), index) != index:
                return True
    return False


def reference_verdict(work: PodWork) -> Verdict | None:
    """The verdict on a pod that reads a request which would go; None where none does."""
    reference = _field_reference(work)
    if reference is None:
        return None
    return needs_decision(
        f"a resourceFieldRef reads {reference}, which would go", "write the number of devices instead"
    )


def _inherits_claims(work: PodWork) -> bool:
    claims, inherited = scheduling_field(work.pod, "resourceClaims")
    return inherited and bool(children(claims))


def sign_verdict(
    sign: PodSign, file: ParsedFile, found: Iterable[Found], options: Options, *, divided: bool = False
) -> Verdict | None:
    """The verdict on requests whose own node selectors say that the devices are no whole ones.

    divided: what takes their place are parts of devices, too
    """
    line = file.place(sign.node.start).line
    if sign.says == "sharing" and options.sharing != "exclusive" and not divided:
        advice = choices(None) if not options.cluster.configs else EXCLUSIVE
        return needs_decision(f"{sign.what} (line {line})", advice)
    if sign.says == "mig" and any(each.device.base == "gpu" and not is_zero(each) for each in found):
        return needs_decision(
            f"{sign.what} (line {line}): nodes whose cards are cut have no whole GPU to give",
            "ask for nvidia.com/mig-<profile> instead, or change the selector",
        )
    return None


def standing_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod whose surroundings do not fit a claim; None when they do."""
    node = work.pod.node
    if string(get(node, "nodeName")) and not scheduled(work.pod):
        return needs_decision(
            "nodeName passes the scheduler by, and only the scheduler allocates claims",
            "select the node by its label kubernetes.io/hostname instead",
        )
    if work.way == "claims" and _shared_text(work):
        return Verdict(
            Outcome.UNSUPPORTED,
            "an alias gives two containers the same text, and each needs a claim of its own",
            "write the resources of each container out",
        )
    reads = reference_verdict(work)
    if reads is not None:
        return reads
    if work.way == "claims" and _inherits_claims(work):
        return needs_decision(
            "the pod takes its resourceClaims from the whole object, and claims of its own may hide them",
            "write them into the pod's own resourceClaims as well",
        )
    held = gpu_claim(work, (of_file(work.file),))
    if held is not None:
        return needs_decision(
            f"the container has the GPU claim {held.listed.name} beside it",
            "remove the request if the claim is to take its place, else convert it by hand",
        )
    for sign in pod_signs(work.pod):
        told = sign_verdict(sign, work.file, work.found, ground.options, divided=divided(work))
        if told is not None:
            return told
    if work.way != "claims":
        return None
    nameless = unusable_name(named_object(work.pod.object), work.pod.part)
    if nameless is not None:
        return needs_decision(
            nameless, "write out a name that Kubernetes allows, or convert what the template renders to"
        )
    if _in_typed_json_list(work.pod.object):
        return needs_decision(
            "a typed list in JSON has no place for a template", "write the objects into a List"
        )
    return None
