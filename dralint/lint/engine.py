"""Files and rules to findings; what no rule has a word for costs neither facts nor CEL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dralint.kube.objects import ParsedFile
from dralint.source.prefilter import relevant

if TYPE_CHECKING:
    from dralint.lint.finding import Finding
    from dralint.lint.rule import Rule
    from dralint.lint.run import Run


def _present(words: set[str], files: Sequence[ParsedFile]) -> set[str]:
    """Those of the words that stand in some file; all of them where escapes may hide one."""
    missing = {word.encode() for word in words}
    for file in files:
        missing -= {word for word in missing if word in file.file.data}
        # One look for escapes and UTF-16 at most: it reads the whole file.
        if missing and relevant(file.file.data, [*missing]):
            return words
    return words - {word.decode() for word in missing}


class Judged(NamedTuple):
    """Findings, sorted by path, line, column and rule, and how many more were suppressed."""

    findings: list[Finding]
    suppressed: int = 0


def judge(run: Run, rules: Sequence[Rule]) -> Judged:
    """What the rules find in the run's files.

    A rule none of whose words stands in a file is not looked at; one without words always is. A rule
    that fails becomes the finding rule-failed, one that meets a limit not-judged; neither keeps another
    from its findings. Suppressions that silence nothing are findings, too.
    """
    present = _present({word for rule in rules for word in rule.words}, run.files)
    concerned = [rule for rule in rules if not rule.words or not present.isdisjoint(rule.words)]
    suppressions = None
    if any("dralint" in file.text.text for file in run.files):
        from dralint.lint.suppress import suppressions as read

        suppressions = read(run.files, run.known or rules, rules)
    if not concerned and suppressions is None:
        return Judged([])
    from dralint.lint.judging import Judging

    return Judging(run, concerned, suppressions).judged()


def lint(run: Run, rules: Sequence[Rule]) -> list[Finding]:
    """The findings of `judge`."""
    return judge(run, rules).findings
