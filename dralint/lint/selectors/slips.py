"""What is wrong with a selector, as the checks find it, and how it becomes a hit of a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from dralint.cel.anatomy import Range
from dralint.cel.positions import file_offset
from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.view import View, Written
from dralint.lint.subject import Hit
from dralint.yamltext.operations import Operation, Put, Remove, Replace
from dralint.yamltext.view import Path

_NOTHING: Mapping[str, str] = MappingProxyType({})


class Change(NamedTuple):
    """Write `text` in the place of a range of the expression."""

    range: Range
    text: str


class Slip(NamedTuple):
    """One mistake.

    selector       index into the view's selectors; None: it is about the ask as a whole
    range          in the expression; None: all of it
    values         for the message
    severity       None: the rule's
    changes        a fix inside of the expression; take_class: or another DeviceClass
    certain        the fix is what was meant
    spoils         because of it no device can match, so that nothing more general is to be said
    covers         it explains whatever else is wrong with the selector
    at_class       it points at the deviceClassName
    """

    selector: int | None
    range: Range | None = None
    values: Mapping[str, str] = _NOTHING
    severity: Severity | None = None
    changes: tuple[Change, ...] = ()
    take_class: str | None = None
    certain: bool = True
    spoils: bool = True
    covers: bool = False
    at_class: bool = False


def overlaps(one: Slip, other: Slip) -> bool:
    """Whether both are about the same part of the same selector."""
    if one.selector != other.selector or one.selector is None:
        return False
    if one.range is None or other.range is None or other.covers:
        return True
    return one.range[0] < other.range[1] and other.range[0] < one.range[1]


def span(view: View, written: Written, place: Range) -> Range:
    """The range in the file."""
    if written.parts:
        inside = [
            part.node for part in written.parts if part.range[0] < place[1] and place[0] < part.range[1]
        ]
        node = inside[0] if len(inside) == 1 else written.node
        return node.start, node.end
    text = view.object.file.text.text
    start = file_offset(text, written.node, place[0])
    end = file_offset(text, written.node, max(place[1] - 1, place[0])) + 1
    return start, max(end, start + 1)


def changed(text: str, changes: Sequence[Change]) -> str:
    """The expression with changes that do not overlap."""
    for change in sorted(changes, key=lambda each: (each.range[0], each.range[1]), reverse=True):
        text = text[: change.range[0]] + change.text + text[change.range[1] :]
    return text


def _rewrite(view: View, written: Written, changes: Sequence[Change]) -> Iterator[Operation]:
    """The expression written anew; one line in a block scalar becomes a plain or quoted one."""
    new, document, path = changed(written.text, changes), view.object.document, written.path
    if written.node.style in ("|", ">") and isinstance(path[-1], str) and "\n" not in new.rstrip("\n"):
        yield Remove(document, path)
        yield Put(document, path[:-1], path[-1], new.rstrip("\n"))
    else:
        yield Replace(document, path, new)


def hit(view: View, slip: Slip, run: Run) -> Hit:
    """The slip as an answer of a check."""
    applicability: Literal["safe", "unsafe"] = "safe" if slip.certain else "unsafe"
    of_class: Path = (*view.path, "deviceClassName")
    operations: list[Operation] = []
    if slip.take_class is not None:
        operations.append(Replace(view.object.document, of_class, slip.take_class))
    if slip.selector is None:
        place = of_class if slip.at_class else view.path
        return Hit(place, slip.values, slip.severity, (), tuple(operations), applicability)
    written = view.selectors[slip.selector]
    if run.fixes and slip.changes and not written.parts:
        operations += _rewrite(view, written, slip.changes)
    marked = span(view, written, slip.range) if slip.range is not None else None
    return Hit(written.path, slip.values, slip.severity, (), tuple(operations), applicability, marked)
