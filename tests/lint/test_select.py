"""Rules are chosen by id, name or layer; a word that none answers to is an error with the nearest one."""

from __future__ import annotations

import pytest

from dralint.errors import UsageError
from dralint.lint.rule import Case, Rule
from dralint.lint.select import find_rule, ignored, select


def rule(id_: str, name: str, layer: str) -> Rule:
    return Rule(id_, name, layer, (Case(None, "error"),), "", "", "object", "true", None, "")


RULES = [
    rule("DRA101", "flat-request-in-v1", "api"),
    rule("DRA102", "claim-not-consumed", "runtime"),
    rule("DRA601", "toleration-lost", "migration"),
    rule("ACME001", "image-from-registry", "advice"),
]


@pytest.mark.parametrize(
    ("select_", "ignore", "migration", "expected"),
    [
        ([], [], False, "DRA101 DRA102 ACME001"),
        ([], [], True, "DRA101 DRA102 DRA601 ACME001"),
        (["DRA102"], [], False, "DRA102"),
        (["dra102"], [], False, "DRA102"),
        (["claim-not-consumed", "api"], [], False, "DRA101 DRA102"),
        (["DRA101,ACME001"], [], False, "DRA101 ACME001"),
        (["migration"], [], False, "DRA601"),
        (["toleration-lost"], [], False, "DRA601"),
        (["DRA101"], [], True, "DRA101"),
        ([], ["api", "DRA102"], False, "ACME001"),
        (["api", "runtime"], ["flat-request-in-v1"], False, "DRA102"),
        ([], ["DRA101, DRA102"], False, "ACME001"),
        ([], ["rule-failed"], False, "DRA101 DRA102 ACME001"),
        ([], ["api", "runtime", "advice"], False, ""),
    ],
)
def test_select(select_: list[str], ignore: list[str], migration: bool, expected: str) -> None:
    assert " ".join(each.id for each in select(RULES, select_, ignore, migration)) == expected


@pytest.mark.parametrize(
    ("select_", "ignore", "message"),
    [
        (["claim-not-consumd"], [], "--select: no rule, name or layer 'claim-not-consumd' (did you mean claim-not-consumed?)"),
        (["DRA1O1"], [], "--select: no rule, name or layer 'DRA1O1' (did you mean DRA101?)"),
        ([], ["runtme"], "--ignore: no rule, name or layer 'runtme' (did you mean runtime?)"),
        ([], ["xyz"], "--ignore: no rule, name or layer 'xyz' (`dralint rules` lists ids, names and layers)"),
    ],
)  # fmt: skip
def test_an_unknown_word(select_: list[str], ignore: list[str], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        select(RULES, select_, ignore, migration=False)
    assert str(raised.value) == message


def test_findings_of_the_engine_can_be_ignored_but_not_by_a_selection() -> None:
    assert ignored("DRA001", ["rule-failed"])
    assert ignored("DRA002", ["api", "dra002"])
    assert not ignored("DRA001", ["DRA002", "DRA101"])
    assert not ignored("DRA101", ["DRA101"])


def test_find_rule() -> None:
    assert find_rule(RULES, "dra101") is RULES[0]
    assert find_rule(RULES, "toleration-lost") is RULES[2]
    with pytest.raises(UsageError, match="there is no rule 'api'"):
        find_rule(RULES, "api")
