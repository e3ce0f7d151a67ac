"""What the names in a pod's `resourceClaims` mean: among the named files, then in the context."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.kube.bundle import Bundle
from dralint.kube.dra import CLAIM, CLASS, GROUP, TEMPLATE, ClaimSpec, PodClaim, claim_spec
from dralint.kube.objects import KubeObject
from dralint.kube.places import PodSpec
from dralint.lint.facts.built import BuiltNames
from dralint.lint.facts.definitions import Definitions
from dralint.lint.facts.needs import Need, class_need, needs
from dralint.lint.facts.placeholders import may_become, templated
from dralint.lint.facts.replaced import is_replaced
from dralint.lint.run import Run
from dralint.lint.views import spec_of
from dralint.nvidia.classes import selected
from dralint.yamltext.load import load_data
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.view import Path, children, get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "managed.yaml")


class Managed(NamedTuple):
    """A claim template that a controller makes for an object."""

    name: str
    by: KubeObject
    requests: tuple[tuple[str, str | None], ...]


class ClaimView:
    """A claim, a template or a class with what its requests ask for.

    needs    of its requests, in their order
    by_name  the same by the request's name
    types    NVIDIA's types of device among them, as far as they are known; sure: all are known
    """

    __slots__ = ("by_name", "needs", "spec", "sure", "types")

    def __init__(self, spec: ClaimSpec, needs: Sequence[Need]) -> None:
        self.spec = spec
        self.needs = needs
        self.by_name: dict[str, list[Need]] = defaultdict(list)
        for need in needs:
            self.by_name[need.request or ""].append(need)
        self.types: tuple[str, ...] = tuple(sorted({need.type for need in needs if need.type is not None}))
        self.sure = all(need.type is not None for need in needs)


class Resolution(NamedTuple):
    """What a reference of a pod leads to.

    state      found; managed (a controller makes it); elsewhere (only in other namespaces);
               missing; unknown (the name, or that of a definition, is filled in later, or there is none)
    claims     found: the claims or templates it can be; several where namespaces are absent, each content once
    by         managed: the objects it is made for
    elsewhere  objects of that name in other namespaces, one of each
    needs      per candidate the needs of its requests; empty when nothing was found
    """

    state: Literal["found", "managed", "elsewhere", "missing", "unknown"]
    claims: Sequence[ClaimSpec] = ()
    by: Sequence[KubeObject] = ()
    elsewhere: Sequence[KubeObject] = ()
    needs: Sequence[Sequence[Need]] = ()


UNKNOWN = Resolution("unknown")


@lru_cache(maxsize=1)
def _managed_kinds() -> dict[tuple[str, str], dict[str, Any]]:
    data: Any = load_data(_DATA)
    return {(entry["group"], entry["kind"]): entry for entry in data["managed"]}


@lru_cache(maxsize=1)
def _completed_kinds() -> frozenset[tuple[str, str]]:
    data: Any = load_data(_DATA)
    return frozenset((entry["group"], entry["kind"]) for entry in data["completed"])


def is_completed(obj: KubeObject) -> bool:
    """Whether a controller joins the object's pod spec with another object's."""
    return (obj.group, obj.ref.kind or "") in _completed_kinds()


def managed_pod_claims(obj: KubeObject) -> tuple[str, ...]:
    """The entries that a controller adds to `spec.resourceClaims` of the object's pods."""
    entry = _managed_kinds().get((obj.group, obj.ref.kind or ""))
    if entry is None or "pod_claim" not in entry:
        return ()
    condition = entry.get("if")
    return () if condition and get(obj.node, *condition) is None else (entry["pod_claim"],)


def _managed(bundle: Bundle) -> dict[str, list[Managed]]:
    found: dict[str, list[Managed]] = defaultdict(list)
    for obj in bundle.objects:
        entry = _managed_kinds().get((obj.group, obj.ref.kind or ""))
        if entry is None:
            continue
        name = string(get(obj.node, *entry["name"]))
        condition = entry.get("if")
        if name is None or (condition and get(obj.node, *condition) is None):
            continue
        requests = tuple(
            (each["name"], each.get("class") or string(get(obj.node, *each["class_path"])))
            for each in entry["requests"]
        )
        name += entry.get("suffix", "")
        found[name].append(Managed(name, obj, requests))
    return found


