"""Kinds that merge what they say for all of their templates into each pod, as Argo's workflows do.

What an object says counts for its own templates, and for those that it has from other objects. A claim is a field of
the pod and one of a container, and a template may take over the one without the other: then requests stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

from dralint.convert.around import may_be_referred_to, names_in
from dralint.convert.inherited import lent_fields
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict
from dralint.convert.refusals import Spoken, refusals, seen_from
from dralint.convert.tolerations import added_tolerations, tolerated
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.kube.places import PodSpec
from dralint.kube.quantity import Count, parse_count
from dralint.nvidia.resources import classify
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, Node, deref
from dralint.yamltext.view import children, entries, get, plain, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")
_NEXT = "write the requests into the templates that need them, take them out of {field}, and convert again"
_TOLERATIONS = "tolerations"
_WRITE = f"write the {_TOLERATIONS} into the template, or add --no-toleration where no admission plugin adds one, and convert again"
_Key = tuple[str, str, str]


class _Merging(NamedTuple):
    """See `merging` in the data file."""

    spec: tuple[str, ...]
    templates: tuple[tuple[str, ...], ...]
    defaults: str
    merged: frozenset[str]
    alone: frozenset[str]
    containers: tuple[tuple[str, ...], ...]
    references: tuple[tuple[str, ...], ...]
    to: dict[bool, str]
    cluster: str


@cache
def _merging() -> dict[tuple[str, str], _Merging]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): _Merging(
            steps(spec),
            tuple(steps(f"{spec}.{path}") for path in entry["templates"]),
            entry["defaults"],
            frozenset(entry["merged"]),
            frozenset(entry["alone"]),
            tuple(map(steps, entry["containers"])),
            tuple(steps(f"{spec}.{path}") for path in entry["references"]),
            {False: entry["to"], True: entry["to_cluster"]},
            entry["cluster"],
        )
        for entry in data["merging"]
        for kind, spec in entry["kinds"].items()
    }


def _entry(obj: KubeObject) -> _Merging | None:
    return _merging().get((obj.group, obj.ref.kind or ""))


def _key(obj: KubeObject) -> _Key:
    return obj.group, obj.ref.kind or "", obj.ref.name or ""


def _references(obj: KubeObject, entry: _Merging) -> Iterator[_Key]:
    """The objects that an object has templates from."""
    for path in entry.references:
        for match in follow(obj.node, path):
            name, cluster = string(get(match.node, "name")), get(match.node, entry.cluster)
            if name is not None:
                yield obj.group, entry.to[cluster is not None and cluster.text == "true"], name


def _means(user: KubeObject, obj: KubeObject) -> bool:
    """Whether an object that names one like this can mean it; one that stands beside another of the name means that."""
    if not may_be_referred_to(obj, user):
        return False
    return user.file.is_with(obj.file) or _key(obj) not in names_in(user.file)


class _Said(NamedTuple):
    """What a template says of devices, or the defaults of all.

    forms   the fields by which it makes a pod
    asking  the fields whose containers ask for GPUs
    names   a GPU's name stands there, be it with a zero
    claims  the pod has claims, or a container lists some
    """

    forms: frozenset[str]
    asking: frozenset[str]
    names: bool
    claims: bool


def _counts(container: Node) -> Iterator[Count]:
    for side in ("limits", "requests"):
        amounts = get(container, "resources", side)
        for name, entry in entries(amounts).items() if amounts is not None and amounts.kind == MAP else ():
            if classify(name) is not None:
                yield parse_count(deref(entry.value))


def _said(template: Node, entry: _Merging) -> _Said:
    asking: set[str] = set()
    names, claims = False, bool(children(get(template, "resourceClaims")))
    for path in entry.containers:
        for match in follow(template, path):
            counts = [*_counts(match.node)]
            names = names or bool(counts)
            claims = claims or bool(children(get(match.node, "resources", "claims")))
            if any(not count.exact or count.value for count in counts):
                asking.add(path[0])
    forms = {form for form in entry.merged | entry.alone if get(template, form) is not None}
    return _Said(frozenset(forms), frozenset(asking), names, claims)


def _differs(defaults: _Said, template: _Said, entry: _Merging) -> bool:
    """Whether the template's pod may get other devices than before, once the requests are claims."""
    if not defaults.asking:
        return defaults.claims and bool(template.asking)
    if not template.forms:
        return False
    inherited = defaults.asking & (entry.merged | entry.alone)
    return template.names or template.claims or not inherited <= template.forms & entry.merged


class _Held(NamedTuple):
    """Defaults that hold requests back: the field, whose it is, and whether it asks for GPUs or has claims already."""

    field: str
    node: Node
    user: KubeObject
    asks: bool


