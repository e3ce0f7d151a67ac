"""A conversion as JSON, version 1: schemas/convert.schema.json says what stands in it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dralint.convert.classes import object_of
from dralint.convert.model import ClaimRef, ClassNeed, Conversion, Note, Occurrence, Outcome, Workload
from dralint.errors import DralintError
from dralint.report.indented import indented
from dralint.report.parts import VERSION, object_data, problem_data, source_data, target_data

if TYPE_CHECKING:
    from dralint.convert.kustomize.component import Component


def _claim(claim: ClaimRef | None) -> Mapping[str, Any] | None:
    if claim is None:
        return None
    return {
        "name": claim.name,
        "template": claim.template,
        "deviceClass": claim.device_class,
        "count": claim.count,
        "profile": claim.profile,
        "selectors": claim.selectors,
        "preferred": claim.preferred,
        "shared": claim.shared,
        "capacity": dict(claim.capacity),
        "others": [_claim(other) for other in claim.others],
    }


def _occurrence(occurrence: Occurrence) -> Mapping[str, Any]:
    return {
        "path": occurrence.path,
        "line": occurrence.line,
        "column": occurrence.column,
        "object": object_data(occurrence.object),
        "field": occurrence.field,
        "container": occurrence.container,
        "resource": occurrence.resource,
        "quantity": occurrence.quantity,
        "outcome": occurrence.outcome.value,
        "mode": occurrence.mode,
        "reason": occurrence.reason,
        "next": occurrence.next,
        "claim": _claim(occurrence.claim),
        "source": source_data(occurrence.source),
    }


def _note(note: Note) -> Mapping[str, Any]:
    return {
        "path": note.path,
        "line": note.line,
        "column": note.column,
        "topic": note.topic,
        "message": note.message,
        "weight": note.weight,
        "edited": note.edited,
        "object": object_data(note.object),
    }


def _class(need: ClassNeed) -> Mapping[str, Any]:
    return {
        "name": need.name,
        "resource": need.resource,
        "extendedResourceName": need.extended_resource,
        "state": need.state,
        "reason": need.reason,
        "manifest": object_of(need) if need.state != "served" else None,
    }


def _workload(workload: Workload) -> Mapping[str, Any]:
    return {
        "path": workload.path,
        "line": workload.line,
        "object": object_data(workload.object),
        "advice": workload.advice,
        "reasons": workload.reasons,
        "occurrences": len(workload.outcomes),
    }


def _component(component: Component) -> Mapping[str, Any]:
    return {
        "path": component.place,
        "base": os.path.relpath(component.base),
        "objects": [object_data(change.object.ref) for change in component.changes],
    }


def report(conversion: Conversion, problems: Sequence[DralintError]) -> str:
    """The JSON text of `convert --report`; every occurrence stands in it once.

    problems  what could not be read or written
    """
    outcomes = Counter(occurrence.outcome for occurrence in conversion.occurrences)
    data = {
        "version": VERSION,
        "target": target_data(conversion.target),
        "assumptions": conversion.assumptions,
        "occurrences": [_occurrence(occurrence) for occurrence in conversion.occurrences],
        "deviceClasses": [_class(need) for need in conversion.classes],
        "workloads": [_workload(workload) for workload in conversion.workloads],
        "notes": [_note(note) for note in conversion.notes],
        "steps": [{"title": step.title, "text": step.text} for step in conversion.steps],
        "files": [
            {
                "path": result.file.file.name,
                "changed": result.changed,
                "made": result.made,
                "error": result.error,
            }
            for result in conversion.files
        ],
        "components": [_component(component) for component in conversion.components],
        "problems": [problem_data(problem) for problem in problems],
        "summary": {
            "occurrences": len(conversion.occurrences),
            **{outcome.value: outcomes[outcome] for outcome in Outcome},
            "notes": len(conversion.notes),
            "files": len(conversion.files),
            "changed": sum(result.changed for result in conversion.files),
            "problems": len(problems),
        },
    }
    return indented(data)
