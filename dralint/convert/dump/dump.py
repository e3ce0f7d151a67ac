"""The conversions of a dump's parts put together: one new text of the whole file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from dralint.convert.model import FileResult
from dralint.errors import InternalError
from dralint.kube.dump import Dump
from dralint.yamltext.excerpt import Excerpt
from dralint.yamltext.operations import Edit
from dralint.yamltext.splice import splice
from dralint.yamltext.verify import check_outside


def _edits(results: Sequence[FileResult]) -> list[Edit]:
    """The edits of all parts, in the whole text; raises InternalError where one reaches out of its item."""
    edits: list[Edit] = []
    for result in results:
        text = result.file.text
        if result.error is None:
            assert isinstance(text, Excerpt)
            edits.extend(text.in_whole(edit) for edit in result.edits)
    if any(after.start < before.end for before, after in pairwise(edits)):
        raise InternalError("the edits of two items overlap")
    return edits


def joined(dump: Dump, results: Sequence[FileResult]) -> FileResult:
    """The whole file with the edits of its parts; an error of one of them is the file's."""
    text = dump.text.text
    error = next((result.error for result in results if result.error is not None), None)
    if error is None:
        try:
            edits = _edits(results)
            new = splice(text, edits)
            check_outside(text, new, edits)
            return FileResult(dump.whole, dump.text.encode(new), None, edits)
        except InternalError as wrong:
            error = str(wrong)
    return FileResult(dump.whole, dump.source.data, error)
