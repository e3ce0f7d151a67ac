"""What to do on the cluster, in order, so that the converted workloads run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dralint.convert.advice.advice import data
from dralint.convert.model import ClaimRef, Conversion, Outcome, Step, is_open
from dralint.convert.work import Ground
from dralint.kube.objects import ObjectRef, ParsedFile
from dralint.kube.versions import gate_default, gates
from dralint.nvidia.resources import classify

if TYPE_CHECKING:
    from dralint.kube.versions import Version

# So many places stand in a sentence; the report lists them all.
_SHOWN = 3


def _some(texts: Iterable[str]) -> str:
    """The texts, the first ones by name."""
    every = list(dict.fromkeys(texts))
    rest = len(every) - _SHOWN
    return ", ".join(every[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def subject(ref: ObjectRef | None, path: str) -> str:
    """An object as a person calls it: `Deployment llm/chat`; a file by its name."""
    if ref is None or ref.kind is None:
        return path
    return ref.called


def _claims(conversion: Conversion) -> Iterator[ClaimRef]:
    for each in conversion.occurrences:
        if each.claim is not None:
            yield each.claim
            yield from each.claim.others


def _by_name(conversion: Conversion) -> Iterator[str]:
    """The MIG profiles of requests that go on asking by a resource name."""
    for each in conversion.occurrences:
        resource = classify(each.resource) if each.mode and each.claim is None else None
        if resource is not None and resource.profile is not None:
            yield resource.profile


def _gates_off(version: Version) -> list[str]:
    """The gates that the steps' Kubernetes has on, and the target's release leaves off."""
    first = data()["kubernetes"]["version"]
    wanted = data()["kubernetes"]["gates"]
    known = gates()
    return [
        name for name in wanted if name in known and not gate_default(name, version) and str(version) != first
    ]


def _true(
    conversion: Conversion, files: Sequence[ParsedFile], ground: Ground
) -> Mapping[str, Mapping[str, str]]:
    """By condition what is true of the run, with the words that its step needs."""
    target = ground.options.target
    holding: dict[str, Mapping[str, str]] = {}
    off = [name for name in _gates_off(target.kubernetes) if not target.kubernetes_gate(name)]
    if off:
        holding["gates_off"] = {"gates": ", ".join(off)}
    shown = conversion.target.stack
    holding["standalone" if shown == "standalone" else "operator"] = {}
    kinds = data()["kinds"]
    if not any(file.holds(kinds["domain"]["kind"].encode()) for file in files):
        holding["no_domains"] = {}
    policy = kinds["policy"]["group"], kinds["policy"]["kind"]
    policies = [
        str(file.place(obj.node.start))
        for file in files
        for obj in file.objects
        if (obj.group, obj.ref.kind) == policy
    ]
    if policies:
        holding["policy"] = {"policies": _some(policies)}
    profiles = [each.profile for each in _claims(conversion) if each.profile]
    profiles += _by_name(conversion)
    if profiles:
        holding["mig"] = {"profiles": _some(sorted(profiles))}
    wanted = [each.name for each in conversion.classes if each.state != "served"]
    if wanted:
        holding["classes"] = {"classes": ", ".join(wanted)}
    places = [
        f"{note.path}:{note.line}"
        for note in conversion.notes
        if note.topic == "quota" and note.weight == "warning"
    ]
    if places:
        holding["quota"] = {"places": _some(places)}
    left = [each for each in conversion.occurrences if is_open(each)]
    if left:
        holding["open"] = {"open": str(len(left)), "total": str(len(conversion.occurrences))}
    moving = [each for each in conversion.workloads if each.advice == "move"] or [
        each for each in conversion.workloads if each.advice == "stay" and Outcome.CONVERTED in each.outcomes
    ]
    if moving:
        holding["moving"] = {"first": subject(moving[0].object, moving[0].path)}
    return holding


def steps(conversion: Conversion, files: Sequence[ParsedFile], ground: Ground) -> list[Step]:
    """What to do on the cluster, in this order; nothing where no request was seen."""
    if not conversion.occurrences:
        return []
    always = {"kubernetes": data()["kubernetes"]["version"], "target": str(ground.options.target.kubernetes)}
    holding = _true(conversion, files, ground)
    return [
        Step(
            *(each[part].format(**always, **holding.get(each.get("when"), {})) for part in ("title", "text"))
        )
        for each in data()["steps"]
        if "when" not in each or each["when"] in holding
    ]
