"""Placeholders in messages: values of the check first, then facts; what is unknown stays."""

from __future__ import annotations

import pytest

from dralint.lint.message import filled

FACTS = {
    "name": "gpu",
    "count": 2,
    "admin": False,
    "nothing": None,
    "object": {"kind": "Pod", "namespace": None},
    "names": ["a", "b"],
    "by_name": {"a": 1, "b": 2},
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no placeholder", "no placeholder"),
        ("{name} of {object.kind}", "gpu of Pod"),
        ("{count} and {admin}", "2 and false"),
        ("{nothing} in {object.namespace}", "(none) in (none)"),
        ("{names}; {by_name}", "a, b; a, b"),
        ("{own}", "from the check"),
        ("{object.zone} {other} {name.first}", "{object.zone} {other} {name.first}"),
        ("exactly: {deviceClassName: x}", "exactly: {deviceClassName: x}"),
        ("{}", "{}"),
    ],
)
def test_filled(text: str, expected: str) -> None:
    assert filled(text, {"own": "from the check"}, FACTS) == expected


def test_values_of_the_check_come_before_facts_and_are_not_filled_again() -> None:
    assert filled("{name}", {"name": "{count}"}, FACTS) == "{count}"
