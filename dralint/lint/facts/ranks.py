"""Ranks of one job that are spread over the containers of a pod."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from dralint.lint.facts.collectives import evidence
from dralint.lint.facts.pods import Pod


def _own_gpus(pod: Pod) -> list[frozenset[tuple[str | None, str | None]]]:
    """Per main container the GPU requests it can use, as (claim, request)."""
    found = []
    for container, claims in zip(pod.containers, pod.container_claims, strict=True):
        if container.group != "containers":
            continue
        own = {
            (claim.name, need.request)
            for claim in claims
            for needs in pod.wanted(claim)
            for need in needs
            if need.gpu is True and not need.admin
        }
        found.append(frozenset(own))
    return found


def ranks_apart(pod: Pod) -> list[str]:
    """Main containers that have GPUs of their own and talk to each other with NCCL."""
    own = _own_gpus(pod)
    users = Counter(chain.from_iterable(own))
    apart = [
        container
        for container, mine in zip(pod.mains, own, strict=True)
        if mine and all(users[each] == 1 for each in mine)
    ]
    talking = [each.name or "" for each in apart if evidence(each)] if len(apart) > 1 else []
    return talking if len(talking) > 1 else []
