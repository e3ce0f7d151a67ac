"""mps-with-shares-or-dynamic-mig: MPS takes a device that is there, for one claim."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.configs import config_kinds

_GATES = {
    "ConsumableShares": "use time-slicing, or MPS on a cluster whose driver does not hand out shares",
    "DynamicMIG": "use static MIG layouts, or leave `sharing` out",
}


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for MPS with one of the gates on; of DynamicMIG and MPSSupport the driver itself complains."""
    kind = config_kinds().get(str(subject.facts["kind"]))
    if subject.facts["strategy"] != "MPS" or kind is None or kind.driver != subject.facts["driver"]:
        return
    for gate, advice in _GATES.items():
        if run.target.driver_gate(gate) and f"driver:{gate}" not in run.target.doubted:
            yield Hit("", {"gate": gate, "advice": advice})
            return
