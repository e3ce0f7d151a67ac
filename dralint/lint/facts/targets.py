"""The subject of a run's target: `platform`, where the named files say what a cluster is.

That is at the first installation of the driver; with --complete also at the first object that uses DRA. Those who
only write workloads are not told of a cluster that is not theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLAIM, CLASS, GROUP, TEMPLATE
from dralint.kube.objects import KubeObject
from dralint.kube.versions import end_of_life
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.compute_domains import is_domain
from dralint.lint.subject import Subject
from dralint.nvidia.gates import exclusions
from dralint.nvidia.health import branch_end, fault, known_on, least_gpu_driver, least_kubernetes, older
from dralint.yamltext.view import Path, Plain

KINDS = frozenset({"platform"})
_KINDS = (CLAIM, TEMPLATE, CLASS)
# The driver's chart needs a driver, whoever installs it.
_ANY_STACK = "standalone"


def _first(around: Surroundings) -> tuple[KubeObject, Path] | None:
    """Where findings about the target stand."""
    files = {id(file) for file in around.run.files}
    for install in around.installations.named:
        if install.stack is not None and id(install.object.file) in files:
            return install.object, install.path
    for file in around.run.files if around.run.complete else ():
        for obj in file.objects:
            in_group = obj.group == GROUP and obj.ref.kind in _KINDS
            if (in_group or is_domain(obj)) and not obj.template:
                return obj, obj.path
    return None


def driver_facts(version: str | None, stack: str | None, around: Surroundings) -> dict[str, Plain]:
    """What is of a GPU driver: too old for what, without what, and until when it gets fixes.

    stack: None where nothing says that the DRA driver is there at all
    """
    needs = [] if stack is None else [_ANY_STACK if stack == "unknown" else stack]
    objects = around.run.bundle.objects
    if any(is_domain(obj) for obj in objects):
        needs.append("compute-domain")
    least = [each for need in needs if (each := least_gpu_driver(need)) is not None]
    failing = [each for each in least if version is not None and older(version, each.version)]
    end = branch_end(version) if version is not None else None
    lacks = None
    if version is not None:
        text = (said for each in around.run.bundle.files for said in each.said)
        lacks = next((found for data in text if (found := fault(version, data)) is not None), None)
    return {
        "gpu_driver": version,
        "gpu_driver_needs": failing[0].version if failing else None,
        "gpu_driver_for": failing[0].says if failing else None,
        "gpu_driver_lacks": lacks,
        "gpu_driver_until": None if end is None else end.isoformat(),
        "gpu_driver_days": None if end is None else (end - known_on()).days,
    }


def run_subjects(around: Surroundings) -> Iterator[Subject]:
    """The subject of the target, if the files say what a cluster is."""
    place = _first(around)
    if place is None:
        return
    target = around.run.target
    end = end_of_life(target.kubernetes)
    least = least_kubernetes()
    version = (*target.kubernetes, *(() if target.patch is None else (target.patch,)))
    on = {name for name, value in target.gates.items() if value} - target.doubted
    installed = [{gate.name for gate in each.gates if gate.value} for each in around.installations.named]
    # Of what one installation says there is a finding at its gates.
    pairs = [
        f"{first} and {second}"
        for first, second in exclusions(target.dra_driver)
        if {f"driver:{first}", f"driver:{second}"} <= on
        and not any({first, second} <= gates for gates in installed)
    ]
    facts: dict[str, Plain] = {
        "version": ".".join(map(str, version)),
        "kubernetes_until": None if end is None else end.until.isoformat(),
        "kubernetes_days": None if end is None else (end.until - known_on()).days,
        "kubernetes_over": end is not None and end.over,
        "kubernetes_least": ".".join(map(str, least)),
        "kubernetes_too_old": version < least[: len(version)],
        "gates_excluded": [*pairs],
        **driver_facts(target.gpu_driver, target.stack, around),
    }
    yield around.subject("platform", *place, facts, {"gpu_driver": place})
