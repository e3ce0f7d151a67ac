"""Predicates of one subject: judged together, failing alone, within limits, the same on both engines."""

from __future__ import annotations

import re
import resource
import subprocess
import sys

import pytest

from dralint.cel import engines
from dralint.cel.predicates import PredicateError, Predicates
from dralint.errors import UsageError

ENGINES = pytest.mark.parametrize("engine", engines.NAMES)

FACTS = {
    "replicas": 3,
    "claim": None,
    "label": "x",
    "names": ["a", "b", "c"],
    "nothing": [],
    "host": True,
    "limits": {"nvidia.com/gpu": 1},
    "parts": [{"name": "a", "count": None}, {"name": "b", "count": 2}],
    "share": 0.5,
}

TRUE = [
    'label == "x"',
    'label != "y"',
    "label != 1",
    "!(label == 1)",
    "claim == null",
    "!(claim == 1)",
    "claim != []",
    'claim != "x"',
    "names != null",
    "limits != null",
    "replicas == 3.0",
    "replicas < 3.5",
    "replicas >= 3 && replicas <= 3 && replicas > 2",
    "share < replicas",
    "host != 1",
    "host == true",
    '!("1" in names)',
    '!(claim in ["x"])',
    "claim in [null]",
    "!(1 in names)",
    'names == ["a", "b", "c"]',
    'names != ["a", "b", 3]',
    '"nvidia.com/gpu" in limits',
    'limits["nvidia.com/gpu"] == 1',
    'limits == {"nvidia.com/gpu": 1}',
    "nothing.size() == 0 && size(names) == 3",
    'names.exists(n, n == "b")',
    "!names.all(n, n == 1)",
    "names.exists_one(n, n == 'c')",
    "parts.exists(p, p.count == 2)",
    "parts.filter(p, p.count != null).map(p, p.name) == ['b']",
    "parts.all(p, p.count == null || p.count > 1)",
    "claim != null && claim > 1 || true",
    "has(parts[0].name) && !has(parts[0].zone)",
    'label.startsWith("x") && label.endsWith("x") && label.contains("x")',
    'label.matches("^x$")',
    '"MiG-1G".lowerAscii() == "mig-1g"',
    '"mig".upperAscii() == "MIG"',
    '"a,b".split(",") == ["a", "b"]',
    '"a,b,c".split(",", 2) == ["a", "b,c"]',
    '" a ".trim() == "a"',
    '"1g.10gb".substring(3) == "10gb"',
    '"1g.10gb".substring(0, 2) == "1g"',
    '"1g.10gb".indexOf(".") == 2 && "aba".lastIndexOf("a") == 2',
    '"aa".replace("a", "b") == "bb" && "aa".replace("a", "b", 1) == "ba"',
    '"abc".charAt(1) == "b"',
    "type(label) == string && type(claim) == null_type",
    "string(replicas) == '3' && int('3') == replicas",
    "// a comment before\nhost // and after",
]


@ENGINES
def test_what_rules_say_has_one_meaning(engine: str) -> None:
    answers = Predicates(list(FACTS), {text: text for text in TRUE}, engine).evaluate(FACTS)
    assert answers == dict.fromkeys(TRUE, True)


@ENGINES
@pytest.mark.parametrize(
    "text",
    [
        "claim > 1",
        "limits.zone == 1",
        "names[7] == 'a'",
        "label < 1",
        "int(label) == 1",
        "claim.name == 1",
        "names.exists(n, n > 1)",
        "1 / (replicas - 3) == 0",
    ],
)
def test_a_predicate_that_cannot_be_evaluated_fails_alone(engine: str, text: str) -> None:
    answers = Predicates(list(FACTS), {"good": "host", "bad": text, "other": "!host"}, engine).evaluate(FACTS)
    failure = answers["bad"]
    assert isinstance(failure, PredicateError)
    assert failure.what
    assert not failure.limit
    assert (answers["good"], answers["other"]) == (True, False)


@ENGINES
@pytest.mark.parametrize("text", ["1 +", "host ||", "(host", "host) || (host", "host, host", "host]", ""])
def test_a_predicate_that_does_not_parse_fails_alone(engine: str, text: str) -> None:
    expressions = {"bad": text, "good": "host", "other": "!host"}
    answers = Predicates(list(FACTS), expressions, engine).evaluate(FACTS)
    assert isinstance(answers["bad"], PredicateError)
    assert (answers["good"], answers["other"]) == (True, False)


def test_an_empty_predicate_and_a_double_one_do_not_shift_the_others() -> None:
    expressions = {"a": "host, !host", "b": "!host", "c": " // nothing"}
    answers = Predicates(["host"], expressions).evaluate({"host": True})
    assert isinstance(answers["a"], PredicateError)
    assert answers["b"] is False
    assert answers["c"] == PredicateError("it is empty", 1, 1)


