"""What a read of a selector means at the target, and how to write the one that was meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from dralint.cel.anatomy import Comparison, Range, Read
from dralint.lint.selectors.evaluation import Part
from dralint.lint.selectors.view import View
from dralint.nvidia.published import gpu_driver_name
from dralint.nvidia.vocabulary import DEVICE_TYPES, Name, Published

_COMPUTE_DOMAIN_TYPES = ("channel", "daemon")
_SHOWN = 3
# Longer selectors are no work of a person.
_MOST = 30
_WORD = re.compile(r"\w+")


def reads(view: View) -> Iterator[tuple[int, Read]]:
    """The reads of the view's selectors, with the selector's index; of more than a person writes the first."""
    for index, written in enumerate(view.selectors):
        for read in written.reads[:_MOST]:
            yield index, read


def comparisons(view: View) -> Iterator[tuple[int, Comparison]]:
    """The comparisons of the view's selectors, with the selector's index; of long ones the beginning."""
    for index, written in enumerate(view.selectors):
        for comparison in written.comparisons[:_MOST]:
            if len(comparison.constants) > _MOST:
                yield index, comparison._replace(constants=comparison.constants[:_MOST])
            else:
                yield index, comparison


def device_types(view: View) -> Sequence[str]:
    """The types of devices that the view can be about."""
    if view.type is not None:
        return (view.type,)
    return DEVICE_TYPES if view.driver in (None, gpu_driver_name()) else _COMPUTE_DOMAIN_TYPES


def _matches(entry: Published, which: str, domain: str | None, name: str) -> bool:
    same = entry.name == name or (entry.numbered and name.rstrip("0123456789") == entry.name)
    return same and entry.map == which and entry.domain == domain


def published_as(
    view: View, which: str, domain: str | None, name: str, types: Sequence[str]
) -> Published | None:
    """What devices of one of the types publish under this name at the target."""
    return next(
        (
            entry
            for device_type in types
            for entry in view.bench.published(device_type)
            if _matches(entry, which, domain, name)
        ),
        None,
    )


def meaning(view: View, read: Read) -> Published | None:
    """The attribute or capacity that a read of `device.attributes["domain"].name` means."""
    if view.driver is None or read.name is None or len(read.keys) != 2:
        return None
    return published_as(view, read.map, read.domain, read.name, device_types(view))


def in_stock(view: View, which: str, domain: str, name: str) -> bool:
    """Whether a device that somebody said is there has it, whatever the driver's documentation says."""
    if not view.stock.given:
        return False
    return any(
        f"{domain}/{name}" in held or (device.driver == domain and name in held)
        for device in view.stock.inventory.devices
        for held in (device.attributes if which == "attributes" else device.capacity,)
    )


def written_as(view: View, name: Name) -> str:
    """The expression that reads a name, with the quotes that the view's selectors use."""
    quote = next((sign for written in view.selectors for sign in written.text if sign in "\"'"), '"')
    return f"device.{name.map}[{quote}{name.domain}{quote}].{name.name}"


def literal(text: str, like: str) -> str:
    """A string literal with the kind of quotes that a piece of an expression has."""
    quoted = json.dumps(text, ensure_ascii=False)
    if "'" in like and '"' not in like and "'" not in text and quoted[1:-1] == text:
        return f"'{text}'"
    return quoted


def part_of(view: View, selector: int, comparison: Comparison) -> Part | None:
    """The clause that a comparison is, where it is one of its own."""
    if view.outcome is None or not comparison.certain:
        return None
    start = comparison.range[0]
    for part in view.outcome.parts:
        if part.selector == selector and part.offset <= start < part.offset + len(part.text):
            return part
    return None


def hurts(view: View, which: str, domain: str, name: str) -> bool:
    """Whether an attribute that is missing matters: nothing matches, or a device without it is an error."""
    if view.outcome is None or view.outcome.nothing:
        return True
    return any(
        (error.map, error.domain, error.name) == (which, domain, name) for _, _, error in view.outcome.errors
    )


def listed(words: Sequence[str], most: int = _SHOWN, joint: str = "and") -> str:
    """`a, b and 5 more`."""
    each = list(dict.fromkeys(words))
    if len(each) > most:
        return f"{', '.join(each[:most])} and {len(each) - most} more"
    return f" {joint} ".join(filter(None, (", ".join(each[:-1]), each[-1]))) if each else "nothing"


def at_offset(text: str, offset: int) -> Range:
    """The word or sign that stands at a place of an expression."""
    match = _WORD.match(text, offset)
    end = match.end() if match else offset + 1
    return (offset, end) if offset < len(text) else (max(len(text) - 1, 0), max(len(text), 1))
