"""A TrainJob and its runtime: which moves with the other, and what it means where one does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.around import namespace_of
from dralint.convert.counting import becomes_number, counted
from dralint.convert.dump.live import finished, is_live, live_verdict
from dralint.convert.emptied import goes_with
from dralint.convert.existing import of_file
from dralint.convert.kept import kept_with
from dralint.convert.model import Note, Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.refusals import Spoken
from dralint.convert.replaced import Replacing, User, is_meant, may_be_meant, replacing, same_resources
from dralint.convert.requests import is_zero
from dralint.convert.verdicts import NOTHING
from dralint.convert.work import Ground, PodWork
from dralint.kube.kinds import is_cluster_scoped
from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, PodSpec, containers, pod_specs
from dralint.yamltext.node import Node
from dralint.yamltext.operations import Operation, Remove, Replace
from dralint.yamltext.view import Plain, get, string

_NEXT = (
    "let both ask for the same in one file, or remove {field} from the {kind}, and convert again: "
    "then the claim of the {other} is for both"
)


_OF_DUMP = "each object of a dump is converted by itself"


def _replaced_container(pod: PodSpec, entry: Replacing) -> Container | None:
    """The container whose resources are replaced; None where that is not clear."""
    if not is_meant(pod, entry):
        return None
    named = [each for each in containers(pod) if each.name == entry.container]
    return named[0] if len(named) == 1 and named[0].group == "containers" else None


def _stays(work: PodWork, user: User, ground: Ground) -> str | None:
    """Why a user is not edited with the pod; None where it can be."""
    obj = user.object
    if obj.file is not work.file:
        return _OF_DUMP if obj.file.is_with(work.file) else "it is in another file"
    if obj.template or is_live(obj) or kept_with(obj) or live_verdict(obj, ground):
        return "it stays as it is"
    if next(iter(ground.kustomizations.patches(obj)), None) is not None:
        return "a kustomization patches it"
    if ground.options.overlay is not None and not obj.ref.name:
        return "kustomize finds no object without a name"
    return None


def _differ(work: PodWork, user: User) -> str | None:
    """Why the pod is not the same without the user's resources; None where it is."""
    container = _replaced_container(work.pod, user.entry)
    if container is None:
        return "which container it means is not clear"
    if not same_resources(user.resources, get(container.node, "resources")):
        return "they do not ask for the same"
    return None


def _said(work: PodWork, user: User, why: str) -> Spoken:
    obj, field = user.object, user.entry.resources[-1]
    place = obj.file.place(user.key.start)
    where = f"line {place.line}" if obj.file is work.file else str(place)
    reason = (
        f"{field} of the {obj.ref.kind} {obj.ref.name or obj.generate_name} ({where}) takes the place of the container's "
        f"resources, and not of the pod's claims; {why}"
    )
    advice = _NEXT.format(field=field, kind=obj.ref.kind, other=work.pod.object.ref.kind)
    return Spoken(Verdict(Outcome.NEEDS_DECISION, reason, advice), ("extended-resource", "implicit"))


def _namespace(work: PodWork, users: Sequence[User]) -> Plain:
    """The one namespace in which a file uses an object that is in none; None where there are several, or none."""
    if not is_cluster_scoped(work.pod.object.group, work.pod.object.ref.kind or ""):
        return None
    there = [namespace_of(user.object) for user in users if user.object.file is work.file]
    return there[0] if there and all(each == there[0] for each in there) else None


def users_speak(work: PodWork, ground: Ground) -> list[Spoken]:
    """What the objects that replace the pod's resources say against claims; where nothing does they follow it."""
    spoken: list[Spoken] = []
    followers: list[User] = []
    users = ground.users.of(work.pod.object)
    work.namespace = _namespace(work, users)
    for user in users:
        if finished(user.object) is not None or not may_be_meant(work.pod, user.entry):
            continue
        stays = _stays(work, user, ground)
        if user.automatic is not None and becomes_number(user.automatic) and stays is None:
            work.counted_by.append(user)
        if user.resources is None:
            continue
        why = stays or _differ(work, user)
        if why is None:
            followers.append(user)
        else:
            spoken.append(_said(work, user, why))
    work.followers = [] if spoken else followers
    return spoken


def follow(outside: Sequence[Found], works: Sequence[PodWork]) -> list[Found]:
    """The requests in no container, but for those of objects that follow a pod of the file."""
    moving: dict[KubeObject, PodWork] = {}
    for work in works:
        if work.undecided and work.way == "claims":
            moving.update((user.object, work) for user in work.followers)
    rest: list[Found] = []
    for each in outside:
        leader = moving.get(each.object) if each.object is not None and each.verdict is None else None
        (rest if leader is None else leader.following).append(each)
    return rest


