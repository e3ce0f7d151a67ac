"""The known word that a misspelt one was probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_LONGEST, _MOST = 100, 200
_REMEMBERED = 1_000


def bare(word: str) -> str:
    """The word's letters and digits in lower case: `time-slicing` and `TimeSlicing` are one."""
    return re.sub(r"[^0-9a-z]", "", word.lower())


@lru_cache(maxsize=_REMEMBERED)
def _nearest(word: str, known: tuple[str, ...]) -> str | None:
    import difflib

    by_bare: dict[str, str] = {}
    for each in known:
        if len(each) <= _LONGEST:
            by_bare.setdefault(bare(each), each)
    found = difflib.get_close_matches(bare(word), by_bare, n=1, cutoff=0.7)
    return by_bare[found[0]] if found else None


def nearest(word: str, known: Iterable[str], most: int = _MOST) -> str | None:
    """The closest of the known words, capitals, hyphens and underscores aside; None if none is close.

    Long words, and lists of more than `most`, which no person writes, are not compared: that takes too long.
    One mistake is often made many times: what was meant is worked out once.
    """
    words = tuple(known)
    return None if len(word) > _LONGEST or len(words) > most else _nearest(word, words)


def did_you_mean(word: str, known: Iterable[str], most: int = _MOST) -> str:
    """A question (`did you mean X?`); empty when nothing known is close."""
    found = nearest(word, known, most)
    return f"did you mean {found}?" if found else ""
