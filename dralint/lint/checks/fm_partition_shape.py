"""fm-partition-shape: with fabric partitions, several GPUs must be a partition."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of

_GATE = "FabricManagerPartitioning"
_CLASS = "gpu.nvidia.com"
_ATTRIBUTE = "gpu.nvidia.com/partition"
# NVSwitch systems have partitions of these sizes. Source: NVIDIA Fabric Manager user guide, shared NVSwitch mode.
_SIZES = (2, 4, 8)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim of several GPUs that no constraint holds to one partition."""
    spec = spec_of(subject.object)
    if spec is None or subject.facts["what"] == "class" or run.target.driver_gate(_GATE) is not True:
        return
    asks = [ask for request in spec.requests for ask in [request.ask] if ask is not None]
    gpus = [ask for ask in asks if ask.device_class == _CLASS]
    number = sum(ask.count or 1 for ask in gpus)
    held = any((each.match_attribute or "").startswith(_ATTRIBUTE) for each in spec.constraints)
    if number > 1 and not held and not any(ask.mode == "All" for ask in gpus):
        size = next((size for size in _SIZES if size >= number), _SIZES[-1])
        at = (*gpus[0].path, "count" if gpus[0].count else "deviceClassName")
        yield Hit(at, {"number": str(number), "attribute": f"{_ATTRIBUTE}{size}"})
