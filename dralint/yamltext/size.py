"""How large a file may be that is edited, and what may become of it."""

from __future__ import annotations

from collections.abc import Sequence

from dralint.yamltext.compose import Document
from dralint.yamltext.events import MAX_EDITED, MAX_MADE, TOO_MANY_MADE, TOO_MANY_TO_EDIT
from dralint.yamltext.operations import Append, Insert, InsertDocument, Operation, Put
from dralint.yamltext.view import Plain

# Operations that write more than a scalar.
_WRITING = (Append, Insert, InsertDocument, Put)


def _events_of(documents: Sequence[Document]) -> int:
    return sum(document.events for document in documents)


def too_large(documents: Sequence[Document]) -> str | None:
    """Why a file with these documents is not edited, if it is too large."""
    return TOO_MANY_TO_EDIT if _events_of(documents) > MAX_EDITED else None


def _written(groups: Sequence[Sequence[Operation]]) -> int:
    """About how many events it takes to read what the operations write."""
    count = 0
    waiting: list[Plain] = [
        operation.value for group in groups for operation in group if isinstance(operation, _WRITING)
    ]
    while waiting and count <= MAX_MADE:
        value = waiting.pop()
        count += 1
        if isinstance(value, dict):
            count += 1 + len(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            count += 1
            waiting.extend(value)
    return count


def becomes_too_large(documents: Sequence[Document], groups: Sequence[Sequence[Operation]]) -> str | None:
    """Why groups of operations are not carried out, if they would make a file that is too large."""
    return TOO_MANY_MADE if _events_of(documents) + _written(groups) > MAX_MADE else None
