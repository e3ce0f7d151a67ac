"""removed-dra-api-version: alpha versions of DRA that the target does not have any more."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import claim_spec
from dralint.lint.rewriting import flat_paths, holds_comment, to_stable
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# From v1alpha3 on a claim has the shape it has today; before, a vendor's parameters object made it.
_CLASSIC = ("v1alpha1", "v1alpha2")


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an object in an alpha version that the target does not have."""
    api = subject.facts["api"]
    assert isinstance(api, dict)
    obj = subject.object
    served, state = api["served"], api["state"]
    gone = state == "removed" or (state == "unknown" and served is not None)
    if not obj.version.startswith("v1alpha") or not gone:
        return
    since = f" since {api['removed_in']}" if api["removed_in"] else ""
    spec = claim_spec(obj)
    if obj.version in _CLASSIC or served is None:
        advice = "it has no counterpart: rewrite what it asks for as a resource.k8s.io/v1 claim with selectors and config"
        operations, loses = None, False
    else:
        advice = f"write it as {served}"
        operations = to_stable(spec) if spec else None
        loses = holds_comment(obj, *flat_paths(spec)) if spec else False
    values = {"since": since, "advice": advice, "target": str(run.target.kubernetes)}
    yield Hit("apiVersion", values, None, (), tuple(operations or ()), "unsafe" if loses else "safe")
