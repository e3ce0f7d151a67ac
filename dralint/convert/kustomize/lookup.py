"""The patches of kustomizations by the names of objects: a project has a thousand of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.kustomization import Kustomization
from dralint.kube.objects import KubeObject

# Kustomizations that rename one object, one over the other, and the names that come of it.
_RENAMED_AT_MOST = 3
_MOST_NAMES = 100


class Lookup:
    """The patches of one kustomization."""

    def __init__(self, patches: Sequence[Patch]) -> None:
        self._patches = patches
        self._any: list[int] = []
        self._named: dict[str, list[int]] = {}
        for index, patch in enumerate(patches):
            names = patch.names()
            if names is None:
                self._any.append(index)
            for name in names or ():
                self._named.setdefault(name, []).append(index)

    def may_be_for(self, names: Collection[str | None]) -> Iterator[Patch]:
        """Those for objects of any of the names, in their order, and more: they look at kinds themselves."""
        found = set(self._any)
        for name in names:
            found.update(self._named.get(name or "", ()))
        return (self._patches[index] for index in sorted(found))


def known_names(obj: KubeObject, applied: Sequence[tuple[Kustomization, Lookup]]) -> frozenset[str | None]:
    """The names that an object may have had on its way through kustomizations, given in no order."""
    affixes = {(renames.prefix, renames.suffix) for each, _ in applied for renames in each.renames}
    names = {obj.ref.name}
    for _ in range(_RENAMED_AT_MOST):
        before = len(names)
        if before < _MOST_NAMES:
            names |= {f"{first}{name}{last}" for first, last in affixes for name in names if name}
            for _, lookup in applied:
                for patch in lookup.may_be_for(names):
                    names |= patch.renamed(obj, names)
        if len(names) == before:
            break
    return frozenset(names)
