"""What selectors read and compare, by their text alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dralint.cel.anatomy import anatomy
from dralint.cel.device.libraries import Settings

SETTINGS = Settings(36)
CASES = json.loads((Path(__file__).parent / "cel.json").read_text())


def taken_apart(text):
    found = anatomy(text, SETTINGS)
    assert found is not None
    return found


def reads(text):
    return [
        (read.map, *(key.text for key in read.keys), text[slice(*read.range)])
        for read in taken_apart(text).reads
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("device.attributes['d'].n == 1", ("attributes", "d", "n", "device.attributes['d'].n")),
        ('device . capacity [ "d" ] . n == 1', ("capacity", "d", "n", 'device . capacity [ "d" ] . n')),
        ("(device.attributes['d']).n == 1", ("attributes", "d", "n", "(device.attributes['d']).n")),
        ("device.attributes['d']['n'] == 1", ("attributes", "d", "n", "device.attributes['d']['n']")),
        ("device.attributes[?'d'].?n == 1", ("attributes", "d", "n", "device.attributes[?'d'].?n")),
        ("has(device.attributes['d'].n)", ("attributes", "d", "n", "has(device.attributes['d'].n)")),
        ("device.attributes['n'] == 1", ("attributes", "n", "device.attributes['n']")),
        ("device.attributes.a.b.c == 1", ("attributes", "a", "b", "c", "device.attributes.a.b.c")),
        ("device.attributes[x].n == 1", ("attributes", None, "n", "device.attributes[x].n")),
        ("device.driver == 'x'", ("driver", "device.driver")),
        ("device.name == 'x'", ("other", "name", "device.name")),
        ("!(1 < 2 ? device.attributes['d'].n : true)", ("attributes", "d", "n", "device.attributes['d'].n")),
        ("['a'].exists(x, x == device.attributes['d'].n)", ("attributes", "d", "n", "device.attributes['d'].n")),
    ],
)  # fmt: skip
def test_what_is_read(text, expected):
    assert expected in reads(text)


def test_a_bound_name_is_what_it_is_bound_to():
    text = "cel.bind(g, device.attributes['d'], g.n == 1 && cel.bind(h, g, h.m == 2))"
    found = taken_apart(text)
    assert [(each.read.domain, each.read.name, each.read.written) for each in found.comparisons] == [
        ("d", "n", False),
        ("d", "m", False),
    ]


def test_guards_are_told_whatever_their_form():
    text = "has(device.attributes['d'].a) && 'b' in device.attributes['d'] && device.attributes['d'].?c == x"
    names = {("attributes", "d", name) for name in "abc"}
    assert names <= taken_apart(text).guards


@pytest.mark.parametrize(
    ("text", "operator", "form", "constant"),
    [
        ("R == 'x'", "==", "operator", "x"),
        ("'x' == R", "==", "operator", "x"),
        ("5 < R", ">", "operator", 5),
        ("R >= -1.5", ">=", "operator", -1.5),
        ("!(R == 'x')", "!=", "operator", "x"),
        ("!(R > 3 || R == 4)", "<=", "operator", 3),
        ("R in ['x', 'y']", "in", "operator", "x"),
        ("!(R in ['x'])", "not in", "operator", "x"),
        ("R.compareTo(quantity('1Gi')) >= 0", ">=", "difference", "1Gi"),
        ("0 <= R.compareTo(quantity('1Gi'))", ">=", "difference", "1Gi"),
        ("R.isGreaterThan(quantity('1Gi'))", ">", "method", "1Gi"),
        ("!R.isLessThan(semver('1.2.3'))", ">=", "method", "1.2.3"),
        ("R.lowerAscii().contains('x')", "contains", "method", "x"),
        ("R.?x.orValue('') == 'y'", "==", "operator", "y"),
    ],
)
def test_what_is_compared(text, operator, form, constant):
    text = text.replace("R", "device.attributes['d'].n").replace(".n.?x", ".?n")
    first = taken_apart(text).comparisons[0]
    assert (first.operator, first.form, first.constants[0].value) == (operator, form, constant)
    assert first.read.name == "n"
    assert text[slice(*first.subject)].startswith("device.attributes['d']")


@pytest.mark.parametrize(
    ("text", "certain"),
    [
        ("R == 1 && true", True),
        ("true && (true && R == 1)", True),
        ("!(R == 1 || true)", True),
        ("!(R == 1 && true)", False),
        ("R == 1 || true", False),
        ("true ? R == 1 : true", False),
        ("[true].all(x, R == 1)", False),
        ("cel.bind(x, true, x && R == 1)", True),
    ],
)
def test_what_must_hold(text, certain):
    (comparison,) = taken_apart(text.replace("R", "device.attributes['d'].n")).comparisons
    assert comparison.certain == certain


def test_places_in_the_text():
    text = "true &&\n (device.capacity['d'].n)\n .compareTo( quantity( '1Gi' ) ) >= 0"
    (comparison,) = taken_apart(text).comparisons
    assert text[slice(*comparison.subject)] == "(device.capacity['d'].n)"
    assert text[slice(*comparison.sign_range)] == ">="
    assert text[slice(*comparison.constants[0].range)] == "'1Gi'"
    assert text[slice(*comparison.constants[0].whole)] == "quantity( '1Gi' )"
    assert text[slice(*comparison.range)] == text[9:]


def test_what_does_not_compile_is_taken_apart_too():
    (comparison,) = taken_apart("device.capacity['d'].memory >= 80 && nosuch()").comparisons
    assert (comparison.read.map, comparison.constants[0].value) == ("capacity", 80)


@pytest.mark.parametrize(
    "text", ["", "device.", "a = b", "(" * 100 + "1" + ")" * 100, "'" + "x" * 30_000 + "'", "\ud800"]
)
def test_what_does_not_parse_or_is_too_large_has_no_parts(text):
    assert anatomy(text, SETTINGS) is None


def test_every_range_of_the_cases_is_a_piece_of_its_text():
    for case in CASES:
        text = case["expression"]
        found = anatomy(text, SETTINGS)
        for read in found.reads if found else ():
            piece = text[slice(*read.range)]
            assert piece.count("(") == piece.count(")"), piece
            assert piece.count("[") == piece.count("]"), piece
            assert read.tested or piece.lstrip("(").startswith("device") or not read.written, piece
        for each in found.comparisons if found else ():
            assert each.range[0] <= each.subject[0] < each.subject[1] <= each.range[1]
            assert all(
                each.range[0] <= one.range[0] < one.whole[1] <= each.range[1] for one in each.constants
            )


PIECES = st.sampled_from(
    ["device", ".attributes", "['d']", ".n", ".?n", "[?'d']", " == ", " && ", " || ", "!", "(", ")", "'x'", "5",
     " in ['a', 'b']", ".compareTo(quantity('1Gi')) > 0", "has(", "cel.bind(x, ", ", ", "x", " ? ", " : ", "\n", "// c\n",
     "quantity(", "semver('1', true)", "-1", "1.5", ".exists(y, y)", "{'a': 1}", "b'x'", "r'\\d'", "'''a\nb'''"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_nothing_that_people_type_makes_it_fail(text):
    found = anatomy(text, SETTINGS)
    for read in found.reads if found else ():
        assert 0 <= read.range[0] < read.range[1] <= len(text)
