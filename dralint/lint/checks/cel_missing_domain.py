"""cel-missing-domain: attributes stand below the domain of the driver that publishes them."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.anatomy import Comparison, Range, Read
from dralint.cel.device.answers import CompileErrors
from dralint.lint.run import Run
from dralint.lint.selectors.names import written_as
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.view import View, Written
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.vocabulary import Name, attribute_meant, domains, named, names

# What can be asked of a whole map.
_OF_MAPS = ("size",)


def _right(view: View, read: Read, word: str) -> Name | None:
    """The name that a word without its domain stands for, where there is one."""
    if view.driver is None:
        return None
    domain, slash, rest = word.rpartition("/")
    which = read.map if read.map != "other" else None
    found = named(view.driver, rest, domain if slash else None, which)
    if found or slash:
        return found[0] if found else None
    # Names of the other map after those of this one.
    every = sorted(names(view.driver), key=lambda each: each.map != read.map)
    other = attribute_meant(word, every)
    return other.name if other else None


def _slip(view: View, index: int, read: Read, place: Range, word: str) -> Slip:
    right = _right(view, read, word)
    plain = word.rpartition("/")[2]
    exact = right is not None and right.name == plain and read.map in (right.map, "other")
    text = view.selectors[index].text[slice(*read.range)]
    if right is not None:
        advice = f"write {written_as(view, right)}"
    else:
        advice = 'write device.attributes["DOMAIN"].NAME, with the name of the driver as domain'
    changes = (Change(read.range, written_as(view, right)),) if right and exact and read.written else ()
    return Slip(index, place, {"text": text, "advice": advice}, changes=changes)


def _of_comparison(view: View, index: int, comparison: Comparison) -> Slip | None:
    """`device.attributes["productName"] == "x"`, which compares a whole map."""
    read = comparison.read
    if len(read.keys) != 1 or read.guarded or read.keys[0].text is None or comparison.through[:1] == _OF_MAPS:
        return None
    word = read.keys[0].text
    if read.map == "other":
        known = view.driver is not None and named(view.driver, word)
        return _slip(view, index, read, comparison.range, word) if known else None
    return None if word in domains() else _slip(view, index, read, comparison.range, word)


def _dotted(index: int, written: Written, read: Read) -> Slip | None:
    """`device.attributes.gpu.nvidia.com.type`, where the domain is `gpu`."""
    words = [key.text or "" for key in read.keys]
    for domain in domains():
        parts = domain.split(".")
        if words[: len(parts)] != parts or len(words) <= len(parts):
            continue
        start, end = read.keys[0].range[0] - 1, read.keys[len(parts) - 1].range[1]
        if written.text[start] != ".":
            continue
        quote = "'" if '"' not in written.text and "'" in written.text else '"'
        text = f"[{quote}{domain}{quote}]"
        right = f"device.{read.map}{text}.{words[len(parts)]}"
        values = {"text": written.text[slice(*read.range)], "advice": f"write {right}"}
        return Slip(index, read.range, values, changes=(Change((start, end), text),))
    return None


def find(view: View) -> Iterator[Slip]:
    """Reads of attributes without their domain, as far as they are no mistake of another kind."""
    for index, written in enumerate(view.selectors):
        # cel-python has no type checker: there it is an error on every device.
        fails = isinstance(written.program, CompileErrors) or (view.outcome and view.outcome.nothing)
        if fails:
            for comparison in written.comparisons:
                slip = _of_comparison(view, index, comparison)
                if slip:
                    yield slip
        for read in written.reads:
            slip = _dotted(index, written, read)
            if slip:
                yield slip


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute that is read without its domain; the fix writes it where there is only one."""
    yield from hits("cel_missing_domain", subject, run)
