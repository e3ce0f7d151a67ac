"""A rule's texts with their {placeholders} filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dralint.yamltext.view import Plain

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.]*)\}")


def _shown(value: Plain) -> str:
    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(_shown, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(value)
    return str(value)


def _looked_up(name: str, facts: Mapping[str, Plain]) -> Plain:
    """A dotted fact. Raises KeyError where there is none."""
    value: Plain = None
    within: Plain = dict(facts)
    for step in name.split("."):
        if not isinstance(within, dict):
            raise KeyError(name)
        value = within[step]
        within = value
    return value


def filled(text: str, values: Mapping[str, str], facts: Mapping[str, Plain]) -> str:
    """The text with values of the check, then facts of the subject, in the place of {names}.

    A name that neither has stays as it is: a finding is worth more than its wording.
    """
    if "{" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        name = match[1]
        if name in values:
            return values[name]
        try:
            return _shown(_looked_up(name, facts))
        except KeyError:
            return match[0]

    return PLACEHOLDER.sub(one, text)
