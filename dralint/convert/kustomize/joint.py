"""Changes that go together with a pod's conversion: in kustomizations, patches and files that are made."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from dralint.convert.model import FileResult, Outcome
from dralint.errors import InternalError, Place
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.yamltext.node import SEQ
from dralint.yamltext.operations import Append, Edit, Operation, Put
from dralint.yamltext.patch import patch
from dralint.yamltext.view import Plain, get

if TYPE_CHECKING:  # works hold their joints
    from dralint.convert.occurrences import Found, Verdict
    from dralint.convert.work import PodWork
    from dralint.kube.objects import ParsedFile


# Lines that are compared with lines; past that a text is written anew.
_MOST_COMPARED = 4_000_000
# Characters that are read to try the changes of a file's patches one by one: some seconds.
_MOST_READ = 10_000_000


class Listed(NamedTuple):
    """An item that a list of a kustomization gets: `configurations`, `patches`, `resources`..."""

    key: str
    item: Plain


Change = Operation | Listed
Works = Sequence["PodWork"]


def _settles_nothing(_: Works) -> Mapping[int, Verdict]:
    return {}


class Joint(NamedTuple):
    """A change elsewhere that is made if the pod is converted, and only then.

    path    of the file, absolute
    file    the named file; None: it is not there and is made
    key     joints of a path with the same one are carried out once, for all their pods
    build   from those pods, converted, the changes of the file, or the text of the one that is made
    settle  from those pods the verdicts on requests of the file, by where they begin
    """

    path: str
    file: ParsedFile | None
    key: Hashable
    build: Callable[[Works], Sequence[Change] | str]
    settle: Callable[[Works], Mapping[int, Verdict]] = _settles_nothing


def operations(file: ParsedFile, changes: Iterable[Change]) -> list[list[Operation]]:
    """The groups of operations that make the changes; an item that several changes add is added once."""
    groups: list[list[Operation]] = [[]]
    lists: dict[str, list[Plain]] = {}
    for change in changes:
        if isinstance(change, Listed):
            items = lists.setdefault(change.key, [])
            if change.item not in items:
                items.append(change.item)
        else:
            groups[0].append(change)
    root = file.documents[0].root if file.documents else None
    for key, items in lists.items():
        there = get(root, key)
        if there is not None and there.kind == SEQ:
            groups.append([Append(0, (key,), item) for item in items])
        else:
            groups.append([Put(0, (), key, items)])
    return [group for group in groups if group]


def can_try(file: ParsedFile, word: str) -> bool:
    """Whether there is time to try a change for each patch with a word: every trial reads all of the text."""
    text = file.text.text
    return text.count(word) * len(text) <= _MOST_READ


def can_change(file: ParsedFile, changes: Sequence[Change]) -> bool:
    """Whether the text of a file takes the changes."""
    groups = operations(file, changes)
    try:
        return not patch(file.text, file.documents, groups, all_or_none=True).refusals
    except InternalError:
        return False


def _converted(work: PodWork) -> bool:
    return any(each.verdict is not None and each.verdict.outcome is Outcome.CONVERTED for each in work.found)


def _made(path: str, text: str) -> FileResult:
    file = parse(SourceFile(os.path.relpath(path), path, b""))
    return FileResult(file, text.encode(), None, [Edit(0, 0, text)], made=True)


def _line_edits(before: str, after: str) -> list[Edit]:
    """The edits, of whole lines, that make one text of the other."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if len(old) * len(new) > _MOST_COMPARED:
        return [Edit(0, len(before), after)]
    starts = [0, *accumulate(map(len, old))]
    return [
        Edit(starts[start], starts[end], "".join(new[new_start:new_end]))
        for kind, start, end, new_start, new_end in SequenceMatcher(
            None, old, new, autojunk=False
        ).get_opcodes()
        if kind != "equal"
    ]


def _changed(result: FileResult, groups: Sequence[Sequence[Operation]]) -> FileResult:
    """The result with the operations carried out, too. One that was changed for other objects keeps its documents."""
    file, now = result.file, result.file
    if result.changed:
        now = parse(SourceFile(file.file.name, file.file.path, result.after))
    if result.error is not None or len(now.documents) != len(file.documents):
        raise InternalError("was to be changed in two ways at once", Place(file.file.name))
    patched = patch(now.text, now.documents, groups, all_or_none=True)
    if patched.refusals:
        raise InternalError("cannot be edited after all", Place(file.file.name))
    edits = _line_edits(file.text.text, patched.text) if result.changed else patched.edits
    return FileResult(file, now.text.encode(patched.text), None, edits)


def _group(results: Sequence[FileResult], works: Works) -> None:
    """Number the results that are right only together: a pod's file and those of its joints."""
    groups: list[set[Hashable]] = []
    for work in works:
        if not work.joints or not _converted(work):
            continue
        keys: set[Hashable] = {id(work.file.file)}
        keys |= {id(each.file.file) if each.file is not None else each.path for each in work.joints}
        keys = keys.union(*(each for each in groups if each & keys))
        groups = [*(each for each in groups if not each & keys), keys]
    numbers = {key: number for number, keys in enumerate(groups) for key in keys}
    for result in results:
        result.group = numbers.get(result.file.file.path if result.made else id(result.file.file))


def carry_out(results: list[FileResult], works: Works, requests: Sequence[Found]) -> None:
    """Make the joint changes of the pods that were converted, and give the requests there their verdicts.

    Raises InternalError where a change that seemed possible is not: then nothing may be written.
    """
    wanted: dict[str, dict[Hashable, tuple[Joint, list[PodWork]]]] = {}
    for work in works:
        for joint in work.joints if _converted(work) else ():
            wanted.setdefault(joint.path, {}).setdefault(joint.key, (joint, []))[1].append(work)
    at = {id(result.file.file): index for index, result in enumerate(results)}
    settled: dict[tuple[int, int], Verdict] = {}
    for path, by_key in wanted.items():
        changes: list[Change] = []
        for joint, users in by_key.values():
            built = joint.build(users)
            if isinstance(built, str):
                results.append(_made(path, built))
            else:
                changes += built
        file = next((joint.file for joint, _ in by_key.values() if joint.file is not None), None)
        if file is None:
            continue
        index = at[id(file.file)]
        results[index] = _changed(results[index], operations(file, changes))
        for joint, users in by_key.values():
            settled |= {(id(file.file), offset): each for offset, each in joint.settle(users).items()}
    _group(results, works)
    for request in requests if settled else ():
        request.verdict = settled.get((id(request.file.file), request.offset), request.verdict)