def test_a_compile_error_says_where_and_what() -> None:
    answers = Predicates(["host"], {"bad": "host &&\n  hots"}).evaluate({"host": True})
    assert answers["bad"] == PredicateError("undeclared reference to 'hots'", 2, 3)


@ENGINES
def test_what_is_not_a_boolean_is_no_answer(engine: str) -> None:
    expressions = {"null": "claim", "text": "label", "number": "replicas", "list": "names", "good": "host"}
    answers = Predicates(list(FACTS), expressions, engine).evaluate(FACTS)
    assert answers.pop("good") is True
    assert {type(answer) for answer in answers.values()} == {PredicateError}
    assert answers["null"] == PredicateError("it gives null, not true or false")


@ENGINES
def test_over_the_budget_together_they_are_judged_singly_and_alone_not_at_all(engine: str) -> None:
    items = list(range(1, 61))
    expressions = {
        **{f"fits {number}": "items.all(x, items.all(y, x + y > 0))" for number in range(2)},
        "too long": "items.all(x, items.all(y, items.all(z, x + y + z > 0)))",
    }
    answers = dict(Predicates(["items"], expressions, engine).evaluate({"items": items}))
    failure = answers.pop("too long")
    assert failure == PredicateError("it takes more than 10,000 loop steps", limit=True)
    assert set(answers.values()) == {True}


@ENGINES
@pytest.mark.parametrize(
    ("value", "predicate"),
    [
        ("a\0b", 'it == "a\ufffdb"'),
        ("a\ud800b", 'it.startsWith("a") && it.endsWith("b") && it.contains("\ufffd")'),
        ({"a\0b": 1}, '"a\ufffdb" in it'),
        (2**63, "it > 9223372036854770000"),
        (2**64, "it > 9223372036854770000"),
        (-(2**63), "it < 0"),
        (10**400, "it > 0"),
        (-(10**400), "it < 0"),
        (float("inf"), "it > 0"),
        (float("nan"), "it != 1"),
        (("a", "b"), 'it == ["a", "b"]'),
        ("\x1b[31m\n", 'it != ""'),
        ("x" * 100_000, "it.size() == 65536"),
        ({"": ""}, '"" in it'),
    ],
)
def test_no_value_of_a_manifest_harms_an_engine(engine: str, value: object, predicate: str) -> None:
    answers = Predicates(["it"], {"p": predicate}, engine).evaluate({"it": value})  # type: ignore[dict-item]
    assert answers["p"] is True


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@ENGINES
@pytest.mark.parametrize("value", [nested(100_000), [0] * 200_000], ids=["deep", "many"])
def test_what_is_too_large_is_not_judged(engine: str, value: object) -> None:
    answers = Predicates(["it"], {"p": "it == 1", "q": "true"}, engine).evaluate({"it": value})  # type: ignore[dict-item]
    assert all(isinstance(answer, PredicateError) and answer.limit for answer in answers.values())


def test_a_long_list_stops_only_what_would_copy_it_in_every_step() -> None:
    expressions = {"map": "it.map(x, x + 1).size() > 0", "all": "it.all(x, x >= 0)", "plain": "it != null"}
    answers = dict(Predicates(["it"], expressions).evaluate({"it": list(range(9_000))}))
    failure = answers.pop("map")
    assert isinstance(failure, PredicateError)
    assert failure.limit
    assert answers == {"all": True, "plain": True}
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 600_000


@ENGINES
def test_a_catastrophic_pattern_is_none(engine: str) -> None:
    answers = Predicates(["it"], {"p": 'it.matches("(a+)+$")'}, engine).evaluate({"it": "a" * 5_000 + "b"})
    assert answers["p"] is False


def test_a_variable_with_the_name_of_a_type_costs_only_those_who_use_it() -> None:
    answers = Predicates(["type", "host"], {"p": "host"}).evaluate({"type": 1, "host": True})
    assert answers["p"] is True


def test_an_engine_that_does_not_exist() -> None:
    with pytest.raises(UsageError, match=re.escape("unknown CEL engine 'cel-go'")):
        Predicates([], {}, "cel-go")


def test_where_the_native_engine_has_no_wheel_the_other_serves() -> None:
    program = """
import sys
sys.modules["cel_expr_python"] = None  # as if it were not installed
from dralint.cel.predicates import Predicates
print(Predicates(["a"], {"p": "a == 1"}).evaluate({"a": 1}), "celpy" in sys.modules)
try:
    Predicates(["a"], {}, "cel-expr-python")
except Exception as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "{'p': True} True",
        "the CEL engine cel-expr-python is not installed (pip install cel-expr-python)",
    ]


def test_the_portable_engine_is_imported_only_when_asked_for() -> None:
    program = """
import sys
from dralint.cel.predicates import Predicates
Predicates(["a"], {"p": "a == 1"}).evaluate({"a": 1})
print({"celpy", "google.protobuf", "re2", "dataclasses"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
