"""Hostile selectors, in a child process with 1 GB: none hangs, none kills the process, each gets an answer."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SECONDS, MEMORY = 10, 1 << 30


def bound(init: str, step: str, times: int, end: str) -> str:
    """`cel.bind` nested: each value made of the one before, which V stands for."""
    opened, value = "", init
    for index in range(times):
        opened += f"cel.bind(v{index}, {step.replace('V', value)}, "
        value = f"v{index}"
    return opened + end.replace("V", value) + ")" * times


HOSTILE = {
    "parentheses": "(" * 10_000,
    "brackets": "[" * 10_000,
    "negations": "!" * 20_000 + "true",
    "minus signs": "-" * 10_000 + "1 == 1",
    "a long or": " || ".join(["true"] * 2_500),
    "many clauses": " && ".join(['device.driver == "x"'] * 450),
    "a long sum": "+".join(["1"] * 3_000) + " == 1",
    "a long list": "[" + ",".join(["1"] * 9_000) + "].size() == 1",
    "a long choice": "true ? " * 1_200 + "true" + " : false" * 1_200,
    "deep macros": "[1].all(a," * 30 + "true" + ")" * 30,
    "deep selects": 'device.attributes["x"].a' + ".b" * 2_000 + " == 1",
    "three loops": "lists.range(200).all(a, lists.range(200).all(b, lists.range(200).all(c, a + b + c >= 0)))",
    "loops over errors": "lists.range(900).exists(a, lists.range(900).exists(b, 1 / 0 == a))",
    "a text that doubles": bound('"ab"', "V + V", 28, "V.size() > 1"),
    "a list that doubles": bound("[1, 2]", "V + V", 28, "V.size() > 1"),
    "a tree that doubles": bound("[1, 2]", "[V, V]", 28, "V == V"),
    "two trees that double": f"cel.bind(p, {bound('[1, 2]', '[V, V]', 14, 'V')}, cel.bind(q, {bound('[1, 3]', '[V, V]', 14, 'V')}, p == q))",
    "a tree to flatten": bound("[1, 2]", "[V, V]", 24, "V.flatten(100).size() > 1"),
    "a tree to write": bound("[1, 2]", "[V, V]", 22, '"%s".format([V]).size() > 1'),
    "copies of a long text": bound(
        '"' + "a" * 40 + '"', "V + V", 14, 'lists.range(3000).map(x, V + "b").size() > 1'
    ),
    "copies in lower case": bound(
        '"' + "a" * 40 + '"', "V + V", 14, "lists.range(3000).map(x, V.lowerAscii()).size() > 1"
    ),
    "a billion numbers": "lists.range(1000000000).size() > 1",
    "a million elements": "lists.range(1000000).map(x, x).size() > 1",
    "lists of lists": "lists.range(5000).map(x, lists.range(1000)).flatten().size() > 1",
    "replacements": bound('"aaaaaaaaaa"', 'V.replace("a", "aaaaaaaaaa")', 10, "V.size() > 1"),
    "split and join": bound('"ab"', 'V.split("").join("aaaaaaaaaaaaaaaa")', 10, "V.size() > 1"),
    "precision": '"%.1000000000f".format([1.0]) == "x"',
    "a pattern of a billion": '"a".matches("((a{1000}){1000}){1000}")',
    "a pattern that backtracks": '"' + "a" * 2_000 + '".matches("(a+)+b")',
    "a pattern made at run time": 'device.driver.matches("(" + "(a*)*" + ")*b")',
    "a quantity of a billion digits": 'quantity("1e999999999").isInteger()',
    "a quantity of 9,000 digits": f'quantity("{"9" * 9_000}").isInteger()',
    "distinct": "lists.range(20000).distinct().size() > 1",
    "sort": "lists.range(100000).sortBy(x, -x).size() > 1",
    "sets": "sets.equivalent(lists.range(5000), lists.range(5000).reverse())",
    "search": '"' + "a" * 9_000 + '".findAll("").size() > 1',
    "a map made in steps": "lists.range(30000).transformMap(i, v, v).size() > 1",
    "a version of many parts": f'semver("1.0.0-{"1." * 4_000}1").major() == 1',
    "a name of many parts": f'format.dns1123Subdomain().validate("{"a." * 4_500}!").hasValue()',
    "an address": f'ip("{":" * 9_000}").family() == 4',
    "an URL": f'url("http://{"a:" * 4_000}").getHost() == ""',
    "a duration": f'duration("{"1h" * 4_000}") == duration("1h")',
    "a NUL": '"\0" == "a"',
    "half a character": '"\ud800" == "a"',
    "a megabyte": "x" * 1_000_000,
    "open quotes": '"' * 5_000,
    "backslashes": 'r"' + "\\" * 5_000 + '" == "a"',
    "comments": "//" * 5_000,
}
CHILD = f"""
import json, resource, signal, sys, time
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from dralint.cel.dialect import *
device = make_device("x", {{"type": {{"string": "gpu"}}}}, {{"memory": "80Gi"}})
for name, expression in json.load(sys.stdin).items():
    signal.alarm({SECONDS})
    selector = compile_selector(expression, Settings(36, True, True))
    if isinstance(selector, Program):
        values = [selector.evaluate(device), selector.cost, len(selector.clauses)]
    else:
        values = [selector.errors[0].message]
    print(json.dumps([name, str(values)]), flush=True)
"""


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    """What each expression came to; the process ends at the first that takes too long or kills it."""
    child = subprocess.run(  # our own code
        [sys.executable, "-c", CHILD],
        input=json.dumps(HOSTILE).encode(),
        capture_output=True,
        timeout=SECONDS * len(HOSTILE),
        check=False,
    )
    found = dict(json.loads(line) for line in child.stdout.splitlines())
    return {
        **dict.fromkeys(HOSTILE, f"no answer: {child.returncode} {child.stderr.decode()[-500:]}"),
        **found,
    }


@pytest.mark.skipif(sys.platform == "win32", reason="no resource limits there")
@pytest.mark.parametrize("name", HOSTILE)
def test_it_gets_an_answer(answers: dict[str, str], name: str) -> None:
    assert not answers[name].startswith("no answer")
