"""beta-dra-api-version: beta versions are off by default and go away; v1 is there."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import claim_spec
from dralint.lint.finding import Severity
from dralint.lint.rewriting import STABLE, flat_paths, holds_comment, to_stable
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a beta version of an object that the target serves in another version by default."""
    api = subject.facts["api"]
    assert isinstance(api, dict)
    obj = subject.object
    served, state = api["served"], api["state"]
    if not obj.version.startswith("v1beta") or served is None or served == obj.ref.api_version:
        return
    if state not in ("opt-in", "removed"):
        return
    target = f"Kubernetes {run.target.kubernetes}"
    severity: Severity = "error" if state == "removed" else "warning"
    when = f", and it is gone in {api['removed_in']}" if api["removed_in"] else ""
    what = (
        f"{target} no longer has it: it was removed in {api['removed_in']}"
        if state == "removed"
        else f"{target} serves it only when the cluster turns it on (--runtime-config){when}"
    )
    spec = claim_spec(obj) if served == STABLE else None
    operations = to_stable(spec) if spec else None
    loses = holds_comment(obj, *flat_paths(spec)) if spec else False
    values = {"what": what, "served": str(served)}
    yield Hit("apiVersion", values, severity, (), tuple(operations or ()), "unsafe" if loses else "safe")
