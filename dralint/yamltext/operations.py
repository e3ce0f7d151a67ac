"""What can be asked of `patch`, and what it answers."""

from __future__ import annotations

from typing import Final, NamedTuple

from dralint.yamltext.view import Path, Plain

# Stands in Wrap's wrapper for the object that is there; no YAML or JSON text can hold a NUL.
HOLE: Final = "\0the object"


class Remove(NamedTuple):
    """Remove the entry of a mapping or the item of a sequence at `path`.

    An emptied mapping or sequence stays as `{}` or `[]`: the caller removes the parent instead.
    """

    document: int
    path: Path


class Put(NamedTuple):
    """Add an entry to the mapping at `path` (a null there is an empty mapping).

    The key must not exist, or its value be null. The entry comes after the entry `after` or before
    the entry `before`; by default last.
    """

    document: int
    path: Path
    key: str
    value: Plain
    after: str | None = None
    before: str | None = None


class Append(NamedTuple):
    """Add an item at the end of the sequence at `path` (a null there becomes a sequence)."""

    document: int
    path: Path
    value: Plain


class Insert(NamedTuple):
    """Add an item to the sequence at `path` before the item that now has `index`."""

    document: int
    path: Path
    index: int  # type: ignore[assignment]  # hides tuple.index, which nobody needs here
    value: Plain


class Replace(NamedTuple):
    """Write another scalar in the place of the one at `path`; a string keeps the kind of quotes."""

    document: int
    path: Path
    value: str | int | bool | None


class Rename(NamedTuple):
    """Give the entry at `path` another key."""

    document: int
    path: Path
    key: str


class InsertDocument(NamedTuple):
    """A new document before the document of that index.

    comments: whole lines that start with "#", written between its `---` and its body
    """

    document: int
    value: Plain
    comments: tuple[str, ...] = ()


class Wrap(NamedTuple):
    """Write `wrapper`, a mapping that holds HOLE once, around the one object of a JSON file."""

    document: int
    wrapper: Plain


Operation = Remove | Put | Append | Insert | Replace | Rename | InsertDocument | Wrap


class Edit(NamedTuple):
    """Write `text` in the place of the characters [start, end) of the file's text."""

    start: int
    end: int
    text: str


class Refusal(NamedTuple):
    """Why a group of operations was not carried out.

    group   its index; what: a reason without a full stop; offset: where in the text
    """

    group: int
    what: str
    offset: int


class Patched(NamedTuple):
    """The new text, the edits that made it in the order of the text, and what was refused."""

    text: str
    edits: list[Edit]
    refusals: list[Refusal]
