"""What would have matched: the value or the name nearest to what a selector asks for in vain."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from dralint.inventory.device import Device, Inventory
from dralint.inventory.judge import Answer, Judgement
from dralint.kube.quantity import parse_quantity
from dralint.nvidia.nearest import bare
from dralint.nvidia.nearest import nearest as nearest_word

_READ = re.compile(
    r"""\bdevice\s*\.\s*(?P<map>attributes|capacity)\s*\[\s*(?P<quote>["'])(?P<domain>[^"'\\]*)(?P=quote)\s*\]\s*
        (?:\.\s*\??(?P<name>[A-Za-z_]\w*)|\[\s*\??\s*(?P<quote2>["'])(?P<key>[^"'\\]*)(?P=quote2)\s*\])""",
    re.VERBOSE,
)
_DRIVER = re.compile(r"\bdevice\s*\.\s*driver\b")
_LITERAL = re.compile(
    r"""(?P<quote>["'])(?P<text>(?:[^"'\\\n]|\\.)*)(?P=quote)|(?<![\w.])(?P<number>-?[0-9]+)\b"""
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")
# Comparing takes long, and long texts and long lists are no slip of a person.
_LONGEST, _MOST, _MOST_LITERALS = 200, 500, 20


class Nearest(NamedTuple):
    """The first clause that lets no device through, and what comes nearest to it.

    attribute  what it reads: "gpu.nvidia.com/productName", or "driver"; None where it cannot be told
    map        "attributes" or "capacity", None for the driver
    wanted     what it asks for; None: the attribute is missing on every device that is left
    value      the nearest value, or where the attribute is missing the expression that exists
    """

    clause: str
    attribute: str | None = None
    map: str | None = None
    wanted: str | None = None
    value: str | None = None


def _qualified(driver: str, name: str) -> str:
    return name if "/" in name else f"{driver}/{name}"


def _held(device: Device, which: str) -> Mapping[str, Any]:
    return device.attributes if which == "attributes" else device.capacity


def _scalar(written: Any) -> list[str]:
    """The values of an attribute or capacity as texts."""
    if isinstance(written, Mapping):
        return [text for value in written.values() if value is not None for text in _scalar(value)]
    if isinstance(written, list):
        return [text for value in written for text in _scalar(value)]
    if isinstance(written, bool):
        return [str(written).lower()]
    return [str(written)]


def _values(devices: Sequence[Device], which: str, attribute: str) -> list[str]:
    """All values that the devices have, in all forms that were seen, each once."""
    found: dict[str, None] = {}
    for device in devices:
        forms = (form for form in device.forms if form.seen)
        changed = (form.attributes if which == "attributes" else form.capacity for form in forms)
        # A bound is no value that anybody could ask for.
        real = {name: held for name, held in _held(device, which).items() if name not in device.estimated}
        for held in (real, *changed):
            for name, written in held.items():
                if _qualified(device.driver, name) == attribute:
                    found.update(dict.fromkeys(text for text in _scalar(written) if len(text) <= _LONGEST))
    return list(found)


def _by_number(number: Callable[[str], Any], distance: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def pick(wanted: Sequence[str], values: Sequence[str]) -> tuple[str, str] | None:
        known = [(text, value) for text in values if (value := number(text)) is not None]
        asked = [(text, value) for text in wanted if (value := number(text)) is not None]
        pairs = [(distance(a, b), text, other) for text, a in asked for other, b in known]
        best = min(pairs, key=lambda pair: pair[0], default=None)
        return (best[1], best[2]) if best else None

    return pick


def _version(text: str) -> tuple[int, ...] | None:
    numbers = text.removeprefix("v").split(".")
    if not all(each.isascii() and each.isdigit() and len(each) < 10 for each in numbers):
        return None
    return tuple([*map(int, numbers), 0, 0][:3]) if len(numbers) > 1 else None


def _amount(text: str) -> Decimal | None:
    found = parse_quantity(text)
    return found.value if found else None


def _apart(a: str, b: str) -> int:
    """How far the numbers in two texts lie apart: 1g.18gb is nearer to 1g.17gb than 1g.10gb is."""
    pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=False)
    return sum(abs(int(x) - int(y)) for x, y in pairs)


def _likeness(wanted: str, value: str) -> tuple[bool, bool, float, int]:
    from difflib import SequenceMatcher

    a, b = bare(wanted), bare(value)
    # A product name held in a longer label, or a short name held in a product name.
    held = bool(a and b) and (a in b or b in a)
    return a == b, held, SequenceMatcher(None, a, b).ratio(), -_apart(a, b)


def _by_text(wanted: Sequence[str], values: Sequence[str]) -> tuple[str, str] | None:
    pairs = [(_likeness(text, value), text, value) for text in wanted if text for value in values]
    best = max(pairs, key=lambda pair: pair[0], default=None)
    return (best[1], best[2]) if best else None


_PICKS = (
    _by_number(_version, lambda a, b: tuple(abs(x - y) for x, y in zip(a, b, strict=True))),
    _by_number(_amount, lambda a, b: abs(a - b)),
    _by_text,
)


def _reads(text: str) -> Iterator[tuple[str | None, str, int, int]]:
    """(map, attribute, start, end) of what a clause reads."""
    for match in _READ.finditer(text):
        name = match["name"] if match["name"] is not None else match["key"]
        yield match["map"], f"{match['domain']}/{name}", match.start(), match.end()
    for match in _DRIVER.finditer(text):
        yield None, "driver", match.start(), match.end()


def _literals(text: str) -> list[str]:
    """The literals of a clause outside of what it reads; numbers only where there are no texts."""
    for _, _, start, end in _reads(text):
        text = text[:start] + " " * (end - start) + text[end:]
    found = list(_LITERAL.finditer(text))
    texts = dict.fromkeys(match["text"] for match in found if match["number"] is None)
    literals = texts or dict.fromkeys(match["number"] for match in found)
    return [each for each in literals if len(each) <= _LONGEST][:_MOST_LITERALS]


def _expression(which: str, attribute: str) -> str:
    domain, _, name = attribute.rpartition("/")
    field = f".{name}" if _IDENTIFIER.match(name) else f'["{name}"]'
    return f'device.{which}["{domain}"]{field}'


def _other_name(devices: Sequence[Device], attribute: str) -> str | None:
    """How to read what was probably meant by an attribute that no device has."""
    there: dict[tuple[str, str], None] = {}
    for device in devices:
        for which in ("attributes", "capacity"):
            there.update(
                dict.fromkeys((which, _qualified(device.driver, name)) for name in _held(device, which))
            )
        there.update(
            dict.fromkeys(
                (where.map, f"{where.domain}/{name}") for name, where in device.unknown.items() if where.map
            )
        )
    by_name: dict[str, tuple[str, str]] = {}
    for which, each in there:
        by_name.setdefault(each.rpartition("/")[2], (which, each))
    close = nearest_word(attribute.rpartition("/")[2], by_name, _MOST)
    return _expression(*by_name[close]) if close else None


def _missing(answers: Sequence[Answer]) -> tuple[str, str] | None:
    """The attribute that all devices lack where they stopped: (map, attribute)."""
    lacking = {
        (answer.error.map, answer.error.attribute)
        for answer in answers
        if answer.error and answer.error.map and answer.error.attribute
    }
    if len(lacking) != 1 or any(answer.error is None for answer in answers):
        return None
    which, attribute = lacking.pop()
    return which or "", attribute or ""


def nearest(judgement: Judgement, inventory: Inventory) -> Nearest | None:
    """What comes nearest where no device matches or may match; None where one does, or where none is left."""
    if judgement.matching or judgement.possible or 0 not in judgement.surviving:
        return None
    index = judgement.surviving.index(0)
    text = judgement.clauses[index]
    stopped = [
        (device, answer)
        for device, answer in zip(inventory.devices, judgement.answers, strict=True)
        if answer.clauses == index
    ]
    devices = [device for device, _ in stopped]
    if not devices:
        return None
    missing = _missing([answer for _, answer in stopped])
    if missing is not None:
        which, attribute = missing
        return Nearest(text, attribute, which, None, _other_name(devices, attribute))
    literals = _literals(text)
    best: Nearest | None = None
    for map_, attribute, _, _ in _reads(text):
        values = (
            _values(devices, map_, attribute)
            if map_
            else list(dict.fromkeys(each.driver for each in devices))
        )
        for pick in _PICKS if len(values) <= _MOST else ():
            found = pick(literals, values)
            if found is not None:
                return Nearest(text, attribute, map_, *found)
        best = best or Nearest(text, attribute, map_)
    return best or Nearest(text)
