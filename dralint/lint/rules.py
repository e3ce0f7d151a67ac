"""Load rules: those that come with dralint fast, a team's own with a check of every file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from dralint.errors import Place, RuleError
from dralint.lint.heads import EXAMPLES, head
from dralint.lint.rule import OWN, AnyRule, Rule, from_data
from dralint.resources import directory

_SUFFIXES = (".yaml", ".yml")


def rule_files(path: str) -> list[str]:
    """The rule files of a directory, sorted. Raises RuleError when it cannot be read, or has none."""
    try:
        names = sorted(name for name in os.listdir(path) if name.endswith(_SUFFIXES))
    except OSError as error:
        raise RuleError(
            f"cannot be read: {error.strerror}", Place(path), "name a directory of rules"
        ) from None
    if not names:
        raise RuleError("holds no rule (*.yaml)", Place(path), "name the directory that the rules are in")
    return [os.path.join(path, name) for name in names]


@cache
def _packaged(file: str) -> Rule:
    """A rule of dralint; the tests have validated it, examples included."""
    from dralint.yamltext.compose import compose
    from dralint.yamltext.view import plain

    with open(file, "rb") as opened:
        text = opened.read().partition(EXAMPLES)[0].decode()
    data: Any = plain(compose(text)[0].root)
    return from_data(data, file)


def whole(rule: AnyRule) -> Rule:
    """The rule with all that its file says."""
    return rule if isinstance(rule, Rule) else _packaged(rule.file)


def _clash(rule: Rule, known: dict[str, AnyRule]) -> RuleError | None:
    for key, value in (("id", rule.id), ("name", rule.name)):
        if value in known:
            from dralint.lint.rule_file import place

            other = known[value].file or "dralint itself"
            return RuleError(f"the {key} {value} is taken by {other}", place(rule.file, (key,)))
    return None


def known_rules(extra_dirs: Sequence[str] = (), problems: list[RuleError] | None = None) -> list[AnyRule]:
    """The rules of dralint, most of them as heads, and those of the given directories, sorted by id.

    A file that is not a valid rule is added to `problems` and left out; without such a list its
    RuleError, with file, line and column, is raised.
    """
    rules: list[AnyRule] = [head(file) or _packaged(file) for file in rule_files(directory("rules"))]
    known = {key: rule for rule in [*OWN, *rules] for key in (rule.id, rule.name)}
    found: list[RuleError] = []
    for path in extra_dirs:
        from dralint.lint.rule_file import read_rule

        for file in rule_files(path):
            try:
                rule = read_rule(file)
            except RuleError as error:
                found.append(error)
                continue
            clash = _clash(rule, known)
            if clash:
                found.append(clash)
                continue
            known[rule.id] = known[rule.name] = rule
            rules.append(rule)
    if found and problems is None:
        raise found[0]
    if problems is not None:
        problems.extend(found)
    return sorted(rules, key=lambda rule: rule.id)


def load_rules(extra_dirs: Sequence[str] = (), problems: list[RuleError] | None = None) -> list[Rule]:
    """The same rules, each with all that its file says."""
    return [whole(rule) for rule in known_rules(extra_dirs, problems)]
