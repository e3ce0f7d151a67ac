"""`dralint rules --test`: a team's rules tried on their own examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from dralint.cli.check import command
from dralint.cli.checker import Checker
from dralint.cli.choice import Choice
from dralint.cli.config import Config
from dralint.cli.targets import TargetFlags
from dralint.errors import DralintError, Place
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.lint.finding import Finding
from dralint.lint.message import PLACEHOLDER
from dralint.lint.rule import Rule
from dralint.lint.rule_file import examples, place
from dralint.lint.run import Run
from dralint.source.file import SourceFile


class Failure(NamedTuple):
    """What is wrong with a rule or an example of it, and where that stands in the rule's file."""

    place: Place
    what: str


def _checker(rule: Rule, known: list[Rule], arguments: Sequence[str]) -> tuple[Checker, Choice]:
    """The rule alone, unless the example's arguments select; the configuration counts for nothing.

    Raises click's errors and DralintError for arguments that `dralint check` does not take.
    """
    with command.make_context("check", list(arguments)) as context:
        said = context.params
    choice = Choice(**{name: said[name] for name in Choice._fields})
    choice = choice._replace(select=choice.select or [rule.id])
    flags = TargetFlags(**{name: said[name] for name in TargetFlags._fields})
    return Checker(choice, flags, Config(), [], known), choice


def _parsed(texts: Mapping[str, str], checker: Checker) -> list[ParsedFile]:
    return [parse(SourceFile(name, None, text.encode()), checker.words) for name, text in texts.items()]


def _found(rule: Rule, known: list[Rule], example: Mapping[str, Any]) -> list[Finding]:
    """The findings in an example. Raises what `_checker` does, and InputError for files that are no YAML."""
    checker, choice = _checker(rule, known, example.get("args", ()))
    files = _parsed(example["files"], checker)
    past = _parsed(example["before"], checker) if "before" in example else None
    for file in files:
        for problem in file.problems:
            raise problem
    context = Context.none()
    run = Run(
        files,
        Bundle(files),
        context,
        checker.target,
        choice.complete,
        choice.migration,
        past=None if past is None else lambda: Bundle(past),
    )
    return checker.judge(run).findings


def _said(findings: Sequence[Finding], rule: Rule) -> str:
    """What was found, in a few words."""
    shown = [
        f"{each.rule if each.rule != rule.id else 'it'} on {each.region.path}:{each.region.line}"
        if each.layer != "engine"
        else each.message
        for each in findings[:3]
    ]
    more = f" and {len(findings) - 3} more" if len(findings) > 3 else ""
    return f"{', '.join(shown)}{more}" if shown else "nothing"


def _wrong(rule: Rule, example: Mapping[str, Any], findings: Sequence[Finding], *, bad: bool) -> str | None:
    """What is wrong with the findings in an example; None where they are as they should be."""
    if not bad:
        return f"finds {_said(findings, rule)}; nothing was expected" if findings else None
    expected = example.get("file") or next(iter(example["files"])), example["line"]
    found = [(each.rule, each.region.path, each.region.line) for each in findings]
    if found == [(rule.id, *expected)]:
        return None
    return f"finds {_said(findings, rule)}; once, on {expected[0]}:{expected[1]}, was expected"


def _unfilled(rule: Rule, findings: Sequence[Finding]) -> Iterator[Failure]:
    for key in ("message", "hint"):
        for finding in findings:
            text = finding.message if key == "message" else finding.help
            names = {name for name in PLACEHOLDER.findall(text) if f"{{{name}}}" in getattr(rule, key)}
            if names and finding.rule == rule.id:
                name = min(names)
                yield Failure(
                    place(rule.file, (key,)), f"{{{name}}} is no fact of a {' or '.join(rule.subjects)}"
                )
                break


def _tried(
    rule: Rule, known: list[Rule], which: str, number: int, example: Mapping[str, Any]
) -> Iterator[Failure]:
    path = ("examples", which, number)
    name = f"{which} example {number + 1} of {rule.name}"
    try:
        findings = _found(rule, known, example)
    except click.ClickException as error:
        yield Failure(place(rule.file, (*path, "args")), f"{name}: {error.format_message().rstrip('.')}")
        return
    except DralintError as error:
        yield Failure(place(rule.file, path), f"{name}: {error}")
        return
    in_rule = [each for each in findings if each.region.path == rule.file]
    for each in in_rule:
        yield Failure(Place(*each.region[:3]), each.message)
    wrong = None if in_rule else _wrong(rule, example, findings, bad=which == "bad")
    if wrong:
        yield Failure(place(rule.file, (*path, "line")), f"{name} {wrong}")
    yield from _unfilled(rule, findings)


class Tried(NamedTuple):
    """How many examples the rules have, and what is wrong, in the order of the files."""

    examples: int
    failures: list[Failure]


def try_rules(rules: Sequence[Rule], known: list[Rule]) -> Tried:
    """Try rules on their examples: each bad one must be found once, at its line, each good one not at all.

    known  all rules there are, these included
    """
    count = 0
    failures: list[Failure] = []
    for rule in rules:
        of_rule = examples(rule)
        for which in ("bad", "good"):
            for number, example in enumerate(of_rule.get(which, ())):
                count += 1
                failures += _tried(rule, known, which, number, example)
    return Tried(count, list(dict.fromkeys(failures)))
