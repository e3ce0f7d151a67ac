"""A dump as files: one for each workload that a person made, and what else a conversion must read of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dralint.convert.beside.companion import may_follow
from dralint.convert.dump.clean import Item, clean, read_items
from dralint.convert.dump.live import made_by_itself
from dralint.convert.occurrences import occurrences
from dralint.errors import InputError
from dralint.kube.bundle import DRA_GROUP
from dralint.kube.dra import CLAIM, CLASS, TEMPLATE
from dralint.kube.dump import Budget, Dump
from dralint.kube.kinds import kind_of
from dralint.kube.names import digest, is_dns_label, is_dns_subdomain
from dralint.kube.objects import KubeObject, ParsedFile, Whole
from dralint.kube.places import pod_specs
from dralint.source.prefilter import document_filter

_KIND = re.compile(r"[A-Za-z][A-Za-z0-9]*\Z")


class Apart(NamedTuple):
    """An object that gets a file of its own; one that only follows workloads does where it changes.

    path   of the file, with "/", below the directory that all of them go to
    file   its text, parsed
    """

    path: str
    file: ParsedFile

    @property
    def object(self) -> KubeObject:
        return self.file.objects[0]

    @property
    def follows(self) -> bool:
        """It is no workload, and stands beside those that change."""
        return may_follow(self.object)


@dataclass(eq=False)
class Split:
    """A dump that is to become files.

    parts     what a conversion reads: the files, and objects that get none
    files     in the order of the dump
    others    how many objects get no file: what controllers made, what runs no more, what is no workload
    problems  objects that should have a file and cannot
    """

    parts: list[ParsedFile] = field(default_factory=list)
    files: list[Apart] = field(default_factory=list)
    others: int = 0
    problems: list[InputError] = field(default_factory=list)


def _is_workload(obj: KubeObject) -> bool:
    kind = kind_of(obj)
    listed = kind is not None and (kind.pods or kind.operator_pods or kind.resources)
    return bool(listed or pod_specs(obj))


def _wanted(item: Item, *, relevant: bool, companions: bool) -> bool:
    """Whether an object gets a file: a workload that a person made, a class or a template of claims, or what follows.

    Whatever asks for GPUs is a workload, and so is what holds one. relevant: its text may ask for GPUs
    """
    obj = item.object
    if not made_by_itself(obj):
        return False
    if companions and may_follow(obj):
        return True
    if obj.group == DRA_GROUP:
        return obj.ref.kind in (CLASS, CLAIM, TEMPLATE)
    return any(map(_is_workload, item.part.objects)) or (relevant and bool(occurrences(item.part)))


def _safe(text: str, allowed: bool) -> str:
    """The text as part of a path; what Kubernetes would not allow could lead anywhere."""
    return text if allowed else f"unusual-{digest(text)}"


def _path(obj: KubeObject, taken: set[str]) -> str:
    """`namespace/kind-name.yaml`; where two kinds have one name, the second gets its API group."""
    kind, name, namespace = obj.ref.kind or "", obj.ref.name or "", obj.ref.namespace
    suffix = ".json" if obj.file.text.text.startswith("{") else ".yaml"
    folder = f"{_safe(namespace, is_dns_label(namespace))}/" if namespace else ""
    word = _safe(kind.lower(), _KIND.match(kind) is not None)
    own = _safe(name, is_dns_subdomain(name) and len(name) < 200)
    group = _safe(obj.group, is_dns_subdomain(obj.group))
    candidates = [f"{word}-{own}", f"{word}.{group}-{own}"]
    candidates += [f"{word}-{own}-{number}" for number in range(2, len(taken) + 3)] if len(taken) else []
    for candidate in candidates:
        path = f"{folder}{candidate}{suffix}"
        if path not in taken:
            taken.add(path)
            return path
    raise AssertionError("unreachable")


def split(
    dump: Dump,
    words: Sequence[bytes],
    tick: Callable[[int], object] | None = None,
    *,
    companions: bool = False,
) -> Split:
    """The files of a dump; tick is called with 1 for each item; companions: what can follow has one, too.

    Raises InputError where the items are more than can be held.
    """
    relevant, budget = document_filter(words), Budget()
    found, taken = Split(), set[str]()
    whole = Whole(found.parts, apart=True)
    for item in read_items(dump):
        if isinstance(item, InputError):
            found.problems.append(item)
        else:
            telling = relevant(item.part.text.text)
            wanted = _wanted(item, relevant=telling, companions=companions)
            part = _take(dump, item, found, taken, wanted=wanted)
            if telling and relevant(part.text.text):
                budget.spend(part)
                part.part_of = whole
                found.parts.append(part)
        if tick is not None:
            tick(1)
    return found


def _take(dump: Dump, item: Item, found: Split, taken: set[str], *, wanted: bool) -> ParsedFile:
    """What is read of an item: its own file where it gets one, else its part of the list."""
    if not wanted:
        found.others += 1
        return item.part
    try:
        file = clean(dump, item)
    except InputError as error:
        found.problems.append(error)
        return item.part
    found.files.append(Apart(_path(file.objects[0], taken), file))
    return file
