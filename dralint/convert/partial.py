"""Objects that are patches for other objects: they must not be converted as if they were whole."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import Any

from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import KubeObject
from dralint.kube.paths import follow, steps
from dralint.yamltext.load import load_data
from dralint.yamltext.view import get

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")
# Directives of strategic merge patches. Source: k8s.io/apimachinery, pkg/util/strategicpatch.
_DIRECTIVE = re.compile(r"\$(?:patch|setElementOrder/|deleteFromPrimitiveList/|retainKeys)\b")
_NEXT = "convert what the kustomization renders, or change the patch and its base by hand"


@cache
def _required() -> dict[tuple[str, str], tuple[str, ...]]:
    data: Any = load_data(_DATA)
    return {
        (entry["group"], kind): steps(entry["field"]) for entry in data["whole"] for kind in entry["kinds"]
    }


def _lacks_all(work: PodWork) -> bool:
    obj: KubeObject = work.pod.object
    field = _required().get((obj.group, obj.ref.kind or ""))
    if field is None or next(follow(obj.node, field), None) is not None:
        return False
    return all(get(container.node, "image") is None for container in work.containers)


def patch_verdict(work: PodWork, ground: Ground) -> Verdict | None:
    """The verdict on a pod of an object that is a patch; None for a whole object."""
    file, obj = work.file, work.pod.object
    place = ground.kustomizations.patched_by(file)
    if place is not None:
        return Verdict(Outcome.NEEDS_DECISION, f"{place} applies the file as a patch", _NEXT)
    directive = _DIRECTIVE.search(file.text.text, obj.node.start, obj.node.end)
    if directive is not None:
        return Verdict(
            Outcome.NEEDS_DECISION, f"the object is a patch: it holds {directive.group().rstrip('/')}", _NEXT
        )
    if _lacks_all(work):
        return Verdict(Outcome.NEEDS_DECISION, "the object is not whole, as a patch is", _NEXT)
    return None
