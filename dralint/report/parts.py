"""What the JSON outputs of several commands share: target, object, origin, problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dralint.errors import DralintError
from dralint.kube.objects import ObjectRef
from dralint.source.file import Origin

if TYPE_CHECKING:
    from dralint.nvidia.target import Target

VERSION = 1


def target_data(target: Target) -> Mapping[str, Any]:
    """The target as JSON writes it; versions as strings, gates only where they were given."""
    return {
        "kubernetes": str(target.kubernetes),
        "draDriver": str(target.dra_driver),
        "gpuDriver": target.gpu_driver,
        "stack": target.stack,
        "gates": dict(target.gates),
    }


def object_data(ref: ObjectRef | None) -> Mapping[str, str | None] | None:
    """An object's apiVersion, kind, namespace and name; null for what the manifest does not say."""
    if ref is None:
        return None
    return {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}


def source_data(origin: Origin | None) -> Mapping[str, str] | None:
    """Chart and template of rendered input."""
    return None if origin is None else {"chart": origin.chart, "template": origin.template}


def problem_data(problem: DralintError) -> Mapping[str, Any]:
    """What could not be read or written, and where; null for what no place is known of."""
    place = problem.place
    return {
        "path": place.path if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "message": problem.what,
    }
