"""flat-request-in-v1: since v1beta2 what a request asks for stands under `exactly`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import fixed, flat_fields, nest
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import request_of


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a request with flat fields; the fix moves them."""
    if subject.facts["flat_version"] or not subject.facts["flat_fields"]:
        return
    obj, request = subject.object, request_of(subject)
    fields = flat_fields(request)
    hit = Hit("@flat_field", {"fields": ", ".join(fields)})
    yield fixed(hit, run, obj, lambda: nest(obj, request), [(*request.path, field) for field in fields])
