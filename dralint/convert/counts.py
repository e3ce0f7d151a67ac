"""How many devices a pod's claims hold, and which of them each container sees: contract, point 7.

One resource name at a time, numbers only; what the claims are called is not decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

# The scheduler allocates at most so many devices for one claim.
# Source: resource.k8s.io/v1, AllocationResultsMaxSize.
MAX_DEVICES = 32


class Need(NamedTuple):
    """What one container asks for: a number of devices from 1 up.

    role: an ordinary init container, a sidecar (an init container that restarts always), or main
    """

    role: Literal["init", "sidecar", "main"]
    devices: int


class ClaimShape(NamedTuple):
    """A claim of a pod: the counts of its requests, and the need it was made for.

    holder: index of the main container or sidecar; None when only init containers use the claim
    """

    holder: int | None
    requests: tuple[int, ...]


class Listed(NamedTuple):
    """A container lists the first `requests` requests of a claim."""

    claim: int
    requests: int


class Table(NamedTuple):
    """The claims of a pod and, for each need in the given order, what that container lists."""

    claims: tuple[ClaimShape, ...]
    lists: tuple[tuple[Listed, ...], ...]


class Undecided(NamedTuple):
    """The counts fit no rule; why, and what to do, without full stops, and the need that does not fit."""

    reason: str
    advice: str
    need: int


def _one_claim(needs: Sequence[Need], holder: int | None) -> Table:
    """Requests of c1, c2 - c1, ... for the distinct counts c1 < c2 < ...; a count ci sees the first i."""
    steps = sorted({need.devices for need in needs})
    requests = tuple(high - low for low, high in zip([0, *steps], steps, strict=False))
    place = {devices: number for number, devices in enumerate(steps, 1)}
    lists = tuple((Listed(0, place[need.devices]),) for need in needs)
    return Table((ClaimShape(holder, requests),), lists)


def _taken(devices: int, mains: Mapping[int, int], later: Mapping[int, int]) -> tuple[Listed, ...] | None:
    """The claims an init container takes: of one container with its count, or all of them.

    mains, later: by claim the devices of the main containers, and of the sidecars that start later; a
    sidecar that stands before the init container runs beside it and keeps its devices
    """
    for claim, held in (*mains.items(), *later.items()):
        if held == devices:
            return (Listed(claim, 1),)
    for claims in (mains, {**later, **mains}):
        if sum(claims.values()) == devices:
            return tuple(Listed(claim, 1) for claim in claims)
    return None


def share(needs: Sequence[Need]) -> Table | Undecided:
    """The claims for one resource name, from the needs in the order the containers start in.

    needs: init containers and sidecars as they stand in the pod, then the main containers. The
    claims hold what Kubernetes held for the pod, and no two containers that run together see the
    same device.
    """
    holders = [index for index, need in enumerate(needs) if need.role != "init"]
    if len(holders) <= 1:
        for index, need in enumerate(needs):
            if need.role == "init" and holders and needs[holders[0]].role == "sidecar" and index > holders[0]:
                return Undecided(
                    "it starts while a sidecar before it keeps its own devices",
                    "let it start before the sidecar, or convert it by hand",
                    index,
                )
        return _one_claim(needs, holders[0] if holders else None) if needs else Table((), ())
    claim_of = {holder: claim for claim, holder in enumerate(holders)}
    mains = {claim_of[holder]: needs[holder].devices for holder in holders if needs[holder].role == "main"}
    later = {claim: needs[holder].devices for holder, claim in claim_of.items() if claim not in mains}
    lists: list[tuple[Listed, ...]] = []
    for index, need in enumerate(needs):
        if need.role != "init":
            later.pop(claim_of[index], None)
            lists.append((Listed(claim_of[index], 1),))
            continue
        taken = _taken(need.devices, mains, later)
        if taken is None:
            return Undecided(
                "its count is neither that of a container whose devices it could use, nor the sum of all of them",
                "give it the count of a container that starts after it, or convert it by hand",
                index,
            )
        lists.append(taken)
    return Table(tuple(ClaimShape(holder, (needs[holder].devices,)) for holder in holders), tuple(lists))
