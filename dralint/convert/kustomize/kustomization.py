"""A kustomization as it is written: what it is made of, what it patches, whether it renames."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

from dralint.convert.kustomize.applied import Patch, Slot
from dralint.convert.kustomize.transformers import (
    Affixes,
    PatchEntry,
    Transformer,
    patches_of,
    reaches_of,
    renaming,
    scaled,
    transformers,
)
from dralint.errors import InputError, Place
from dralint.kube.dra import CLAIM, GROUP, TEMPLATE
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse, parse_path, parse_string
from dralint.kube.replacements import Reach, replacements, variables
from dralint.source.find import read
from dralint.source.kustomization import kustomization_file
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.view import Plain, TooLarge, children, get, plain, string

# The first line of what --output-overlay writes.
MADE = "# Made by dralint convert --output-overlay: the next run replaces this file.\n"
# The fields of a pod's claims that hold names, and what they name.
REFERENCES: Mapping[str, str] = {"resourceClaimTemplateName": TEMPLATE, "resourceClaimName": CLAIM}
_RENAMING = ("namePrefix", "nameSuffix")
_MAX_TARGET = 100


class NameField(NamedTuple):
    """A field that kustomize takes for a name; "" means any.

    path   keys with slashes between them
    names  the kind of what is named
    """

    group: str
    version: str
    kind: str
    path: str
    names: str = TEMPLATE

    def is_in(self, obj: KubeObject, path: str) -> bool:
        """Whether it is the field at a path of an object."""
        names = REFERENCES[path.rpartition("/")[2]]
        return self.includes(NameField(obj.group, obj.version, obj.ref.kind or "", path, names))

    def includes(self, other: NameField) -> bool:
        """Whether kustomize takes the other field for a name by this one."""
        pairs = ((self.group, other.group), (self.version, other.version), (self.kind, other.kind))
        return (
            self.names == other.names
            and self.path.removeprefix("/").replace("[]", "") == other.path
            and all(not mine or mine == its for mine, its in pairs)
        )


@dataclass(frozen=True)
class Kustomization:
    """What a kustomization says; paths are absolute.

    resources    the files and directories it is made of
    components   directories of kustomizations that are applied to its resources, too
    patches      each patch file, and where it is named
    applied      its patches, from files and in it
    renames      what it puts round names
    namespace    the one that it gives all objects
    name_fields  those that its configurations take for names of claim templates
    scales       where it sets numbers of replicas, and of which object; None: of any
    component    it is a Component: it is made of nothing itself, and applied to what those have that list it
    reaches      the fields of other objects that it reads and sets
    plugins      its transformers that kustomize has not built in: what they do is not known
    schemas      files with the schemas that it has kustomize use instead of Kubernetes' own
    """

    directory: str
    resources: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    patches: Mapping[str, Place] = field(default_factory=dict)
    applied: tuple[Patch, ...] = ()
    renames: tuple[Affixes, ...] = ()
    name_fields: tuple[NameField, ...] = ()
    namespace: str | None = None
    scales: tuple[tuple[str | None, Place], ...] = ()
    component: bool = False
    reaches: tuple[Reach, ...] = ()
    plugins: tuple[Transformer, ...] = ()
    schemas: tuple[str, ...] = ()

    @property
    def acts(self) -> bool:
        """Whether it does something to GPUs, names or replicas."""
        return bool(self.applied or self.renames or self.scales or self.reaches or self.plugins)


def _patches(file: ParsedFile, root: Node) -> Iterator[PatchEntry]:
    for key in ("patches", "patchesJson6902"):
        for index, entry in enumerate(children(get(root, key))):
            for name, inline in (("path", False), ("patch", True)):
                node = get(entry, name)
                text = string(node)
                if node is not None and text:
                    target, options = get(entry, "target"), get(entry, "options")
                    yield PatchEntry(file, node, text, inline, target, (key, index), name, options)
    key = "patchesStrategicMerge"
    for index, node in enumerate(children(get(root, key))):
        text = string(node)
        if text:
            inline = "\n" in text or text.lstrip().startswith("{")
            yield PatchEntry(file, node, text, inline, None, (key, index), None)


def _target(node: Node | None) -> dict[str, Plain] | None:
    """A target as plain data; of one that is none, or a large one, nothing is known."""
    try:
        found = plain(node, _MAX_TARGET) if node is not None else None
    except TooLarge:
        found = {}
    return found if found is None or isinstance(found, dict) else {}


def _allows(options: Node | None, name: str) -> bool:
    """Whether an option of a patch is on."""
    value = get(options, name)
    return value is not None and value.text == "true"


def _may_be(written: Node | None, value: str) -> bool:
    """Whether a configuration's group, version or kind means a value: an absent one means all."""
    return not (text := string(written)) or text == value


def named_fields(root: Node | None) -> Iterator[NameField]:
    """The fields that a configuration takes for names of claims and their templates."""
    for entry in children(get(root, "nameReference")):
        names = string(get(entry, "kind"))
        if (
            names in REFERENCES.values()
            and _may_be(get(entry, "group"), GROUP)
            and _may_be(get(entry, "version"), "v1")
        ):
            for spec in children(get(entry, "fieldSpecs")):
                group, version, kind, where = (
                    string(get(spec, key)) or "" for key in ("group", "version", "kind", "path")
                )
                yield NameField(group, version, kind, where, str(names))


