"""claim-template-changed-in-place: the spec of a claim or template cannot be changed, only replaced."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLASS
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.view import Path, Plain, get, plain

# Far above any claim.
_MAX_NODES = 10_000
# What the API server writes where a request leaves it out.
_DEFAULTS: dict[str, Plain] = {"allocationMode": "ExactCount", "count": 1}


def _as_stored(value: Plain) -> Plain:
    """A spec without what says nothing: nulls, empty lists and mappings, and defaults."""
    if isinstance(value, list):
        return [_as_stored(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {key: _as_stored(item) for key, item in value.items()}
    return {key: item for key, item in kept.items() if item not in (None, [], {}, _DEFAULTS.get(key))}


def _difference(now: Plain, then: Plain, path: Path) -> Path | None:
    """The first place that differs, as deep as both have it; None where nothing differs."""
    if isinstance(now, dict) and isinstance(then, dict):
        for key in [*now, *(key for key in then if key not in now)]:
            if key not in now or key not in then:
                return (*path, key) if key in now else path
            found = _difference(now[key], then[key], (*path, key))
            if found is not None:
                return found
        return None
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        pairs = enumerate(zip(now, then, strict=True))
        return next((found for index, pair in pairs if (found := _difference(*pair, (*path, index)))), None)
    return None if now == then else path


def _past(obj: KubeObject, run: Run) -> KubeObject | None:
    """The object as it was; None where it was not there, or was written in another API version."""
    if run.past is None or obj.ref.name is None:
        return None
    found = run.past().find(obj.ref.kind or "", None, obj.ref.name)
    same = [each for each in found if each.ref.namespace == obj.ref.namespace and not each.template]
    return same[0] if len(same) == 1 and same[0].ref.api_version == obj.ref.api_version else None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim or template whose spec is another than at the revision of --base."""
    obj = subject.object
    then = _past(obj, run) if obj.ref.kind != CLASS and not obj.template else None
    if then is None:
        return
    path: Path = (*obj.path, "spec")
    specs = [_as_stored(plain(get(each.node, "spec"), _MAX_NODES)) for each in (obj, then)]
    place = _difference(specs[0], specs[1], path)
    if place is not None:
        yield Hit(place)
