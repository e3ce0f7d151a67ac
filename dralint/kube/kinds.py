"""Workload kinds, from data/kinds: where pod specs are and what operators make of GPU limits."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.kube.paths import steps
from dralint.yamltext.load import load_data

Schema = Literal["full", "split", "narrow", "unknown"]
Steps = tuple[str, ...]


class Factor(NamedTuple):
    """One factor of a number of pods: the field at `path`, less `minus`; an absent field counts 1."""

    path: Steps
    minus: int


class ClaimsForm(NamedTuple):
    """How a kind writes claims: the entries of a list at a path from the pod spec.

    named  entries have names, and containers list them in `resources.claims`, as in Kubernetes' own pods;
           otherwise an entry is for the one container that the operator makes
    """

    path: Steps
    named: bool


class PodPlace(NamedTuple):
    """Where a kind has a pod spec; paths are from the object, wildcards as in `kube.paths`.

    part       text with {field} and {*}, None for the only pod spec
    metadata   of the pod template, None where there is none
    replicas   factors; "many" (more than one, number unknown) or "unknown"
    when, unless   a path that must, or must not, lead to something
    gpu_count  the field that the operator needs once limits name no GPU
    containers, init_containers   paths from the pod spec to containers, where they are not the usual lists
    next       what to do instead of writing a claim there; "" for class full
    claims     how claims are written there; None where they cannot be
    """

    path: Steps
    part: str | None
    metadata: Steps | None
    replicas: tuple[Factor, ...] | Literal["many", "unknown"]
    when: Steps | None
    unless: Steps | None
    gpu_count: Steps | None
    schema: Schema
    containers: tuple[Steps, ...] | None
    init_containers: tuple[Steps, ...] | None
    next: str
    claims: ClaimsForm | None


class ResourcePlace(NamedTuple):
    """Where a kind has a `resources` mapping outside any pod spec; next: where a claim goes instead."""

    path: Steps
    next: str


class WorkloadKind(NamedTuple):
    """A kind that runs pods; see data/kinds/README.md for the fields.

    versions      None: every version has this layout
    operator_pods  mappings that are no pod specs, and of which the operator makes pods
    cluster_scoped  its objects are in no namespace
    counts_gpus   how its operator counts GPUs from limits, None where it does not
    checked       the schema class was read from the CRD, not from documentation
    why           why it takes no claims, without a full stop; "": as its schema class says
    assumes       what claims written there take for granted, without full stops
    """

    group: str
    kind: str
    versions: tuple[str, ...] | None
    schema: Schema
    pods: tuple[PodPlace, ...]
    operator_pods: tuple[PodPlace, ...]
    resources: tuple[ResourcePlace, ...]
    cluster_scoped: bool
    counts_gpus: str | None
    checked: bool
    why: str
    assumes: tuple[str, ...]


class RequestField(NamedTuple):
    """A GPU request that is no `resources` mapping of Kubernetes' shape.

    place       in objects of one kind; None: any mapping that has one of `maps`
    maps        paths from the place to mappings of resource names to counts
    quantities  paths from the place to counts of one resource: `resource`, or what stands at `name`
    """

    group: str | None
    kind: str | None
    versions: tuple[str, ...] | None
    place: Steps | None
    maps: tuple[Steps, ...]
    quantities: tuple[Steps, ...]
    resource: str | None
    name: Steps | None
    next: str


class NoteField(NamedTuple):
    """Quota or inventory that must follow the workloads; topic: "quota" or "inventory"."""

    group: str
    kind: str
    paths: tuple[Steps, ...]
    topic: str
    next: str


# What a team's configuration adds to the data.
_own_kinds: list[Mapping[str, Any]] = []


def register(kinds: Iterable[Mapping[str, Any]]) -> None:
    """Take a team's own kinds from here on, instead of those taken before.

    They are in the form of data/kinds and come before dralint's own.
    """
    _own_kinds[:] = kinds
    _of_group.cache_clear()


_DATA = os.path.join(os.path.dirname(__file__), "data")
_CORE, _SUFFIX = "core", ".yaml"


@cache
def _data(*name: str) -> Any:
    return load_data(os.path.join(_DATA, *name))


def _optional(text: str | None) -> Steps | None:
    return None if text is None else steps(text)


def _several(texts: Iterable[str] | None) -> tuple[Steps, ...] | None:
    return None if texts is None else tuple(map(steps, texts))


def _factor(text: str) -> Factor:
    path, _, minus = text.partition(" - ")
    return Factor(steps(path.strip()), int(minus or 0))


def _replicas(text: str | None) -> tuple[Factor, ...] | Literal["many", "unknown"]:
    if text == "many":
        return "many"
    if text == "unknown":
        return "unknown"
    return tuple(_factor(part) for part in text.split(" * ")) if text else ()


def _metadata(entry: Mapping[str, Any], path: Steps) -> Steps | None:
    if "metadata" in entry:
        return _optional(entry["metadata"])
    return (*path[:-1], "metadata") if path[-1] == "spec" else None


def _claims_form(entry: Mapping[str, Any], schema: Schema) -> ClaimsForm | None:
    written = entry.get("claims", {"path": "resourceClaims"} if schema == "full" else None)
    return None if written is None else ClaimsForm(steps(written["path"]), written.get("named", True))


def _pod_place(entry: Mapping[str, Any], schema: Schema) -> PodPlace:
    path, schema = steps(entry["path"]), entry.get("schema", schema)
    return PodPlace(
        path,
        entry.get("part"),
        _metadata(entry, path),
        _replicas(entry.get("replicas")),
        _optional(entry.get("when")),
        _optional(entry.get("unless")),
        _optional(entry.get("gpu_count")),
        schema,
        _several(entry.get("containers")),
        _several(entry.get("initContainers")),
        entry.get("next", ""),
        _claims_form(entry, schema),
    )


def _versions(entry: Mapping[str, Any]) -> tuple[str, ...] | None:
    return tuple(entry["versions"]) if "versions" in entry else None


def _kind(entry: Mapping[str, Any]) -> WorkloadKind:
    return WorkloadKind(
        entry["group"],
        entry["kind"],
        _versions(entry),
        entry["schema"],
        tuple(_pod_place(place, entry["schema"]) for place in entry["pods"]),
        tuple(_pod_place(place, entry["schema"]) for place in entry.get("operator_pods", ())),
        tuple(ResourcePlace(steps(place["path"]), place["next"]) for place in entry.get("resources", ())),
        entry.get("scope") == "cluster",
        entry.get("counts_gpus"),
        entry.get("checked", True),
        entry.get("why", ""),
        tuple(entry.get("assumes", ())),
    )


def _field(entry: Mapping[str, Any]) -> RequestField:
    return RequestField(
        entry.get("group"),
        entry.get("kind"),
        _versions(entry),
        _optional(entry.get("place")),
        tuple(map(steps, entry.get("maps", ()))),
        tuple(map(steps, entry.get("quantities", ()))),
        entry.get("resource"),
        _optional(entry.get("name")),
        entry["next"],
    )


@cache
def _groups() -> frozenset[str]:
    """The API groups that data/kinds has a file for, by its name."""
    files = os.listdir(os.path.join(_DATA, "kinds"))
    return frozenset(name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX))


@cache
def _of_group(group: str) -> tuple[WorkloadKind, ...]:
    """The kinds of an API group, a team's own first; the files of other groups are not read."""
    own = [entry for entry in _own_kinds if entry["group"] == group]
    file = group or _CORE
    listed = _data("kinds", file + _SUFFIX)["kinds"] if file in _groups() else ()
    return tuple(kind for kind in map(_kind, [*own, *listed]) if kind.group == group)


