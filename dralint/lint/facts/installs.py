"""Subjects of what installs the driver: `install`, and `gate_setting` for each feature gate it sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.errors import UsageError
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.placeholders import templated
from dralint.lint.facts.targets import driver_facts
from dralint.lint.subject import Subject
from dralint.nvidia.gates import (
    doubtful_pairs,
    driver_gates,
    exclusions,
    gate_default,
    release,
    release_text,
    requirements,
)
from dralint.nvidia.installs import GateSetting, Install, installs
from dralint.nvidia.nearest import nearest
from dralint.nvidia.target import GATE_GROUPS
from dralint.yamltext.view import Path, Plain

KINDS = frozenset({"install", "gate_setting"})
Anchors = dict[str, tuple[KubeObject, Path]]


def _driver_version(install: Install, around: Surroundings) -> str:
    """The version of the DRA driver it installs, or the target's where it does not say one."""
    written = (install.dra_driver or "").removeprefix("v")
    try:
        release(written)
    except UsageError:
        return around.run.target.dra_driver
    return written


def _on(install: Install, name: str, version: str) -> bool:
    """Whether a gate is on in the driver that it installs."""
    given = {gate.name: gate.value for gate in install.gates}
    gate = driver_gates().get(name)
    group = GATE_GROUPS.get(gate.stage) if gate else None
    default = gate_default(name, version) is True
    of_group = given.get(group or "")
    value = given.get(name)
    return value if value is not None else of_group if of_group is not None else default


def _stack(install: Install, beside: Sequence[Install]) -> str | None:
    """Who installs the DRA driver where this is installed; None: nothing says that there is one."""
    return next((each.stack for each in [install, *beside] if each.stack is not None), None)


def _install(install: Install, around: Surroundings) -> Subject:
    obj = install.object
    beside = around.installations.beside(install)
    anchors: Anchors = {}
    for other in beside:
        anchors.setdefault(f"beside_{other.kind.what}", (other.object, other.path))
    shares = install.variable("CONSUMABLE_SHARES")
    if shares is not None:
        anchors["shares"] = (obj, shares[1])
    prefix = ("spec",) if install.kind.resource is not None else ()
    anchors["gpu_driver"] = (obj, (*install.path, *(install.kind.gpu_driver or ())))
    anchors["cdi"] = (obj, (*install.path, *prefix, "cdi", "enabled"))
    version = _driver_version(install, around)
    facts: dict[str, Plain] = {
        "what": install.kind.what,
        "title": install.kind.title,
        "partial": install.partial,
        "stack": install.stack,
        "settings": {name: install.value(name) for name in install.kind.settings},
        "given": [name for name in install.kind.settings if install.given(name)],
        "templated": [name for name in install.kind.settings if templated(_text(install.value(name)))],
        "gates": {gate.name: gate.value for gate in install.gates},
        "gates_on": [name for name in driver_gates() if _on(install, name, version)],
        "shares": None if shares is None else shares[0],
        "dra_driver": version,
        "beside_stacks": [*sorted({each.stack for each in beside if each.stack is not None})],
        "plugin_beside": any(each.runs_device_plugin for each in beside),
        "driver_beside": any(each.manages_driver for each in beside),
        "uses_dra": around.uses_dra(obj),
        **driver_facts(install.gpu_driver, _stack(install, beside), around),
        "beside": [*sorted({other.kind.what for other in beside})],
    }
    return around.subject("install", obj, install.path, facts, anchors)


def _text(value: Plain) -> str | None:
    return value if isinstance(value, str) else None


def _gate(install: Install, gate: GateSetting, around: Surroundings) -> Subject:
    version = _driver_version(install, around)
    known = driver_gates().get(gate.name)
    on = gate.value is True
    group = gate.name in GATE_GROUPS.values()
    excluded = [
        first if second == gate.name else second
        for first, second in exclusions(version)
        if gate.name in (first, second)
    ]
    doubtful = [
        first if second == gate.name else second
        for first, second in doubtful_pairs()
        if gate.name in (first, second)
    ]
    needed = [second for first, second in requirements(version) if first == gate.name]
    kubernetes = known.kubernetes if known else None
    facts: dict[str, Plain] = {
        "name": gate.name,
        "value": gate.value,
        "what": install.kind.what,
        "title": install.kind.title,
        "known": group or (known is not None and gate_default(gate.name, version) is not None),
        "group": group,
        "since": release_text(known.since) if known else None,
        "nearest": None if known or group else nearest(gate.name, driver_gates()),
        "enables": known.enables if known else None,
        "stage": known.stage if known else None,
        "excluded": [name for name in excluded if on and _on(install, name, version)],
        "doubtful": [name for name in doubtful if on and _on(install, name, version)],
        "on_by_default": [
            each.name
            for each in driver_gates().values()
            if each.stage == "beta" and _on(install, each.name, version)
        ],
        "missing": [name for name in needed if on and not _on(install, name, version)],
        "kubernetes_gate": kubernetes,
        "kubernetes_gate_on": None if kubernetes is None else around.run.target.kubernetes_gate(kubernetes),
        "dra_driver": version,
    }
    return around.subject("gate_setting", install.object, gate.path, facts)


def subjects(obj: KubeObject, kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The installations of an object or of a file of values, and the gates they set."""
    for install in installs(obj):
        if "install" in kinds:
            yield _install(install, around)
        if "gate_setting" in kinds:
            for gate in install.gates:
                yield _gate(install, gate, around)
