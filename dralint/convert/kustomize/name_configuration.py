"""Where a kustomization renames templates: the configuration by which kustomize renames the references to them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from dralint.convert.around import applied, spot_of
from dralint.convert.kustomize.changes import name_path
from dralint.convert.kustomize.component_files import NAMES, field_specs, name_reference, name_references
from dralint.convert.kustomize.joint import Change, Joint, Listed, Works, can_change
from dralint.convert.kustomize.kustomization import (
    REFERENCES,
    Kustomization,
    NameField,
    named_fields,
)
from dralint.convert.occurrences import Verdict
from dralint.convert.requests import is_zero
from dralint.convert.verdicts import needs_decision
from dralint.convert.work import Ground, PodWork
from dralint.errors import Place
from dralint.kube.kinds import workload_kinds
from dralint.kube.objects import ParsedFile
from dralint.kube.paths import ITEMS, VALUES
from dralint.kube.read import parse_path
from dralint.source.kustomization import kustomization_file
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Append
from dralint.yamltext.view import children, get, string

# What the file begins with: one with the first line is completed, any other is left alone.
_HEAD = """\
# Made by dralint convert: a run that converts more workloads here adds their fields.
# kustomize does not know that these fields are names: without this a prefix or suffix would be added to the
# name of a template and not to the references to it.
"""
_KEY, _LISTED = "nameReference", "configurations"


def name_fields(work: PodWork, names: Iterable[str]) -> list[NameField]:
    """The fields of a pod that name what it claims, as kustomize sees its object.

    names: those of REFERENCES. None where the templates stand in the object itself, as in one of OpenShift's
    Templates: kustomize renames nothing there.
    """
    pod, obj = work.pod, applied(work.pod.object)
    spot = spot_of(pod.object)
    if pod.claims is None or (spot.path is not None and len(spot.path) >= len(obj.path)):
        return []
    keys = [step for step in pod.path[len(obj.path) :] if isinstance(step, str)]
    return [
        NameField(
            obj.group, "", obj.ref.kind or "", name_path((*keys, *pod.claims.path, name)), REFERENCES[name]
        )
        for name in names
    ]


def known_fields() -> list[NameField]:
    """The fields of all known kinds, but of those with keys that people choose: kustomize takes no `*`.

    Source: kustomize api/filters/fieldspec (wildcard is not supported in PathGetter).
    """
    places = (
        (kind, place)
        for kind in workload_kinds()
        for place in (*kind.pods, *kind.operator_pods)
        if place.claims is not None and VALUES not in place.path
    )
    return sorted(
        {
            NameField(
                kind.group,
                "",
                kind.kind,
                name_path([*(step for step in place.path if step != ITEMS), *place.claims.path, name]),
                names,
            )
            for kind, place in places
            if place.claims is not None
            for name, names in REFERENCES.items()
        }
    )


def _needed(works: Works) -> list[NameField]:
    """The fields that name claims in converted pods."""
    used = (
        (work, "resourceClaimTemplateName" if work.shared is None else "resourceClaimName")
        for work in works
        if work.claims is not None and work.claims.claims
    )
    return sorted({field for work, name in used for field in name_fields(work, [name])})


def _new_text(works: Works) -> str:
    return _HEAD + name_references(_needed(works))


def _additions(file: ParsedFile, fields: Iterable[NameField]) -> list[Change]:
    """What a configuration lacks of the fields."""
    root = file.documents[0].root
    there = set(named_fields(root))
    lacking = (field for field in fields if not any(each.includes(field) for each in there))
    changes: list[Change] = []
    for kind, specs in field_specs(lacking).items():
        entries = (
            index
            for index, entry in enumerate(children(get(root, _KEY)))
            if string(get(entry, "kind")) == kind and get(entry, "fieldSpecs") is not None
        )
        index = next(entries, None)
        if index is None:
            changes.append(Append(0, (_KEY,), name_reference(kind, specs)))
        else:
            changes += (Append(0, (_KEY, index, "fieldSpecs"), spec) for spec in specs)
    return changes


def _completed(file: ParsedFile, works: Works) -> Sequence[Change]:
    return _additions(file, _needed(works))


class _Stuck(NamedTuple):
    """Why dralint makes no configuration beside a kustomization, as a part of a sentence, and what helps."""

    why: str
    advice: str


def _one_mapping(file: ParsedFile) -> bool:
    return (
        file.text.uneditable is None
        and len(file.documents) == 1
        and file.documents[0].problem is None
        and file.documents[0].root is not None
        and file.documents[0].root.kind == MAP
    )


# A kustomization may list thousands of workloads.
@lru_cache(maxsize=64)
def _can_list(file: ParsedFile) -> bool:
    return can_change(file, [Listed(_LISTED, NAMES)])


@lru_cache(maxsize=64)
def _can_complete(file: ParsedFile, fields: tuple[NameField, ...]) -> bool:
    return can_change(file, _additions(file, fields))


def _configuration(path: str, fields: Sequence[NameField], ground: Ground) -> list[Joint] | _Stuck:
    """What becomes of the configuration at a path, so that it has the fields."""
    key = (NAMES, path)
    if not os.path.lexists(path):
        return [Joint(path, None, key, _new_text)]
    shown, named = os.path.relpath(path), ground.kustomizations.named(path)
    file = named or parse_path(path)
    changes = _additions(file, fields) if file is not None and _one_mapping(file) else None
    if file is None or changes is None:
        return _Stuck(f"{shown} is there already", "")
    if not changes:
        return []
    if not file.text.text.startswith(_HEAD.partition("\n")[0]):
        return _Stuck(f"{shown} is there already, and dralint did not make it", "")
    if named is None:
        return _Stuck("", f"name {shown} as well, so that dralint can complete it")
    if not _can_complete(file, tuple(fields)):
        return _Stuck(f"{shown} cannot be edited safely", "")
    return [Joint(path, file, key, partial(_completed, file))]


def _joints(listing: Kustomization, fields: Sequence[NameField], ground: Ground) -> list[Joint] | _Stuck:
    """The changes by which a kustomization has a configuration with the fields."""
    path = kustomization_file(listing.directory)
    assert path is not None
    shown, file = os.path.relpath(path), ground.kustomizations.named(path)
    if file is None:
        return _Stuck("", f"name {shown} as well, so that dralint can list a configuration there")
    if not _one_mapping(file):
        return _Stuck(f"{shown} cannot be edited safely", "")
    made = _configuration(os.path.join(listing.directory, NAMES), fields, ground)
    if isinstance(made, _Stuck):
        return made
    root = file.documents[0].root
    listed = [os.path.normpath(string(node) or "") for node in children(get(root, _LISTED))]
    if NAMES in listed:
        return made
    if not _can_list(file):
        return _Stuck(f"{shown} cannot be edited safely", "")
    return [*made, Joint(path, file, NAMES, lambda _: [Listed(_LISTED, NAMES)])]


def _verdict(renames: Place, field: NameField, stuck: _Stuck) -> Verdict:
    name = field.path.rpartition("/")[2]
    why = f"; {stuck.why}" if stuck.why else ""
    advice = stuck.advice or (
        f"list a configuration in the kustomization with a nameReference for the kind {field.names} "
        f"and the path {field.path}"
    )
    return needs_decision(
        f"{renames} renames objects, and kustomize does not follow {name}{why}",
        f"{advice}, or convert what it renders",
    )


def configured(
    renames: Place, field: NameField, listing: Kustomization, ground: Ground
) -> list[Joint] | Verdict:
    """The changes by which names in a field follow what one above renames, or why they cannot be made to.

    listing: the kustomization that lists the templates
    """
    joints = _joints(listing, [field], ground)
    return _verdict(renames, field, joints) if isinstance(joints, _Stuck) else joints


def renamed_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod whose templates a kustomization renames; None where the pod follows, or is made to.

    It is made to by a configuration beside the kustomization that lists the file: all builds that the file
    becomes part of have it then.
    """
    if work.way != "claims" or ground.options.overlay is not None or all(map(is_zero, work.found)):
        return None
    # Which of both a pod gets is decided later.
    names = [*REFERENCES] if ground.options.sharing == "shared-claim" else [*REFERENCES][:1]
    fields, obj = name_fields(work, names), applied(work.pod.object)
    chosen: dict[str, list[Joint]] = {}
    for field in fields:
        for renames, listing in ground.kustomizations.renamings(obj, field.path):
            if any(each.directory in chosen for each in listing):
                continue
            stuck = _Stuck("", "")
            for each in listing:
                joints = _joints(each, fields, ground)
                if not isinstance(joints, _Stuck):
                    chosen[each.directory] = joints
                    break
                stuck = joints
            else:
                return _verdict(renames, field, stuck)
    work.joints += [joint for joints in chosen.values() for joint in joints]
    return None
