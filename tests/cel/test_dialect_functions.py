"""What selectors can call, as true statements and as errors: the manual of the functions."""

from __future__ import annotations

import pytest

from dralint.cel.device.libraries import libraries
from dralint.cel.device.registry import implementations
from dralint.cel.dialect import EvaluationError, Program, Settings, compile_selector, make_device

DEVICE = make_device(
    "gpu.nvidia.com",
    {
        "type": {"string": "gpu"},
        "index": {"int": 3},
        "ecc": {"bool": True},
        "version": {"version": "580.95.5"},
        "modes": {"strings": ["a", "b"]},
        "versions": {"versions": ["1.0.0", "2.0.0"]},
    },
    {"memory": "97887Mi"},
)

TRUE = r"""
# Numbers
5 / 2 == 2 && -7 / 2 == -3 && -7 % 2 == -1 && 7 % -2 == 1
1 < 2.5 && 2.0 > 1 && 1 <= 1u && 3u > 2
dyn(1) == dyn(1.0) && dyn(1u) == dyn(1) && dyn(true) != dyn(1) && dyn("1") != dyn(1)
1.0 / 0.0 > 1.0 && !(0.0 / 0.0 == 0.0 / 0.0)
int(-1.9) == -1 && int("+5") == 5 && uint(1.9) == 1u && double("1e3") == 1000.0 && bool("t")
string(1e6) == "1e+06" && string(0.0001) == "0.0001" && string(1234567.5) == "1.2345675e+06"
string(-0.5) == "-0.5" && string(100000.0) == "100000" && string(7u) == "7" && string(true) == "true"
{1: "a"}[dyn(1.0)] == "a" && {true: "a"}[true] == "a" && dyn(1.0) in [1, 2] && !(dyn(true) in [dyn(1)])

# Strings count code points
"é😀".size() == 2 && bytes("é").size() == 2 && "é😀".charAt(1) == "😀" && "abc".charAt(3) == ""
"a,b,c".split(",", 2) == ["a", "b,c"] && "abc".split("") == ["a", "b", "c"] && "abc".split(",", 0) == []
"tacocat".indexOf("a") == 1 && "tacocat".indexOf("a", 3) == 5 && "tacocat".lastIndexOf("a", 3) == 1
"hello hello".replace("he", "we", 1) == "wello hello" && "abc".replace("", "_") == "_a_b_c_"
" \u2003a\t".trim() == "a" && "TacoCÆt".lowerAscii() == "tacocÆt" && "tacocat".substring(0, 4) == "taco"
["a", "b"].join("-") == "a-b" && strings.quote("a\n\"") == "\"a\\n\\\"\""
"abc123".find("[0-9]+") == "123" && "a1b2".findAll("[0-9]") == ["1", "2"] && "a1b2".findAll("[0-9]", 1) == ["1"]
"aaa".findAll("b*").size() == 4 && "x".find("y") == "" && "RTX PRO".matches("(?i)rtx")
"%s is %d and %.2f, %x %o %b %%".format(["a", 5, 1.5, 255, 8, 5]) == "a is 5 and 1.50, ff 10 101 %"
"%s".format([[1, 2.5, "a", null, true]]) == "[1, 2.5, a, null, true]" && "%s".format([{"b": 1}]) == "{b: 1}"
"%X %x".format([-255, "hi"]) == "-FF 6869" && "%e".format([1052.0]).contains("1.052000")

# Lists, sets, maps, macros
[3, 1, 2].sort() == [1, 2, 3] && ["b", "a"].sortBy(x, x) == ["a", "b"] && [1, 1, 2].distinct() == [1, 2]
[[1], [2, 3]].flatten() == [1, 2, 3] && [1, 2, 3].slice(1, 3) == [2, 3] && [1, 2].reverse() == [2, 1]
lists.range(3) == [0, 1, 2] && [1, 2].sum() == 3 && [1.5, 2.5].sum() == 4.0 && [2, 1].min() == 1
["a", "b"].max() == "b" && [1, 2].isSorted() && ![2, 1].isSorted() && [1, 2, 1].lastIndexOf(1) == 2
[1, 2].first().value() == 1 && ![].last().hasValue() && [optional.of(1), optional.none()].unwrapOpt() == [1]
sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])
[1, 2, 3].exists(x, x / 0 > 2 || true) && [1, 2, 3].all(x, x > 0) && [1, 2, 3].exists_one(x, x > 2)
[1, 2, 3].map(x, x > 1, x * 2) == [4, 6] && [1, 2].transformList(i, x, i + x) == [1, 3]
{"a": 1}.transformMap(k, v, v + 1) == {"a": 2} && {"a": 1}.transformMapEntry(k, v, {v: k}) == {1: "a"}
{"a": 1}.all(k, v, k == "a" && v == 1) && [5, 6].exists(i, v, i == 1 && v == 6)
{?"a": optional.none(), "b": 1} == {"b": 1} && [?optional.of(1), ?optional.none()] == [1]
cel.bind(x, 1 / 0, true || x == 1) && cel.bind(x, 5, x + x == 10)

# Optionals
optional.of(1).optMap(x, x + 1).value() == 2 && optional.none().orValue(3) == 3
{"a": {"b": 2}}.?a.?b.orValue(0) == 2 && {"a": 1}.?b.or(optional.of(2)).value() == 2
![1][?1].hasValue() && optional.ofNonZeroValue("") == optional.none() && optional.of(1) != optional.of(2)
!has(device.attributes["gpu.nvidia.com"].type.x) && !device.attributes["gpu.nvidia.com"].type.?x.hasValue()

# Errors and what swallows them
(device.attributes["gpu.nvidia.com"].nosuch == 1) || true
!(false && device.attributes["gpu.nvidia.com"].nosuch)
[0, 1].exists(x, 1 / x == 1) && ![0, 2].all(x, 1 / x == 1)
(true ? 1 : 1 / 0) == 1

# Quantities
quantity("1Gi") == quantity("1024Mi") && quantity("0.1") == quantity("100m") && quantity("1e3") == quantity("1k")
quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("-1").isLessThan(quantity("0")) && sign(quantity("-1")) == -1
quantity("1Ki").add(quantity("1")).asInteger() == 1025 && quantity("5").sub(7).compareTo(quantity("-2")) == 0
quantity("50k").isInteger() && !quantity("1.0").isInteger() && !quantity("0.5Gi").isInteger()
!quantity("9999999999999999999999Gi").isInteger() && quantity("1.5").asApproximateFloat() == 1.5
quantity("1").add(quantity("1")) == quantity("2") && quantity("2") != quantity("1").add(1)
quantity("0.0000000001") == quantity("1n") && quantity("+5").isInteger() && quantity("00") == quantity("0")
isQuantity("80Gi") && !isQuantity("80GB") && !isQuantity("") && !isQuantity("1K") && !isQuantity("1 Gi")
device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("95Gi")) > 0

# Versions
semver("1.2.3").isLessThan(semver("1.10.0")) && semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))
semver("1.0.0-2").isLessThan(semver("1.0.0-11")) && semver("1.0.0-11").isLessThan(semver("1.0.0-a"))
semver("1.0.0-a").isLessThan(semver("1.0.0-a.1")) && semver("1.0.0+a") == semver("1.0.0+b")
semver("v580.95.05", true).patch() == 5 && semver("580", true).compareTo(semver("580.0.0")) == 0
isSemver("1.2.3-a.b+c") && !isSemver("1.2") && isSemver("v1.2", true) && !isSemver("1.2-a", true) && !isSemver("01.2.3")
isSemver("01.00.0", true) && !isSemver("1.2.3-01") && !isSemver("1.2.3-") && !isSemver("1.2.3+a_b")
device.attributes["gpu.nvidia.com"].version.major() == 580
[device.attributes["gpu.nvidia.com"].version] == ["x"]
!("x" == device.attributes["gpu.nvidia.com"].version)
device.attributes["gpu.nvidia.com"].version != "580.95.5"

# Attributes that are lists
device.attributes["gpu.nvidia.com"].modes.includes("b") && device.attributes["gpu.nvidia.com"].type.includes("gpu")
device.attributes["gpu.nvidia.com"].versions.all(v, v.isGreaterThan(semver("0.1.0")))
device.attributes["gpu.nvidia.com"].index.includes(3.0)

# Times
timestamp("2023-02-03T23:31:20Z").getFullYear() == 2023 && timestamp("2023-02-03T23:31:20Z").getMonth() == 1
timestamp("2023-02-05T23:31:20Z").getDayOfWeek() == 0 && timestamp("2023-02-03T23:31:20Z").getDayOfYear() == 33
timestamp("2023-02-03T23:31:20Z").getHours("America/New_York") == 18 && timestamp("2023-02-03T23:31:20Z").getHours("+02:30") == 2
timestamp("2023-02-03T23:31:20.789+01:00").getMilliseconds() == 789 && timestamp(0) == timestamp("1970-01-01T00:00:00Z")
timestamp("2023-02-03T00:00:00Z") - timestamp("2023-02-02T00:00:00Z") == duration("24h")
timestamp("2023-02-03T00:00:00Z") + duration("-1s") < timestamp("2023-02-03T00:00:00Z")
string(timestamp("2023-02-03T23:31:20.5+02:00")) == "2023-02-03T21:31:20.5Z" && int(timestamp("1970-01-02T00:00:00Z")) == 86400
duration("1h1m1.5s").getSeconds() == 3661 && duration("-90s").getMinutes() == -1 && duration("1.5s").getMilliseconds() == 1500
string(duration("1h1.5s")) == "3601.5s" && string(duration("-1ns")) == "-0.000000001s" && duration(".5s") == duration("500ms")
duration("1h") > duration("59m") && [duration("1s"), duration("2s")].sum() == duration("3s") && int(duration("1s")) == 1000000000
type(duration("1s")) == google.protobuf.Duration && type(1) == int && type(device) == map

# Addresses and URLs
ip("10.0.0.1").family() == 4 && ip("::1").isLoopback() && isIP("::1") && !isIP("::ffff:1.2.3.4") && !isIP("10.0.0.01") && !isIP("::1%eth0")
cidr("10.0.0.0/8").containsIP("10.1.1.1") && !cidr("10.0.0.0/8").containsIP("::1") && cidr("10.0.0.0/8").containsCIDR("10.0.0.0/9")
cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.1.2.3/8").ip() == ip("10.1.2.3") && cidr("::/0").prefixLength() == 0
string(cidr("10.1.2.3/8")) == "10.1.2.3/8" && ip.isCanonical("::1") && !ip.isCanonical("0:0::1") && !isCIDR("10.0.0.0/33") && !isCIDR("10.0.0.0")
ip("169.254.1.1").isLinkLocalUnicast() && ip("224.0.0.1").isLinkLocalMulticast() && ip("8.8.8.8").isGlobalUnicast()
url("https://user@Example.com:80/a%20b?k=v&k=w#f").getHost() == "Example.com:80" && url("https://[::1]:8080/").getHostname() == "::1"
url("https://example.com:80/a b?k=v&k=w").getEscapedPath() == "/a%20b" && url("http://x/?k=v&k=w").getQuery() == {"k": ["v", "w"]}
url("/a").getScheme() == "" && url("HTTP://x").getScheme() == "http" && url("http://x:8/").getPort() == "8"
isURL("https://x/y") && !isURL("x") && !isURL("") && !isURL("http://x:y/") && !isURL("http://a b/") && !isURL("http://x/%zz")

# Named formats
!format.dns1123Label().validate("abc").hasValue() && format.dns1123Label().validate("Abc").value().size() == 1
!format.named("nope").hasValue() && format.named("uuid").value().validate("x").hasValue()
!format.qualifiedName().validate("nvidia.com/gpu").hasValue() && format.qualifiedName().validate("a/b/c").hasValue()
!format.labelValue().validate("").hasValue() && !format.byte().validate("YQ==").hasValue() && format.date().validate("2023-02-30").hasValue()
!format.dns1123LabelPrefix().validate("a-").hasValue() && !format.datetime().validate("2023-02-03T00:00:00Z").hasValue()
!format.dns1123Subdomain().validate("a.b").hasValue() && format.dns1035Label().validate("1a").hasValue() && !format.uri().validate("http://x").hasValue()
"""

