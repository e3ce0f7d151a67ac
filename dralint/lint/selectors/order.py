"""Which check says what: the special ones first, so that a mistake is told once, as exactly as possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from dralint.lint.run import Run
from dralint.lint.selectors.bench import Bench, bench
from dralint.lint.selectors.slips import Slip, hit, overlaps
from dralint.lint.selectors.view import View, view_at
from dralint.lint.subject import Hit, Subject

Find = Callable[[View], Iterable[Slip]]

# Modules of dralint.lint.checks with a function `find`. Each is asked with what those before it have found: of two
# slips in the same place the first counts.
ORDER = (
    "cel_missing_domain",
    "cel_capacity_plain_number",
    "mig_profile_on_gpu_class",
    "cel_unknown_attribute",
    "cel_version_as_string",
    "cel_version_literal",
    "cel_quantity_literal",
    "cel_attribute_type_mismatch",
    "cel_gated_function",
    "cel_compile_error",
    "cel_cost_limit",
    "cel_gfd_spelling",
    "cel_value_unknown",
    "productname_no_match",
    "mig_memory_label_vs_capacity",
    "mig_profile_unknown",
    "cel_memory_exact_or_decimal",
    "cel_memory_marketing_size",
    "deviceclass_no_driver_guard",
    "cel_unguarded_attribute",
    "cel_pinned_uuid",
    "selector_matches_nothing",
)
# They say something only where nothing else explains it.
_GENERAL = frozenset(("cel_unguarded_attribute", "selector_matches_nothing"))
# The first for each selector: what follows is mostly its consequence.
_FIRST = frozenset(("cel_compile_error",))

# How an expression is written: nothing of them is said of what stands in fields.
_OF_TEXT = frozenset(
    (
        "cel_missing_domain",
        "cel_gated_function",
        "cel_compile_error",
        "cel_cost_limit",
        "cel_unguarded_attribute",
    )
)


def _find(module: str) -> Find:
    found: Find = import_module(f"dralint.lint.checks.{module}").find
    return found


def _examined(view: View) -> Iterator[tuple[str, Slip]]:
    found: list[Slip] = []
    for module in ORDER:
        if module in _GENERAL and any(slip.spoils for slip in found):
            continue
        told: set[int | None] = set()
        for slip in _find(module)(view):
            if any(overlaps(slip, other) for other in found) or slip.selector in told:
                continue
            if module in _OF_TEXT and slip.selector is not None and view.selectors[slip.selector].parts:
                continue
            if module in _FIRST:
                told.add(slip.selector)
            found.append(slip)
            yield module, slip


def slips(view: View) -> tuple[tuple[str, Slip], ...]:
    """Everything that is wrong with an ask or a class: (module of the check, slip).

    Many asks of a run are the same: what is found of one counts for all.
    """
    if view.key not in view.bench.told:
        view.bench.told[view.key] = tuple(_examined(view))
    found: tuple[tuple[str, Slip], ...] = view.bench.told[view.key]
    return found


# Every check of a selector asks, one after the other.
@lru_cache(maxsize=4)
def _told(subject: Subject, work: Bench) -> Mapping[str, Sequence[tuple[View, Slip]]]:
    """The slips at a subject, each with the view it was found in, by the module of the check."""
    told: dict[str, list[tuple[View, Slip]]] = {}
    view = view_at(subject.object, subject.path, work)
    if view is None:
        return told
    for module, slip in slips(view):
        place = view.path if slip.selector is None else view.selectors[slip.selector].path
        if place == subject.path:
            told.setdefault(module, []).append((view, slip))
    return told


def hits(module: str, subject: Subject, run: Run) -> Iterator[Hit]:
    """What the check of a module has found at a subject: a selector, or an ask or a class as a whole."""
    for view, slip in _told(subject, bench(run)).get(module, ()):
        yield hit(view, slip, run)
