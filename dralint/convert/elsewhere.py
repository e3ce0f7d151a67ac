"""GPU requests that stand in no pod spec that can be converted: why, and what to do instead."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from dralint.convert.around import location
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.refusals import refusals
from dralint.kube.kinds import Schema, WorkloadKind, kind_of
from dralint.kube.objects import ParsedFile
from dralint.kube.paths import ITEMS, VALUES, steps
from dralint.source.charts import chart_template
from dralint.yamltext.load import load_data
from dralint.yamltext.view import Path

_DATA = os.path.join(os.path.dirname(__file__), "data", "kinds.yaml")
_WHY: dict[Schema, str] = {
    "narrow": "the kind has no place for resourceClaims",
    "split": "the kind keeps resourceClaims in another place than the request",
    "full": "the kind keeps resourceClaims in another place than the request",
    "unknown": "the kind is not known, so nothing says where its pods can hold claims",
}


_SETTING = "it is a chart's setting"


class _Words(NamedTuple):
    """Words for the requests of a kind.

    at         in that place only
    passes_on  what stands there becomes the request of a pod
    """

    at: tuple[str, ...] | None
    reason: str
    next: str
    passes_on: bool


@cache
def _words() -> dict[tuple[str, str], list[_Words]]:
    data: Any = load_data(_DATA)
    found: dict[tuple[str, str], list[_Words]] = {}
    for entry in data["kinds"]:
        at = steps(entry["at"]) if "at" in entry else None
        words = _Words(at, entry["reason"], entry["next"], entry.get("passes_on", False))
        found.setdefault((entry["group"], entry["kind"]), []).append(words)
    return found


def _words_for(found: Found) -> _Words | None:
    """The words for a request in the place where it stands."""
    obj = found.object
    if obj is None:
        return None
    inside = found.place[len(obj.path) :]
    listed = _words().get((obj.group, obj.ref.kind or ""), ())
    return next((each for each in listed if each.at is None or _matches(inside, each.at)), None)


def _matches(path: Path, steps: Sequence[str]) -> bool:
    """Whether a path with wildcards leads to it."""
    return len(path) == len(steps) and all(
        isinstance(step, int) if wanted == ITEMS else wanted in (VALUES, step)
        for step, wanted in zip(path, steps, strict=True)
    )


def _advice(kind: WorkloadKind, path: Path) -> str:
    return next((place.next for place in kind.resources if _matches(path, place.path)), "")


def rendering(file: ParsedFile, chart: str) -> str:
    """The command that converts what the file's chart renders to, the same on every machine."""
    shown = chart if os.path.isabs(file.file.name) else os.path.relpath(chart)
    return f"helm template {shlex.quote(shown)} | dralint convert -"


def in_template(found: Found) -> Verdict | None:
    """The verdict on what stands in a template of Helm, Argo or Jinja, or in a chart's templates/."""
    chart = chart_template(location(found.file))
    if chart is not None:
        advice = f"convert what the chart renders to: {rendering(found.file, chart)}"
        return Verdict(Outcome.UNSUPPORTED, "the file is a template of a Helm chart", advice)
    if found.file.documents[found.document].template:
        return Verdict(Outcome.UNSUPPORTED, "it stands in a template", "convert what the template renders to")
    return None


def by_schema(schema: Schema, advice: str, kind: WorkloadKind | None) -> Verdict:
    """The verdict on a pod spec or resources of a kind that cannot hold a claim there."""
    if schema == "unknown":
        why = _WHY[schema] if kind is None else f"{kind.kind} is not known to have pods in this place"
        return Verdict(Outcome.UNSUPPORTED, why, advice or "convert it by hand")
    advice = advice or "keep the device plugin for it, or use a DeviceClass with extendedResourceName"
    why = kind.why if kind is not None else ""
    return Verdict(Outcome.NEEDS_DECISION, why or _WHY[schema], advice)


def _listed(found: Found, kind: WorkloadKind | None) -> bool:
    """Whether data says what the place is: a listed field, or `resources` of the kind."""
    inside = found.place[len(found.object.path) if found.object is not None else 0 :]
    return bool(found.next) or (
        kind is not None and any(_matches(inside, each.path) for each in kind.resources)
    )


def becomes_a_request(found: Found) -> WorkloadKind | None:
    """The kind whose data says that a request outside of containers becomes one of a pod as it stands."""
    kind = kind_of(found.object) if found.object is not None else None
    return kind if kind is not None and kind.schema != "full" and _listed(found, kind) else None


def may_become_a_request(found: Found) -> bool:
    """Whether nothing is known to keep a request outside of containers from becoming one of a pod."""
    obj = found.object
    words = _words_for(found)
    if words is not None:
        return words.passes_on
    kind = kind_of(obj) if obj is not None else None
    return kind is None or kind.schema != "full" or _listed(found, kind)


def why_no_claim(found: Found) -> str:
    """Why a claim cannot take the place of a request in an object, without a full stop."""
    obj = found.object
    if obj is None or _words_for(found) is not None:
        return _SETTING
    spoken, kind = refusals(obj, found.place), kind_of(obj)
    if spoken:
        return spoken[0].verdict.reason
    return (kind.why if kind is not None else "") or _WHY[kind.schema if kind is not None else "unknown"]


def outside_pods(found: Found) -> Verdict:
    """The verdict on a request that stands in no container."""
    obj = found.object
    words = _words_for(found)
    if found.next and (obj is None or words):
        return Verdict(Outcome.NEEDS_DECISION, _SETTING, found.next)
    if obj is None:
        return Verdict(
            Outcome.UNSUPPORTED,
            "it stands in no Kubernetes object but in a values file or a fragment",
            "render the chart and convert what comes out, or set claims through the chart's values",
        )
    if words is not None:
        return Verdict(Outcome.UNSUPPORTED, words.reason, words.next)
    kind = kind_of(obj)
    spoken = refusals(obj, found.place)
    if spoken:
        return spoken[0].verdict
    if found.next:
        return by_schema("narrow", found.next, kind)
    if kind is None:
        return by_schema("unknown", "", None)
    advice = _advice(kind, found.place[len(obj.path) :])
    if kind.schema == "full" and not advice:
        return Verdict(
            Outcome.UNSUPPORTED,
            "it stands in no container",
            "move it to the container that uses the device, or convert it by hand",
        )
    return by_schema(kind.schema, advice, kind)
