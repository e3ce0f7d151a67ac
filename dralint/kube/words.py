"""The byte words that make a file worth reading, from data/words.yaml and a team's configuration."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from typing import Any

from dralint.yamltext.load import load_data


def _listed() -> Any:
    return load_data(os.path.join(os.path.dirname(__file__), "data", "words.yaml"))


# The words of a team's own resource names.
_own_words: list[str] = []


def register(words: Iterable[str]) -> None:
    """Take a team's own words from here on, instead of those taken before."""
    _own_words[:] = words
    prefilter_words.cache_clear()


@cache
def prefilter_words() -> tuple[bytes, ...]:
    """The byte words that make a file relevant, from data/words.yaml and a team's own."""
    words = [entry["word"] for entry in _listed()["words"]]
    return tuple(word.encode() for word in [*words, *_own_words])


def joined_words(*more: Iterable[bytes]) -> tuple[bytes, ...]:
    """Those words and others, each once and none that holds another one."""
    every = sorted({*prefilter_words(), *(word for words in more for word in words)})
    every.sort(key=len)
    kept: list[bytes] = []
    for word in every:
        if not any(known in word for known in kept):
            kept.append(word)
    return tuple(kept)
