"""References to claims that kustomize fills in, so that those in the manifests are not final."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from dralint.kube.bundle import Bundle
from dralint.kube.neighbours import directory
from dralint.kube.objects import KubeObject
from dralint.kube.replacements import Reach, replacements
from dralint.lint.facts.built import reached
from dralint.lint.run import Run

_KINDS = frozenset({"Kustomization", "Component", "ReplacementTransformer"})
_FIELDS = ("resourceClaims", "draResources")
_known: WeakKeyDictionary[Bundle, list[Reach]] = WeakKeyDictionary()


def _names_claims(reach: Reach) -> bool:
    return reach.sets and any(field in reach.path for field in _FIELDS)


def _reaches(bundle: Bundle) -> Iterator[Reach]:
    for obj in bundle.objects:
        # A kustomization need not say its kind.
        if obj.ref.kind is None or obj.ref.kind in _KINDS:
            yield from filter(_names_claims, replacements(obj.file, obj.node, directory(obj.file)))


def is_replaced(obj: KubeObject, run: Run) -> bool:
    """Whether a kustomization writes names into the object's claims.

    Those that were read count for every object, so that what is piped in is not taken for final; those elsewhere in
    the git work tree for the files that they are made of.
    """
    for bundle in (run.bundle, run.context.bundle):
        if bundle not in _known:
            _known[bundle] = list(_reaches(bundle))
        if any(reach.is_for(obj.ref.kind or "", (obj.ref.name or "",)) for reach in _known[bundle]):
            return True
    return any(map(_names_claims, reached(obj)))
