"""Patches for objects that a person keeps on the device plugin: they stay as well."""

from __future__ import annotations

from collections.abc import Callable

from dralint.convert.kept import kept_somewhere
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.kustomization import Kustomization
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.occurrences import Verdict
from dralint.convert.options import KEEP
from dralint.kube.objects import KubeObject, ObjectRef
from dralint.kube.places import pod_specs


def target_ref(patch: Patch) -> ObjectRef:
    """The object that the target of a patch names, as far as it does."""
    target = patch.target or {}
    kind, namespace, name = (target.get(key) for key in ("kind", "namespace", "name"))
    texts = (each if isinstance(each, str) else None for each in (kind, namespace, name))
    return ObjectRef(None, *texts)


def _kept(
    path: str, its: Kustomization, means: Callable[[KubeObject], bool], known: Kustomizations
) -> Verdict | None:
    """The verdict of the annotation on what a patch is for; None where it is not on all that may be meant."""
    files = {file for user in known.using(path, its.directory) for file in known.files(user.directory)}
    if not any(known.bases.holds(file, KEEP) for file in files):
        return None
    meant = [each for file in sorted(files) for each in known.bases.objects(file) if means(each)]
    verdicts = [kept_somewhere(each) for each in meant]
    first = verdicts[0] if verdicts else None
    if first is None or None in verdicts:
        return None
    return first._replace(reason=f"{first.reason} (on the {meant[0].ref.kind} that the patch is for)")


def kept_base(path: str, its: Kustomization, ref: ObjectRef, known: Kustomizations) -> Verdict | None:
    """The verdict of the annotation on the base of a patch that names it; None where it is not on all of the name."""

    def means(obj: KubeObject) -> bool:
        return obj.ref.kind == ref.kind and ref.name in known.names_of(obj)

    return _kept(path, its, means, known)


def kept_by_target(patch: Patch, its: Kustomization, known: Kustomizations) -> Verdict | None:
    """The verdict of the annotation on all with pods that a target may mean."""

    def means(obj: KubeObject) -> bool:
        names = [name or "" for name in known.names_of(obj)]
        return patch.selector.means(obj.ref.kind or "", names) and any(True for _ in pod_specs(obj))

    return _kept(patch.source or patch.slot.file, its, means, known)


def kept_target(path: str, known: Kustomizations) -> Verdict | None:
    """The verdict of the annotation on the targets of a JSON patch file; None where it is not on all."""
    verdicts = [
        kept_by_target(patch, its, known)
        for its in known.naming(path)
        for patch in its.applied
        if patch.source == path
    ]
    return verdicts[0] if verdicts and None not in verdicts else None