def _same_namespace(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def _mentioned(node: Node, path: Path) -> Iterator[str]:
    waiting = [node]
    while waiting:
        current = deref(waiting.pop())
        if current.kind == MAP:
            names = (string(get(claim, "name")) for claim in children(get(current, *path)))
            yield from (name for name in names if name is not None)
        if current.kind in (MAP, SEQ):
            waiting.extend(current.items)


class Resolver:
    """Resolves references; what it has found once it does not look for again."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._found: dict[tuple[str, str, str | None, int], Resolution] = {}
        self._defined: dict[tuple[bool, str, str | None, str], Definitions] = {}
        self._made: dict[bool, dict[str, list[Managed]]] = {}
        self._classes: dict[str, Sequence[str] | None] = {}
        self._mentioned: dict[tuple[int, Path], frozenset[str]] = {}
        self._views: dict[int, ClaimView | None] = {}
        self._built_of: dict[str, BuiltNames] = {}
        self._names_to_fill: dict[tuple[str, bool], list[str]] = {}

    def view(self, obj: KubeObject) -> ClaimView | None:
        """The view of a claim, a template or a class, made once; None for other objects."""
        if id(obj) not in self._views:
            spec = spec_of(obj)
            self._views[id(obj)] = None if spec is None else ClaimView(spec, self._needs(spec))
        return self._views[id(obj)]

    def claim_needs(self, spec: ClaimSpec) -> Sequence[Need]:
        """The needs of a claim's requests, in their order."""
        view = self.view(spec.object)
        return view.needs if view is not None else ()

    def _needs(self, spec: ClaimSpec) -> list[Need]:
        if spec.object.ref.kind != CLASS:
            return needs(spec, self.class_selectors)
        found = selected([each.expression for each in spec.selectors if each.expression is not None])
        return [Need(None, found.driver, found.type)]

    def mentioned(self, obj: KubeObject, path: Path) -> frozenset[str]:
        """The names in every list at that path anywhere in an object."""
        key = (id(obj), path)
        if key not in self._mentioned:
            self._mentioned[key] = frozenset(_mentioned(obj.node, path))
        return self._mentioned[key]

    @property
    def files_read(self) -> int:
        """How many files a reference was looked for in."""
        return len(self._run.files) + self._run.context.files_read

    def class_selectors(self, name: str) -> Sequence[str] | None:
        """The selectors of the DeviceClass of that name; None where none is defined."""
        if name not in self._classes:
            found = self._run.bundle.find(CLASS, None, name) or self._run.context.bundle.find(
                CLASS, None, name
            )
            spec = claim_spec(found[0]) if found else None
            self._classes[name] = (
                None
                if spec is None
                else [each.expression for each in spec.selectors if each.expression is not None]
            )
        return self._classes[name]

    def pod_claim(self, pod: PodSpec, claim: PodClaim) -> Resolution:
        """What an entry of a pod's `resourceClaims` leads to."""
        kind = CLAIM if claim.claim_name is not None else TEMPLATE
        name = claim.claim_name if claim.claim_name is not None else claim.template_name
        both = claim.claim_name is not None and claim.template_name is not None
        if name is None or both:
            return UNKNOWN
        key = (kind, name, pod.object.ref.namespace, id(pod.object.file))
        if key not in self._found:
            self._found[key] = self._resolve(kind, name, pod.object)
        return self._found[key]

    def _built(self, kind: str) -> BuiltNames:
        """The names of the objects of a kind in builds, the context's too."""
        if kind not in self._built_of:
            known = (*self._run.bundle.objects, *self._run.context.bundle.objects)
            self._built_of[kind] = BuiltNames([obj for obj in known if obj.ref.kind == kind])
        return self._built_of[kind]

    def _resolve(self, kind: str, name: str, user: KubeObject) -> Resolution:
        namespace = user.ref.namespace
        if templated(name) or templated(namespace):
            return UNKNOWN
        elsewhere: list[KubeObject] = []
        for of_context in (False, True):
            found = self._definitions(of_context, kind, namespace, name).near(user.file)
            if found:
                views = [view for view in map(self.view, found) if view is not None]
                return Resolution(
                    "found", [view.spec for view in views], needs=[view.needs for view in views]
                )
            made = self._managed(of_context).get(name, []) if kind == TEMPLATE else []
            here = [each for each in made if _same_namespace(each.by.ref.namespace, namespace)]
            if here:
                wants = [
                    [
                        class_need(request, of_class, self.class_selectors)
                        for request, of_class in each.requests
                    ]
                    for each in here
                ]
                return Resolution("managed", (), [each.by for each in here], (), wants)
            if any(may_become(pattern, name) for pattern in self._patterns(kind, of_context)):
                return UNKNOWN
            others = self._definitions(of_context, kind, None, name)
            makers = [each.by for each in made]
            if others.templated or any(templated(obj.ref.namespace) for obj in makers):
                return UNKNOWN
            elsewhere += [*others.elsewhere, *makers]
        if is_replaced(user, self._run) or self._built(kind).has(name, user):
            return UNKNOWN
        if user.template:
            # Its chart's other templates may define the name, and most of them cannot be read.
            return UNKNOWN
        return Resolution("elsewhere" if elsewhere else "missing", elsewhere=elsewhere)

    def _definitions(self, of_context: bool, kind: str, namespace: str | None, name: str) -> Definitions:
        key = (of_context, kind, namespace, name)
        if key not in self._defined:
            bundle = self._run.context.bundle if of_context else self._run.bundle
            self._defined[key] = Definitions(bundle.find(kind, namespace, name))
        return self._defined[key]

    def _patterns(self, kind: str, of_context: bool) -> list[str]:
        """The names of definitions that something else fills in later."""
        key = (kind, of_context)
        if key not in self._names_to_fill:
            bundle = self._run.context.bundle if of_context else self._run.bundle
            names = {obj.ref.name for obj in bundle.objects if obj.group == GROUP and obj.ref.kind == kind}
            self._names_to_fill[key] = sorted(name for name in names if name and templated(name))
        return self._names_to_fill[key]

    def _managed(self, of_context: bool) -> dict[str, list[Managed]]:
        if of_context not in self._made:
            self._made[of_context] = _managed(self._run.context.bundle if of_context else self._run.bundle)
        return self._made[of_context]
