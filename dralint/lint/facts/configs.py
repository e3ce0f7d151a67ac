"""Subjects of opaque configuration: `config`, and `gate_use` for what needs a gate of the driver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dralint.kube.dra import CLASS, ClaimSpec, Config
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings, namespaces
from dralint.lint.facts.parts import LOOKED_AT, looked_at
from dralint.lint.facts.resolve import ClaimView
from dralint.lint.subject import Subject
from dralint.nvidia.configs import api_version, config_kinds, gated, schema, strategies
from dralint.nvidia.drivers import telling
from dralint.nvidia.gates import driver_gates, gate_default, release_text
from dralint.nvidia.installs import Install
from dralint.yamltext.view import Path, Plain, get, string

KINDS = frozenset({"config", "gate_use"})


def strategy(config: Config) -> str | None:
    """The sharing strategy of a config, as written."""
    return string(get(config.parameters, "sharing", "strategy"))


class _Targets(NamedTuple):
    """The types of device a config is meant for; sure: they are known of all its devices."""

    types: tuple[str, ...]
    sure: bool


def _targets(view: ClaimView, config: Config) -> _Targets:
    if config.requests is None or view.spec.object.ref.kind == CLASS:
        return _Targets(view.types, view.sure)
    names = {name.partition("/")[0] for name in config.requests}
    needs = [need for name in names for need in view.by_name.get(name, ())]
    types = tuple(sorted({need.type for need in needs if need.type is not None}))
    return _Targets(types, all(need.type is not None for need in needs))


def _right_kind(types: tuple[str, ...]) -> str | None:
    kinds = [kind for kind, entry in config_kinds().items() if set(types) <= set(entry.devices)]
    return kinds[0] if types and len(kinds) == 1 else None


def _sharing_fields(kind: str | None, around: Surroundings) -> set[str]:
    if kind not in config_kinds():
        return set()
    fields = schema(kind, around.run.target.dra_driver)["properties"]
    return set(fields.get("sharing", {}).get("properties", ()))


def _config(view: ClaimView, config: Config, around: Surroundings) -> Subject:
    spec = view.spec
    kind = string(get(config.parameters, "kind"))
    known = config_kinds().get(kind or "")
    types, sure = _targets(view, config)
    chosen = strategy(config)
    blocks = {entry.block: name for name, entry in strategies().items()}
    foreign = [
        block
        for block, owner in blocks.items()
        if chosen in strategies()
        and owner != chosen
        and get(config.parameters, "sharing", block) is not None
        and block in _sharing_fields(kind, around)
    ]
    parameters: Path = (*config.path, "opaque", "parameters")
    anchors: dict[str, tuple[KubeObject, Path]] = {}
    if foreign:
        anchors["foreign_block"] = (spec.object, (*parameters, "sharing", foreign[0]))
    facts: dict[str, Plain] = {
        "driver": config.driver,
        "api_version": string(get(config.parameters, "apiVersion")),
        "kind": kind,
        "requests": [*(config.requests or ())],
        "of_class": spec.object.ref.kind == CLASS,
        "fits": [*(known.devices if known and known.driver == config.driver else ())],
        "target_types": [*types],
        "target_types_known": sure,
        "right_kind": _right_kind(types),
        "strategy": chosen,
        "foreign_blocks": [*foreign],
    }
    return around.subject("config", spec.object, config.path, facts, anchors)


class _Use(NamedTuple):
    """What needs a gate of the driver.

    what      in words; strategy: the sharing strategy, None for anything else
    effect    what happens while the gate is off, "" for a strategy
    applies   the config's kind fits one of its devices at least, as far as one can tell
    """

    gate: str
    what: str
    strategy: str | None
    effect: str
    object: KubeObject
    path: Path
    applies: bool


def _applies(view: ClaimView, config: Config) -> bool:
    kind = config_kinds().get(string(get(config.parameters, "kind")) or "")
    types, sure = _targets(view, config)
    return kind is not None and (not sure or any(each in kind.devices for each in types))


def _uses(view: ClaimView) -> Iterator[_Use]:
    """The strategies, configs and requests of a claim that need a gate."""
    obj = view.spec.object
    kinds = {each.config: each for each in gated() if each.config is not None}
    drivers = {kind.driver for kind in config_kinds().values()}
    for config in view.spec.configs[:LOOKED_AT]:
        if config.driver not in drivers or string(get(config.parameters, "apiVersion")) != api_version():
            continue
        entry = strategies().get(strategy(config) or "")
        parameters: Path = (*config.path, "opaque", "parameters")
        applies = _applies(view, config)
        if entry is not None:
            path = (*parameters, "sharing", "strategy")
            yield _Use(entry.gate, f"strategy {entry.name}", entry.name, "", obj, path, applies)
        kind = string(get(config.parameters, "kind"))
        needed = kinds.get(kind or "")
        if needed is not None:
            yield _Use(needed.gate, str(kind), None, needed.effect, obj, (*parameters, "kind"), applies)
    yield from _asked(view.spec)


def _asked(spec: ClaimSpec) -> Iterator[_Use]:
    """The requests of a claim that need a gate."""
    obj = spec.object
    for request in looked_at(spec):
        for ask in request.asks[:LOOKED_AT]:
            for each in gated():
                if ask.device_class is not None and each.device_class == ask.device_class:
                    what, path = f"class {ask.device_class}", (*ask.path, "deviceClassName")
                    yield _Use(each.gate, what, None, each.effect, obj, path, applies=True)
                if (
                    each.capacity is not None
                    and each.capacity == ask.device_class
                    and get(ask.node, "capacity", "requests") is not None
                ):
                    path = (*ask.path, "capacity")
                    yield _Use(
                        each.gate, "a request for capacity", None, each.effect, obj, path, applies=True
                    )


def _installed(around: Surroundings) -> Install | None:
    """An installation of the driver that says nothing, or no, about its gates; the nearest one."""
    named = [each for each in around.installations.named if each.stack is not None]
    if named or not telling(around.run.context.bundle.files):
        return next(iter(named), None)
    return next((each for each in around.installations.context if each.stack is not None), None)


def file_subjects(objects: Iterable[KubeObject], around: Surroundings) -> Iterator[Subject]:
    """One `gate_use` for each gate that claims and classes among a file's objects need, at the first."""
    views = map(around.resolver.view, objects)
    uses: dict[tuple[str, bool], list[_Use]] = {}
    for view in views:
        for use in _uses(view) if view is not None else ():
            uses.setdefault((use.gate, use.strategy is None), []).append(use)
    target = around.run.target
    for (name, _), found in uses.items():
        gate = driver_gates()[name]
        applied = [use for use in found if use.applies]
        first = (applied or found)[0]
        install = _installed(around)
        anchors: dict[str, tuple[KubeObject, Path]] = {}
        if install is not None:
            own = next((each.path for each in install.gates if each.name == name), None)
            anchors["install"] = (install.object, own or (*install.path, *(install.kind.gates or ())))
        facts: dict[str, Plain] = {
            "gate": name,
            "what": first.what,
            "strategy": first.strategy,
            "effect": first.effect,
            "stage": gate.stage,
            "since": release_text(gate.since),
            "enables": gate.enables,
            "on": target.driver_gate(name),
            "default": gate_default(name, target.dra_driver),
            "set": target.gate_set("driver", name),
            "switch": _switch(install, name),
            "uses": len(found),
            "namespaces": namespaces(use.object for use in found),
            "applies": bool(applied),
        }
        yield around.subject("gate_use", first.object, first.path, facts, anchors)


def _switch(install: Install | None, gate: str) -> str:
    """How to turn the gate on, in words."""
    if install is not None:
        path = ".".join(install.kind.gates or ())
        return f"set {path}.{gate}: true in {install.kind.title} ({install.object.file.file.name})"
    return (
        f"set featureGates.{gate}=true in the driver's chart, or draDriver.featureGates.{gate}=true in the GPU "
        "operator's chart or GPUCluster"
    )


def subjects(obj: KubeObject, _kinds: frozenset[str], around: Surroundings) -> Iterator[Subject]:
    """The opaque configs of a claim, a template or a class."""
    view = around.resolver.view(obj)
    for config in view.spec.configs[:LOOKED_AT] if view else ():
        assert view is not None
        yield _config(view, config, around)
