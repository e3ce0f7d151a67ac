"""Files and rules to findings; what no rule has a word for costs neither facts nor CEL."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dralint.kube.objects import ParsedFile
from dralint.lint.learned import learned
from dralint.lint.rules import whole
from dralint.source.prefilter import disguised

if TYPE_CHECKING:
    from dralint.lint.finding import Finding
    from dralint.lint.rule import AnyRule, Rule
    from dralint.lint.run import Run
    from dralint.nvidia.target import Target


def _present(words: set[str], files: Sequence[ParsedFile]) -> set[str]:
    """Those of the words that stand in some file; all of them where escapes may hide one."""
    missing = {word.encode() for word in words}
    for file in files:
        missing -= {word for word in missing if file.holds(word)}
        if missing and disguised(file.file.data, [*missing]):
            return words
    return words - {word.decode() for word in missing}


def _given(run: Run) -> set[str]:
    """The words of the inventory that the command line names: it tells what its files would among the named."""
    if run.given is None:
        return set()
    from dralint.inventory.manifests import WORDS

    return {word.decode() for word in WORDS}


class Judged(NamedTuple):
    """Findings, sorted by path, line, column and rule, and how many more were suppressed.

    target  the run's, with what the files say about the installation of the driver
    """

    findings: list[Finding]
    suppressed: int = 0
    target: Target | None = None


def _informed(run: Run, rules: Sequence[Rule]) -> Run:
    """The run with the target that the files show, and their context where a rule needs it to."""
    target = learned(run.target, run.bundle.files)
    if target is run.target and any("installation" in rule.needs for rule in rules):
        target = learned(run.target, run.context.bundle.files)
    return run if target is run.target else dataclasses.replace(run, target=target)


def _concerned(rule: AnyRule, present: set[str]) -> bool:
    return all(not words or not present.isdisjoint(words) for words in (rule.words, rule.marks))


def judge(run: Run, rules: Sequence[AnyRule]) -> Judged:
    """What the rules find in the run's files.

    A rule none of whose words stands in a file is not even parsed; one without words always is. A rule
    that fails becomes the finding rule-failed, one that meets a limit not-judged; neither keeps another
    from its findings. Suppressions that silence nothing are findings, too.
    """
    present = _present({word for rule in rules for word in [*rule.words, *rule.marks]}, run.files) | _given(
        run
    )
    concerned = [whole(rule) for rule in rules if _concerned(rule, present)]
    run = _informed(run, concerned)
    concerned = [rule for rule in concerned if rule.stack in ("", run.target.stack)]
    suppressions = None
    if any("dralint" in file.text.text for file in run.files):
        from dralint.lint.suppress import suppressions as read

        suppressions = read(run.files, run.known or rules, rules)
    if not concerned and suppressions is None:
        return Judged([], 0, run.target)
    from dralint.lint.judging import Judging

    return Judging(run, concerned, suppressions).judged()._replace(target=run.target)


def lint(run: Run, rules: Sequence[AnyRule]) -> list[Finding]:
    """The findings of `judge`."""
    return judge(run, rules).findings
