"""What other rooms are promised by `dralint.cel.dialect`: errors with places, clauses, cost, versions and gates."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from dralint.cel.dialect import (
    MAX_COST,
    CompileErrors,
    DeviceError,
    EvaluationError,
    Program,
    Settings,
    compile_selector,
    line_and_column,
    make_device,
)

NEWEST = Settings(36)
GPU = make_device(
    "gpu.nvidia.com",
    {
        "type": {"string": "gpu"},
        "productName": {"string": "NVIDIA H100 80GB HBM3"},
        "driverVersion": {"version": "580.95.5"},
        "resource.kubernetes.io/numaNode": {"int": 1},
    },
    {"memory": {"value": "81559Mi"}},
)


def program(expression: str, settings: Settings = NEWEST) -> Program:
    compiled = compile_selector(expression, settings)
    assert isinstance(compiled, Program), compiled
    return compiled


def errors(expression: str, settings: Settings = NEWEST) -> CompileErrors:
    compiled = compile_selector(expression, settings)
    assert isinstance(compiled, CompileErrors)
    return compiled


def failure(expression: str) -> EvaluationError:
    value = program(expression).evaluate(GPU)
    assert isinstance(value, EvaluationError)
    return value


def marked(expression: str, offset: int) -> str:
    """The expression with a mark before a place."""
    return f"{expression[:offset]}^{expression[offset:]}"


@pytest.mark.parametrize(
    ("kind", "at", "message"),
    [
        ("syntax", "device.driver ^= 'x'", "Syntax error"),
        ("undeclared", "^drivr == 'x'", "undeclared reference to 'drivr'"),
        ("undeclared", "true && ^self.driver == 'x'", "undeclared reference to 'self'"),
        ("undefined-field", "device^.name == 'x'", "undefined field 'name'"),
        (
            "no-overload",
            "device.driver ^== 1",
            "found no matching overload for '_==_' applied to '(string, int)'",
        ),
        ("result-type", "^device.driver", "must evaluate to bool or the unknown type, not string"),
        ("mixed-literal", "[1, ^'a'].size() == 2", "expected type 'int' but found 'string'"),
        ("literal", "device.driver.matches(^'[')", "invalid matches argument"),
        ("literal", "duration(^'1 hour') == duration('1h')", "invalid duration argument"),
        ("literal", "1 == int^('x')", "type conversion error from 'string' to 'int'"),
        ("literal", "^1e999 == 1.0", "invalid double literal"),
        (
            "format",
            "'%d'.format([^'x']) == ''",
            "decimal clause can only be used on integers, was given string",
        ),
        ("no-overload", "['a'].indexOf^(1) == 0", "found no matching overload for 'indexOf'"),
        (
            "undeclared",
            "^kubernetes.Quantity == kubernetes.Quantity",
            "undeclared reference to 'kubernetes'",
        ),
    ],
)
def test_compile_errors_say_where(kind: str, at: str, message: str) -> None:
    expression = at.replace("^", "")
    found = errors(expression)
    assert found.judged
    error = found.errors[0]
    assert (error.kind, marked(expression, error.offset)) == (kind, at)
    assert error.message.startswith(message)


def test_all_mistakes_are_told_in_order() -> None:
    found = errors('device.pool == "a" &&\n device.name == "b" && x')
    places = [
        line_and_column('device.pool == "a" &&\n device.name == "b" && x', each.offset)
        for each in found.errors
    ]
    assert places == [(1, 7), (2, 8), (2, 24)]


@pytest.mark.parametrize(
    ("at", "attribute", "map_name"),
    [
        ('device.attributes["gpu.nvidia.com"].^memory == 1', "gpu.nvidia.com/memory", "attributes"),
        ('device.attributes["gpu.nvidia.com"]^["index"] == 1', "gpu.nvidia.com/index", "attributes"),
        ('device.attributes["x.y"].^a == 1', "x.y/a", "attributes"),
        ("device.attributes.gpu.^nvidia == 1", "gpu/nvidia", "attributes"),
        ('device.capacity["gpu.nvidia.com"].^cores.isInteger()', "gpu.nvidia.com/cores", "capacity"),
        (
            'cel.bind(d, device.attributes["gpu.nvidia.com"], d.type == "gpu" && d.^index > 1)',
            "gpu.nvidia.com/index",
            "attributes",
        ),
        ('{"a": 1}.^b == 1', None, None),
        ('semver^("1.2").major() == 1', None, None),
    ],
)
def test_run_time_errors_name_the_attribute(at: str, attribute: str | None, map_name: str | None) -> None:
    expression = at.replace("^", "")
    error = failure(expression)
    assert error.judged
    assert (error.attribute, error.map, marked(expression, error.offset)) == (attribute, map_name, at)


@pytest.mark.parametrize(
    ("expression", "clauses"),
    [
        ('device.driver == "a"', ['device.driver == "a"']),
        ('device.driver == "a&&b" && true', ['device.driver == "a&&b"', "true"]),
        ("true\n  && (false || true) // because\n && !false", ["true", "(false || true)", "!false"]),
        ("(true && (false && 1 == 1)) && 2 == 2", ["true", "false", "1 == 1", "2 == 2"]),
        ("true || true && false", ["true || true && false"]),
        ("true ? true && true : false", ["true ? true && true : false"]),
        ('cel.bind(d, device.driver, d == "a" && (d != "b" && d.size() > f))'.replace("f", "1"), ['d == "a"', 'd != "b"', "d.size() > 1"]),
        ("[1].all(x, x > 0 && x < 2) && true", ["[1].all(x, x > 0 && x < 2)", "true"]),
    ],
)  # fmt: skip
def test_clauses(expression: str, clauses: list[str]) -> None:
    found = program(expression).clauses
    assert [clause.text for clause in found] == clauses
    for clause in found:
        assert expression[clause.offset :].startswith(clause.text)


def test_clauses_are_evaluated_one_by_one() -> None:
    selector = program(
        'cel.bind(a, device.attributes["gpu.nvidia.com"], a.type == "gpu" && a.productName.contains("H200") && a.index == 1)'
    )
    answers = [clause.evaluate(GPU) for clause in selector.clauses]
    assert answers[:2] == [True, False]
    assert isinstance(answers[2], EvaluationError)
    assert answers[2].attribute == "gpu.nvidia.com/index"
    assert selector.evaluate(GPU) is False


def test_cost() -> None:
    guarded = 'device.attributes["gpu.nvidia.com"].?productName.orValue("").contains("H100")'
    assert program(guarded).cost > MAX_COST
    assert program(guarded).evaluate(GPU) is True
    assert program("has(device.attributes)").cost == 1


@pytest.mark.parametrize(
    ("expression", "before", "since"),
    [
        ("[1, 1].distinct().size() == 1", 34, 35),
        ("[1, 2].all(i, v, v > i)", 32, 33),
        ('sets.contains(["a"], ["a"])', 29, 30),
        ('"%d".format([1]) == "1"', 29, 30),
        ('semver("1.0.0").major() == 1', 31, 32),
        ("cel.bind(x, 1, x == 1)", 31, 32),
        ("1 < 2.5", 28, 29),
    ],
)
def test_a_new_expression_has_what_the_version_before_has(expression: str, before: int, since: int) -> None:
    assert isinstance(compile_selector(expression, Settings(before)), CompileErrors)
    assert program(expression, Settings(since)).evaluate(GPU) is True
    assert program(expression, Settings(before, stored=True)).evaluate(GPU) is True


def test_gates() -> None:
    shared = "device.allowMultipleAllocations"
    listed = 'device.attributes["gpu.nvidia.com"].type.includes("gpu")'
    assert program(shared, Settings(36, consumable_capacity=True)).evaluate(GPU) is False
    assert errors(shared, Settings(36, consumable_capacity=False)).errors[0].kind == "undefined-field"
    assert program(listed, Settings(36, list_type_attributes=True)).evaluate(GPU) is True
    assert errors(listed, Settings(36, list_type_attributes=False)).errors[0].kind == "undeclared"


def test_another_name_for_the_device() -> None:
    assert program('cel.bind(d, device, d.driver == "gpu.nvidia.com")').evaluate(GPU) is True
    assert program('cel.bind(d, device, d.attributes["no.such"].size() == 0)').evaluate(GPU) is True
    named = program('cel.bind(d, device, d.attributes["gpu.nvidia.com"].nosuch)').evaluate(GPU)
    assert isinstance(named, EvaluationError)
    assert named.message == "no such key: nosuch"
    assert program('[device].all(d, d.?driver.orValue("") != "")').evaluate(GPU) is True


def test_what_is_true_of_every_device_keeps_its_place_in_the_text() -> None:
    expression = (
        'has(\n device.attributes) && has( device . capacity ) &&\n "has(device.attributes)" == "x" && nosuch'
    )
    found = errors(expression)
    assert [(line_and_column(expression, each.offset), each.kind) for each in found.errors] == [
        ((3, 37), "undeclared")
    ]


def test_both_names_of_exists_one() -> None:
    assert (
        program("[1, 2].exists_one(x, x == 1) && [1, 2].exists_one(i, x, x == i + 1)").evaluate(GPU) is False
    )
    assert errors("[1].exists_one(i, x, nosuch)").errors[0].message == "undeclared reference to 'nosuch'"


@pytest.mark.parametrize(
    ("attributes", "capacity", "message"),
    [
        ({"v": {"version": "1.2"}}, {}, "attribute v: No Major.Minor.Patch elements found"),
        ({"v": {"version": "1.02.3"}}, {}, "attribute v: Minor number must not contain leading zeroes"),
        ({"i": {"int": 2**63}}, {}, "attribute i: 9223372036854775808 is no int"),
        ({"i": {"int": True}}, {}, "attribute i: True is no int"),
        ({"s": {"string": "a", "int": 1}}, {}, "attribute s: exactly one value must be given"),
        ({"s": "a"}, {}, "attribute s: 'a' is no attribute"),
        ({}, {"memory": "80GB"}, "capacity memory: quantities must match"),
        ({}, {"memory": {"value": None}}, "capacity memory: None is no quantity"),
    ],
)
def test_devices_that_cannot_be(
    attributes: dict[str, object], capacity: dict[str, object], message: str
) -> None:
    with pytest.raises(DeviceError, match=f"^{re.escape(message)}"):
        make_device("d", attributes, capacity)


def test_many_devices() -> None:
    selector = program('device.attributes["gpu.nvidia.com"].driverVersion.isGreaterThan(semver("570.0.0"))')
    assert selector.evaluate_all([GPU] * 5) == [True] * 5


def test_all_devices_together_are_bounded() -> None:
    selector = program("lists.range(20000).all(x, x >= 0) && lists.range(20000).all(x, x >= 0)")
    answers = selector.evaluate_all([GPU] * 100)
    assert answers[0] is True
    last = answers[-1]
    assert isinstance(last, EvaluationError)
    assert not last.judged


def test_protobuf_is_not_needed() -> None:
    code = (
        "import sys\n"
        "from dralint.cel.dialect import *\n"
        "assert compile_selector('device.driver == \"x\"', Settings(36)).evaluate(make_device('x', {}, {})) is True\n"
        "left = [name for name in sys.modules if name.partition('.')[0] == 'google']\n"
        "assert not left, left\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)  # our own code
