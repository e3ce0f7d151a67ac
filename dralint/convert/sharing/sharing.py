"""What becomes of requests for parts of a device: `--sharing`, and what the options say of the cluster."""

from __future__ import annotations

from collections.abc import Sequence

from dralint.convert.claims import CLAIMED
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.options import Options
from dralint.convert.sharing.choosing import Choosing
from dralint.convert.sharing.cluster import Cluster
from dralint.convert.sharing.consumers import consumers, most_consumers
from dralint.convert.sharing.units import Unit, unit_of
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork, SharedClaim
from dralint.nvidia.configs import strategies
from dralint.nvidia.gates import driver_gates
from dralint.nvidia.resources import GpuResource
from dralint.nvidia.sharing import shares, strategy_of

EXCLUSIVE = "--sharing exclusive gives each a whole device"
_FILE = "--device-plugin-config FILE"
# What tells which MIG device one unit is.
LAYOUT = f"{_FILE} says the MIG strategy, and --mig-config FILE the layout of the nodes"


def _gate_advice(gate: str, value: str = "") -> str:
    """How a gate is switched on; value: of CONSUMABLE_SHARES, which goes with it."""
    more = f" and CONSUMABLE_SHARES={value}" if value else ""
    return f"run the driver with featureGates.{gate}=true{more}, and say so: --gate driver:{gate}=true"


def _gate_words(gate: str) -> str:
    return f"the driver's {driver_gates()[gate].stage} gate {gate}"


def choices(unit: Unit | None, count: int = 1) -> str:
    """What each value of --sharing would do for a request for `count` units, and what it needs."""
    if unit is None:
        return (
            f"{EXCLUSIVE}; shared-claim (one claim for all pods of a workload) and consumable (a share of a device "
            f"for each) need {_FILE}"
        )
    found = [EXCLUSIVE]
    strategy = strategies()[strategy_of(unit.way)] if unit.way is not None and count == 1 else None
    if strategy is not None and unit.device.base == "gpu":
        found.append(
            "shared-claim gives the pods of one workload one claim together, "
            f"which needs {_gate_words(strategy.gate)}"
        )
    if strategy is not None and unit.way == "timeSlicing" and unit.replicas is not None:
        found.append(
            f"consumable gives each one of {unit.replicas} shares of a device, which needs "
            f"{_gate_words(shares().gate)} and {shares().variable}={unit.replicas}"
        )
    return "; ".join(found)


def cluster_shares(cluster: Cluster) -> int | None:
    """The number that a driver is to split every device by; None where the configurations name none, or several."""
    numbers = {each.said.replicas for config in cluster.configs for each in config.shares}
    return numbers.pop() if len(numbers) == 1 else None


def _gated(gate: str, options: Options, value: str = "") -> Verdict | None:
    """The verdict where a gate of the target's driver is off."""
    state = options.target.driver_gate(gate)
    if state is None:
        why = f"DRA driver {options.target.dra_driver} has no gate {gate}"
        return needs_decision(f"it needs {_gate_words(gate)}, and {why}", EXCLUSIVE)
    return (
        None
        if state
        else needs_decision(f"it needs {_gate_words(gate)}, which is off", _gate_advice(gate, value))
    )


def _shared_claim(work: PodWork, unit: Unit, ground: Ground) -> Verdict | None:
    """The verdict on a request for a part of a GPU that the pods of a workload have together."""
    if unit.device.base != "gpu":
        return needs_decision(
            f"{unit.because}, and the driver does not share MIG devices by a claim's setting", choices(unit)
        )
    if unit.way is None or unit.replicas is None:
        return needs_decision(f"{unit.because}, and other configurations in another way", EXCLUSIVE)
    strategy = strategies()[strategy_of(unit.way)]
    gated = _gated(strategy.gate, ground.options)
    if gated is not None:
        return gated._replace(reason=f"{unit.because}; for one claim together {gated.reason}")
    if ground.options.target.driver_gate(shares().gate):
        why = f"with its gate {shares().gate} the driver may give the GPU to other claims, and refuses other settings on it"
        return needs_decision(f"{unit.because}, and {why}", EXCLUSIVE)
    pods = consumers(work, ground)
    if isinstance(pods, str):
        return needs_decision(f"{unit.because}; one claim for all pods may be wrong: {pods}", choices(unit))
    if pods.usual > unit.replicas:
        why = f"{pods.usual} pods need more than one GPU, and one claim for all of them holds one"
        return needs_decision(f"{unit.because}: {why}", choices(unit))
    if pods.most > most_consumers():
        why = f"{pods.most} pods with those of a roll-out, and at most {most_consumers()} can use one claim"
        return needs_decision(f"{unit.because}: {why}", choices(unit))
    work.shared = SharedClaim(strategy.name, unit.replicas)
    return None


def _consumable(work: PodWork, unit: Unit, ground: Ground) -> Verdict | None:
    """The verdict on a request for a part of a device that becomes a share of one."""
    options, known = ground.options, shares()
    if unit.way != "timeSlicing":
        how = (
            "MPS needs one claim together"
            if unit.way == "mps"
            else "other configurations share in another way"
        )
        return needs_decision(f"{unit.because}, and shares are time-sliced: {how}", choices(unit))
    number = cluster_shares(options.cluster)
    if number is None or number != unit.replicas:
        why = f"{known.variable} is one number for the whole cluster, and the configurations name several"
        return needs_decision(f"{unit.because}: {why}", EXCLUSIVE)
    gated = _gated(known.gate, options, str(number))
    if gated is not None:
        return gated._replace(reason=f"{unit.because}; for a share of a device {gated.reason}")
    if not options.target.kubernetes_gate(known.kubernetes_gate):
        why = f"a share of a device needs Kubernetes' gate {known.kubernetes_gate}, which {options.target.kubernetes} has off"
        advice = f"switch it on, and say so: --gate kubernetes:{known.kubernetes_gate}=true"
        return needs_decision(f"{unit.because}; {why}", advice)
    work.capacity[unit.device] = ((known.capacity, "1"),)
    return None


