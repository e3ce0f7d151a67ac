"""nim-dra-invalid: what the NIM operator's webhook refuses of draResources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from dralint.kube.selections import SEMVER
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import Node
from dralint.yamltext.view import Path, children, get, string

# k8s-nim-operator, api/apps/v1alpha1/nimservice_types.go and internal/webhook.
_LONGEST_NAME = 16
_OPERATORS = ("Equal", "NotEqual", "GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual")
_VALUES = ("boolValue", "intValue", "stringValue", "versionValue")
_SELECTORS = ("attributeSelectors", "capacitySelectors")
Told = Iterator[tuple[Path, str]]


def _value(selector: Node, path: Path) -> Told:
    value = get(selector, "value")
    given = [key for key in _VALUES if get(value, key) is not None]
    if len(given) != 1:
        yield path, f"a value is exactly one of {', '.join(_VALUES)}"
    version = string(get(value, "versionValue"))
    if version is not None and not SEMVER.match(version):
        says = f"{version} is no semantic version (three numbers without leading zeros)"
        yield (*path, "value", "versionValue"), says


def _device(device: Node, path: Path) -> Told:
    selectors = [key for key in _SELECTORS if children(get(device, key))]
    if selectors and children(get(device, "celExpressions")):
        yield (*path, "celExpressions"), f"celExpressions and {selectors[0]} exclude each other"
    for key in _SELECTORS:
        for index, selector in enumerate(children(get(device, key))):
            place = (*path, key, index)
            operator = string(get(selector, "op"))
            if operator is not None and operator not in _OPERATORS:
                yield (*place, "op"), f"op {operator} is none of {', '.join(_OPERATORS)}"
            if key == "attributeSelectors":
                yield from _value(selector, place)


def _resource(subject: Subject) -> Told:
    facts: Any = subject.facts
    ways = facts["ways"]
    if len(ways) != 1:
        both = (
            f"{' and '.join(ways)} exclude each other" if ways else "it names no claim, template or devices"
        )
        yield (ways[-1:] and (ways[-1],)) or (), both
    if "resourceClaimName" in ways and facts["many"]:
        says = "one ResourceClaim cannot serve several pods (replicas, or scale.enabled)"
        yield ("resourceClaimName",), says
    name = facts["generate_name"]
    if name is not None and len(name) > _LONGEST_NAME:
        yield ("claimCreationSpec", "generateName"), f"generateName is longer than {_LONGEST_NAME} characters"
    if "claimCreationSpec" in ways and not facts["devices"]:
        yield ("claimCreationSpec",), "claimCreationSpec lists no devices"
    root = subject.object.file.documents[subject.object.document].root
    made: Path = ("claimCreationSpec", "devices")
    for index, device in enumerate(children(get(root, *subject.path, *made))):
        yield from _device(device, (*made, index))


def _service(subject: Subject) -> Told:
    facts: Any = subject.facts
    if facts["dra_resources"] and facts["claims"]:
        yield ("resources", "claims"), "resources.claims must be empty beside draResources"
    for name, count in Counter(facts["claim_names"]).items():
        if count > 1:
            yield ("draResources",), f"ResourceClaim {name} stands twice"
    keys = set(facts["domain"])
    if {"create", "name"} <= keys:
        yield ("multiNode", "computeDomain"), "computeDomain has create and name, which exclude each other"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each thing that the webhook of the NIM operator refuses."""
    for path, says in _service(subject) if subject.kind == "nim_service" else _resource(subject):
        yield Hit((*subject.path, *path), {"says": says})
