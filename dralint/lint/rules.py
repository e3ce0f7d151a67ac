"""Load rules: those that come with dralint fast, a team's own with a check of every file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from dralint.errors import Place, RuleError
from dralint.lint.rule import OWN, Rule, from_data
from dralint.resources import directory
from dralint.yamltext.compose import compose
from dralint.yamltext.view import plain

_SUFFIXES = (".yaml", ".yml")
# Examples are most of a rule file and the last key of it (tests check that): checking skips them.
_EXAMPLES = "\nexamples:"


def rule_files(path: str) -> list[str]:
    """The rule files of a directory, sorted. Raises RuleError when it cannot be read."""
    try:
        names = sorted(name for name in os.listdir(path) if name.endswith(_SUFFIXES))
    except OSError as error:
        raise RuleError(
            f"cannot be read: {error.strerror}", Place(path), "name a directory of rules"
        ) from None
    return [os.path.join(path, name) for name in names]


def _packaged() -> Iterator[Rule]:
    """The rules of dralint; the tests have validated them, examples included."""
    for path in rule_files(directory("rules")):
        with open(path, encoding="utf-8") as file:
            text = file.read().partition(_EXAMPLES)[0]
        data: Any = plain(compose(text)[0].root)
        yield from_data(data, path)


def _clash(rule: Rule, known: dict[str, Rule]) -> RuleError | None:
    for key, value in (("id", rule.id), ("name", rule.name)):
        if value in known:
            from dralint.lint.rule_file import place

            other = known[value].file or "dralint itself"
            return RuleError(f"the {key} {value} is taken by {other}", place(rule.file, (key,)))
    return None


def load_rules(extra_dirs: Sequence[str] = (), problems: list[RuleError] | None = None) -> list[Rule]:
    """The rules of dralint and those of the given directories, sorted by id.

    A file that is not a valid rule is added to `problems` and left out; without such a list its
    RuleError, with file, line and column, is raised.
    """
    rules = list(_packaged())
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
