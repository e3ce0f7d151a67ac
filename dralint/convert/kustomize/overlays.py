"""What the kustomizations of a file's project do with it: apply it as a patch, patch or rename what it holds."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from functools import cache, cached_property
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.bases import Bases
from dralint.convert.kustomize.claiming import claiming
from dralint.convert.kustomize.kustomization import Kustomization, NameField, kustomization
from dralint.convert.kustomize.lookup import Lookup, known_names
from dralint.convert.kustomize.schemas import has_kind
from dralint.convert.kustomize.transformers import Transformer
from dralint.errors import Place
from dralint.kube.bundle import Context
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.replacements import Reach
from dralint.source.git import directories_above, git_root
from dralint.source.kustomization import NAMES
from dralint.yamltext.node import Node


class _Content(NamedTuple):
    """What a kustomization is made of: its files, directories, and what is true of the whole build.

    name_fields  those that are names of claims and their templates
    schemas      files with the schemas that patches are merged by
    """

    files: frozenset[str]
    directories: frozenset[str]
    name_fields: tuple[NameField, ...]
    schemas: tuple[str, ...]


class _Applied(NamedTuple):
    """A kustomization that does something to a file, and all that goes into the build that it is part of."""

    kustomization: Kustomization
    patches: Lookup
    build: _Content


class Renaming(NamedTuple):
    """Where a kustomization renames what a file holds, and those of its build that list the file."""

    place: Place
    listing: tuple[Kustomization, ...]


class Kustomizations:
    """The kustomizations above the files, and those elsewhere in their git work trees.

    What becomes of a file must not depend on what else is named, as far as that can be known: without a
    work tree those among the named files count, and those in the directories above the file.

    without  a directory whose kustomizations do not count: they are about to be made anew
    """

    def __init__(self, files: Sequence[ParsedFile], context: Context, without: str | None = None) -> None:
        self._named = files
        self._context = context
        self._without = os.path.join(os.path.abspath(without), "") if without is not None else None
        # The kustomization of a directory.
        self.at = self._read = cache(self._counting)
        self._parts = cache(self._with_components)
        self._content = cache(self._look_into)
        self._lookup = cache(self._patches_of)
        self.names_of = cache(self._known_names)
        self.patches = cache(self._patches_for)
        self.tree = cache(self._all_below)
        self.claiming = cache(claiming)
        self.bases = Bases()
        self._of_file = cache(self._applied)
        self._patch_place = cache(self._named_as_patch)

    def _counting(self, directory: str) -> Kustomization | None:
        if self._without is not None and os.path.join(directory, "").startswith(self._without):
            return None
        return kustomization(directory)

    @cached_property
    def _elsewhere(self) -> dict[str, list[Kustomization]]:
        """The kustomizations among the named files and in the context, by the work tree they lie in, "" for none."""
        found: dict[str, list[Kustomization]] = {}
        places = (location(file) for file in [*self._named, *self._context.bundle.files])
        directories = {os.path.dirname(path) for path in places if path and os.path.basename(path) in NAMES}
        for directory in sorted(directories):
            root, read = git_root(directory), self._read(directory)
            if read is not None:
                found.setdefault(root or "", []).append(read)
        return found

    def _around(self, path: str) -> Iterator[Kustomization]:
        for directory in directories_above(path):
            found = self._read(directory)
            if found is not None:
                yield found
        yield from self._elsewhere.get(git_root(os.path.dirname(path)) or "", ())

    def _with_components(self, directory: str) -> tuple[Kustomization, ...]:
        """The kustomization of a directory and the components that do what they say to the same resources."""
        found: dict[str, Kustomization] = {}
        waiting = [each for each in [self._read(directory)] if each is not None]
        while waiting:
            each = waiting.pop()
            if each.directory not in found:
                found[each.directory] = each
                waiting += filter(None, map(self._read, each.components))
        return tuple(found.values())

    def _look_into(self, directory: str) -> _Content:
        files: set[str] = set()
        name_fields: list[NameField] = []
        schemas: list[str] = []
        seen: set[str] = set()
        waiting = [directory]
        while waiting:
            path = waiting.pop()
            if path not in seen:
                seen.add(path)
                found = self._read(path) if os.path.isdir(path) else None
                if found is None:
                    # A link within the directory: the file itself is converted.
                    files |= {path, os.path.realpath(path)}
                else:
                    name_fields += found.name_fields
                    schemas += found.schemas
                    waiting += (*found.resources, *found.components)
        return _Content(frozenset(files), frozenset(seen - files), tuple(name_fields), tuple(schemas))

    def _all_below(self, directory: str) -> tuple[Kustomization, ...]:
        """The kustomization of a directory, and all that it is made of and that are applied to it."""
        found: dict[str, Kustomization] = {}
        waiting = [directory]
        while waiting:
            each = self._read(waiting.pop())
            if each is not None and each.directory not in found:
                found[each.directory] = each
                waiting += (*each.resources, *each.components)
        return tuple(found.values())

    def _patches_of(self, directory: str) -> Lookup:
        found = self._read(directory)
        return Lookup(found.applied if found is not None else ())

    def may_be_for(self, its: Kustomization, names: Collection[str | None]) -> Iterator[Patch]:
        """The patches of a kustomization for objects of any of the names, and more, in their order."""
        return self._lookup(its.directory).may_be_for(names)

    def _applied(self, path: str) -> tuple[_Applied, ...]:
        """The kustomizations that a file is part of and that do something to its GPUs, its names or its replicas."""
        found: dict[tuple[str, str], _Applied] = {}
        for each in self._around(path):
            applied = self._parts(each.directory)
            if any(part.acts for part in applied):
                content = self._content(each.directory)
                for part in applied if path in content.files else ():
                    found[each.directory, part.directory] = _Applied(
                        part, self._lookup(part.directory), content
                    )
        return tuple(found.values())

    def _named_as_patch(self, path: str) -> Place | None:
        return next((each.patches[path] for each in self._around(path) if path in each.patches), None)

    @cached_property
    def _by_path(self) -> dict[str | None, ParsedFile]:
        return {location(file): file for file in self._named}

    def named(self, path: str) -> ParsedFile | None:
        """The file at a path, where it is among the named ones."""
        return self._by_path.get(path)

    def naming(self, path: str) -> list[Kustomization]:
        """The kustomizations that name a file as a patch."""
        found = {each.directory: each for each in self._around(path) if path in each.patches}
        return list(found.values())

    def using(self, path: str, directory: str) -> list[Kustomization]:
        """The kustomizations around a file that the one of a directory is part of, itself among them."""
        found = {each.directory: each for each in self._around(path)}
        return [
            each
            for each in found.values()
            if any(part.directory == directory for part in self.tree(each.directory))
        ]

    def files(self, directory: str) -> frozenset[str]:
        """The paths that the kustomization of a directory is made of, its own and those of all below it."""
        return self._content(directory).files

    def name_fields(self, directory: str) -> tuple[NameField, ...]:
        """The fields that it takes for names of templates, it or what it is made of."""
        return self._content(directory).name_fields

    def parts(self, directory: str) -> tuple[Kustomization, ...]:
        """The kustomization of a directory, and the components that are applied to what it has."""
        return self._parts(directory)

    def listing(self, path: str) -> Kustomization | None:
        """The kustomization that has a file among its own resources, the nearest one."""
        return next((each for each in self._around(path) if path in each.resources), None)

    def patched_by(self, file: ParsedFile) -> Place | None:
        """Where a kustomization names the file as a patch."""
        path = location(file)
        return self._patch_place(path) if path is not None else None

    def built_with(self, patch: Patch) -> list[frozenset[str]]:
        """The files of each kustomization that applies a patch: its own one, or those that list its component."""
        directory = os.path.dirname(patch.slot.file)
        parts = {
            each.directory: {part.directory for part in self._parts(each.directory)}
            for each in self._around(patch.slot.file)
        }
        using = [each for each, of_it in parts.items() if directory in of_it]
        # A component has the objects of those that list it.
        listed = [each for each in using if any(each in parts[other] for other in using if other != each)]
        return [self._content(each).files for each in using if each not in listed]

    def reaches_only(self, patch: Patch, obj: KubeObject) -> bool:
        """Whether the object is in all kustomizations that apply a patch."""
        return all(location(obj.file) in files for files in self.built_with(patch))

    def sharing_source(self, patch: Patch) -> Iterator[Patch]:
        """The patches, this one among them, whose text is in the same file."""
        for each in self._around(patch.source or patch.slot.file):
            for other in each.applied:
                if other.source == patch.source and (patch.source is not None or other.slot == patch.slot):
                    yield other

    def _known_names(self, obj: KubeObject) -> frozenset[str | None]:
        """The names that patches may know an object by: kustomize takes each that it has had on the way."""
        path = location(obj.file)
        applied = self._of_file(path) if path is not None else ()
        return known_names(obj, [(each.kustomization, each.patches) for each in applied])

    def _patches_for(self, obj: KubeObject) -> list[tuple[Patch, Node]]:
        """What kustomizations apply to the object: each patch, and what of its text is for the object."""
        path, names = location(obj.file), self.names_of(obj)
        return [
            (patch._replace(merged=all(has_kind(schema, obj) for schema in each.build.schemas)), body)
            for each in (self._of_file(path) if path is not None else ())
            for patch in each.patches.may_be_for(names)
            for body in patch.bodies(obj, names)
        ]

    def reaches(self, obj: KubeObject) -> Iterator[Reach]:
        """The fields of the object that kustomizations read or set from other objects."""
        path, names = location(obj.file), [name or "" for name in self.names_of(obj)]
        for each in self._of_file(path) if path is not None else ():
            for reach in each.kustomization.reaches:
                if reach.is_for(obj.ref.kind or "", names):
                    yield reach

    def plugins(self, obj: KubeObject) -> Iterator[Transformer]:
        """The transformers that the object goes through and that may do anything to it."""
        path = location(obj.file)
        for each in self._of_file(path) if path is not None else ():
            yield from each.kustomization.plugins

    def renamings(self, obj: KubeObject, field: str) -> Iterator[Renaming]:
        """Where kustomizations give names a prefix or suffix that a template's name in a field does not follow.

        field: its path in the object, keys with slashes between them
        """
        path = location(obj.file)
        for each in self._of_file(path) if path is not None else ():
            if any(known.is_in(obj, field) for known in each.build.name_fields):
                continue
            parts = [known for known in map(self._read, sorted(each.build.directories)) if known is not None]
            listing = tuple(known for known in parts if path in known.resources)
            yield from (Renaming(affixes.place, listing) for affixes in each.kustomization.renames)

    def scaled_by(self, obj: KubeObject) -> Place | None:
        """Where a kustomization that the object is part of may set the number of its pods."""
        path = location(obj.file)
        applied = self._of_file(path) if path is not None else ()
        scales = (scale for each in applied for scale in each.kustomization.scales)
        return next((place for name, place in scales if name in (None, obj.ref.name)), None)
