"""removed-dra-api-version: alpha versions of DRA that the target does not have any more."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import STABLE, fixed, flat_paths, to_stable
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of

# From v1alpha3 on a claim has the shape it has today; before, a vendor's parameters object made it.
_CLASSIC = ("v1alpha1", "v1alpha2")


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an object in an alpha version that the target does not have."""
    api = subject.facts["api"]
    assert isinstance(api, dict)
    obj, served = subject.object, api["served"]
    gone = api["state"] == "removed" or (api["state"] == "unknown" and served is not None)
    if not obj.version.startswith("v1alpha") or not gone:
        return
    classic = obj.version in _CLASSIC or served is None
    advice = (
        "it has no counterpart: write what it asks for as a resource.k8s.io/v1 claim with selectors and config"
        if classic
        else f"write it as {served}"
    )
    since = f" since {api['removed_in']}" if api["removed_in"] else ""
    hit = Hit("apiVersion", {"since": since, "advice": advice, "target": str(run.target.kubernetes)})
    spec = spec_of(obj) if served == STABLE and not classic else None
    yield fixed(hit, run, obj, lambda: to_stable(spec) if spec else None, flat_paths(spec) if spec else ())
