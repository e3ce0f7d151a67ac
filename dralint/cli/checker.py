"""The rules of a run and what they find: each file with the settings that its path has."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dralint.cli.choice import Choice
from dralint.cli.config import Config, Path
from dralint.cli.targets import TargetFlags, target_of
from dralint.errors import ConfigError, DralintError, RuleError, UsageError
from dralint.kube.objects import ParsedFile
from dralint.kube.words import joined_words
from dralint.lint.engine import Judged, judge, place
from dralint.lint.rule import OWN, AnyRule, Case
from dralint.lint.rules import known_rules, whole
from dralint.lint.run import Run
from dralint.lint.select import ignored, select, severity_of, unknown
from dralint.nvidia.target import Target

if TYPE_CHECKING:
    from dralint.lint.finding import Finding, Severity


class _Group(NamedTuple):
    """Files that have the same settings."""

    files: list[ParsedFile]
    target: Target
    rules: Sequence[AnyRule]
    ignore: Sequence[str]


def _words(config: Config) -> Iterator[tuple[str, Path]]:
    """The names of rules in a configuration, and where they stand."""
    for key in ("select", "ignore"):
        yield from ((word, (key, index)) for index, word in enumerate(config.words(key)))
    yield from ((word, ("severity", word)) for word in config.data.get("severity", {}))
    for pattern, settings in config.data.get("paths", {}).items():
        for index, word in enumerate(settings.get("ignore", ())):
            yield word, ("paths", pattern, "ignore", index)


def _check_words(config: Config, rules: Sequence[AnyRule]) -> None:
    for word, path in _words(config):
        advice = unknown(word, rules)
        if advice is not None:
            raise ConfigError(f"no rule, name or layer {word!r}", config.where(path), advice)


class Checker:
    """Judges files as one command line and configuration want it.

    known   all rules there are
    rules   those that run, with the severities that the team gives them
    words   byte words that make a file worth parsing
    target  of files without settings of their own

    Raises UsageError or ConfigError; a rule file that is not valid is added to `problems`. Where all
    rules are `known` already, none are read.
    """

    def __init__(
        self,
        choice: Choice,
        flags: TargetFlags,
        config: Config,
        problems: list[DralintError],
        known: Sequence[AnyRule] | None = None,
    ) -> None:
        broken: list[RuleError] = []
        self.known = known_rules(choice.rules, broken) if known is None else known
        problems += broken
        everything: list[AnyRule] = [*self.known, *OWN]
        if not broken:
            _check_words(config, everything)
        self._choice, self._flags, self._config = choice, flags, config
        given: dict[str, Severity] = config.data.get("severity", {})
        severities = {word.lower(): severity for word, severity in given.items()}
        self._severities = {
            rule.id: severity
            for rule in (everything if severities else ())
            if (severity := severity_of(rule, severities)) is not None
        }
        try:
            selected = select(self.known, choice.select, choice.ignore, choice.migration)
        except UsageError:
            # The word may be the name of a rule whose file is not valid.
            if broken:
                raise broken[0] from None
            raise
        self.rules = [self._with_severity(rule) for rule in selected]
        self.words = joined_words([word.encode() for rule in self.rules for word in rule.words])
        self.target = target_of(config, flags)

    def _with_severity(self, rule: AnyRule) -> AnyRule:
        severity = self._severities.get(rule.id)
        return rule if severity is None else whole(rule)._replace(severity=(Case(None, severity),))

    def _groups(self, files: Sequence[ParsedFile]) -> list[_Group]:
        usual = _Group(list(files), self.target, self.rules, self._choice.ignore)
        if not self._config.data.get("paths"):
            return [usual]
        from dralint.cli.patterns import Patterns

        patterns = Patterns(self._config)
        by_patterns: dict[tuple[str, ...], list[ParsedFile]] = {}
        for file in files:
            matched = patterns.of(str(file.file.path or file.file.name))
            by_patterns.setdefault(matched, []).append(file)
        return [
            self._group(matched, some) if matched else usual._replace(files=some)
            for matched, some in by_patterns.items()
        ]

    def _group(self, patterns: tuple[str, ...], files: list[ParsedFile]) -> _Group:
        settings = [self._config.data["paths"][pattern] for pattern in patterns]
        ignore = [word for each in settings for word in each.get("ignore", ())]
        rules = select(self.rules, (), ignore, migration=True) if ignore else self.rules
        target = target_of(self._config, self._flags, patterns)
        return _Group(files, target, rules, [*self._choice.ignore, *ignore])

    def judge(self, run: Run) -> Judged:
        """What the rules find in the files of a run; its own target is not looked at.

        The target of the answer is that of files without settings of their own.
        """
        findings: list[Finding] = []
        suppressed = 0
        target = self.target
        groups = self._groups(run.files)
        for group in groups:
            found = judge(
                dataclasses.replace(run, files=group.files, target=group.target, known=self.known),
                group.rules,
            )
            findings += (each for each in found.findings if not ignored(each.rule, group.ignore))
            suppressed += found.suppressed
            if group.target is self.target and found.target is not None:
                target = found.target
        if len(groups) > 1:
            findings.sort(key=place)
        if self._severities:
            findings = [self._reweighed(each) for each in findings]
        return Judged(findings, suppressed, target)

    def _reweighed(self, finding: Finding) -> Finding:
        severity = self._severities.get(finding.rule, finding.severity)
        return finding if severity == finding.severity else dataclasses.replace(finding, severity=severity)
