"""dra-api-version-unknown: a kind or version of resource.k8s.io that the API server does not serve."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import GROUP
from dralint.kube.versions import api_versions_of, dra_kinds
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.api_kinds import api_versions
from dralint.nvidia.nearest import did_you_mean


def _advice(kind: str, served: str | None, run: Run) -> str:
    """What to write instead: a version that is served, or the kind that was meant."""
    if served is not None:
        return f"; write {served}"
    if api_versions_of(kind, run.target.kubernetes):
        return ""
    if kind in api_versions():
        return f"; it is of {api_versions()[kind]}"
    meant = did_you_mean(kind, dra_kinds())
    return f"; {meant}" if meant else ""


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a kind or version that the target does not have yet, or that there never was."""
    state, obj = subject.facts["api"], subject.object
    kind, version = obj.ref.kind, (obj.ref.api_version or "").partition("/")[2]
    if obj.group != GROUP or kind is None or kind.endswith("List") or not isinstance(state, dict):
        return
    never = state["state"] == "unknown" and not version.startswith("v1alpha")
    if never or state["state"] == "not-yet":
        served = state["served"]
        yield Hit("apiVersion", {"advice": _advice(kind, served if isinstance(served, str) else None, run)})