def workload_kinds() -> tuple[WorkloadKind, ...]:
    """All kinds, by API group, a team's own before those of data/kinds."""
    known = {name if name != _CORE else "" for name in _groups()} | {entry["group"] for entry in _own_kinds}
    return tuple(kind for group in sorted(known) for kind in _of_group(group))


@cache
def request_fields() -> tuple[RequestField, ...]:
    """GPU requests that are no `resources` mapping, by kind or by key."""
    return tuple(map(_field, _data("requests.yaml")["fields"]))


@cache
def note_fields() -> Mapping[tuple[str, str], NoteField]:
    """Quota and inventory fields by group and kind."""
    notes = (
        NoteField(
            entry["group"], entry["kind"], tuple(map(steps, entry["paths"])), entry["topic"], entry["next"]
        )
        for entry in _data("requests.yaml")["notes"]
    )
    return {(note.group, note.kind): note for note in notes}


def kind_of(obj: KubeObject) -> WorkloadKind | None:
    """The workload kind of an object; None for a kind or version that is not listed."""
    for kind in _of_group(obj.group):
        if kind.kind == obj.ref.kind and (kind.versions is None or obj.version in kind.versions):
            return kind
    return None


def is_listed(group: str, kind: str) -> bool:
    """Whether a kind is a known workload, in whatever version."""
    return any(known.kind == kind for known in _of_group(group))


def is_cluster_scoped(group: str, kind: str) -> bool:
    """Whether objects of a known workload kind are in no namespace."""
    return any(known.kind == kind and known.cluster_scoped for known in _of_group(group))
