"""From the selectors for single demands to the expressions of a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dralint.convert.translate.expressions import Test, every, some
from dralint.convert.translate.selects import Selects, same_version

# resource.k8s.io/v1 types.go: DeviceSelectorsMaxSize, CELSelectorExpressionMaxLength (bytes). The selector for the
# profile of a MIG resource is one more, and that of an alternative.
MAX_SELECTORS, MAX_BYTES = 30, 10 * 1024
_PARTS = ("major", "minor", "patch")


def _pinned(found: Sequence[Selects]) -> dict[str, Test]:
    """By what reads a version the test for all of it, where each of its numbers must have one value."""
    numbers: dict[str, dict[str, set[int]]] = {}
    needed: dict[str, set[str]] = {}
    for each in found:
        if each.pin is not None:
            numbers.setdefault(each.pin.reads, {}).setdefault(each.pin.name, set()).add(each.pin.value)
            needed[each.pin.reads] = {each.pin.name, *each.pin.others}
    whole: dict[str, Test] = {}
    for reads, by_name in numbers.items():
        if by_name.keys() == needed[reads] and all(len(values) == 1 for values in by_name.values()):
            version = [str(*by_name[name]) if name in by_name else "0" for name in _PARTS]
            whole[reads] = same_version(reads, ".".join(version))
    return whole


def tests_of(found: Iterable[Selects]) -> list[Test]:
    """The tests that must all hold, in the order of the table of labels, each once."""
    ordered = sorted(found, key=lambda each: each.rank)
    whole = _pinned(ordered)
    tests = (
        whole[each.pin.reads] if each.pin is not None and each.pin.reads in whole else each.test
        for each in ordered
    )
    return list(dict.fromkeys(tests))


def one_of_terms(terms: Iterable[Sequence[Selects]]) -> Test | None:
    """That the tests of one of the terms hold; None where a term has none, so that it always holds."""
    alternatives = [tests_of(term) for term in terms]
    if not all(alternatives):
        return None
    return some(every(tests) for tests in alternatives)


def texts_of(tests: Sequence[Test]) -> tuple[str, ...] | None:
    """The expressions for tests that must all hold; None where Kubernetes takes no such long ones."""
    parts = [every(tests)] if len(tests) > MAX_SELECTORS else tests
    texts = tuple(each.text for each in parts)
    return None if any(len(text.encode()) > MAX_BYTES for text in texts) else texts
