"""A patch as a kustomization has it: where it is written, and which objects it is for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

from dralint.errors import Place
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.node import Node
from dralint.yamltext.view import Path, Plain

# What people write in a target: names, `.*` and alternatives. Other expressions could be made to run for ever.
_SIMPLE = re.compile(r"[\^]?(?:[A-Za-z0-9_|-]|\\?\.(?:[*+](?![*+?]))?)*[$]?")
_MOST_REPEATED = 3
_LITERAL = re.compile(r"[A-Za-z0-9-]+")


class Slot(NamedTuple):
    """An entry in a list of patches.

    file      of the kustomization, absolute
    document  its index there; path: of the entry
    inside    the key of the text or of the path in it, None where the entry is just that
    """

    file: str
    document: int
    path: tuple[str, int]
    inside: str | None

    @property
    def written(self) -> Path:
        """The path of the text, or of the path to it."""
        return self.path if self.inside is None else (*self.path, self.inside)


# Every patch is asked about every object; `re` itself remembers few patterns.
@lru_cache(maxsize=100_000)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """A target's pattern; None for one that could take long to match."""
    if not _SIMPLE.fullmatch(pattern) or pattern.count("*") + pattern.count("+") > _MOST_REPEATED:
        return None
    return re.compile(pattern)


def _matches(pattern: str, text: str) -> bool:
    """Whether a target's pattern may mean a name; one that could take long to match is taken for a match."""
    compiled = _compiled(pattern)
    return compiled is None or compiled.fullmatch(text) is not None


def pattern(name: str) -> str:
    """The regular expression of a target for just this name; kustomize anchors it."""
    return re.sub(r"[^\w-]", r"\\\g<0>", name, flags=re.ASCII)


class Patch(NamedTuple):
    """A patch of a kustomization.

    target      regular expressions by field, and whatever else its target says; None: the objects it holds say it
    place       where it stands in the kustomization
    slot        the entry it is written in
    source      the file with its text, absolute; None: its text stands in the kustomization, too
    made        --output-overlay made the kustomization
    text        reads it; None where it cannot be read
    """

    target: Mapping[str, Plain] | None
    place: Place
    slot: Slot
    source: str | None
    text: Callable[[], ParsedFile | None]
    made: bool = False

    @property
    def inline(self) -> bool:
        return self.source is None

    def bodies(self, obj: KubeObject, names: Collection[str | None]) -> list[Node]:
        """What of its text kustomize would apply to an object; names: those that the object has had."""
        if self.target is not None:
            kind, name = self.target.get("kind"), self.target.get("name")
            if isinstance(kind, str) and not _matches(kind, obj.ref.kind or ""):
                return []
            if isinstance(name, str) and not any(_matches(name, each or "") for each in names):
                return []
        parsed = self.text()
        if parsed is None:
            return []
        if self.target is not None:
            return [document.root for document in parsed.documents if document.root is not None]
        return [
            each.node for each in parsed.objects if each.ref.kind == obj.ref.kind and each.ref.name in names
        ]

    def is_for(self, body: Node, obj: KubeObject) -> bool:
        """Whether one of its bodies is certainly for this object, and for no other."""
        if self.target is not None:
            return self.names_only(obj)
        text = self.text()
        return text is not None and any(
            each.node.start == body.start and (each.group, each.ref) == (obj.group, obj.ref)
            for each in text.objects
        )

    def names_only(self, obj: KubeObject) -> bool:
        """Whether its target is just this object: no pattern, and no labels."""
        ref = obj.ref
        wanted = {"group": obj.group, "version": obj.version, "kind": ref.kind, "name": ref.name}
        wanted["namespace"] = ref.namespace
        target = {key: value for key, value in (self.target or {}).items() if value not in (None, "")}
        return (
            {"kind", "name"} <= target.keys() <= wanted.keys()
            and all(target[key] == wanted[key] for key in target)
            and _LITERAL.fullmatch(ref.name or "") is not None
        )
