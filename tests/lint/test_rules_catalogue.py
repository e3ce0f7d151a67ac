"""Every known mistake is a rule, or the list of rules says why it is none."""

from __future__ import annotations

import json
import os
import re

from dralint.lint.rules import load_rules
from dralint.resources import directory


def without_rule():
    """The mistakes that rules/README.md gives a reason for."""
    with open(os.path.join(directory("rules"), "README.md"), encoding="utf-8") as file:
        section = file.read().partition("## Known mistakes that are no rule")[2]
    return dict(re.findall(r"^\| ([a-z0-9-]+) \| (.{30,}) \|$", section, re.MULTILINE))


def test_every_known_mistake_is_a_rule_or_has_a_reason(shared):
    known = {row["rule"] for row in json.loads((shared / "facts" / "mistakes.json").read_text())}
    rules = {rule.name for rule in load_rules()}
    assert known - rules == set(without_rule())
    assert rules & set(without_rule()) == set()


def test_every_rule_has_sources_and_a_release():
    for rule in load_rules():
        assert rule.sources, rule.id
        assert re.fullmatch(r"\d+\.\d+\.\d+", rule.since), rule.id
        assert len(rule.why) > 100, rule.id


def test_what_only_a_near_name_can_mend_says_what_to_do_without_one():
    # The title of a fix is the help of a rule without a hint, also where there is no near name to write.
    assert not [
        rule.id for rule in load_rules() if rule.fix and "nearest" in rule.fix.title and not rule.hint
    ]
