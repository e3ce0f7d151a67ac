"""shares-conflicting-config: claims that can share a device have to configure it alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.dra import CLAIM, GROUP, TEMPLATE, ClaimSpec, claim_spec
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.yamltext.view import get, plain, string

_CLASS, _KIND = "gpu.nvidia.com", "GpuConfig"


def _alone(spec: ClaimSpec) -> tuple[object, ...] | None:
    """What decides on which GPUs the claim's only request can land; None where it has others."""
    if len(spec.requests) != 1 or spec.requests[0].device_class != _CLASS:
        return None
    return tuple(each.expression for each in spec.requests[0].selectors)


def _sharing(spec: ClaimSpec) -> Any:
    """The `sharing` block that the claim's GPU gets; None: exclusive."""
    for config in reversed(spec.configs):
        if string(get(config.parameters, "kind")) == _KIND:
            return plain(get(config.parameters, "sharing"), 1000)
    return None


def _claims(run: Run) -> Iterator[tuple[KubeObject, ClaimSpec]]:
    for obj in run.bundle.objects:
        if obj.group == GROUP and obj.ref.kind in (CLAIM, TEMPLATE) and not obj.template:
            spec = claim_spec(obj)
            if spec is not None:
                yield obj, spec


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim whose GPU an earlier claim with another config can be given, too."""
    if run.target.driver_gate("ConsumableShares") is not True or subject.facts["what"] == "class":
        return
    own = spec_of(subject.object)
    place = _alone(own) if own is not None else None
    if own is None or place is None:
        return
    for obj, spec in _claims(run):
        if obj is subject.object:
            return
        if _alone(spec) == place and _sharing(spec) != _sharing(own):
            where = own.configs[-1].path if own.configs else own.requests[0].path
            values = {"other": f"{obj.ref.kind} {obj.ref.name}"}
            yield Hit(where, values, related=((obj, spec.path, "the other claim"),))
            return
