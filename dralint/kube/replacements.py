"""Fields that kustomize reads and sets across objects: what its `replacements` and `vars` say."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from dralint.errors import Place
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse_path
from dralint.yamltext.node import MAP, SEQ, Node, deref
from dralint.yamltext.view import children, entries, get, string

# What people write in a selector: names, `.*` and alternatives. Other expressions could be made to run for ever.
_SIMPLE = re.compile(r"[\^]?(?:[A-Za-z0-9_|-]|\\?\.(?:[*+](?![*+?]))?)*[$]?")
_MOST_REPEATED = 3
_INDEXED = re.compile(r"([^\[\]]+)\[(\d+)\]\Z")
_PARTS = re.compile(r"(\\.|\[[^\]]*\]|[^\\\[.]+|\[|\\)|(\.)")
_CERTAIN = {"kind", "name"}
_LITERAL = re.compile(r"[A-Za-z0-9-]+")


# An object is compared with all the patches of a kustomization.
@lru_cache(maxsize=100_000)
def is_name(pattern: str) -> bool:
    """Whether a pattern means just the name that it looks like."""
    return _LITERAL.fullmatch(pattern) is not None


# `re` itself remembers few patterns.
@lru_cache(maxsize=100_000)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """A selector's pattern; None for one that could take long to match."""
    if not _SIMPLE.fullmatch(pattern) or pattern.count("*") + pattern.count("+") > _MOST_REPEATED:
        return None
    return re.compile(pattern)


def certain(pattern: str) -> bool:
    """Whether a selector's pattern is one that `matches` decides."""
    return _compiled(pattern) is not None


def matches(pattern: str, text: str) -> bool:
    """Whether a selector's pattern may mean a name; one that could take long to match is taken for a match."""
    if is_name(pattern):
        return pattern == text
    compiled = _compiled(pattern)
    return compiled is None or compiled.fullmatch(text) is not None


class Selector(NamedTuple):
    """Which objects are meant, by patterns; None: any."""

    kind: str | None
    name: str | None

    def means(self, kind: str, names: Collection[str]) -> bool:
        """Whether it may mean an object of a kind that goes by these names."""
        return (self.kind is None or matches(self.kind, kind)) and (
            self.name is None or any(matches(self.name, name) for name in names)
        )


class Reach(NamedTuple):
    """A field of some objects that kustomize reads or sets.

    what      who does it, in words
    sets      it is written; otherwise read
    rejected  objects that are not meant although the selector means them
    path      steps of it: keys, indexes, `*`, `[key=value]`
    place     where that is said
    """

    what: str
    sets: bool
    selector: Selector
    rejected: tuple[Selector, ...]
    path: tuple[str, ...]
    place: Place

    @property
    def does(self) -> str:
        """What it does to which field, in words."""
        return f"{'sets' if self.sets else 'reads'} {'.'.join(self.path)}"

    def is_for(self, kind: str, names: Collection[str]) -> bool:
        """Whether an object of a kind that goes by these names may be meant."""
        return self.selector.means(kind, names) and not any(each.means(kind, names) for each in self.rejected)


def field_steps(text: str) -> tuple[str, ...]:
    r"""The steps of a field's path: dots between them, but none in brackets or behind a backslash.

    `a.[b.c/d].e\.f.0` has the steps a, b.c/d, e.f and 0; `[name=main]` stays as it is.
    Source: kustomize kyaml/utils pathsplitter.go (SmarterPathSplitter); `a[0]` is for vars.
    """
    found = [""]
    for part in _PARTS.finditer(text):
        if part[2]:
            found.append("")
        else:
            found[-1] += part[1].removeprefix("\\")
    steps: list[str] = []
    for step in found:
        indexed = _INDEXED.match(step)
        if indexed is not None:
            steps += indexed.groups()
        elif step.startswith("[") and step.endswith("]") and "=" not in step:
            steps.append(step[1:-1])
        else:
            steps.append(step)
    return tuple(steps)


def _selector(node: Node | None) -> Selector:
    return Selector(string(get(node, "kind")), string(get(node, "name")))


def _rejected(target: Node) -> Iterator[Selector]:
    """What a target leaves out for certain: one that looks at more than kind and name may not."""
    for node in children(get(target, "reject")):
        keys = entries(deref(node)) if deref(node).kind == MAP else {}
        if keys and set(keys) <= _CERTAIN:
            found = _selector(node)
            if all(each is None or certain(each) for each in found):
                yield found


def _replacement(file: ParsedFile, node: Node) -> Iterator[Reach]:
    what = "a replacement"
    source = get(node, "source")
    read_field = get(source, "fieldPath")
    if source is not None and read_field is not None:
        path = field_steps(string(read_field) or "")
        yield Reach(what, False, _selector(source), (), path, file.place(read_field.start))
    for target in children(get(node, "targets")):
        selector, rejected = _selector(get(target, "select")), tuple(_rejected(target))
        for field in children(get(target, "fieldPaths")):
            path = field_steps(string(field) or "")
            yield Reach(what, True, selector, rejected, path, file.place(field.start))


def _elsewhere(path: str) -> Iterator[tuple[ParsedFile, Node]]:
    """The replacements of a file of their own: a list of them, or one."""
    file = parse_path(path) if os.path.isfile(path) else None
    for document in file.documents if file is not None else ():
        root = document.root
        if root is not None and file is not None:
            yield from ((file, deref(each)) for each in (root.items if root.kind == SEQ else [root]))


def replacements(file: ParsedFile, root: Node | None, directory: str) -> Iterator[Reach]:
    """What the `replacements` of a mapping read and set; its paths count from the directory."""
    for entry in children(get(root, "replacements")):
        path = string(get(entry, "path"))
        found = _elsewhere(os.path.join(directory, path)) if path else [(file, entry)]
        for owner, node in found:
            yield from _replacement(owner, node)


def variables(file: ParsedFile, root: Node | None) -> Iterator[Reach]:
    """The fields that the `vars` of a kustomization read."""
    for entry in children(get(root, "vars")):
        field = get(entry, "fieldref", "fieldpath")
        if field is not None:
            yield Reach(
                f"the variable {string(get(entry, 'name'))}",
                False,
                _selector(get(entry, "objref")),
                (),
                field_steps(string(field) or ""),
                file.place(field.start),
            )
