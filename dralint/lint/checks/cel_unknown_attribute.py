"""cel-unknown-attribute: a name that the driver does not publish is an error on every device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.cel.anatomy import Comparison, Range, Read
from dralint.lint.checks.cel_capacity_plain_number import as_quantity
from dralint.lint.checks.mig_profile_on_gpu_class import only_mig
from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.names import device_types, hurts, in_stock, published_as, reads, written_as
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.vocabulary import (
    DEVICE_TYPES,
    Name,
    attribute_meant,
    domains,
    meant,
    named,
    names,
    why_missing,
)

# How a ResourceSlice says of which type a value is.
_OF_SLICES = ("string", "int", "bool", "version", "value")
_NOUNS = {"attributes": "attribute", "capacity": "capacity"}


class _Reason(NamedTuple):
    """Why there is no such name, and the one that was meant; doubt: a setting that nobody told could bring it."""

    why: str
    right: Name | None = None
    certain: bool = False
    doubt: bool = False


def _is_there(view: View, name: Name) -> bool:
    return published_as(view, name.map, name.domain, name.name, device_types(view)) is not None


def _what(view: View) -> str:
    return f"devices of type {view.type}" if view.type else f"devices of {view.driver}"


def _said(view: View, name: Name) -> str:
    right = written_as(view, name)
    return f"write {right}" if name.map == "attributes" else f"write {right}, which is a quantity"


def _other_release(view: View, read: Read) -> _Reason | None:
    """It exists: in another release, with a gate, or of another type of device."""
    assert view.driver is not None
    assert read.name is not None
    for entry in named(view.driver, read.name, read.domain, read.map):
        reason = why_missing(entry, view.bench.target)
        if reason is not None:
            gated = entry.gate is not None and not view.bench.target.gate_set("driver", entry.gate)
            newer = [
                each
                for each in names(view.driver)
                if each.map == "attributes"
                and meant("attributes", read.name) == each.name
                and _is_there(view, each)
            ]
            return _Reason(reason, newer[0] if newer else None, doubt=gated and "gate" in reason)
    types = [each for each in DEVICE_TYPES if published_as(view, read.map, read.domain, read.name, (each,))]
    return _Reason(f"only devices of type {' and '.join(types)} have it") if types else None


def _reason(view: View, read: Read) -> _Reason:
    """Why devices do not have what is read."""
    assert view.driver is not None
    assert read.name is not None
    there = [each for each in names(view.driver) if _is_there(view, each)]
    same = [each for each in there if each.name == read.name]
    if same:
        right = same[0]
        why = (
            f"{read.name} is {'a capacity' if right.map == 'capacity' else 'an attribute'}"
            if right.map != read.map
            else f"{read.name} belongs to the domain {right.domain}"
        )
        return _Reason(f"{why}: {_said(view, right)}", right, certain=True)
    other = _other_release(view, read)
    if other is not None:
        return other
    found = attribute_meant(read.name, there) if view.bench.may_guess() else None
    if found is not None:
        return _Reason(_said(view, found.name), found.name, found.certain)
    which = [each.name for each in there if each.map == read.map]
    return _Reason(f"there are {', '.join(dict.fromkeys(which))}")


def _changes(view: View, index: int, read: Read, right: Name) -> tuple[tuple[Change, ...], bool]:
    """The read, or with a capacity the whole comparison, written anew; and whether its value is certain."""
    written = view.selectors[index]
    whole = _comparison(view, index, read)
    text = written_as(view, right)
    if right.map == "capacity" and (whole is None or whole.constants[0].function != "quantity"):
        found = as_quantity(written.text, whole, text) if whole else None
        return ((Change(whole.range, found[0]),), found[1]) if whole and found else ((), False)
    published = published_as(view, right.map, right.domain, right.name, device_types(view))
    if published is None or not published.optional:
        return (Change(read.range, text),), True
    if whole is None or not whole.certain or whole.sign != 1:
        return (), False
    # Not every device has it: cel-unguarded-attribute.
    start = whole.range[0]
    return (Change((start, start), f"has({text}) && "), Change(read.range, text)), True


def _comparison(view: View, index: int, read: Read) -> Comparison | None:
    return next((each for each in view.selectors[index].comparisons if each.read.range == read.range), None)


def _is_unknown(view: View, index: int, read: Read) -> bool:
    if view.driver is None or read.map not in _NOUNS or len(read.keys) != 2 or not read.used or read.guarded:
        return False
    domain, name = read.domain, read.name
    if domain is None or name is None:
        return False
    anatomy = view.selectors[index].anatomy
    if anatomy is None or (read.map, domain, name) in anatomy.guards:
        return False
    if published_as(view, read.map, domain, name, device_types(view)) or in_stock(
        view, read.map, domain, name
    ):
        return False
    if domain not in domains() and not meant("domains", domain) and not view.of_class.own:
        # Somebody else's attributes: an error on NVIDIA's devices only where nothing keeps them away.
        return view.outcome is not None and any(
            (error.map, error.domain) == (read.map, domain) for _, _, error in view.outcome.errors
        )
    if view.class_type not in (None, "mig") and only_mig(view, read.map, domain, name):
        return False  # mig-profile-on-gpu-class
    return hurts(view, read.map, domain, name)


def _too_deep(view: View, index: int, read: Read) -> Slip | None:
    """`...type.string`, as a ResourceSlice is written: to CEL the attribute is its value."""
    if view.driver is None or len(read.keys) != 3 or read.keys[2].text not in _OF_SLICES or read.guarded:
        return None
    domain, name = read.domain or "", read.name or ""
    if published_as(view, read.map, domain, name, device_types(view)) is None:
        return None
    text, end = view.selectors[index].text, read.keys[1].range[1]
    end += text[end : read.keys[2].range[0]].find("]") + 1
    right = text[read.range[0] : end]
    values = {
        "noun": _NOUNS[read.map],
        "name": f"{domain}/{name}.{read.keys[2].text}",
        "who": _what(view),
        "why": f"{name} is the value itself: write {right}",
    }
    changes = (Change((end, read.range[1]), ""),) if read.written else ()
    return Slip(index, read.range, values, changes=changes)


def find(view: View) -> Iterator[Slip]:
    """Reads of what devices do not have, where that matters."""
    for index, read in reads(view):
        deep = _too_deep(view, index, read)
        if deep is not None:
            yield deep
        if not _is_unknown(view, index, read):
            continue
        reason = _reason(view, read)
        severity: Severity | None = "warning" if reason.doubt else None
        changes: tuple[Change, ...] = ()
        certain = False
        if reason.right is not None and read.written:
            changes, sure = _changes(view, index, read, reason.right)
            certain = reason.certain and sure
        whole = _comparison(view, index, read)
        place: Range = whole.range if whole else read.range
        values = {
            "noun": _NOUNS[read.map],
            "name": f"{read.domain}/{read.name}",
            "who": _what(view),
            "why": reason.why,
        }
        yield Slip(index, place, values, severity, changes, certain=certain)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute or capacity that NVIDIA's driver does not publish; the fix writes what it does."""
    yield from hits("cel_unknown_attribute", subject, run)
