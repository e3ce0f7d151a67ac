"""kind-in-wrong-group: a kind of the DRA API or of NVIDIA's under an API version that does not have it."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.versions import api_version_state, api_versions_of, dra_kinds
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.api_kinds import api_versions, is_group

_DOMAIN = "ComputeDomain"


def _right(kind: str, run: Run) -> str | None:
    """The apiVersion that has a kind; None for kinds of others."""
    target = run.target.kubernetes
    if kind in dra_kinds():
        served = (
            each
            for each in api_versions_of(kind, target)
            if api_version_state(each, kind, target).state == "served"
        )
        return next(served, None)
    return api_versions().get(kind)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a kind whose apiVersion is of NVIDIA's groups, or of Kubernetes' own, and does not have it.

    Groups of others may have a kind of that name (ClusterPolicy of Kyverno); what is wrong below resource.k8s.io and in a
    ComputeDomain of the right group has rules of its own.
    """
    obj = subject.object
    kind, given = obj.ref.kind, obj.ref.api_version
    if kind is None or given is None or templated(given) or not (is_group(obj.group) or obj.group == ""):
        return
    right = _right(kind, run)
    if right is None or given == right:
        return
    if kind == _DOMAIN and obj.group == right.partition("/")[0]:
        return
    yield Hit("apiVersion", {"right": right})
