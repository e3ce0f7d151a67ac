"""Documents that cannot be read because of a separator: the finding about it says more than the parser does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dralint.kube.objects import ParsedFile
from dralint.lint.rules import whole

if TYPE_CHECKING:
    from dralint.errors import DralintError
    from dralint.lint.finding import Finding
    from dralint.lint.rule import AnyRule

_SUBJECT = "separator"
_SEPARATOR = "---"


def _in_one_document(file: ParsedFile, first: int, last: int) -> bool:
    """Whether no other separator stands between two lines."""
    lines = file.text.text.split("\n")[first : last - 1]
    return not any(line.startswith(_SEPARATOR) for line in lines)


def unexplained(
    problems: Sequence[DralintError],
    findings: Sequence[Finding],
    rules: Iterable[AnyRule],
    files: Iterable[ParsedFile],
) -> list[DralintError]:
    """The problems without those of documents in which a finding about a separator stands before them."""
    if not problems:
        return []
    fired = {each.rule for each in findings}
    ids = {rule.id for rule in rules if rule.id in fired and _SUBJECT in whole(rule).subjects}
    told = [each.region for each in findings if each.rule in ids]
    by_name = {file.file.name: file for file in files} if told else {}
    return [
        problem
        for problem in problems
        if not any(
            problem.place is not None
            and problem.place.path == region.path
            and region.line <= (problem.place.line or 0)
            and _in_one_document(by_name[region.path], region.line, problem.place.line or 0)
            for region in told
        )
    ]
