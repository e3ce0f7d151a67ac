"""The ways a request can move to DRA, and which one a request takes: contract, point 6."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from typing import Any

from dralint.convert.holding import can_hold_claims
from dralint.convert.model import Outcome, Way
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.options import Options
from dralint.convert.requests import is_zero
from dralint.convert.work import PodWork
from dralint.kube.kinds import Schema
from dralint.kube.places import Container, PodSpec
from dralint.kube.versions import Version
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "extended.yaml")
_BY_NAME: tuple[Way, ...] = ("extended-resource", "implicit")
# What is known to have no place for a claim; a kind that nobody knows may have one.
_WITHOUT_PLACE: tuple[Schema, ...] = ("narrow", "split")


@cache
def data() -> Any:
    """What Kubernetes needs to serve extended resources."""
    return load_data(_DATA)


def prefix() -> str:
    """What stands before the name of a class where pods ask for its devices by that."""
    return str(data()["prefix"]["name"])


def gate_is_on(options: Options) -> bool:
    """Whether DRA serves resource names on the target."""
    return bool(options.target.kubernetes_gate(data()["gate"]["name"]))


def fits_by_name(schema: Schema, options: Options) -> bool:
    """Whether `auto` takes an extended resource for a place of that schema class: no claim fits, and the gate is on."""
    return options.mode == "auto" and schema in _WITHOUT_PLACE and gate_is_on(options)


def way_of(pod: PodSpec, options: Options, *, refuses: bool = False) -> Way:
    """The way that a pod's requests take.

    refuses: the object's API refuses claims although its kind has the fields
    """
    if options.mode != "auto":
        return options.mode
    if can_hold_claims(pod) and not refuses:
        return "claims"
    schema = "narrow" if can_hold_claims(pod) else pod.schema
    return "extended-resource" if fits_by_name(schema, options) else "claims"


def with_gate(verdict: Verdict, schema: Schema, options: Options) -> Verdict:
    """The verdict on a place without claims; where only the gate is missing for an extended resource it says so."""
    if options.mode != "auto" or schema not in _WITHOUT_PLACE or gate_is_on(options):
        return verdict
    gate = data()["gate"]["name"]
    more = f"or ask by name, with the gate {gate}, which Kubernetes {options.target.kubernetes} has off (--gate {gate}=true where it is on)"
    return verdict._replace(next="; ".join(filter(None, [verdict.next, more])))


def gate_verdict(way: Way, found: Iterable[Found], options: Options) -> Verdict | None:
    """The verdict on requests by name where DRA serves no names; none of them matters if all are zero."""
    if way not in _BY_NAME or gate_is_on(options) or all(map(is_zero, found)):
        return None
    gate = data()["gate"]
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"Kubernetes {options.target.kubernetes} serves no resource names by DRA: its gate {gate['name']} is off",
        f"use --mode claims, or --gate {gate['name']}=true where {gate['components']} have it on",
    )


def init_verdict(work: PodWork, options: Options) -> Verdict | None:
    """The verdict on a pod of which a release would hold more devices than it asks for at any time."""
    mended = Version(data()["init_containers"]["mended"])
    if work.way not in _BY_NAME or options.target.kubernetes >= mended:
        return None
    asking: dict[str, list[Container]] = {}
    for index, requests in work.asked.items():
        for found in requests:
            if not is_zero(found):
                asking.setdefault(found.resource.name, []).append(work.containers[index])
    if not any(
        len(containers) > 1
        and any(each.group == "initContainers" and not each.sidecar for each in containers)
        for containers in asking.values()
    ):
        return None
    return Verdict(
        Outcome.NEEDS_DECISION,
        f"Kubernetes {options.target.kubernetes} gives an init container devices of its own, so the pod would hold more than today",
        f"use --mode claims, or Kubernetes {mended} or later",
    )


def assumptions(ways: Iterable[str | None], options: Options) -> list[str]:
    """What requests by name take for granted, a sentence each."""
    if not any(way in _BY_NAME for way in ways):
        return []
    gate = data()["gate"]
    stated = ["no device plugin serves the names on the nodes where DRA is to serve them"]
    if options.target.gate_set("kubernetes", gate["name"]):
        stated.append(f"the gate {gate['name']} is on in {gate['components']}")
    return stated