ERRORS = {
    "1 / 0 == 1": "division by zero",
    "1 % 0 == 1": "modulus by zero",
    "9223372036854775807 + 1 > 0": "integer overflow",
    "0u - 1u > 0u": "unsigned integer overflow",
    "-9223372036854775808 / -1 > 0": "integer overflow",
    "[1, 2][2] == 1": "index out of bounds: 2",
    '{"a": 1}.b == 1': "no such key: b",
    '"abc".charAt(4) == ""': "index out of range: 4",
    '"abc".substring(2, 1) == ""': "invalid substring range. start: 2, end: 1",
    "optional.none().value() == 1": "optional.none() dereference",
    "[].max() == 1": "max called on empty list",
    'dyn("a") < 1': "no such overload",
    "dyn(1) && true": "no such overload",
    "dyn(1).all(x, true)": "got 'types.Int', expected iterable type",
    'quantity("80GB").isInteger()': "quantities must match the regular expression",
    'quantity("1K").isInteger()': "unable to parse quantity's suffix",
    'quantity("1.5").asInteger() == 1': "cannot convert value to integer",
    'quantity("2") == quantity("1").add(1)': "no such overload",
    'semver("575.57.08").patch() == 8': 'Patch number must not contain leading zeroes "08"',
    'device.attributes["gpu.nvidia.com"].version == "580.95.5"': "no such overload",
    'device.attributes["gpu.nvidia.com"].version in ["580.95.5"]': "unhashable",
    'timestamp(device.driver) == timestamp("2023-02-03T00:00:00Z")': "parsing time",
    'timestamp("9999-12-31T23:59:59Z") + duration("1s") > timestamp("2023-02-03T00:00:00Z")': "timestamp overflow",
    'timestamp("2023-02-03T00:00:00Z").getHours("Nowhere/X") == 1': "unknown time zone Nowhere/X",
    'ip("x").family() == 4': "unable to parse IP",
    'url("x").getHost() == ""': "URL parse error during conversion from string",
    '"%d".format([dyn("x")]) == ""': "decimal clause can only be used on integers, was given string",
    '{"a": 1, "b": 1}.transformMapEntry(k, v, {v: k}).size() == 1': "insert failed: key 1 already exists",
}  # fmt: skip


