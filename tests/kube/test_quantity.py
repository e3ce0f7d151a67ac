"""Quantities and counts, as Kubernetes reads them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dralint.kube.quantity import parse_count, parse_quantity
from dralint.yamltext.compose import compose
from dralint.yamltext.view import get


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", "1"), ("0", "0"), ("-1", "-1"), ("+1", "1"), ("1.5", "1.5"), (".5", "0.5"), ("1.", "1"),
        ("500m", "0.5"), ("1k", "1000"), ("1Ki", "1024"), ("80G", "80000000000"), ("80Gi", "85899345920"),
        ("1E", "1000000000000000000"), ("1Ei", "1152921504606846976"), ("1e3", "1000"), ("1E3", "1000"),
        ("1e-3", "0.001"), ("2n", "0.000000002"), ("3u", "0.000003"),
    ],
)  # fmt: skip
def test_quantities(text, value):
    assert parse_quantity(text).value == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "", " 1", "1 ", "1K", "1ki", "80GB", "1GiB", "1,5", "one", "0x10", "1e", "1e3k", "--1", "1_000", "m",
        "1\n", "٣", "1" * 100, "1e999",
    ],
)  # fmt: skip
def test_no_quantities(text):
    assert parse_quantity(text) is None


def test_whole():
    assert parse_quantity("2000m").whole == 2
    assert parse_quantity("1500m").whole is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("8", 8),
        ("0", 0),
        ('"4"', 4),
        ("'0'", 0),
        ("16", 16),
        ("&c 2", 2),
        ("!!str 3", 3),
        ("|-\n  5", 5),
    ],
)
def test_exact_counts(text, value):
    count = parse_count(get(compose(f"a: {text}\n")[0].root, "a"))
    assert (count.value, count.exact, count.problem) == (value, True, None)


@pytest.mark.parametrize(
    ("text", "value", "problem"),
    [
        ("", None, "empty"), ("null", None, "empty"), ("~", None, "empty"),
        ("[1]", None, "not a number"), ("{a: 1}", None, "not a number"),
        ("yes", None, "not a number"), ("true", None, "not a number"), ("one", None, "not a number"),
        ('""', None, "not a number"), ('"1 "', None, "not a number"), ("PLACEHOLDER", None, "not a number"),
        ("${GPUS:-1}", None, "template"), ("$GPUS", None, "template"), ("'{{ .Values.n }}'", None, "template"),
        ("'{{workflow.parameters.n}}'", None, "template"),
        ("1.5", None, "whole number"), ("500m", None, "whole number"), ("-1", -1, "negative"),
        ("010", 8, "reads as 8"), ("1_0", 10, "reads as 10"), ("1e0", 1, "reads as 1"), ("1.0", 1, "reads as 1"),
        ("0x2", 2, "reads as 2"), ("1k", 1000, "reads as 1000"), ("2000m", 2, "reads as 2"), ("+1", 1, "reads as 1"),
        ("00", 0, "reads as 0"), ('"01"', 1, "reads as 1"), ("9999999999", 9999999999, "reads as 9999999999"),
        ("1e300", None, "not a number"),
    ],
)  # fmt: skip
def test_other_counts(text, value, problem):
    count = parse_count(get(compose(f"a: {text}\n")[0].root, "a"))
    assert (count.value, count.exact) == (value, False)
    assert problem in count.problem


def test_the_text_of_a_count_has_no_quotes():
    assert parse_count(get(compose("a: '2'\n")[0].root, "a")).text == "2"
    assert parse_count(get(compose("a:\n")[0].root, "a")).text is None
    assert parse_count(None).problem == "the count is missing"


def test_an_alias_has_the_count_of_its_anchor():
    assert parse_count(compose("a: &n 2\nb: *n\n")[0].root.items[3]).value == 2
