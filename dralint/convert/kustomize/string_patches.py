"""Patches in strings of kustomizations, and JSON patches: which of them are of the named files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.kustomize.applied import Patch, Slot, written_at
from dralint.convert.kustomize.gpu_steps import steps_of
from dralint.convert.kustomize.kustomization import Kustomization
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.notes.strings import names_gpus
from dralint.kube.kinds import note_fields
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse_string
from dralint.source.kustomization import NAMES
from dralint.yamltext.node import MAP, Node, deref
from dralint.yamltext.view import Path, children, entries, get, string


class StringPatch(NamedTuple):
    """A patch whose requests may stand in strings.

    its     the kustomization
    home    the named file that the strings stand in: that one's, a transformer's, or the JSON patch
    text    the patch, parsed
    inline  the string that the whole patch is, an ALIAS where it is written as one; None for one in a file of its own
    path    of that string
    nested  the string holds a transformer, and that one the patch
    """

    patch: Patch
    its: Kustomization
    home: ParsedFile
    text: ParsedFile
    inline: Node | None = None
    path: Path = ()
    nested: bool = False

    @property
    def steps(self) -> Node | None:
        """The list of steps that it is, if it is a JSON patch."""
        return steps_of(self.text)

    @property
    def about_quotas(self) -> bool:
        """Whether its target is a quota or an inventory, which ask for nothing."""
        wanted = self.patch.target or {}
        group, kind = wanted.get("group"), wanted.get("kind")
        return any(kind == each and group in (None, "", of) for of, each in note_fields())


def may_be_patch(file: ParsedFile) -> bool:
    """Whether a file may be a JSON patch that asks for GPUs in its pointers, or a kustomization with patches that ask."""
    if os.path.basename(file.file.name) in NAMES:
        return True
    return names_gpus(file.text.text) and steps_of(file) is not None


def _holding(home: ParsedFile, text: str) -> Iterator[tuple[Path, Node, bool]]:
    """The strings of a file's transformers, or of those that stand in strings themselves, that are a patch."""
    for document in home.documents:
        for index, node in enumerate(children(get(document.root, "transformers"))):
            inner = parse_string(home.file.name, string(node) or "") if "\n" in (string(node) or "") else None
            if inner is not None and any(True for _ in _holding(inner, text)):
                yield ("transformers", index), node, True
        root = document.root
        for key, entry in entries(root).items() if root is not None and root.kind == MAP else ():
            if string(entry.value) == text:
                yield (key,), deref(entry.value), False


def _in_transformer(patch: Patch, its: Kustomization, known: Kustomizations) -> StringPatch | None:
    """A patch that stands in a transformer, in a file of its own or in a string of the kustomization."""
    text, home = patch.text(), known.named(os.path.abspath(patch.place.path))
    if text is None or home is None or not names_gpus(text.text.text):
        return None
    found = next(_holding(home, text.text.text), None)
    return StringPatch(patch, its, home, text, found[1], found[0], found[2]) if found is not None else None


def _its_own(path: str, its: Kustomization, known: Kustomizations) -> Iterator[StringPatch]:
    """The patches of a named kustomization."""
    for patch in its.applied if not any(each.made for each in its.applied) else ():
        if patch.inline and patch.transformer:
            found = _in_transformer(patch, its, known)
            if found is not None:
                yield found
            continue
        home = known.named(patch.source or path)
        text = patch.text() if home is not None and names_gpus(home.text.text) else None
        if home is None or text is None or patch.slot.file != path or not names_gpus(text.text.text):
            continue
        inline = written_at(home, patch.slot) if patch.inline else None
        if inline is not None or not patch.inline:
            yield StringPatch(patch, its, home, text, inline, patch.slot.written)


def _in_file(path: str, file: ParsedFile, known: Kustomizations) -> Iterator[StringPatch]:
    """The uses of a JSON patch, whether or not the kustomization is named."""
    if steps_of(file) is None or not names_gpus(file.text.text):
        return
    for its in known.naming(path):
        for patch in its.applied:
            its_file = patch.source is not None and path in (patch.source, os.path.realpath(patch.source))
            text = patch.text() if its_file and not patch.made else None
            if text is not None:
                yield StringPatch(patch, its, file, text)


def string_patches(files: Sequence[ParsedFile], known: Kustomizations) -> list[StringPatch]:
    """The patches in strings of the named kustomizations, and those in named JSON patches; not those that dralint made."""
    found: dict[tuple[Slot, str | None], StringPatch] = {}
    for file in files:
        path = location(file)
        if path is None or known.named(path) is not file:
            continue
        its = known.at(os.path.dirname(path)) if os.path.basename(path) in NAMES else None
        own = _its_own(path, its, known) if its is not None else ()
        for each in (*own, *_in_file(path, file, known)):
            found.setdefault((each.patch.slot, each.patch.source), each)
    return list(found.values())
