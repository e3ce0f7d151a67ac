"""Which rules run: by id, name or layer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dralint.errors import UsageError
from dralint.lint.rule import OWN, Rule

MIGRATION = "migration"
LAYERS = ("api", "runtime", MIGRATION, "advice")


def _words(given: Iterable[str]) -> list[str]:
    """`DRA101,claim-not-consumed` is two words."""
    return [word for text in given for word in (part.strip() for part in text.split(",")) if word]


def _names(rule: Rule) -> tuple[str, str, str]:
    return rule.id.lower(), rule.name, rule.layer


def _known(word: str, rules: Sequence[Rule], option: str) -> str:
    """Raises UsageError, with the nearest name, for a word that no rule answers to."""
    lowered = word.lower()
    if lowered in LAYERS or any(lowered in _names(rule) for rule in rules):
        return lowered
    from dralint.nvidia.nearest import did_you_mean

    candidates = [*LAYERS, *(name for rule in rules for name in (rule.id, rule.name))]
    nearest = did_you_mean(word, candidates) or "`dralint rules` lists ids, names and layers"
    raise UsageError(f"{option}: no rule, name or layer {word!r}", advice=nearest)


def ignored(rule: str, ignore: Iterable[str]) -> bool:
    """Whether a finding of the engine itself (rule-failed, not-judged) is not wanted, by its id."""
    words = {word.lower() for word in _words(ignore)}
    return any(own.id == rule and words & {own.id.lower(), own.name} for own in OWN)


def find_rule(rules: Sequence[Rule], word: str) -> Rule:
    """The rule with that id or name. Raises UsageError with the nearest name."""
    lowered = word.lower()
    for rule in rules:
        if lowered in (rule.id.lower(), rule.name):
            return rule
    from dralint.nvidia.nearest import did_you_mean

    names = {name for rule in rules for name in (rule.id, rule.name)}
    nearest = did_you_mean(word, names) or "`dralint rules` lists them"
    raise UsageError(f"there is no rule {word!r}", advice=nearest)


def select(
    rules: Sequence[Rule], select: Iterable[str], ignore: Iterable[str], migration: bool
) -> list[Rule]:
    """The rules that run, in the given order.

    select  ids, names or layers; nothing: every layer but migration, and that one if `migration`
    ignore  ids, names or layers that are left out
    Raises UsageError for what is no rule's id, name or layer.
    """
    everything = [*OWN, *rules]
    wanted = {_known(word, everything, "--select") for word in _words(select)}
    unwanted = {_known(word, everything, "--ignore") for word in _words(ignore)}
    return [
        rule
        for rule in rules
        if (wanted & {*_names(rule)} if wanted else migration or rule.layer != MIGRATION)
        and not unwanted & {*_names(rule)}
    ]
