"""nested-request-in-v1beta1: `exactly` came with v1beta2."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.versions import api_version_state
from dralint.lint.rewriting import STABLE, fixed, flat_paths, flatten, to_stable
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import request_of, spec_of
from dralint.yamltext.view import entries


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a request with `exactly`; the fix takes the object to v1, or flattens where v1 is not served."""
    obj, spec, request = subject.object, spec_of(subject.object), request_of(subject)
    if not subject.facts["flat_version"] or spec is None or "exactly" not in entries(request.node):
        return
    if api_version_state(STABLE, obj.ref.kind or "", run.target.kubernetes).state != "served":
        advice = f"put its fields directly into the request for {obj.ref.api_version}"
        moved = [(*request.path, "exactly")]
        yield fixed(Hit("exactly", {"advice": advice}), run, obj, lambda: flatten(obj, request), moved)
        return
    hit = Hit("exactly", {"advice": f"write apiVersion: {STABLE}, where it is right"})
    # One edit repairs all requests of the object.
    first = next(each for each in spec.requests if "exactly" in entries(each.node))
    repairs = request.path == first.path
    yield fixed(
        hit, run, obj, lambda: to_stable(spec) if repairs else None, flat_paths(spec) if repairs else ()
    )
