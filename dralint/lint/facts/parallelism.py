"""How many GPUs the command line of a container spreads its work over, where that is sure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.places import Container
from dralint.lint.facts.collectives import Word, command_words, whole_number
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Path, children, get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "parallelism.yaml")


class Ranks(NamedTuple):
    """number: of GPUs; text: the option or options that say so; path: of the first one's argument."""

    number: int
    text: str
    path: Path


@lru_cache(maxsize=1)
def _data() -> Any:
    return load_data(_DATA)


def _names(key: str) -> frozenset[str]:
    return frozenset(name for entry in _data()[key] for name in entry["names"])


def _alone(container: Container) -> bool:
    """Whether the container's pod works alone, as far as kind, words and variables tell."""
    pod = container.pod
    obj = pod.object
    if not any((each["group"], each["kind"]) == (obj.group, obj.ref.kind) for each in _data()["kinds"]):
        return False
    if pod.part is not None and get(obj.node, "spec", "predictor", "workerSpec") is not None:
        return False
    if obj.ref.kind in ("Job", "CronJob") and pod.many:
        return False
    variables = {string(get(each, "name")) for each in children(get(container.node, "env"))}
    return variables.isdisjoint(_data()["node_variables"])


def _values(words: Sequence[Word], names: Sequence[str]) -> list[tuple[Word, int | None]]:
    """The options of those names with their numbers; None for what is no number."""
    return [
        (word, whole_number(words[index + 1].text) if index + 1 < len(words) else None)
        for index, word in enumerate(words)
        if word.text in names
    ]


def ranks(container: Container) -> Ranks | None:
    """The GPUs that one process group of the container uses; None where anything is in doubt."""
    words = command_words(container)
    if not words or not _alone(container):
        return None
    if any(word.text.rpartition("/")[2] in _names("nodes") for word in words):
        return None
    if any(number != 1 for entry in _data()["copies"] for _, number in _values(words, entry["names"])):
        return None
    product, told = 1, list[tuple[Word, int]]()
    for entry in [*_data()["factors"], *_data()["processes"]]:
        found = _values(words, entry["names"])
        if len(found) > 1 or any(number is None for _, number in found):
            return None
        for word, number in found:
            assert number is not None
            product *= number
            told.append((word, number))
    launchers = {word.text for word, _ in told} & _names("processes")
    if not told or (launchers and len(told) > 1) or product < 1:
        return None
    text = " and ".join(f"{word.text} {number}" for word, number in told)
    return Ranks(product, text, told[0][0].path)
