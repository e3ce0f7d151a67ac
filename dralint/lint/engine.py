"""Files and rules to findings; what no rule has a word for costs neither facts nor CEL."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from dralint.kube.objects import ParsedFile
from dralint.lint.learned import joined, learned
from dralint.lint.rules import whole

if TYPE_CHECKING:
    from dralint.lint.finding import Finding
    from dralint.lint.rule import AnyRule, Rule
    from dralint.lint.run import Run
    from dralint.nvidia.target import Target


def _present(words: set[str], files: Sequence[ParsedFile]) -> set[str]:
    """Those of the words that stand in some file."""
    missing = {word.encode() for word in words}
    for file in files:
        missing -= {word for word in missing if file.holds(word)}
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


def place(finding: Finding) -> tuple[object, ...]:
    """What findings are sorted by."""
    return finding.region[:3], finding.rule, finding.region, finding.message


def _informed(run: Run, rules: Sequence[Rule]) -> list[Run]:
    """The run with the target that the files show, and their context where a rule needs it to.

    One for each cluster that the files are for, with its files.
    """
    asked = any("installation" in rule.needs for rule in rules)
    groups = learned(
        run.target, run.files, run.bundle.files, (lambda: run.context.bundle.files) if asked else None
    )
    if len(groups) == 1 and groups[0][0] is run.target:
        return [run]
    return [dataclasses.replace(run, target=target, files=files) for target, files in groups]


def _concerned(rule: AnyRule, present: set[str]) -> bool:
    return all(not words or not present.isdisjoint(words) for words in (rule.words, rule.marks))


def _judged(run: Run, concerned: Sequence[Rule], rules: Sequence[AnyRule]) -> Judged:
    """What the rules find in files of one target."""
    able = [rule for rule in concerned if rule.stack in ("", run.target.stack)]
    suppressions = None
    if any("dralint" in file.text.text for file in run.files):
        from dralint.lint.suppress import suppressions as read

        suppressions = read(run.files, run.known or rules, rules)
    if not able and suppressions is None:
        return Judged([])
    from dralint.lint.judging import Judging

    return Judging(run, able, suppressions).judged()


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
    runs = _informed(run, concerned)
    target = joined(run.target, [each.target for each in runs])
    found = [_judged(each, concerned, rules) for each in runs]
    findings = [finding for each in found for finding in each.findings]
    if len(runs) > 1:
        findings.sort(key=place)
    return Judged(findings, sum(each.suppressed for each in found), target)


def lint(run: Run, rules: Sequence[AnyRule]) -> list[Finding]:
    """The findings of `judge`."""
    return judge(run, rules).findings
