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
from dralint.source.kustomization import NAMES
from dralint.yamltext.node import Node


class StringPatch(NamedTuple):
    """A patch whose requests may stand in strings.

    its   the kustomization
    home  the named file that the strings stand in: that one's, or the JSON patch
    text  the patch, parsed
    """

    patch: Patch
    its: Kustomization
    home: ParsedFile
    text: ParsedFile

    @property
    def steps(self) -> Node | None:
        """The list of steps that it is, if it is a JSON patch."""
        return steps_of(self.text)

    @property
    def inline(self) -> Node | None:
        """The string that the whole patch is, an ALIAS where it is written as one; None for a patch in a file of its own."""
        return written_at(self.home, self.patch.slot) if self.patch.inline else None

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


def _its_own(path: str, its: Kustomization, known: Kustomizations) -> Iterator[StringPatch]:
    """The patches of a named kustomization; those that stand in its transformers are elsewhere, and never edited."""
    for patch in its.applied:
        home = known.named(patch.source or path)
        if home is None or patch.slot.file != path or (patch.inline and patch.transformer):
            continue
        text = patch.text() if names_gpus(home.text.text) else None
        if text is not None and names_gpus(text.text.text) and not patch.made:
            yield StringPatch(patch, its, home, text)


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
