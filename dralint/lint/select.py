"""Which rules run: by id, name or layer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from dralint.errors import UsageError
from dralint.lint.rule import OWN, AnyRule

if TYPE_CHECKING:
    from dralint.lint.finding import Severity

_Rule = TypeVar("_Rule", bound=AnyRule)
MIGRATION = "migration"
LAYERS = ("api", "runtime", MIGRATION, "advice")


def _words(given: Iterable[str]) -> list[str]:
    """`DRA101,claim-not-consumed` is two words."""
    return [word for text in given for word in (part.strip() for part in text.split(",")) if word]


def _names(rule: AnyRule) -> tuple[str, str, str]:
    return rule.id.lower(), rule.name, rule.layer


def unknown(word: str, rules: Sequence[AnyRule]) -> str | None:
    """What to do about a word that no rule answers to, with the nearest name; None for one that is known."""
    lowered = word.lower()
    if lowered in LAYERS or any(lowered in _names(rule) for rule in rules):
        return None
    from dralint.nvidia.nearest import did_you_mean

    candidates = [*LAYERS, *(name for rule in rules for name in (rule.id, rule.name))]
    return (
        did_you_mean(word, candidates, most=len(candidates)) or "`dralint rules` lists ids, names and layers"
    )


def _known(word: str, rules: Sequence[AnyRule], option: str) -> str:
    """Raises UsageError, with the nearest name, for a word that no rule answers to."""
    advice = unknown(word, rules)
    if advice is not None:
        raise UsageError(f"{option}: no rule, name or layer {word!r}", advice=advice)
    return word.lower()


def ignored(rule: str, ignore: Iterable[str]) -> bool:
    """Whether a finding of the engine itself (rule-failed, not-judged) is not wanted, by its id."""
    words = {word.lower() for word in _words(ignore)}
    return any(own.id == rule and words & {own.id.lower(), own.name} for own in OWN)


def find_rule(rules: Sequence[_Rule], word: str) -> _Rule:
    """The rule with that id or name. Raises UsageError with the nearest name."""
    lowered = word.lower()
    for rule in rules:
        if lowered in (rule.id.lower(), rule.name):
            return rule
    from dralint.nvidia.nearest import did_you_mean

    names = {name for rule in rules for name in (rule.id, rule.name)}
    nearest = (
        did_you_mean(word, names, most=len(names))
        or "`dralint rules` lists them; rules of your own: --rules DIR"
    )
    raise UsageError(f"there is no rule {word!r}", advice=nearest)


def select(
    rules: Sequence[_Rule], select: Iterable[str], ignore: Iterable[str], migration: bool
) -> list[_Rule]:
    """The rules that run, in the given order.

    select  ids, names or layers; nothing: every layer but migration, and that one if `migration`
    ignore  ids, names or layers that are left out
    Raises UsageError for what is no rule's id, name or layer.
    """
    everything: list[AnyRule] = [*OWN, *rules]
    wanted = {_known(word, everything, "--select") for word in _words(select)}
    unwanted = {_known(word, everything, "--ignore") for word in _words(ignore)}
    return [
        rule
        for rule in rules
        if (wanted & {*_names(rule)} if wanted else migration or rule.layer != MIGRATION)
        and not unwanted & {*_names(rule)}
    ]


def severity_of(rule: AnyRule, severities: Mapping[str, Severity]) -> Severity | None:
    """The severity that a team gives a rule, by its id or name before its layer; None: the rule's own.

    severities: by id, name or layer, in small letters
    """
    return next((severities[name] for name in _names(rule) if name in severities), None)
