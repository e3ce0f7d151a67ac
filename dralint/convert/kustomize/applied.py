"""A patch as a kustomization has it: where it is written, and which objects it is for."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from dralint.errors import Place
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.replacements import Selector, is_name
from dralint.yamltext.node import MAP, SEQ, Node
from dralint.yamltext.view import Path, Plain, children, entries, get, string

_METADATA, _NAME = "/metadata", "/metadata/name"


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


def written_at(file: ParsedFile, slot: Slot) -> Node | None:
    """The text of a patch, or the path to it, as it is written in the kustomization: an ALIAS where it is one."""
    *above, last = slot.written
    node = get(file.documents[slot.document].root, *above) if slot.document < len(file.documents) else None
    if node is not None and isinstance(last, int):
        return node.items[last] if node.kind == SEQ and last < len(node.items) else None
    entry = entries(node).get(str(last)) if node is not None and node.kind == MAP else None
    return entry.value if entry is not None else None


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
    transformer it is one of the kustomization's transformers, which are never edited
    turns       it may make an object another kind
    merged      lists of Kubernetes' own kinds are merged by name, as without a schema of the project's own
    """

    target: Mapping[str, Plain] | None
    place: Place
    slot: Slot
    source: str | None
    text: Callable[[], ParsedFile | None]
    made: bool = False
    transformer: bool = False
    turns: bool = False
    merged: bool = True

    @property
    def selector(self) -> Selector:
        """Its target's kind and name."""
        kind, name = ((self.target or {}).get(key) for key in ("kind", "name"))
        return Selector(*(each if isinstance(each, str) and each else None for each in (kind, name)))

    @property
    def inline(self) -> bool:
        return self.source is None

    def names(self) -> frozenset[str] | None:
        """The names of the objects that it may be for; None: any."""
        if self.target is not None:
            name = self.selector.name
            return frozenset((name,)) if name is not None and is_name(name) else None
        text = self.text()
        return frozenset(each.ref.name or "" for each in text.objects) if text is not None else frozenset()

    def bodies(self, obj: KubeObject, names: Collection[str | None]) -> list[Node]:
        """What of its text kustomize would apply to an object; names: those that the object has had."""
        called = [name or "" for name in names]
        if self.target is not None and not self.selector.means(obj.ref.kind or "", called):
            return []
        parsed = self.text()
        if parsed is None:
            return []
        if self.target is not None:
            return [document.root for document in parsed.documents if document.root is not None]
        return [
            each.node for each in parsed.objects if each.ref.kind == obj.ref.kind and each.ref.name in names
        ]

    def renamed(self, obj: KubeObject, names: Collection[str | None]) -> set[str | None]:
        """The names that it gives to an object, if its options allow that; names: those that the object has had."""
        bodies = self.bodies(obj, names) if self.target is not None else []
        merges = {string(get(body, "metadata", "name")) for body in bodies if body.kind == MAP}
        steps = [step for body in bodies if body.kind == SEQ for step in children(body)]
        written = {string(get(step, "value")) for step in steps if string(get(step, "path")) == _NAME}
        whole = {
            string(get(step, "value", "name")) for step in steps if string(get(step, "path")) == _METADATA
        }
        return {*merges, *written, *whole} - {None}

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
            and is_name(ref.name or "")
        )
