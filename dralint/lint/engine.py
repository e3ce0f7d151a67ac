"""Files and rules to findings; what no rule has a word for costs neither facts nor CEL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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


def lint(run: Run, rules: Sequence[Rule]) -> list[Finding]:
    """The findings of the rules on the run's files, sorted by path, line, column and rule.

    A rule none of whose words stands in a file is not looked at. A rule that fails becomes the
    finding rule-failed, one that meets a limit not-judged; neither keeps another from its findings.
    """
    present = _present({word for rule in rules for word in rule.words}, run.files)
    concerned = [rule for rule in rules if not present.isdisjoint(rule.words)]
    if not concerned:
        return []
    from dralint.lint.judging import Judging

    return Judging(run, concerned).findings()
