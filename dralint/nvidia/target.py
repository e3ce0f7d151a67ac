"""What the manifests will run on: Kubernetes and driver versions, feature gates, who installs the driver."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from dralint.errors import UsageError
from dralint.kube import versions
from dralint.kube.versions import Version
from dralint.nvidia import gates as driver
from dralint.nvidia.nearest import did_you_mean

Stack = Literal["operator", "standalone", "unknown"]
Component = Literal["kubernetes", "driver"]
STACKS: tuple[Stack, ...] = get_args(Stack)
_GATE = re.compile(r"(?:(kubernetes|driver):)?([A-Za-z0-9]+)=(.*)", re.DOTALL)
_BOOLEANS = {"true": True, "false": False}
# Settings that stand for all gates of a stage; every component of Kubernetes and the driver take them.
GATE_GROUPS = {"alpha": "AllAlpha", "beta": "AllBeta", "beta-off": "AllBeta"}
_GPU_DRIVER = re.compile(r"[1-9][0-9]{2,3}(\.[0-9]+){0,2}")
_PATCH = re.compile(r"v?[0-9]+\.[0-9]+\.([0-9]{1,4})")
# What is taken for granted where nobody says otherwise; what files tell replaces it.
_NEWEST = ", the newest release known"
_NEWEST_DRIVER = f"DRA driver {{version}}{_NEWEST}"
_NO_STACK = "who installs the driver is unknown"
_NO_GATES = "feature gates at their defaults"
# In few words; "": not worth any.
_BRIEF = {_NO_STACK: "driver install unknown", _NO_GATES: ""}


@dataclass(frozen=True)
class Target:
    """What the manifests will run on.

    patch       of Kubernetes, None where nobody said it
    doubted     gates that are on in one of the installations among the files, and not in another that may be the one
    dra_driver  as asked for, without a leading v: "0.5.1", "25.12.0"
    gpu_driver  branch or version of the GPU driver: "580", "580.95.05"; None: not said
    gates       the gates that were set by hand, by "kubernetes:NAME" or "driver:NAME"
    assumed     what nobody said and was taken to be the default, one sentence each
    """

    kubernetes: Version
    dra_driver: str
    gpu_driver: str | None = None
    stack: Stack = "unknown"
    gates: Mapping[str, bool] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()
    patch: int | None = None
    doubted: frozenset[str] = frozenset()

    def kubernetes_gate(self, name: str) -> bool | None:
        """Whether a gate of Kubernetes is on; None where the target's version has no such gate."""
        gate = versions.gates().get(name)
        stage = gate.stage(self.kubernetes) if gate else None
        return self._gate("kubernetes", name, stage, versions.gate_default(name, self.kubernetes))

    def driver_gate(self, name: str) -> bool | None:
        """Whether a gate of the DRA driver is on; None where the target's version has no such gate."""
        gate = driver.driver_gates().get(name)
        stage = gate.stage if gate else None
        return self._gate("driver", name, stage, driver.gate_default(name, self.dra_driver))

    def _gate(self, component: Component, name: str, stage: str | None, default: bool | None) -> bool | None:
        if default is None:
            return None
        group = GATE_GROUPS.get(stage or "")
        of_group = self.gates.get(f"{component}:{group}", default) if group else default
        return self.gates.get(f"{component}:{name}", of_group)

    def gate_set(self, component: Component, name: str) -> bool:
        """Whether somebody set the gate by hand, so that its state is known and not assumed."""
        return f"{component}:{name}" in self.gates

    def assumptions(self) -> list[str]:
        """What was taken for granted because nobody said otherwise, a sentence each."""
        return list(self.assumed)

    def brief(self) -> list[str]:
        """The assumptions in a few words each, without those that most people make themselves."""
        short = [_BRIEF.get(each, each.removesuffix(_NEWEST)) for each in self.assumed]
        return [each for each in short if each]


def _gate(setting: str, kubernetes: Version, dra_driver: str) -> dict[str, bool]:
    match = _GATE.fullmatch(setting.strip())
    if match is None:
        raise UsageError(
            f"gate {setting!r} cannot be read", advice="write [kubernetes:|driver:]NAME=true or =false"
        )
    component, name, word = match.groups()
    if word.lower() not in _BOOLEANS:
        raise UsageError(
            f"gate {name} is neither true nor false but {word!r}", advice=f"write {name}=true or {name}=false"
        )
    known: dict[str, set[str]] = {"kubernetes": set(versions.gates()), "driver": set(driver.driver_gates())}
    candidates = [component] if component else list(known)
    if name in GATE_GROUPS.values():
        return {f"{owner}:{name}": _BOOLEANS[word.lower()] for owner in candidates}
    owners = [each for each in candidates if name in known[each]]
    if not owners:
        names = {each for owner in candidates for each in known[owner]}
        where = {"kubernetes": "Kubernetes has", "driver": "the DRA driver has"}
        who = where[component] if component else "neither Kubernetes nor the DRA driver has"
        raise UsageError(
            f"{who} {'no' if component else 'a'} gate {name}",
            advice=did_you_mean(name, names) or "names are those of the component's --feature-gates",
        )
    defaults = {
        "kubernetes": versions.gate_default(name, kubernetes),
        "driver": driver.gate_default(name, dra_driver),
    }
    present = [owner for owner in owners if defaults[owner] is not None]
    if not present:
        targets = {"kubernetes": f"Kubernetes {kubernetes}", "driver": f"DRA driver {dra_driver}"}
        raise UsageError(
            f"{' and '.join(targets[owner] for owner in owners)} has no gate {name}",
            advice="drop it, or set the version that has it",
        )
    if "kubernetes" in present and word.lower() == "false" and versions.gate_locked(name, kubernetes):
        raise UsageError(f"Kubernetes {kubernetes} does not let {name} be turned off")
    return {f"{owner}:{name}": _BOOLEANS[word.lower()] for owner in present}