def _name_fields(root: Node, directory: str) -> Iterator[NameField]:
    """The fields that its configurations take for names of claims and their templates."""
    for node in children(get(root, "configurations")):
        path = os.path.join(directory, string(node) or "")
        found = parse_path(path) if os.path.isfile(path) else None
        for document in found.documents if found is not None else ():
            yield from named_fields(document.root)


def _scales(file: ParsedFile, directory: str, root: Node) -> Iterator[tuple[str | None, Place]]:
    """Where a document sets numbers of replicas: in its own list, and by patches that name them."""
    for entry in children(get(root, "replicas")):
        yield string(get(entry, "name")), file.place(entry.start)
    for patch in _patches(file, root):
        path = os.path.normpath(os.path.join(directory, patch.text))
        found = None if patch.inline else read(path, os.path.relpath(path))
        text = patch.text.encode() if found is None else getattr(found, "data", b"")
        if b"replicas" in text:
            yield string(get(patch.target, "name")), file.place(patch.node.start)


def _renames(file: ParsedFile, root: Node, own: Sequence[Transformer]) -> Iterator[Affixes]:
    nodes = {key: get(root, key) for key in _RENAMING}
    texts = {
        key: node.text
        for key, node in nodes.items()
        if node is not None and node.kind == SCALAR and node.text
    }
    if texts:
        place = next(
            file.place(node.start) for key, node in nodes.items() if node is not None and key in texts
        )
        prefix, suffix = (texts.get(key, "") for key in _RENAMING)
        yield Affixes(prefix, suffix, place)
    yield from filter(None, map(renaming, own))


def _view(file: ParsedFile, directory: str) -> Kustomization:
    parts: dict[str, list[str]] = {"resources": [], "bases": [], "components": []}
    patches: dict[str, Place] = {}
    applied: list[Patch] = []
    made = file.file.data.startswith(MADE.encode())
    texts: dict[str, Callable[[], ParsedFile | None]] = {}
    renames: list[Affixes] = []
    where = os.path.join(directory, os.path.basename(file.file.name))
    name_fields: list[NameField] = []
    namespace: str | None = None
    scales: list[tuple[str | None, Place]] = []
    reaches: list[Reach] = []
    plugins: list[Transformer] = []
    schemas: list[str] = []
    component = False
    for number, document in enumerate(file.documents):
        root = document.root
        if root is None or document.problem is not None:
            continue
        component = component or string(get(root, "kind")) == "Component"
        for key, paths in parts.items():
            written = (string(node) or "" for node in children(get(root, key)))
            paths.extend(os.path.normpath(os.path.join(directory, path)) for path in written)
        own = transformers(file, root, directory)
        for patch in (*_patches(file, root), *(each for found in own for each in patches_of(found))):
            place = patch.file.place(patch.node.start)
            path = os.path.normpath(os.path.join(directory, patch.text))
            text: Callable[[], ParsedFile | None]
            if patch.inline:
                text = cache(partial(parse_string, patch.file.file.name, patch.text))
            else:
                patches.setdefault(path, place)
                patches.setdefault(os.path.realpath(path), place)
                # A patch may be for many targets.
                text = texts.setdefault(path, cache(partial(parse_path, path)))
            # Transformers are never edited, and each is another one.
            slot = Slot(
                where,
                number,
                (patch.path[0], len(applied)) if patch.transformer else patch.path,
                patch.inside,
            )
            source = None if patch.inline else path
            found = Patch(_target(patch.target), place, slot, source, text, made, patch.transformer)
            applied.append(found._replace(turns=_allows(patch.options, "allowKindChange")))
        renames += _renames(file, root, own)
        reaches += [*replacements(file, root, directory), *variables(file, root)]
        reaches += (each for found in own for each in reaches_of(found, directory))
        plugins += (found for found in own if not found.builtin)
        schema = string(get(root, "openapi", "path"))
        schemas += [os.path.normpath(os.path.join(directory, schema))] if schema else []
        name_fields += _name_fields(root, directory)
        namespace = namespace or string(get(root, "namespace")) or None
        scales += [*_scales(file, directory, root), *filter(None, map(scaled, own))]
    return Kustomization(
        directory,
        (*parts["resources"], *parts["bases"]),
        tuple(parts["components"]),
        patches,
        tuple(applied),
        tuple(renames),
        tuple(name_fields),
        namespace,
        tuple(scales),
        component,
        tuple(reaches),
        tuple(plugins),
        tuple(schemas),
    )


def kustomization(directory: str) -> Kustomization | None:
    """The kustomization of a directory; None where there is none that can be read."""
    path = kustomization_file(directory)
    found = read(path, os.path.relpath(path)) if path is not None else None
    if found is None or isinstance(found, InputError):
        return None
    try:
        return _view(parse(found), directory)
    except InputError:
        return None