def _part(found: Found, unit: Unit, work: PodWork | None, ground: Ground) -> Verdict | None:
    """The verdict on a request for parts of a device."""
    sharing = ground.options.sharing
    count = found.read[0].value or 0
    if unit.fails and count > 1:
        return needs_decision(
            f"{unit.fails}, so the pod never ran with {count}",
            "write the count that it needs: 1 is a part of a device",
        )
    if sharing == "exclusive":
        found.because = f"a whole device of its own, by --sharing exclusive: {unit.because}"
        return None
    if sharing == "refuse":
        return needs_decision(f"one unit is not a whole device: {unit.because}", choices(unit, count))
    if count > 1:
        return needs_decision(
            f"{unit.because}, and {count} parts may be of one device or of several",
            f"write 1, or choose: {EXCLUSIVE}",
        )
    if work is None or work.way != "claims":
        return needs_decision(
            f"{unit.because}, and a request by resource name asks for whole devices", EXCLUSIVE
        )
    return (_shared_claim if sharing == "shared-claim" else _consumable)(work, unit, ground)


def _whole(_found: Found, unit: Unit, work: PodWork | None, ground: Ground) -> Verdict | None:
    """The verdict on a request for a device of its own, also of a driver that splits every device into shares."""
    options, by_name = ground.options, work is None or work.way != "claims"
    number = cluster_shares(options.cluster)
    if options.sharing == "consumable" and number is not None and options.target.driver_gate(shares().gate):
        if work is None or by_name:
            why = f"with {shares().variable}={number} a request by resource name takes one share of a device"
            return needs_decision(f"it asks for a whole device, and {why}", "use --mode claims")
        work.capacity[unit.device] = ((shares().capacity, str(number)),)
    return None


def unit_verdict(found: Found, work: PodWork | None, ground: Ground) -> tuple[Unit | None, Verdict | None]:
    """What a unit of the request is, and the verdict on it; None and None where nothing given tells.

    work: None for a request in no container. Notes down what the request stands for, and how its claim is shared.
    """
    if found.resource.base not in CLAIMED:
        return None, None
    unit = unit_of(
        found.resource, ground.options.cluster, work.choosing if work is not None else Choosing(None)
    )
    if unit is None:
        return None, None
    if unit.what == "unknown":
        if ground.options.sharing == "exclusive":
            return unit, None
        return unit, needs_decision(
            f"one unit may not be a whole device: {unit.because}", f"{unit.advice}; {EXCLUSIVE}"
        )
    if unit.device.base != found.resource.base and (work is None or work.way != "claims"):
        why = "a DeviceClass that serves the name hands out whole GPUs"
        return unit, needs_decision(
            f"{unit.because}; {why}", "use --mode claims, or ask for nvidia.com/mig-<profile>"
        )
    found.stands_for = unit.device
    found.because = unit.because
    return unit, (_part if unit.what == "shared" else _whole)(found, unit, work, ground)


def divided(work: PodWork) -> bool:
    """Whether the pod's claims give it parts of a device, as nodes with shared devices did."""
    parts = (tuple(number for _, number in taken) == ("1",) for taken in work.capacity.values())
    return work.shared is not None or any(parts)


def gate_of(work: PodWork) -> str | None:
    """The gate of the driver that the pod's claims rely on; None where they need none."""
    if work.shared is not None:
        return strategies()[work.shared.strategy].gate
    return shares().gate if work.capacity else None


def counts_parts(resource: GpuResource, ground: Ground) -> bool:
    """Whether a unit of the resource may be a part of the device of its class: a share, or a MIG device."""
    cluster = ground.options.cluster
    single = [each.mig_strategy for each in cluster.configs] + [*(cluster.strategy or ())[:1]]
    shared = resource.name in ground.evidence.shared and ground.options.sharing != "exclusive"
    return shared or (resource.base == "gpu" and "single" in single)


def joint_verdict(work: PodWork) -> Verdict | None:
    """The verdict on a pod whose one claim together with others is not enough for its needs."""
    claims = work.claims.claims if work.claims else ()
    if work.shared is None or (len(claims) == 1 and len(claims[0].requests) == 1):
        return None
    return needs_decision(
        "its containers need several devices, and the claim of all pods holds one", EXCLUSIVE
    )


def unit_assumptions(found: Sequence[Found], options: Options, usual: str) -> list[str]:
    """What was taken for granted of the units of converted requests; usual: where nothing tells."""
    moved = [each for each in found if each.verdict is not None and each.verdict.way is not None]
    stated = []
    if options.sharing == "exclusive":
        stated.append("each unit asked for gets a whole device of its own (--sharing exclusive)")
    elif any(each.stands_for is None for each in moved if each.resource.base in CLAIMED):
        stated.append(usual)
    if options.cluster.configs and any(each.stands_for is not None for each in moved):
        names = dict.fromkeys(config.place.path for config in options.cluster.configs)
        stated.append(f"the device plugin runs with {', '.join(names)}")
    known, number = shares(), cluster_shares(options.cluster)
    if any(each.verdict and each.verdict.claim and each.verdict.claim.capacity for each in moved):
        stated.append(f"the DRA driver runs with {known.variable}={number} on all nodes")
    elif options.target.driver_gate(known.gate):
        stated.append(
            f"{known.variable} is not set, or memory: with a number a claim takes one share of its device"
        )
    return stated
