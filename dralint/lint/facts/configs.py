"""Subjects of opaque configuration: `config`, and `gate_use` for what needs a gate of the driver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dralint.kube.dra import CLASS, ClaimSpec, Config
from dralint.kube.objects import KubeObject
from dralint.lint.facts.common import Surroundings
from dralint.lint.facts.needs import Need
from dralint.lint.subject import Subject
from dralint.nvidia.classes import selected
from dralint.nvidia.configs import config_kinds, schema, strategies
from dralint.nvidia.gates import driver_gates, gate_default, release_text
from dralint.yamltext.view import Path, Plain, get, string

KINDS = frozenset({"config", "gate_use"})


def strategy(config: Config) -> str | None:
    """The sharing strategy of a config, as written."""
    return string(get(config.parameters, "sharing", "strategy"))


def _targets(spec: ClaimSpec, config: Config, around: Surroundings) -> list[Need]:
    """The needs that a config is meant for; of a class, the devices it selects."""
    if spec.object.ref.kind == CLASS:
        found = selected([each.expression for each in spec.selectors if each.expression is not None])
        return [Need(None, found.driver, found.type)]
    needs = around.resolver.claim_needs(spec)
    if config.requests is None:
        return needs
    meant = {name.partition("/")[0] for name in config.requests}
    return [need for need in needs if need.request in meant]


def _right_kind(types: list[str]) -> str | None:
    kinds = [kind for kind, entry in config_kinds().items() if set(types) <= set(entry.devices)]
    return kinds[0] if types and len(kinds) == 1 else None


def _sharing_fields(kind: str | None, around: Surroundings) -> set[str]:
    if kind not in config_kinds():
        return set()
    fields = schema(kind, around.run.target.dra_driver)["properties"]
    return set(fields.get("sharing", {}).get("properties", ()))


def _config(spec: ClaimSpec, config: Config, around: Surroundings) -> Subject:
    kind = string(get(config.parameters, "kind"))
    known = config_kinds().get(kind or "")
    types = sorted({need.type for need in _targets(spec, config, around) if need.type is not None})
    sure = all(need.type is not None for need in _targets(spec, config, around))
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
        "right_kind": _right_kind([*types]),
        "strategy": chosen,
        "foreign_blocks": [*foreign],
    }
    return around.subject("config", spec.object, config.path, facts, anchors)


class _Use(NamedTuple):
    """applies: the config's kind fits one of its devices at least, as far as one can tell."""

    gate: str
    strategy: str
    object: KubeObject
    path: Path
    applies: bool


def _applies(spec: ClaimSpec, config: Config, around: Surroundings) -> bool:
    kind = config_kinds().get(string(get(config.parameters, "kind")) or "")
    needs = _targets(spec, config, around)
    return kind is not None and any(need.type is None or need.type in kind.devices for need in needs)


def _uses(specs: Iterable[ClaimSpec], around: Surroundings) -> Iterator[_Use]:
    drivers = {kind.driver for kind in config_kinds().values()}
    for spec in specs:
        for config in spec.configs:
            entry = strategies().get(strategy(config) or "")
            if entry is not None and config.driver in drivers:
                path = (*config.path, "opaque", "parameters", "sharing", "strategy")
                yield _Use(entry.gate, entry.name, spec.object, path, _applies(spec, config, around))


def gate_subjects(objects: Iterable[KubeObject], around: Surroundings) -> Iterator[Subject]:
    """One `gate_use` for each gate that sharing configs among a file's objects need, at the first."""
    specs = map(around.resolver.spec, objects)
    uses: dict[str, list[_Use]] = {}
    for use in _uses((spec for spec in specs if spec is not None), around):
        uses.setdefault(use.gate, []).append(use)
    target = around.run.target
    for name, found in uses.items():
        gate = driver_gates()[name]
        applied = [use for use in found if use.applies]
        first = (applied or found)[0]
        facts: dict[str, Plain] = {
            "gate": name,
            "strategy": first.strategy,
            "stage": gate.stage,
            "since": release_text(gate.since),
            "enables": gate.enables,
            "on": target.driver_gate(name),
            "default": gate_default(name, target.dra_driver),
            "set": target.gate_set("driver", name),
            "uses": len(found),
            "applies": bool(applied),
        }
        yield around.subject("gate_use", first.object, first.path, facts)


def subjects(obj: KubeObject, around: Surroundings) -> Iterator[Subject]:
    """The opaque configs of a claim, a template or a class."""
    spec = around.resolver.spec(obj)
    if spec is not None:
        for config in spec.configs:
            yield _config(spec, config, around)
