"""Requests that go on asking by a resource name: one that stays, or one that is made of a class's name."""

from __future__ import annotations

from dralint.convert.claims import CLAIMED
from dralint.convert.classes import implicit_class
from dralint.convert.elsewhere import by_schema, why_no_claim
from dralint.convert.model import ClassNeed, Outcome
from dralint.convert.modes import data
from dralint.convert.node_labels import node_labels
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.requests import count_of, is_zero
from dralint.convert.verdicts import NOTHING, needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.kube.formats import is_extended_resource_name
from dralint.kube.kinds import kind_of
from dralint.yamltext.node import MAP
from dralint.yamltext.view import entries, get

NO_SELECTORS = "a request by resource name has no selectors"


def unknown_verdict(work: PodWork) -> Verdict | None:
    """The verdict on a pod of a kind that may do anything with another resource name."""
    return by_schema("unknown", "", kind_of(work.pod.object)) if work.pod.schema == "unknown" else None


def implicit_name(found: Found) -> str:
    """The resource name that asks a class for what the request asks for."""
    return f"{data()['prefix']['name']}{implicit_class(found.resource)}"


def _class_step(need: ClassNeed | None) -> str:
    """What to do for the class, "" when nothing."""
    if need is None or need.state == "served":
        return ""
    if need.state == "told":
        return f"apply the DeviceClass {need.name} unless the DRA driver's own chart is installed"
    return f"apply the DeviceClass {need.name}"


def stays(found: Found, ground: Ground, why: str = "") -> Verdict:
    """The verdict on a request whose name a DeviceClass serves; why: what speaks against a claim, "" asks the data."""
    name = found.resource.name
    if is_zero(found):
        return Verdict(Outcome.KEPT, NOTHING, way="extended-resource")
    if found.resource.base not in CLAIMED:
        return needs_decision(f"no DeviceClass can serve {name}", "remove it, or use --mode claims")
    if not is_extended_resource_name(name):
        return needs_decision(f"{name} is no name that a DeviceClass can serve", "use --mode claims")
    doubt = ground.classes.doubt(found)
    if doubt is not None and doubt.named:
        return needs_decision(doubt.reason, "let one class serve the name, by the devices that it means")
    need = ground.classes.need(found, "extended-resource")
    by = need.name if need is not None else ""
    reason = f"the name stays, for the DeviceClass {by} to serve it"
    if ground.options.mode == "auto" and found.object is not None:
        reason = f"{why or why_no_claim(found)}: {reason}"
    return Verdict(Outcome.KEPT, reason, _class_step(need), way="extended-resource")


def _holds(work: PodWork, index: int, name: str) -> bool:
    """Whether a container asks for the name already."""
    for side in ("limits", "requests"):
        mapping = get(work.containers[index].node, "resources", side)
        if mapping is not None and mapping.kind == MAP and name in entries(mapping):
            return True
    return False


def _rename(work: PodWork) -> None:
    """Plan the new names of a pod's requests; give verdicts where one would stand twice."""
    for index, requests in work.asked.items():
        names: dict[str, Found] = {}
        for found in requests:
            if is_zero(found) or found.resource.base not in CLAIMED:
                continue
            name = implicit_name(found)
            other = names.setdefault(name, found)
            if other is not found or _holds(work, index, name):
                found.verdict = needs_decision(
                    f"the container would ask for {name} twice", "write one request for the sum of both"
                )
            work.renamed[found] = name


def decide_names(work: PodWork, ground: Ground) -> None:
    """Decide on the requests of a pod that go on asking by name; those that get another one stay undecided."""
    asked = {each.resource: count_of(each).value or 0 for each in work.found if each.resource.base in CLAIMED}
    work.labels = node_labels(
        work.pod, {key: count for key, count in asked.items() if count}, ground.options, NO_SELECTORS
    )
    if work.way == "implicit":
        _rename(work)
        return
    gone = parts(work)
    verdicts = {found: stays(found, ground, work.why) for found in work.found if found not in gone}
    held = any(verdict.outcome is not Outcome.KEPT for verdict in verdicts.values())
    for found, verdict in verdicts.items():
        # What is kept beside a part is said once the part is gone.
        waits = verdict.outcome is Outcome.KEPT and (held or gone)
        found.verdict = None if waits else verdict


def parts(work: PodWork) -> list[Found]:
    """The requests of a pod for parts of a GPU: they go where every request gets a whole device."""
    return [each for each in work.found if each.resource.base not in CLAIMED and not is_zero(each)]


def renamed_verdict(found: Found, name: str, ground: Ground) -> Verdict:
    """The verdict on a request that was given another name."""
    need = ground.classes.need(found, "implicit")
    return Verdict(Outcome.CONVERTED, f"it asks for {name}", _class_step(need), way="implicit")
