"""The claims of one pod: what they request, and which of them each container lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from dralint.convert.counts import MAX_DEVICES, ClaimShape, Need, Table, Undecided, share
from dralint.convert.names import FreeNames, label
from dralint.kube.places import Container
from dralint.nvidia.classes import device_classes
from dralint.nvidia.resources import GpuResource

# What a claim can stand for, by the base of the resource.
CLAIMED = ("gpu", "mig")


class Choice(NamedTuple):
    """How requests choose among the devices of their class.

    selectors     CEL expressions that must all hold
    alternatives  what must hold beside them, the best first and last ""; empty: no alternatives
    capacity      what of a device's capacity they take, name and quantity; empty: the whole device
    """

    selectors: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    capacity: tuple[tuple[str, str], ...] = ()


_ANY = Choice()


class Wanted(NamedTuple):
    """One request of a claim; profile: of a MIG device, as the driver's attribute writes it."""

    name: str
    device_class: str
    devices: int
    profile: str | None
    choice: Choice = _ANY


class Claim(NamedTuple):
    """A claim of a pod.

    name      in the pod's `resourceClaims`
    requests  what its template requests
    holder    index of the container it was made for, None when only init containers use it
    """

    name: str
    requests: tuple[Wanted, ...]
    holder: int | None


class Mention(NamedTuple):
    """An entry of a container's `resources.claims`; request: None for all of the claim's."""

    claim: int
    request: str | None


class Share(NamedTuple):
    """The devices of one resource that a container sees of a claim, and how its requests choose them."""

    claim: int
    devices: int
    choice: Choice


class PodClaims(NamedTuple):
    """The claims of a pod, by container index what the container lists.

    made: for a resource name and a container index the claims that hold its devices
    """

    claims: tuple[Claim, ...]
    mentions: Mapping[int, tuple[Mention, ...]]
    made: Mapping[tuple[str, int], tuple[Share, ...]]


class Stuck(NamedTuple):
    """Why no claims can be made, and what to do, without full stops; the resource and container where it shows."""

    reason: str
    advice: str
    resource: str
    container: int


# What each container asks for, by resource and container index; the counts are from 1 up.
Needs = Mapping[GpuResource, Mapping[int, int]]


def device_class(resource: GpuResource) -> str:
    """The driver's class that hands out what a whole GPU or MIG resource means."""
    return next(each.name for each in device_classes().values() if each.type == resource.base)


def _role(container: Container) -> Literal["init", "sidecar", "main"]:
    if container.group == "initContainers":
        return "sidecar" if container.sidecar else "init"
    return "main"


def _base_name(resource: GpuResource) -> str:
    """What a request is called: `gpu`, `mig-1g-10gb`."""
    return f"mig-{label(resource.profile)}" if resource.profile else "gpu"


class _Draft:
    """A claim that is being put together from the tables of several resources."""

    def __init__(self, holder: int | None) -> None:
        self.holder = holder
        self.requests: list[Wanted] = []
        self._devices = 0
        self._names = FreeNames()

    def add(self, resource: GpuResource, counts: Sequence[int], choice: Choice) -> list[str] | None:
        """Adds requests of the resource and returns their names; None where a claim cannot hold so many."""
        self._devices += sum(counts)
        if self._devices > MAX_DEVICES:
            return None
        base = _base_name(resource)
        names = [self._names.take(base if index == 0 else f"{base}-extra") for index in range(len(counts))]
        self.requests += (
            Wanted(name, device_class(resource), devices, resource.profile, choice)
            for name, devices in zip(names, counts, strict=True)
        )
        return names


class _Shared(NamedTuple):
    """How the devices of a resource are shared out; indexes: of the containers that the table speaks of."""

    table: Table
    indexes: Sequence[int]

    def holder(self, shape: ClaimShape) -> int | None:
        """The index of the container that a claim is for."""
        return None if shape.holder is None else self.indexes[shape.holder]


def _mentions(listed: Mapping[int, Sequence[str]], drafts: Sequence[_Draft]) -> tuple[Mention, ...]:
    found: list[Mention] = []
    for claim, names in sorted(listed.items()):
        if len(names) == len(drafts[claim].requests):
            found.append(Mention(claim, None))
        else:
            found.extend(Mention(claim, name) for name in names)
    return tuple(found)


def _claim_name(draft: _Draft, containers: Sequence[Container]) -> str:
    """What the claim is called beside others of its pod."""
    holder = containers[draft.holder] if draft.holder is not None else None
    return f"gpu-{'init' if holder is None else label(holder.name or '') or holder.index}"


def _named(drafts: Sequence[_Draft], containers: Sequence[Container], taken: Sequence[str]) -> list[Claim]:
    names = FreeNames(taken)
    return [
        Claim(
            names.take("gpu" if len(drafts) == 1 else _claim_name(draft, containers)),
            tuple(draft.requests),
            draft.holder,
        )
        for draft in drafts
    ]


def _tables(needs: Needs, containers: Sequence[Container]) -> dict[GpuResource, _Shared] | Stuck:
    """How the containers share out the devices of each resource."""
    tables: dict[GpuResource, _Shared] = {}
    for resource, counts in needs.items():
        indexes = sorted(counts)
        table = share([Need(_role(containers[index]), counts[index]) for index in indexes])
        if isinstance(table, Undecided):
            return Stuck(table.reason, table.advice, resource.name, indexes[table.need])
        tables[resource] = _Shared(table, indexes)
    return tables


def _drafts(tables: Iterable[_Shared]) -> list[_Draft]:
    """A claim for each container that one is made for, that of init containers alone first."""
    holders = {each.holder(shape) for each in tables for shape in each.table.claims}
    return [_Draft(each) for each in sorted(holders, key=lambda each: -1 if each is None else each)]


def claims_of_pod(
    needs: Needs,
    containers: Sequence[Container],
    taken: Sequence[str],
    choices: Mapping[GpuResource, Choice] = MappingProxyType({}),
) -> PodClaims | Stuck:
    """The claims for the needs of a pod's containers, one claim for each that runs beside others.

    containers: all of the pod in the order they start in; taken: names of claims that stand there already;
    choices: of requests that do not take any device of their class
    """
    tables = _tables(needs, containers)
    if isinstance(tables, Stuck):
        return tables
    drafts = _drafts(tables.values())
    position = {draft.holder: number for number, draft in enumerate(drafts)}
    listed: dict[int, dict[int, list[str]]] = {}
    made: dict[tuple[str, int], tuple[Share, ...]] = {}
    for resource, shared in tables.items():
        table, indexes = shared
        named: list[tuple[int, list[str]]] = []
        choice = choices.get(resource, _ANY)
        for shape in table.claims:
            holder = shared.holder(shape)
            claim = position[holder]
            names = drafts[claim].add(resource, shape.requests, choice)
            if names is None:
                where = indexes[0] if holder is None else holder
                reason = f"a claim holds at most {MAX_DEVICES} devices"
                return Stuck(reason, "write several claims by hand", resource.name, where)
            named.append((claim, names))
        for index, lists in zip(indexes, table.lists, strict=True):
            made[resource.name, index] = tuple(
                Share(
                    named[shown.claim][0], sum(table.claims[shown.claim].requests[: shown.requests]), choice
                )
                for shown in lists
            )
            for shown in lists:
                claim, of_claim = named[shown.claim]
                listed.setdefault(index, {}).setdefault(claim, []).extend(of_claim[: shown.requests])
    mentions = {index: _mentions(by_claim, drafts) for index, by_claim in listed.items()}
    return PodClaims(tuple(_named(drafts, containers, taken)), mentions, made)
