"""Subjects of containers of programs that have to be told of DRA: `addon`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, containers, pod_specs
from dralint.lint.facts.collectives import command_words
from dralint.lint.facts.common import Surroundings
from dralint.lint.subject import Subject
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR
from dralint.yamltext.view import Plain, children, get, string

KINDS = frozenset({"addon"})
_DATA = os.path.join(os.path.dirname(__file__), "data", "addons.yaml")


@lru_cache(maxsize=1)
def _addons() -> list[Any]:
    data: Any = load_data(_DATA)
    return list(data["addons"])


def _is(container: Container, entry: Any) -> bool:
    image = string(get(container.node, "image")) or ""
    if "image" in entry and entry["image"] in image:
        return True
    programs = {word.text.rpartition("/")[2] for word in command_words(container)}
    return entry.get("program") in programs


def _told(container: Container, entry: Any) -> str | None:
    """The value of what tells it of DRA; "" for an argument without one, None where nothing tells it."""
    words = [word.text for word in command_words(container)]
    if entry.get("argument") in words:
        following = words[words.index(entry["argument"]) + 1 :]
        return following[0] if following and not following[0].startswith("-") else ""
    for each in children(get(container.node, "env")):
        value = get(each, "value")
        if string(get(each, "name")) == entry.get("variable", "") and value is not None:
            return value.text if value.kind == SCALAR else ""
    return None


def _switched_on(told: str, wanted: str | None) -> bool:
    return told == wanted if wanted is not None else told != "false"


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The containers of an object that are such programs."""
    for spec in pod_specs(obj):
        for container in containers(spec):
            for entry in _addons():
                if not _is(container, entry):
                    continue
                told = _told(container, entry)
                facts: dict[str, Plain] = {
                    "what": entry["what"],
                    "told": told,
                    "on": told is not None and _switched_on(told.lower(), entry.get("value")),
                    "uses_dra": around.uses_dra(obj),
                }
                yield around.subject("addon", obj, container.path, facts)