def followed(work: PodWork) -> None:
    """The verdicts on the requests of the objects that follow a pod which was converted."""
    for found in work.following:
        entry = replacing(found.object) if found.object is not None else None
        name = entry.container if entry is not None else None
        same = (
            each.verdict
            for index, requests in work.asked.items()
            if work.containers[index].name == name
            for each in requests
            if each.resource == found.resource
        )
        verdict = next((each for each in same if each is not None), None)
        ref = work.pod.object.ref
        what = NOTHING if is_zero(found) else f"the claim of the {ref.kind} {ref.name} takes its place"
        claim = verdict.claim if verdict is not None else None
        found.verdict = Verdict(Outcome.CONVERTED, what, "", claim, "claims")


def _removal(user: User) -> Operation:
    """Remove the resources, and what holds nothing else."""
    obj = user.object
    root: Node | None = obj.file.documents[obj.document].root
    assert root is not None
    path = (*obj.path, *user.entry.resources)
    return Remove(obj.document, goes_with(root, path, {path}, len(obj.path) + 1))


def follower_operations(work: PodWork) -> Iterator[Operation]:
    """What a pod's claims change in the objects that refer to its own."""
    for user in work.followers:
        yield _removal(user)
    devices = counted(work)
    for user in work.counted_by if devices else ():
        yield Replace(user.object.document, (*user.object.path, *user.entry.processes), devices)


def _replaced(obj: KubeObject, entry: Replacing, ground: Ground) -> tuple[str, KubeObject | None]:
    """What an object refers to, in words, and the object itself where it was read."""
    kind = string(get(obj.node, *entry.reference, "kind")) or entry.default
    name = string(get(obj.node, *entry.reference, "name")) or ""
    namespace = None if is_cluster_scoped(entry.group, kind) else obj.ref.namespace
    for bundle in (of_file(obj.file), ground.bundle, ground.context.bundle):
        found = bundle.find(kind, namespace, name, entry.group)
        if found:
            return f"{kind} {name}", found[0]
    return f"{kind} {name}", None


def _why_left(obj: KubeObject, entry: Replacing, ground: Ground) -> str:
    """Why an object's requests did not follow those of the one that it refers to."""
    name, other = _replaced(obj, entry, ground)
    if other is None:
        return f"the {name} that it refers to was not read"
    place = other.file.place(other.node.start)
    if other.file is not obj.file and other.file.is_with(obj.file):
        return f"the {name} is at {place}, and {_OF_DUMP}"
    if other.file is not obj.file:
        return f"the {name} is in another file ({place})"
    own = get(obj.node, *entry.resources)
    meant = [_replaced_container(pod, entry) for pod in pod_specs(other)]
    same = any(each is not None and same_resources(own, get(each.node, "resources")) for each in meant)
    return f"the {name} (line {place.line}) {'is not converted' if same else 'does not ask for the same'}"


def tell_replaced(found: Sequence[Found], ground: Ground) -> None:
    """Say of requests that could not follow another object where that is, or that nobody read it."""
    if ground.options.mode not in ("auto", "claims"):
        return
    for each in found:
        obj, verdict = each.object, each.verdict
        entry = replacing(obj) if obj is not None else None
        if obj is None or entry is None or verdict is None or is_zero(each):
            continue
        if verdict.way == "extended-resource" or verdict.outcome is Outcome.NEEDS_DECISION:
            each.verdict = verdict._replace(reason=f"{verdict.reason}; {_why_left(obj, entry, ground)}")


def counting_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """Objects elsewhere that leave it to the operator to count GPUs of a pod whose limits name none any more."""
    for work in works:
        devices = (
            counted(work)
            if any(each.verdict is not None and each.verdict.claim is not None for each in work.found)
            else 0
        )
        for user in ground.users.of(work.pod.object) if devices else ():
            if user.automatic is None or user in work.counted_by or not may_be_meant(work.pod, user.entry):
                continue
            obj = work.pod.object
            line, column = work.file.text.position(obj.node.start)
            place = user.object.file.place(user.automatic.start)
            message = (
                f"{user.entry.processes[-1]} {user.automatic.text} of the {user.object.ref.kind} {user.object.ref.name} "
                f"({place}) counts the GPUs of the limits, which are none now: write {devices} there"
            )
            yield Note(work.file.file.name, line, column, "operator", message, obj.ref)
