"""flat-request-in-v1: since v1beta2 what a request asks for stands under `exactly`."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import claim_spec
from dralint.lint.rewriting import flat_fields, holds_comment, nest
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a request with flat fields; the fix moves them."""
    if subject.facts["flat_version"] or not subject.facts["flat_fields"]:
        return
    obj = subject.object
    spec = claim_spec(obj)
    request = next(each for each in spec.requests if each.path == subject.path) if spec else None
    assert request is not None
    fields = flat_fields(request)
    operations = nest(obj, request) or ()
    loses = holds_comment(obj, *((*request.path, field) for field in fields))
    yield Hit(
        "@flat_field",
        {"fields": ", ".join(fields)},
        None,
        (),
        tuple(operations),
        "unsafe" if loses else "safe",
    )