def program(expression: str) -> Program:
    compiled = compile_selector(expression, Settings(37, list_type_attributes=True))
    assert isinstance(compiled, Program), compiled
    return compiled


@pytest.mark.parametrize("expression", [line for line in TRUE.splitlines() if line and line[0] != "#"])
def test_true(expression: str) -> None:
    for clause in program(expression).clauses:
        assert clause.evaluate(DEVICE) is True, clause.text


@pytest.mark.parametrize("expression", ERRORS)
def test_errors(expression: str) -> None:
    error = program(expression).evaluate(DEVICE)
    assert isinstance(error, EvaluationError)
    assert error.judged
    assert ERRORS[expression] in error.message


def test_lists_longer_than_kubernetes_takes() -> None:
    device = make_device("d", {"x": {"ints": list(range(49))}}, {})
    error = program('device.attributes["d"].x.includes(1)').evaluate(device)
    assert isinstance(error, EvaluationError)
    assert error.message == "'includes' function cannot be applied to lists longer than 48 values"


def test_every_declared_function_has_an_implementation() -> None:
    declared = libraries(Settings(37, stored=True)).overloads
    assert len(declared) == len({overload.id for overload in declared}) > 100
    for overload in declared:
        table, generic = implementations(overload.name)
        assert table or generic, overload.name
