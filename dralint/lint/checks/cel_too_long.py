"""cel-too-long: the API server takes selectors of 10 KiB at most."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.device.limits import MAX_BYTES
from dralint.lint.run import Run
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Slip
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject


def find(view: View) -> Iterator[Slip]:
    """Selectors of more bytes than the API allows."""
    for index, written in enumerate(view.selectors):
        size = len(written.text.encode(errors="surrogatepass"))
        if size > MAX_BYTES:
            yield Slip(index, values={"size": f"{size:,}", "most": f"{MAX_BYTES:,}"})


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a selector that is too long; nothing else is said of it."""
    yield from hits("cel_too_long", subject, run)
