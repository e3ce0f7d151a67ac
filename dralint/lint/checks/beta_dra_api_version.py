"""beta-dra-api-version: beta versions are off by default and go away; v1 is there."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import STABLE, fixed, flat_paths, to_stable
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a beta version of an object that the target serves in another version by default."""
    api = subject.facts["api"]
    assert isinstance(api, dict)
    obj, served, removed = subject.object, api["served"], api["state"] == "removed"
    if not obj.version.startswith("v1beta") or served is None or served == obj.ref.api_version:
        return
    if not removed and api["state"] != "opt-in":
        return
    target = f"Kubernetes {run.target.kubernetes}"
    later = f", and it is gone in {api['removed_in']}" if api["removed_in"] else ""
    what = (
        f"{target} no longer has it, it was removed in {api['removed_in']}"
        if removed
        else f"{target} serves it only where the cluster turns it on (--runtime-config){later}"
    )
    values = {"what": what, "served": str(served)}
    hit = Hit("apiVersion", values)
    spec = spec_of(obj) if served == STABLE else None
    yield fixed(hit, run, obj, lambda: to_stable(spec) if spec else None, flat_paths(spec) if spec else ())