def _kubernetes(text: str) -> Version:
    try:
        return Version(text)
    except ValueError:
        raise UsageError(
            f"{text!r} is no version of Kubernetes", advice=f"write it like {versions.newest()}"
        ) from None


def make_target(
    kubernetes: str | None = None,
    dra_driver: str | None = None,
    gpu_driver: str | None = None,
    stack: str | None = None,
    gates: Sequence[str] = (),
) -> Target:
    """The target that options describe; None: not said.

    kubernetes "1.36", dra_driver "0.5.1", gates "[kubernetes:|driver:]NAME=true|false" (a bare name
    that both have means both; of one gate set twice the last counts). Raises UsageError.
    """
    assumed: list[str] = []
    if kubernetes is None:
        version = versions.newest()
        assumed.append(f"Kubernetes {version}{_NEWEST}")
    else:
        version = _kubernetes(kubernetes)
        if version > versions.newest():
            assumed.append(f"Kubernetes {version} is like {versions.newest()}{_NEWEST}")
    if dra_driver is None:
        dra_driver = driver.newest_release()
        assumed.append(_NEWEST_DRIVER.format(version=dra_driver))
    else:
        driver.release(dra_driver)
        dra_driver = dra_driver.removeprefix("v")
    if gpu_driver is not None and not _GPU_DRIVER.fullmatch(gpu_driver):
        raise UsageError(f"{gpu_driver!r} is no GPU driver version", advice="write the branch, like 580")
    if stack is None:
        assumed.append(_NO_STACK)
    elif stack not in STACKS:
        raise UsageError(f"there is no stack {stack!r}", advice=f"one of {', '.join(STACKS)}")
    chosen: dict[str, bool] = {}
    for setting in gates:
        chosen.update(_gate(setting, version, dra_driver))
    if not chosen:
        assumed.append(_NO_GATES)
    patch = _PATCH.match(kubernetes.strip()) if kubernetes is not None else None
    return Target(
        version,
        dra_driver,
        gpu_driver,
        stack or "unknown",
        chosen,
        tuple(assumed),
        int(patch[1]) if patch else None,
    )


def learned(
    target: Target,
    stack: Stack | None,
    gates: Mapping[str, bool],
    dra_driver: str | None,
    source: str,
    doubted: Iterable[str] = (),
) -> Target:
    """The target with what an installation says, wherever nobody said it on the command line.

    stack       None: it does not tell
    gates       of the DRA driver, by name; those that its release does not have are left out
    dra_driver  as written; what is no version is left out
    source      the installation in words: it stands in the assumptions
    doubted     those of the gates that another installation does not turn on
    """
    assumed = list(target.assumed)
    told: list[str] = []
    version = target.dra_driver
    newest = _NEWEST_DRIVER.format(version=version)
    if dra_driver is not None and newest in assumed:
        try:
            driver.release(dra_driver)
        except UsageError:
            pass
        else:
            version = dra_driver.removeprefix("v")
            assumed.remove(newest)
            told.append(f"DRA driver {version}")
    if stack is not None and target.stack == "unknown":
        told.append(f"stack {stack}")
        assumed = [each for each in assumed if each != _NO_STACK]
    else:
        stack = target.stack
    known = {
        f"driver:{name}": value
        for name, value in sorted(gates.items())
        if name in GATE_GROUPS.values() or driver.gate_default(name, version) is not None
    }
    added = {name: value for name, value in known.items() if name not in target.gates}
    told.extend(f"{name.partition(':')[2]}={str(value).lower()}" for name, value in added.items())
    if added:
        assumed = [each for each in assumed if each != _NO_GATES]
    if told:
        assumed.append(f"{', '.join(told)}, as in {source}")
    return replace(
        target,
        dra_driver=version,
        stack=stack,
        gates={**added, **target.gates},
        assumed=tuple(assumed),
        doubted=frozenset(f"driver:{name}" for name in doubted) & added.keys(),
    )
