"""What is told of a patch whose count went along with its base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dralint.convert.kustomize.applied import written_at
from dralint.convert.kustomize.count_edits import Use
from dralint.convert.kustomize.count_patches import MergeCount
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict
from dralint.convert.work import PodWork
from dralint.errors import Place
from dralint.yamltext.node import Node
from dralint.yamltext.view import get

# A string, by its file and where it begins there.
Spot = tuple[int, int]
# A request in a string, by its offset in the text of the patch.
Requested = tuple[Spot, int]


def _steps(use: Use) -> Iterator[Node]:
    """The pointers of the steps that set the count."""
    counted = use.count.counted
    if not isinstance(counted, MergeCount):
        for index in (*counted.steps, *counted.others):
            node = get(use.count.text.documents[counted.document].root, index, "path")
            if node is not None:
                yield node


def _message(use: Use) -> str:
    name = use.asked.resource.name
    if use.base.way == "implicit":
        return f"the count of {name} in this patch is one of {use.new_name()} now"
    return f"the count of {name} that this patch set is in a patch for the template {use.template} now"


def _strings(use: Use) -> Iterator[Requested]:
    """Where the count was asked for."""
    patch, home, counted = use.count.patch, use.count.home, use.count.counted
    if patch.source is not None:
        yield from (((id(use.count.text.file), node.start), node.start) for node in _steps(use))
        return
    node = written_at(home, patch.slot) if home is not None else None
    if home is not None and node is not None:
        own = [counted.found.offset] if isinstance(counted, MergeCount) else []
        offsets = own or [each.start for each in _steps(use)]
        yield from (((id(home.file), node.start), offset) for offset in offsets)


def moved_strings(works: Sequence[PodWork]) -> Mapping[Requested, Verdict]:
    """The verdicts on the requests in strings whose counts moved."""
    converted = [
        work
        for work in works
        if work.count_patches
        and any(each.verdict is not None and each.verdict.outcome is Outcome.CONVERTED for each in work.found)
    ]
    return {
        requested: Verdict(Outcome.CONVERTED, _message(use), way=work.way)
        for work in converted
        for each in work.count_patches
        for use in [Use(each, work)]
        for requested in _strings(use)
    }


def places(work: PodWork) -> list[Place]:
    """Where patches set the count of a workload."""
    found: list[Place] = []
    for each in work.count_patches:
        use = Use(each, work)
        if each.patch.inline:
            found.append(each.patch.place)
        elif isinstance(each.counted, MergeCount):
            found.append(each.text.place(each.counted.found.offset))
        else:
            found.append(each.text.place(next(_steps(use)).start))
    return found


def with_patches(work: PodWork) -> str:
    """The end of a sentence that tells of a conversion, "" where no patch goes along with it."""
    where = ", ".join(dict.fromkeys(map(str, places(work))))
    if not where:
        return ""
    what = "takes the new name, too" if work.way == "implicit" else "moves to a patch for the template"
    return f"; the count in {where} {what}"
