"""A conversion as a person reads it on stderr: what became of each request, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dralint.convert.assumed import WHOLE_GPUS
from dralint.convert.model import ClassNeed, Conversion, Note, Occurrence, Outcome, is_open
from dralint.errors import Place
from dralint.report.escape import escape
from dralint.report.words import NO_FILES, counted

_RED, _GREEN, _CYAN, _BOLD, _RESET = "\033[31m", "\033[32m", "\033[36m", "\033[1m", "\033[0m"
_DIFF_COLORS = (("---", _BOLD), ("+++", _BOLD), ("@@", _CYAN), ("-", _RED), ("+", _GREEN))


def _subject(occurrence: Occurrence) -> str:
    """What asks for the device: `nvidia.com/gpu in container train of Deployment llm/chat`."""
    parts = [occurrence.resource]
    if occurrence.container:
        parts.append(f"in container {occurrence.container}")
    ref = occurrence.object
    if ref is not None and ref.kind:
        parts.append(f"of {ref.called}")
    if occurrence.source is not None:
        parts.append(f"from {occurrence.source.template}")
    return " ".join(parts)


def occurrence_line(occurrence: Occurrence) -> str:
    """`file:line:column: outcome: what: why; what to do`, in one line."""
    place = Place(occurrence.path, occurrence.line, occurrence.column)
    advice = f"; {occurrence.next}" if occurrence.next else ""
    return escape(f"{place}: {occurrence.outcome}: {_subject(occurrence)}: {occurrence.reason}{advice}")


def _note_line(note: Note) -> str:
    word = "edited" if note.edited else "warning" if note.weight == "warning" else "note"
    return escape(f"{Place(note.path, note.line, note.column)}: {word}: {note.message}")


def _order(item: Occurrence | Note) -> tuple[str, int, int]:
    return item.path, item.line or 0, item.column or 0


def details(conversion: Conversion, *, verbose: bool) -> Iterator[str]:
    """Lines that a person must see: each request that is still open, and the notes that warn.

    verbose: each request and each note
    """
    shown = [found for found in conversion.occurrences if verbose or is_open(found)]
    yield from map(occurrence_line, sorted(shown, key=_order))
    notes = [note for note in conversion.notes if verbose or note.weight == "warning"]
    yield from map(_note_line, sorted(notes, key=_order))


def _assumed(conversion: Conversion, *, verbose: bool) -> Iterator[str]:
    if verbose:
        yield from (f"assumed: {escape(each)}" for each in conversion.assumptions)
        return
    own = [each for each in conversion.assumptions if each == WHOLE_GPUS]
    brief = ", ".join(conversion.target.brief())
    yield f"assumed: {escape('; '.join(filter(None, [*own, brief])))} (-v says more)"


def _settled(need: ClassNeed) -> bool:
    return need.state == "served" or (need.state == "needed" and bool(need.reason))


def _class_line(need: ClassNeed) -> str:
    """What a DeviceClass is needed for, and how to get it."""
    how = need.reason if need.state == "told" else "needed: --device-classes FILE writes it"
    return f"DeviceClass {need.name} for {need.resource}: {how}"


def _none(conversion: Conversion, files: int) -> str:
    """What is said where there is no request."""
    if not files:
        return NO_FILES
    templates = any(note.topic == "template" for note in conversion.notes)
    later = "; what templates ask for shows only when they are rendered" if templates else ""
    return f"no GPU requests in {counted(files, 'file')}{later}"


def summary(conversion: Conversion, *, files: int, verbose: bool) -> Iterator[str]:
    """Lines: the totals, the DeviceClasses to be made, the assumptions, how many notes are not shown.

    files    how many were read
    verbose  all assumptions, one a line
    """
    outcomes = Counter(occurrence.outcome for occurrence in conversion.occurrences)
    total = len(conversion.occurrences)
    if total:
        counts = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in Outcome)
        yield f"{counted(total, 'GPU request')}: {counts}"
    else:
        yield _none(conversion, files)
    by_name = sum(each.mode == "extended-resource" for each in conversion.occurrences)
    if by_name:
        shown = "" if verbose else " (-v shows them)"
        yield f"{counted(by_name, 'request')} by resource name, for DRA to serve{shown}"
    yield from (escape(_class_line(need)) for need in conversion.classes if not _settled(need))
    if total and conversion.assumptions:
        yield from _assumed(conversion, verbose=verbose)
    edited = sum(note.edited for note in conversion.notes)
    if edited:
        yield f"{counted(edited, 'edit')} beside the requests, by --companions"
    hidden = 0 if verbose else sum(note.weight == "info" and not note.edited for note in conversion.notes)
    if hidden:
        yield f"{counted(hidden, 'note')}: shown with -v, and in the file of --report"


def for_terminal(diff: str, *, colored: bool) -> str:
    """A diff to look at: what a terminal would obey is escaped; it can no longer be applied."""
    return "\n".join(_shown(line.removesuffix("\r"), colored) for line in diff.split("\n"))


def _shown(line: str, colored: bool) -> str:
    text = "\t".join(map(escape, line.split("\t")))
    for start, color in _DIFF_COLORS if colored else ():
        if text.startswith(start):
            return f"{color}{text}{_RESET}"
    return text
