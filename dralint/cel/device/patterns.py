"""Regular expressions: RE2, as in Kubernetes. Python's own would let a selector run forever.

Source: cel-go (`matches`), kubernetes apiserver/pkg/cel/library/regex.go (`find`, `findAll`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2  # type: ignore[import-untyped]

from dralint.cel.device.limits import MAX_PATTERN, Budget, spend, spend_ours
from dralint.cel.device.registry import generic
from dralint.cel.device.values import NO_SUCH_OVERLOAD, CelError, LimitReached

_MAX_MEMORY = 8 << 20
_LONG = 100


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    """An RE2 pattern. Raises CelError where it is none, LimitReached where it is too long."""
    if len(pattern) > MAX_PATTERN:
        raise LimitReached(f"a pattern of more than {MAX_PATTERN} characters")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        reason = error.args[0] if error.args else "invalid"
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        if "too large" in text:
            raise LimitReached("a pattern that takes too much memory") from None
        raise CelError(f"error parsing regexp: {text}: `{pattern}`") from None


def _making(pattern: str) -> int:
    """The steps of making a long pattern, which costs Kubernetes nothing."""
    return len(pattern) // 2 if len(pattern) > _LONG else 0


def _search(budget: Budget, text: Any, pattern: Any) -> Any:
    """The first match; the steps are Kubernetes' cost, which what a loop takes may already hold."""
    if type(text) is not str or type(pattern) is not str:
        raise CelError(NO_SUCH_OVERLOAD)
    spend_ours(budget, (len(text) // 10) * (len(pattern) // 4) + _making(pattern))
    return compiled(pattern).search(text)


@generic("matches")
def _matches(budget: Budget, text: Any, pattern: Any) -> bool:
    return _search(budget, text, pattern) is not None


@generic("find")
def _find(budget: Budget, text: Any, pattern: Any) -> str:
    found = _search(budget, text, pattern)
    return str(found.group()) if found else ""


@generic("findAll")
def _find_all(budget: Budget, text: Any, pattern: Any, limit: Any = -1) -> list[str]:
    if type(text) is not str or type(pattern) is not str or type(limit) is not int:
        raise CelError(NO_SUCH_OVERLOAD)
    found: list[str] = []
    spend_ours(budget, _making(pattern))
    end_of_last = -1
    for each in compiled(pattern).finditer(text):
        if 0 <= limit <= len(found):
            break
        spend(budget, 1)
        # Go skips an empty match that touches the one before it.
        if each.end() == each.start() == end_of_last:
            continue
        end_of_last = each.end()
        found.append(each.group())
    return found
