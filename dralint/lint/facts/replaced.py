"""References to claims that kustomize fills in: the `replacements` of the kustomizations that were read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

from dralint.kube.bundle import Bundle
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.yamltext.view import children, get, string

_KINDS = frozenset({"Kustomization", "Component"})
_FIELD = "resourceClaims"


class Target(NamedTuple):
    """What a replacement selects; None selects any."""

    kind: str | None
    name: str | None


_known: WeakKeyDictionary[Bundle, list[Target]] = WeakKeyDictionary()


def _targets(bundle: Bundle) -> Iterator[Target]:
    for obj in bundle.objects:
        # A kustomization need not say its kind.
        if obj.ref.kind is not None and obj.ref.kind not in _KINDS:
            continue
        for replacement in children(get(obj.node, "replacements")):
            for target in children(get(replacement, "targets")):
                paths = [each.text for each in children(get(target, "fieldPaths")) if each.text]
                if any(_FIELD in path for path in paths):
                    select = get(target, "select")
                    yield Target(string(get(select, "kind")), string(get(select, "name")))


def is_replaced(obj: KubeObject, run: Run) -> bool:
    """Whether a kustomization writes names into the object's `resourceClaims`, so that those there are not final."""
    for bundle in (run.bundle, run.context.bundle):
        if bundle not in _known:
            _known[bundle] = list(_targets(bundle))
        if any(
            kind in (None, obj.ref.kind) and name in (None, obj.ref.name) for kind, name in _known[bundle]
        ):
            return True
    return False
