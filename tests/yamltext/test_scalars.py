"""Scalars and keys as Kubernetes reads them; every row was compared with kubectl."""

from __future__ import annotations

import pytest

from dralint.yamltext.compose import compose
from dralint.yamltext.view import plain

VALUES = [
    *((word, True) for word in ["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"]),
    *((word, False) for word in ["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"]),
    *((word, word) for word in ["yEs", "tRue", "oN", "nO", "oFF", "yess", "nul", "nULL"]),
    *((word, None) for word in ("", "~", "null", "Null", "NULL")),
    ("010", 8), ("0644", 420), ("-010", -8), ("0o10", 8), ("08", 8.0), ("09.5", 9.5), ("00", 0),
    ("0x1F", 31), ("-0x1F", -31), ("0X1f", 31), ("0b11", 3), ("-0b1", -1), ("0b2", "0b2"), ("0o8", "0o8"), ("0O7", 7),
    ("+1", 1), ("-1", -1), ("-0", 0), ("1_000", 1000), ("1__0", 10), ("1_", 1), ("_1", "_1"), ("-_1", -1), ("0x_1", 1),
    ("1_000.5", 1000.5), (".5", 0.5), (".5_0", 0.5), (".5_", ".5_"), ("._5", "._5"), ("-.5", -0.5), ("1.", 1.0),
    ("1.0", 1.0), ("1e3", 1000.0), ("1E3", 1000.0), ("1e-3", 0.001), ("1__e3", 1000.0), (".e3", ".e3"), ("1e", "1e"),
    ("1e400", "1e400"), ("1:30", "1:30"), ("12:30:45", "12:30:45"), (".", "."), ("..", ".."), ("+", "+"), ("-.", "-."),
    ("9223372036854775807", 2**63 - 1), ("18446744073709551615", 2**64 - 1), ("18446744073709551616", 2.0**64),
    ("+18446744073709551615", 2.0**64), ("-9223372036854775808", -(2**63)), ("-9223372036854775809", -(2.0**63)),
    ("0xFFFFFFFFFFFFFFFFFF", "0xFFFFFFFFFFFFFFFFFF"), ("0777777777777777777777777777777", 7.777777777777778e29),
    ("2001-01-01", "2001-01-01"), ("2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"),
    ("500m", "500m"), ("1Gi", "1Gi"), ("1k", "1k"), ("=", "="), ("1.2.3", "1.2.3"),
    ('"1"', "1"), ("'yes'", "yes"), ("|\n  1", "1\n"), (">-\n  yes", "yes"),
    ("!!str 1", "1"), ("!!str", ""), ("! 1", "1"), ("! ~", "~"), ("!own 1", "1"), ("!own", ""), ("!!null", None),
    ("!!null '~'", None), ('!!int "1"', 1), ("!!int |-\n  1", 1), ("!!float 1", 1), ("!!bool 'yes'", True),
    ("!!binary aGk=", "hi"), ("!!binary |\n  aG\n  k=", "hi"), ("!!binary /w==", "\ufffd"), ("!!binary", ""),
    ("!!timestamp 2001-01-01", "2001-01-01"), ("!!map [1]", [1]), ("!own {k: 1}", {"k": 1}), ("!!set {k, l}", {"k": None, "l": None}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[repr(text) for text, _ in VALUES])
def test_values(text, value):
    (document,) = compose(f"v: {text}\n")
    found = plain(document.root)["v"]
    assert found == value
    assert type(found) is type(value)


KEYS = [
    ("y", "true"), ("On", "true"), ("n", "false"), ("off", "false"), ("1", "1"), ("0x10", "16"), ("1_0", "10"), ("-0", "0"),
    ('"y"', "y"), ("'1'", "1"), ("1.5", "1.5"), ("1e3", "1000"), ("100000.0", "100000"), ("1234567.5", "1.2345675e+06"),
    ("16777217.0", "1.6777216e+07"), ("0.30000001", "0.3"), ("1e-5", "1e-05"), ("0.0001", "0.0001"), ("-0.0", "-0"),
    ("1e20", "1e+20"), ("1e39", ".inf"), (".inf", ".inf"), ("-.Inf", "-.inf"), (".nan", ".nan"), ("2001-01-01", "2001-01-01"),
    ("!!str 1", "1"), ("!!int '1'", "1"), ("!!binary aGk=", "hi"), ("! 1", "1"), ('"<<"', "<<"), ("!!str <<", "<<"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "key"), KEYS, ids=[repr(text) for text, _ in KEYS])
def test_keys(text, key):
    (document,) = compose(f"? {text}\n: 1\n")
    assert plain(document.root) == {key: 1}


PROBLEMS = [
    ("v: .inf", "`.inf` is not a number that JSON can hold"),
    ("v: [-.INF]", "`-.INF` is not a number that JSON can hold"),
    ("v: {a: .NaN}", "`.NaN` is not a number that JSON can hold"),
    ("v: !!float .inf", "`.inf` is not a number that JSON can hold"),
    ("v: !!int yes", "!!int cannot hold 'yes'"),
    ("v: !!int", "!!int cannot hold ''"),
    ("v: !!int 1.5", "!!int cannot hold '1.5'"),
    ("v: !!float 1e400", "!!float cannot hold '1e400'"),
    ("v: !!bool 1", "!!bool cannot hold '1'"),
    ("v: !!null x", "!!null cannot hold 'x'"),
    ("v: !!timestamp x", "!!timestamp cannot hold 'x'"),
    ("v: !!binary '@@'", "!!binary is not valid base64"),
    ("v: !!binary aGk", "!!binary is not valid base64"),
    ("v: {~: 1}", "null cannot be a key"),
    ("k: &k null\nv: {*k : 1}", "null cannot be a key"),
    ("v: {[a]: 1}", "a mapping or sequence cannot be a key"),
    ("k: &k [a]\nv: {*k : 1}", "a mapping or sequence cannot be a key"),
    ("v: {<<: 1}", "the merge key `<<` needs a mapping or a list of mappings"),
    ("v: {<<: }", "the merge key `<<` needs a mapping or a list of mappings"),
    ("v: {<<: [1]}", "the merge key `<<` needs a mapping or a list of mappings"),
    ("w: &s [{a: 1}]\nv: {<<: *s}", "the merge key `<<` needs a mapping or a list of mappings"),
    ("%YAML 1.2\n---\nv: 1", "Kubernetes reads YAML 1.1 only"),
]


@pytest.mark.parametrize(("text", "problem"), PROBLEMS, ids=[text for text, _ in PROBLEMS])
def test_what_kubernetes_refuses_is_a_problem_of_the_document(text, problem):
    *_, document = compose(f"{text}\n")
    assert document.problem is not None
    assert document.problem.what == problem
    assert document.root is None


MERGES = [
    ("{<<: *x, a: 2}", {"a": 2, "b": 1}),
    ("{a: 2, <<: *x}", {"a": 1, "b": 1}),
    ("{<<: [*x, {a: 3, c: 3}]}", {"a": 1, "b": 1, "c": 3}),
    ('{!!merge "<<": *x}', {"a": 1, "b": 1}),
    ('{"<<": *x}', {"<<": {"a": 1, "b": 1}}),
    ("{a: 2, a: 3}", {"a": 3}),
    ('{1: a, "1": b}', {"1": "b"}),
]


@pytest.mark.parametrize(("text", "value"), MERGES, ids=[text for text, _ in MERGES])
def test_merge_keys_and_duplicates(text, value):
    (document,) = compose(f"x: &x {{a: 1, b: 1}}\nv: {text}\n")
    assert plain(document.root)["v"] == value


def test_an_anchor_may_be_defined_again():
    (document,) = compose("[&a 1, *a, &a 2, *a]\n")
    assert plain(document.root) == [1, 1, 2, 2]
