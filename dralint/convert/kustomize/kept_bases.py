"""Patches for objects that a person keeps on the device plugin: they stay as well."""

from __future__ import annotations

from dralint.convert.kept import kept_somewhere
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.kustomization import Kustomization
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.occurrences import Verdict
from dralint.kube.objects import ObjectRef


def target_ref(patch: Patch) -> ObjectRef:
    """The object that the target of a patch names, as far as it does."""
    target = patch.target or {}
    kind, namespace, name = (target.get(key) for key in ("kind", "namespace", "name"))
    texts = (each if isinstance(each, str) else None for each in (kind, namespace, name))
    return ObjectRef(None, *texts)


def kept_base(path: str, its: Kustomization, ref: ObjectRef, known: Kustomizations) -> Verdict | None:
    """The verdict of the annotation on what a patch is for; None where it is not on all that may be meant."""
    kinds = [
        each
        for user in known.using(path, its.directory)
        for file in sorted(known.files(user.directory))
        for each in known.bases.named(file, ref.name or "")
        if each.ref.kind == ref.kind
    ]
    verdicts = [kept_somewhere(each) for each in kinds]
    first = verdicts[0] if verdicts else None
    if first is None or None in verdicts:
        return None
    return first._replace(reason=f"{first.reason} (on the {ref.kind} that the patch is for)")


def kept_target(path: str, known: Kustomizations) -> Verdict | None:
    """The verdict of the annotation on the targets of a JSON patch file; None where it is not on all."""
    verdicts = [
        kept_base(path, its, target_ref(patch), known)
        for its in known.naming(path)
        for patch in its.applied
        if patch.source == path
    ]
    return verdicts[0] if verdicts and None not in verdicts else None
