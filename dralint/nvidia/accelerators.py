"""Which card a node has, by the labels that GPU Feature Discovery and the clouds put on it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.nvidia.cards import Card, card, cards
from dralint.nvidia.published import architectures
from dralint.nvidia.resources import classify
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "accelerator_labels.yaml")
_UNWANTED = re.compile(r"[^A-Za-z0-9\-_. ]")
_SHARED = "-SHARED"
_MIG = re.compile(r"(?P<product>.+)-MIG-(?P<profile>[0-9].*)")


def gfd_product(name: str) -> str:
    """A product name as GPU Feature Discovery writes it into a label: `NVIDIA-H200-NVL`.

    Source: NVIDIA/k8s-device-plugin v0.20.0, internal/lm/resource.go (sanitise).
    """
    return "-".join(_UNWANTED.sub("", name).split())


class Product(NamedTuple):
    """What the label nvidia.com/gpu.product says.

    label    the value without its suffixes
    card     None: no card of the catalogue is spelt so
    profile  the GPUs are cut into MIG devices of this profile (strategy single)
    shared   they are shared by time-slicing or MPS
    """

    label: str
    card: Card | None
    profile: str | None
    shared: bool


@lru_cache(maxsize=1)
def _by_gfd_product() -> Mapping[str, Card]:
    return {gfd_product(name): each for each in cards() for name in (*each.aliases, each.name)}


def read_product(value: str) -> Product:
    """The product that a GFD label names."""
    label = value.removesuffix(_SHARED)
    shared = label != value
    match = _MIG.fullmatch(label)
    if match is None:
        return Product(label, _by_gfd_product().get(label), None, shared)
    found = classify(f"nvidia.com/mig-{match['profile']}")
    product = match["product"]
    return Product(product, _by_gfd_product().get(product), found.profile if found else None, shared)


class NodeCards(NamedTuple):
    """The GPUs of a node by one of its labels.

    label, value  the label that says it
    card          None: the value names no card of the catalogue
    gpus          None: no label says how many
    profile       see Product
    sure          it is sourced that this value means this card
    """

    label: str
    value: str
    card: Card | None
    gpus: int | None
    profile: str | None = None
    sure: bool = True


@lru_cache(maxsize=1)
def _data() -> Mapping[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 7 else None


def _short_named(word: str) -> Card | None:
    """The card that a short name means; None where several cards share it."""
    found = [each for each in cards() if word.lower() in each.short_names]
    return found[0] if len(found) == 1 else None


def _listed(entry: Mapping[str, Any], labels: Mapping[str, str]) -> Mapping[str, Any] | None:
    """The entry of the label's value; of several that of the memory label, else the first."""
    of = entry.get("values_of", entry["label"])
    values = next(each["values"] for each in _data()["labels"] if each["label"] == of)
    found = [each for each in values if each["value"] == labels[entry["label"]]]
    memory = _number(labels.get(entry.get("memory", "")))
    by_memory = [each for each in found if each.get("memory") == memory]
    if by_memory or not found:
        return by_memory[0] if by_memory else None
    return found[0] if len(found) == 1 else {**found[0], "verified": False}


def _by_label(entry: Mapping[str, Any], labels: Mapping[str, str]) -> NodeCards | None:
    label = entry["label"]
    value = labels.get(label)
    if value is None:
        return None
    count = _number(labels.get(entry.get("count", "")))
    if entry.get("names") == "gfd":
        product = read_product(value)
        return NodeCards(label, value, product.card, count, product.profile)
    if entry.get("names") == "short":
        return NodeCards(label, value, _short_named(value), count)
    listed = _listed(entry, labels)
    found = card(listed["card"]) if listed and listed["card"] else None
    return NodeCards(label, value, found, count, None, bool(listed and listed.get("verified", True)))


@lru_cache(maxsize=1)
def _instance_types() -> Mapping[str, tuple[str | None, int | None, bool]]:
    """Card, count and whether it is sourced, by machine type."""
    return {
        entry["type"]: (entry["card"], entry["count"], provider.get("verified", True))
        for provider in _data()["instance_types"]["providers"]
        for entry in provider["types"]
    }


def _by_type(labels: Mapping[str, str]) -> NodeCards | None:
    for label in _data()["instance_types"]["labels"]:
        known = _instance_types().get(labels.get(label, ""))
        if known is not None:
            name, count, sure = known
            return NodeCards(label, labels[label], card(name) if name else None, count, None, sure)
    return None


def _candidates(labels: Mapping[str, str]) -> Iterator[NodeCards | None]:
    gfd, *clouds = _data()["labels"]
    yield _by_label(gfd, labels)
    yield _by_type(labels)
    for entry in clouds:
        yield _by_label(entry, labels)


def node_cards(labels: Mapping[str, str]) -> NodeCards | None:
    """What a node's labels say of its GPUs; None where none of them speaks of any.

    GPU Feature Discovery counts before the machine type, that before a cloud's label; the count is
    taken from the first that has one.
    """
    found = [each for each in _candidates(labels) if each is not None]
    if not found:
        return None
    best = next((each for each in found if each.card is not None), found[0])
    if found[0].label == _data()["labels"][0]["label"]:
        best = found[0]
    count = next((each.gpus for each in (best, *found) if each.gpus is not None), None)
    return best._replace(gpus=count)


@lru_cache(maxsize=1)
def _clouds() -> Mapping[str, str]:
    """Who sets a label about GPUs, by label; GPU Feature Discovery's are not among them."""
    _, *clouds = _data()["labels"]
    found = dict.fromkeys(_data()["instance_types"]["labels"], "the cloud")
    for entry in clouds:
        labels = (entry[key] for key in ("label", "count", "memory") if key in entry)
        found.update(dict.fromkeys(labels, entry["provider"]))
    return found


def cloud_label(label: str) -> str | None:
    """Who sets a label that tells which GPUs a node of a cloud has; None for any other label."""
    return _clouds().get(label)


def vendor_label(labels: Mapping[str, str]) -> str | None:
    """A label that says that a node has NVIDIA's GPUs, but not which."""
    for each in _data()["vendor_labels"]:
        value = labels.get(each["label"])
        if value is not None and each.get("value", value) == value:
            return str(each["label"])
    return None


def gfd_family(label: str) -> str | None:
    """The architecture that the label nvidia.com/gpu.family means: `ada-lovelace` is `Ada Lovelace`.

    None for a family that is none of the driver's architectures.
    """
    return next((each for each in architectures() if each.lower().replace(" ", "-") == label), None)
