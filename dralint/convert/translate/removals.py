"""What to take out of a pod spec whose demands on labels have moved."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.convert.emptied import goes_with
from dralint.convert.translate.demands import Constraints, Term
from dralint.convert.translate.read import AFFINITY, REQUIRED
from dralint.yamltext.node import Node
from dralint.yamltext.view import Path

_EXPRESSIONS = "matchExpressions"


def _of_term(before: Term, after: Term) -> Iterator[Path]:
    left = {each.path for each in after.demands}
    gone = [each.path for each in before.demands if each.path not in left]
    if gone and not left and not any(_is_expression(other) for other in before.others):
        yield (*before.path, _EXPRESSIONS)
    else:
        yield from gone


def _is_expression(other: object) -> bool:
    """Whether what is no demand stands among the match expressions of its term."""
    return not (isinstance(other, dict) and len(other) == 1 and next(iter(other)).startswith("match"))


def removals(pod: Path, root: Node, before: Constraints, after: Constraints) -> list[Path]:
    """The entries and items to remove from the pod spec at `pod`, no one within another."""
    gone: set[Path] = set()
    left = {each.path for each in after.selector}
    gone.update(each.path for each in before.selector if each.path not in left)
    if before.terms is not None and after.terms is None:
        gone.add((*pod, AFFINITY, "nodeAffinity", REQUIRED))
    else:
        terms = {each.path: each for each in after.terms or ()}
        for term in before.terms or ():
            gone.update(_of_term(term, terms[term.path]) if term.path in terms else [term.path])
    preferred = {each.path for each in after.preferred}
    moved = [each.path for each in before.preferred if each.path not in preferred]
    gone.update(moved if preferred else [path[:-1] for path in moved])
    whole = {goes_with(root, path, gone, len(pod)) for path in sorted(gone, key=str)}
    return sorted(
        (path for path in whole if not any(path[:length] in whole for length in range(len(path)))), key=str
    )
