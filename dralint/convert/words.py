"""Byte words of the files and documents that a conversion needs to read."""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from dralint.convert import evidence
from dralint.kube.kinds import joined_words
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "notes.yaml")


@cache
def words() -> tuple[bytes, ...]:
    """What makes a file relevant: GPU names, claims, evidence of sharing, and what notes are about."""
    data: Any = load_data(_DATA)
    return joined_words(evidence.words(), (entry["word"].encode() for entry in data["words"]))
