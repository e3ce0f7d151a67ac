"""Values that CEL has and Python has not, and the errors of an evaluation.

bool, int, float, str, bytes, None, list and dict are Python's own.
"""

from __future__ import annotations

from typing import Any


class Uint(int):
    """An unsigned 64-bit integer."""

    __slots__ = ()


class CelError(Exception):
    """An evaluation that has no result; `&&`, `||` and macros may still swallow it.

    message  as Kubernetes words it
    node     id of the node that failed, once it is known
    key      the map key that was missing, or None
    """

    def __init__(self, message: str, key: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.node: int | None = None
        self.key = key


class LimitReached(Exception):
    """dralint's own bound was hit: nothing is said about the expression, and nothing swallows this."""
