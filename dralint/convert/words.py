"""Byte words of the files and documents that a conversion needs to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any

from dralint.convert.beside.companion import beside_data
from dralint.convert.sharing import evidence
from dralint.kube.words import joined_words
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "notes.yaml")


def _listed(key: str) -> Iterator[bytes]:
    data: Any = load_data(_DATA)
    return (entry["word"].encode() for entry in data[key])


@cache
def words() -> tuple[bytes, ...]:
    """What makes a file relevant: GPU names, claims, evidence of sharing, and what notes are about."""
    beside = (entry["word"].encode() for entry in beside_data()["words"])
    return joined_words(evidence.words(), _listed("words"), beside)


def context_words() -> tuple[bytes, ...]:
    """What makes a file relevant that is not named: kustomizations, too, which apply files as patches."""
    return joined_words(words(), _listed("context_words"))
