"""What the names in a pod's `resourceClaims` mean: among the named files, then in the context."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from dralint.kube.bundle import Bundle
from dralint.kube.dra import CLAIM, CLASS, TEMPLATE, ClaimSpec, PodClaim, claim_spec
from dralint.kube.objects import KubeObject
from dralint.kube.places import PodSpec
from dralint.lint.facts.needs import Need, class_need, needs
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.yamltext.load import load_data
from dralint.yamltext.view import get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "managed.yaml")


class Managed(NamedTuple):
    """A claim template that a controller makes for an object."""

    name: str
    by: KubeObject
    requests: tuple[tuple[str, str | None], ...]


class Resolution(NamedTuple):
    """What a reference of a pod leads to.

    state      found; managed (a controller makes it); elsewhere (only in other namespaces);
               missing; unknown (the name is filled in later, or there is none)
    claims     found: the claims or templates it can be; several where namespaces are absent
    by         managed: the objects it is made for
    elsewhere  the objects of that name in other namespaces
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


def _nearest_first(objects: Sequence[KubeObject], user: KubeObject) -> Sequence[KubeObject]:
    """Those of the user's own file, if there are any: a file is what people apply as one."""
    own = [obj for obj in objects if obj.file is user.file]
    return own or objects


class Resolver:
    """Resolves references; what it has found once it does not look for again."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._found: dict[tuple[str, str, str | None, int], Resolution] = {}
        self._made: dict[bool, dict[str, list[Managed]]] = {}
        self._classes: dict[str, Sequence[str] | None] = {}
        self._specs: dict[int, ClaimSpec | None] = {}

    def spec(self, obj: KubeObject) -> ClaimSpec | None:
        """The claim spec of an object, read once."""
        if id(obj) not in self._specs:
            self._specs[id(obj)] = claim_spec(obj)
        return self._specs[id(obj)]

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
            specs = [spec for spec in map(self.spec, found) if spec is not None]
            self._classes[name] = (
                [each.expression for each in specs[0].selectors if each.expression is not None]
                if specs
                else None
            )
        return self._classes[name]

    def claim_needs(self, spec: ClaimSpec) -> list[Need]:
        """The needs of a claim's requests."""
        return needs(spec, self.class_selectors)

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

    def _resolve(self, kind: str, name: str, user: KubeObject) -> Resolution:
        namespace = user.ref.namespace
        if templated(name) or templated(namespace):
            return UNKNOWN
        elsewhere: list[KubeObject] = []
        for of_context in (False, True):
            bundle = self._run.context.bundle if of_context else self._run.bundle
            found = _nearest_first(bundle.find(kind, namespace, name), user)
            if found:
                claims = [spec for spec in map(self.spec, found) if spec is not None]
                return Resolution("found", claims, (), (), [self.claim_needs(spec) for spec in claims])
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
            elsewhere += bundle.find(kind, None, name)
            elsewhere += [each.by for each in made]
        return Resolution("elsewhere" if elsewhere else "missing", elsewhere=elsewhere)

    def _managed(self, of_context: bool) -> dict[str, list[Managed]]:
        if of_context not in self._made:
            self._made[of_context] = _managed(self._run.context.bundle if of_context else self._run.bundle)
        return self._made[of_context]