class Merged:
    """What the objects of the named files and of the context say for all templates that they run."""

    def __init__(self, bundle: Bundle, context: Context) -> None:
        self._bundle = bundle
        self._context = context
        self._held: dict[KubeObject, _Held | None] = {}

    @cached_property
    def _entries(self) -> dict[KubeObject, _Merging]:
        every = (*self._bundle.objects, *self._context.bundle.objects)
        return {obj: entry for obj in every if (entry := _entry(obj)) is not None}

    @cached_property
    def _by_name(self) -> dict[_Key, list[KubeObject]]:
        found: dict[_Key, list[KubeObject]] = {}
        for obj in self._entries:
            found.setdefault(_key(obj), []).append(obj)
        return found

    @cached_property
    def _direct(self) -> dict[KubeObject, list[KubeObject | None]]:
        """The objects that each one has templates from by name; None for one that no file has."""
        found: dict[KubeObject, list[KubeObject | None]] = {}
        for user, entry in self._entries.items():
            for key in dict.fromkeys(_references(user, entry)):
                there = [each for each in self._by_name.get(key, ()) if _means(user, each)]
                found.setdefault(user, []).extend(there or [None])
        return found

    def _used(self, obj: KubeObject) -> Iterator[KubeObject | None]:
        """The objects that this one has templates from, also by way of others; None where no file has one."""
        found: set[KubeObject | None] = {obj}
        waiting: list[KubeObject] = [obj]
        while waiting:
            for each in self._direct.get(waiting.pop(), ()):
                if each not in found:
                    found.add(each)
                    yield each
                    if each is not None:
                        waiting.append(each)

    def _templates(self, obj: KubeObject, entry: _Merging) -> Iterator[Node | None]:
        """The templates that the object's defaults are merged into; None for those that no file has."""
        for path in entry.templates:
            yield from (match.node for match in follow(obj.node, path))
        for each in self._used(obj):
            if each is None:
                yield None
                continue
            there = self._entries[each]
            for path in (*there.templates, (*there.spec, there.defaults)):
                yield from (match.node for match in follow(each.node, path))

    def _find(self, obj: KubeObject) -> _Held | None:
        entry = _entry(obj)
        node = get(obj.node, *entry.spec, entry.defaults) if entry is not None else None
        if entry is None or node is None:
            return None
        said = _said(node, entry)
        held = _Held(entry.defaults, node, obj, bool(said.asking))
        if not said.asking and not said.claims:
            return None
        for template in self._templates(obj, entry):
            if held.asks if template is None else _differs(said, _said(template, entry), entry):
                return held
        return None

    def _held_by(self, obj: KubeObject) -> _Held | None:
        if obj not in self._held:
            self._held[obj] = self._find(obj)
        return self._held[obj]

    def _says(self, obj: KubeObject) -> bool:
        """Whether the object says something of pods, those of other objects' templates included."""
        lends = any(True for _ in lent_fields(obj, _TOLERATIONS, merged=False))
        return lends or self._held_by(obj) is not None or bool(refusals(obj, obj.path))

    @cached_property
    def _users(self) -> dict[KubeObject, list[KubeObject]]:
        """Of each object those others that have templates from it, also by way of others, and say something of its pods."""
        found: dict[KubeObject, list[KubeObject]] = {}
        for user in filter(self._says, self._entries):
            for used in self._used(user):
                if used is not None:
                    found.setdefault(used, []).append(user)
        return found

    def _holding(self, obj: KubeObject) -> Iterator[_Held]:
        """The defaults that hold the requests of an object back."""
        for each in (obj, *self._users.get(obj, ())):
            held = self._held_by(each)
            if held is not None:
                yield held

    def speak(self, obj: KubeObject) -> list[Spoken]:
        """What is merged into the pod and speaks against claims, but for the patches of its own object."""
        spoken = [each for user in self._users.get(obj, ()) for each in refusals(user, user.path, obj)]
        for held in self._holding(obj):
            what = "asks for GPUs" if held.asks else "has claims"
            where = seen_from(obj, held.user, held.node)
            reason = f"{held.field} {what} ({where}), and a template that it is merged into would get other devices with claims"
            verdict = Verdict(Outcome.NEEDS_DECISION, reason, _NEXT.format(field=held.field))
            spoken.append(Spoken(verdict, ("extended-resource",)))
        return spoken

    def hidden(self, pod: PodSpec) -> Iterator[Spoken]:
        """The tolerations of objects that run the pod's template, which the pod has only without some of its own."""
        if (
            tolerated(pod)
            or children(get(pod.node, _TOLERATIONS))
            or any(lent_fields(pod.object, _TOLERATIONS, merged=True))
        ):
            return
        for user in self._users.get(pod.object, ()):
            for theirs in lent_fields(user, _TOLERATIONS, merged=False):
                if plain(theirs) == added_tolerations(pod):
                    continue
                where = seen_from(pod.object, user, theirs)
                reason = (
                    f"the toleration that goes with a claim would take the place of {_TOLERATIONS} in {where}"
                )
                yield Spoken(Verdict(Outcome.NEEDS_DECISION, reason, _WRITE), ("extended-resource",))

    def zero_verdict(self, obj: KubeObject) -> Verdict | None:
        """The verdict on a zero that takes away what would be merged into the pod."""
        for held in self._holding(obj):
            if held.asks:
                where = seen_from(obj, held.user, held.node)
                return Verdict(Outcome.KEPT, f"a zero stays: {held.field} asks for GPUs ({where})")
        return None
