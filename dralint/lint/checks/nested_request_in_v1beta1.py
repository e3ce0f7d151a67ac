"""nested-request-in-v1beta1: `exactly` came with v1beta2."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import claim_spec
from dralint.kube.versions import api_version_state
from dralint.lint.rewriting import STABLE, flat_paths, flatten, holds_comment, to_stable
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation
from dralint.yamltext.view import entries


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a request with `exactly`; the fix takes the object to v1, or flattens where v1 is not served."""
    obj = subject.object
    spec = claim_spec(obj)
    nested = [each for each in spec.requests if "exactly" in entries(each.node)] if spec else []
    if not subject.facts["flat_version"] or not spec or subject.path not in [each.path for each in nested]:
        return
    request = next(each for each in nested if each.path == subject.path)
    served = api_version_state(STABLE, obj.ref.kind or "", run.target.kubernetes).state == "served"
    operations: list[Operation] | None = []
    if not served:
        operations = flatten(obj, request)
        loses = holds_comment(obj, (*request.path, "exactly"))
        advice = f"put its fields directly into the request for {obj.ref.api_version}"
    else:
        # One edit repairs all requests of the object.
        operations = to_stable(spec) if request is nested[0] else []
        loses = holds_comment(obj, *flat_paths(spec))
        advice = f"write apiVersion: {STABLE}, where it is right"
    yield Hit("exactly", {"advice": advice}, None, (), tuple(operations or ()), "unsafe" if loses else "safe")
