"""shares-conflicting-config: claims that can share a device have to configure it alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from dralint.kube.dra import CLAIM, GROUP, TEMPLATE, ClaimSpec, claim_spec
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.yamltext.view import get, plain, string

_CLASS, _KIND = "gpu.nvidia.com", "GpuConfig"
_NAME = "shares-conflicting-config"


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


class _Claim(NamedTuple):
    """The first claim with this sharing among those that can land on the same GPUs."""

    object: KubeObject
    spec: ClaimSpec
    sharing: Any


def _claims(run: Run) -> dict[tuple[object, ...], list[_Claim]]:
    """The claims of the named files by where they can land, in their order; of equal ones the first."""
    if _NAME not in run.shared:
        found: dict[tuple[object, ...], list[_Claim]] = defaultdict(list)
        for obj in run.bundle.objects:
            if obj.group != GROUP or obj.ref.kind not in (CLAIM, TEMPLATE) or obj.template:
                continue
            spec = claim_spec(obj)
            place = _alone(spec) if spec is not None else None
            if spec is not None and place is not None:
                sharing = _sharing(spec)
                if all(each.sharing != sharing for each in found[place]):
                    found[place].append(_Claim(obj, spec, sharing))
        run.shared[_NAME] = found
    known: dict[tuple[object, ...], list[_Claim]] = run.shared[_NAME]
    return known


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim whose GPU an earlier claim with another config can be given, too."""
    if run.target.driver_gate("ConsumableShares") is not True or subject.facts["what"] == "class":
        return
    own = spec_of(subject.object)
    place = _alone(own) if own is not None else None
    if own is None or place is None:
        return
    first = next(iter(_claims(run).get(place, ())), None)
    if first is not None and first.object is not subject.object and first.sharing != _sharing(own):
        where = own.configs[-1].path if own.configs else own.requests[0].path
        values = {"other": f"{first.object.ref.kind} {first.object.ref.name}"}
        yield Hit(where, values, related=((first.object, first.spec.path, "the other claim"),))
