"""productname-no-match: product names are compared letter by letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from dralint.cel.anatomy import Comparison
from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, listed, literal, meaning, part_of
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import nobody, severity, texts
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.cards import card, cards, find_cards, near_misses, shown
from dralint.nvidia.nearest import bare, nearest
from dralint.nvidia.vocabulary import product_prefixes

_PRODUCT = "productName"
_EXACT = ("==", "!=", "in")
_PARTS = ("contains", "startsWith", "endsWith", "matches")
_PREFIX = "NVIDIA "
_SHORTEST = 2


class _Meant(NamedTuple):
    """Names that were probably meant; certain: the only one, spelt a little differently."""

    names: Sequence[str]
    certain: bool = False


def _of_given(view: View, text: str) -> _Meant:
    """Among the cards that are there."""
    there = texts(view.stock.inventory.devices, _PRODUCT)
    same = [name for name in there if bare(text) in (bare(name), bare(name.removeprefix(_PREFIX)))]
    if len(same) == 1:
        return _Meant(same, certain=True)
    held = [name for name in there if len(bare(text)) >= _SHORTEST and bare(text) in bare(name)]
    close = nearest(text, there) if view.bench.may_guess() else None
    return _Meant(same or held or ([close] if close else there))


@lru_cache(maxsize=1)
def _bare_names() -> Sequence[tuple[str, str]]:
    return [(each.name, bare(each.name)) for each in cards()]


@lru_cache(maxsize=1024)
def _spelt(text: str) -> Sequence[str]:
    """The cards that are called so, capitals and hyphens aside."""
    return [each.name for each in find_cards(text)] if bare(text) in _spellings() else []


@lru_cache(maxsize=1)
def _spellings() -> frozenset[str]:
    return frozenset(
        bare(word)
        for each in cards()
        for word in (
            each.name,
            each.name.removeprefix(_PREFIX),
            *each.aliases,
            *each.short_names,
            *each.not_reported,
        )
    )


def _of_catalogue(text: str) -> _Meant:
    """Among the cards that are known."""
    found = _spelt(text) or _spelt(text.removeprefix(_PREFIX))
    if found or text.startswith(product_prefixes()):
        # A name like that of a known card can be that of another one: RTX 4070 and RTX 4070 Ti.
        return _Meant(found, certain=len(found) == 1 and shown("name", found[0]))
    wanted = bare(text)
    return _Meant([name for name, word in _bare_names() if len(wanted) >= _SHORTEST and wanted in word])


def _meant(view: View, text: str) -> _Meant:
    if view.stock.given:
        found = _of_given(view, text)
        if found.names:
            return found
    return _of_catalogue(text)


def _advice(view: View, found: _Meant, text: str, *, exact: bool) -> str:
    if found.names:
        some = listed([f'"{name}"' for name in found.names], joint="or")
        return f"it would have to be {some}" if exact else f"there is {some}"
    close = near_misses(text, 2) if exact and view.bench.may_guess() else []
    if close:
        return f"the nearest is {listed([f'{name}' for name in close], joint='or')}"
    return "`dralint cards` lists those that are known"


def _exact(view: View, index: int, comparison: Comparison) -> Iterator[Slip]:
    """Literals that no card is called."""
    part = part_of(view, index, comparison)
    there = texts(view.stock.inventory.devices, _PRODUCT) if view.stock.given else []
    for constant in comparison.constants:
        text = constant.value
        if not isinstance(text, str) or constant.function or text in there:
            continue
        known = card(text) is not None
        if known and not view.stock.given:
            continue
        alone = part is not None and part.never
        if known and (not alone or comparison.operator not in ("==", "in")):
            continue
        found = _Meant(there) if known else _meant(view, text)
        misspelt = bool(found.names) and not known
        doubtful: Severity = (
            "warning" if known or misspelt or not text.startswith(product_prefixes()) else "info"
        )
        level = severity(view, doubtful) if alone else doubtful
        like = view.selectors[index].text[slice(*constant.range)]
        right = found.names[0] if len(found.names) == 1 and misspelt else None
        changes = (Change(constant.range, literal(right, like)),) if right else ()
        values = {
            "who": nobody(view),
            "text": f'productName "{text}"',
            "advice": _advice(view, found, text, exact=not known),
        }
        place = comparison.range if len(comparison.constants) == 1 else constant.range
        yield Slip(
            index,
            place,
            values,
            level,
            changes,
            certain=found.certain,
            spoils=alone or comparison.operator == "==",
        )


def _part(view: View, index: int, comparison: Comparison) -> Slip | None:
    """A pattern or a part of a name that no device has."""
    part = part_of(view, index, comparison)
    if part is None or view.class_is_empty or not part.never:
        return None
    text = str(comparison.constants[0].value)
    found = _meant(view, text.strip("^$.*"))
    if view.stock.given and not found.certain and not any(bare(text) in bare(name) for name in found.names):
        found = _Meant(texts(view.stock.inventory.devices, _PRODUCT))
    level = severity(view, "warning" if found.names else "info")
    values = {
        "who": nobody(view),
        "text": f'productName that {comparison.written} "{text}"',
        "advice": _advice(view, found, text, exact=False),
    }
    return Slip(index, comparison.range, values, level)


def find(view: View) -> Iterator[Slip]:
    """Product names, and parts of them, that no device has."""
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        # A GPU for a VM has the name that the PCI database gives it.
        if found is None or found.name != _PRODUCT or view.type == "vfio":
            continue
        if comparison.written in _EXACT and comparison.through in ((), ("orValue",)):
            yield from _exact(view, index, comparison)
        elif comparison.operator in _PARTS and isinstance(comparison.constants[0].value, str):
            slip = _part(view, index, comparison)
            if slip:
                yield slip


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a product name that no device has; the fix writes the one that is spelt almost so."""
    yield from hits("productname_no_match", subject, run)
