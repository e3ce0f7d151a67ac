"""Things that are found by namespace: an absent one, on either side, matches any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Namespaced(Generic[Thing]):
    """Things in the order in which they came, by the namespace of each."""

    __slots__ = ("_all", "_of")

    def __init__(self) -> None:
        self._all: list[Thing] = []
        self._of: dict[str | None, list[int]] = {}

    def add(self, namespace: str | None, thing: Thing) -> None:
        self._of.setdefault(namespace, []).append(len(self._all))
        self._all.append(thing)

    def of(self, namespace: str | None) -> Sequence[Thing]:
        """What a name in that namespace may mean, in order."""
        if namespace is None:
            return self._all
        numbers = [*self._of.get(namespace, ()), *self._of.get(None, ())]
        return [self._all[number] for number in sorted(numbers)]
