"""The quick look at a schema gives jsonschema's answer."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dralint.lint.rules import rule_files
from dralint.lint.schema_errors import first, position, what
from dralint.lint.valid import _Schema, errors, schema
from dralint.resources import directory
from dralint.yamltext.load import load_data

CONFIG: Any = {
    "target": {"kubernetes": "1.36", "gpu-driver": 580, "gates": {"A": True}},
    "select": ["api"],
    "severity": {"api": "info"},
    "paths": {"a/": {"ignore": ["x"], "target": {"stack": "operator"}}},
    "resources": [{"name": "acme.example/gpu", "base": "gpu", "shared": True}],
    "kinds": [
        {
            "group": "a",
            "kind": "B",
            "schema": "full",
            "pods": [{"path": "spec", "replicas": "spec.a * spec.b - 1"}],
        }
    ],
    "fail-on": "never",
    "migration": False,
}
BASELINE: Any = {
    "version": 1,
    "findings": [{"rule": "DRA101", "path": "a", "object": "", "field": "", "count": 1}],
}
ODD = ("", "x", "DRA101", 0, 1, -1, 1.0, 1.5, True, None, [], {}, ["a", "a"], {"a": 1}, "a" * 200, "a\nb")


def places(data: Any) -> Iterator[Any]:
    """Every mapping and list of the data."""
    yield data
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        if isinstance(each, (dict, list)):
            yield from places(each)


def spoilt(data: Any, dice: random.Random) -> Any:
    """The data with one thing removed, replaced or added."""
    data = copy.deepcopy(data)
    place = dice.choice(list(places(data)))
    odd = copy.deepcopy(dice.choice(ODD))
    if isinstance(place, dict):
        key = dice.choice([*place, "other"])
        if dice.random() < 0.3:
            place.pop(key, None)
        else:
            place[key] = odd
    elif dice.random() < 0.5 or not place:
        place.append(odd)
    else:
        place[dice.randrange(len(place))] = odd
    return data


SAMPLES = [
    *(("rule.schema.json", load_data(file)) for file in rule_files(directory("rules"))),
    ("config.schema.json", CONFIG),
    ("baseline.schema.json", BASELINE),
]


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_both_say_the_same(number: int) -> None:
    name, data = SAMPLES[number]
    dice = random.Random(number)
    validator = Draft202012Validator(dict(schema(name)))
    assert validator.is_valid(data)
    assert _Schema(schema(name)).fits(data, schema(name))
    verdicts = set()
    for _ in range(150 if number < len(SAMPLES) - 2 else 1500):
        wrong = spoilt(data, dice)
        verdict = validator.is_valid(wrong)
        verdicts.add(verdict)
        assert _Schema(schema(name)).fits(wrong, schema(name)) == verdict, wrong
        for error in errors(wrong, name):
            assert what(error)
            assert isinstance(position(error), tuple)
    assert verdicts == {True, False}


def test_an_unknown_key_is_told_before_what_follows_from_it() -> None:
    found = errors({"id": "A", "nam": "a"}, "rule.schema.json")
    assert what(first(found)) == "unknown key nam; did you mean name?"
    assert position(first(found)) == ("nam",)
