"""mig-profile-unknown: MIG profiles have exact names, and each card has its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dralint.cel.anatomy import Comparison, Constant
from dralint.inventory.device import Device
from dralint.lint.run import Run
from dralint.lint.selectors.memory import candidates, tests
from dralint.lint.selectors.names import comparisons, listed, literal, meaning, part_of
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import severity, text_of, texts, unshown
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.cards import cards
from dralint.nvidia.resources import classify

_PROFILE = "profile"
_EXACT = ("==", "!=", "in")
_NUMBERS = re.compile(r"[0-9]{1,6}")
_MANY = 4


def _known() -> set[str]:
    found = [each.mig for each in cards() if each.mig is not None]
    names = {name for mig in found for name in mig.other_profiles}
    return names | {profile.name for mig in found for profile in mig.table.profiles}


def _spelt(text: str) -> str:
    """A profile as DRA spells it, from nvidia-smi's `MIG 1g.5gb` or the resource name's `1g.5gb.me`."""
    word = text.strip().lower().removeprefix("mig").strip(" -")
    found = classify(f"nvidia.com/mig-{word}")
    return found.profile or word if found else word


def _near(text: str, names: Sequence[str]) -> list[str]:
    """The nearest by their numbers: 1g.24gb is nearer to 1g.18gb than to 2g.24gb."""
    wanted = [int(each) for each in _NUMBERS.findall(text)]

    def distance(name: str) -> tuple[int, int, bool]:
        numbers = [int(each) for each in _NUMBERS.findall(name)]
        if len(numbers) < 2 or len(wanted) < 2:
            return (1_000, 1_000_000, True)
        return (abs(numbers[0] - wanted[0]), abs(numbers[1] - wanted[1]), "+" in name)

    return sorted(dict.fromkeys(names), key=distance)


def _misspelt(view: View, index: int, comparison: Comparison, constant: Constant) -> Slip:
    text = str(constant.value)
    known = _known()
    right = _spelt(text)
    certain = right in known
    near = [right] if certain else _near(text, sorted(known))[:2]
    advice = f"write {right}" if certain else f"the nearest are {listed(near, _MANY)}"
    like = view.selectors[index].text[slice(*constant.range)]
    changes = (Change(constant.range, literal(right, like)),) if certain else ()
    place = comparison.range if len(comparison.constants) == 1 else constant.range
    values = {"said": f"no known card has the MIG profile {text}", "advice": advice}
    return Slip(index, place, values, severity(view), changes, spoils=comparison.operator == "==")


def _elsewhere(view: View, index: int, comparison: Comparison) -> Slip | None:
    """A profile of other cards than those that everything else leaves."""
    part = part_of(view, index, comparison)
    if part is None or view.outcome is None or view.type != "mig" or not view.outcome.nothing:
        return None
    rows = view.outcome.rows
    left = [rows.device(row) for row in view.outcome.passing(but=part)]
    devices: list[Device] = [device for device in left if text_of(device, _PROFILE) is not None]
    there = texts(devices, _PROFILE)
    wanted = [str(constant.value) for constant in comparison.constants]
    if not there or set(there) & set(wanted):
        return None
    if any(found.missing(test) for test in tests(view) if (found := candidates(view, test))):
        return None  # mig-memory-label-vs-capacity
    products = texts(devices, "productName")
    who = f"{listed(products, 2)} {'does' if len(products) == 1 else 'do'} not have"
    if view.stock.given:
        who = "no device of the inventory that passes the other clauses has"
    advice = f"there is {listed(_near(wanted[0], there), _MANY)}"
    cards = unshown(view)
    if cards:
        advice = f"{advice}; nobody has shown the MIG profiles of {listed(cards, 2)}"
    values = {"said": f"{who} the MIG profile {listed(wanted, joint='or')}", "advice": advice}
    return Slip(index, comparison.range, values, severity(view, "info" if cards else "warning"))


def find(view: View) -> Iterator[Slip]:
    """Profiles that no card, or none of the cards that are asked for, has."""
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        if found is None or found.name != _PROFILE or comparison.written not in _EXACT:
            continue
        if comparison.through not in ((), ("orValue",)):
            continue
        there = texts(view.stock.inventory.devices, _PROFILE) if view.stock.given else []
        wrong = [
            constant
            for constant in comparison.constants
            if isinstance(constant.value, str)
            and constant.value not in _known()
            and constant.value not in there
        ]
        yield from (_misspelt(view, index, comparison, constant) for constant in wrong)
        slip = (
            None if wrong or comparison.operator not in ("==", "in") else _elsewhere(view, index, comparison)
        )
        if slip:
            yield slip


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a MIG profile that is not there; the fix spells it as the driver does."""
    yield from hits("mig_profile_unknown", subject, run)
