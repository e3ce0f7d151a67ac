"""Where a patch file that gives GPUs to a workload stands, what it is a patch for, and what else is in its way."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from dralint.convert.around import location
from dralint.convert.kustomize.applied import Patch
from dralint.convert.kustomize.kustomization import Kustomization, NameField
from dralint.convert.kustomize.moved import moves
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.kustomize.patches import every_touch, told
from dralint.convert.kustomize.reached import meets, speaks_of_gpus
from dralint.convert.kustomize.schemas import has_kind
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict
from dralint.convert.options import KEEP
from dralint.convert.work import Ground, PodWork
from dralint.errors import Place
from dralint.kube.dra import CLAIM, TEMPLATE
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.node import MAP, SEQ, Node
from dralint.yamltext.view import children, get, string

# Fields of a pod spec that a patch replaces as a whole, or that decide on its claims.
_DECIDING = ("tolerations", "affinity", "nodeName")


NEXT = "convert what the kustomization renders, or change the patch and its base by hand"


class Hold(NamedTuple):
    """Why a patch is not converted, and what to do; no full stops. kept: the verdict, where a person or the mode keeps it."""

    reason: str
    next: str = NEXT
    kept: Verdict | None = None


def hold_of(verdict: Verdict) -> Hold:
    """What holds a patch whose requests get a verdict with their base."""
    return Hold(verdict.reason, verdict.next, verdict if verdict.outcome is Outcome.KEPT else None)


class Site(NamedTuple):
    """A patch, and the object that it is for.

    patch   as the kustomization has it
    its     the kustomization that names it
    file    that one's file, one of those named
    users   the kustomizations whose objects it patches: itself, or those that list the component
    above   the kustomizations that it is part of, itself among them
    base    the object
    """

    patch: Patch
    its: Kustomization
    file: ParsedFile
    users: list[Kustomization]
    above: list[Kustomization]
    base: KubeObject

    def beside(self, known: Kustomizations) -> list[Kustomization]:
        """All that does something to the base where the patch does."""
        found = {each.directory: each for user in self.users for each in known.tree(user.directory)}
        found |= {part.directory: part for each in self.above for part in known.parts(each.directory)}
        return list(found.values())


class Wanted(NamedTuple):
    """What a patch is for; group: None, any."""

    group: str | None
    kind: str | None
    name: str


def wanted_by(patch: Patch) -> Wanted | None:
    """The object that a target names; None where it names none, or there is no target."""
    target = patch.target or {}
    group, kind, name = target.get("group"), target.get("kind"), target.get("name")
    if not isinstance(kind, str) or not isinstance(name, str):
        return None
    return Wanted(group if isinstance(group, str) else None, kind, name)


def _bases(users: Iterable[Kustomization], wanted: Wanted, known: Kustomizations) -> list[KubeObject] | None:
    """The objects that are wanted, each once; None where a user has none or several."""
    found: dict[tuple[str | None, int], KubeObject] = {}
    for user in users:
        mine = [
            each
            for path in sorted(known.files(user.directory))
            for each in known.bases.named(path, wanted.name)
            if each.ref.kind == wanted.kind and wanted.group in (None, each.group)
        ]
        if len(mine) != 1:
            return None
        found[location(mine[0].file), mine[0].node.start] = mine[0]
    return list(found.values())


def site_of(patch: Patch, its: Kustomization, wanted: Wanted, ground: Ground) -> Site | Hold | None:
    """Where a patch stands, or why it cannot be converted there; None: the object asks for GPUs itself."""
    known, path = ground.kustomizations, patch.source or patch.slot.file
    above = known.using(path, its.directory)
    users = [its]
    if its.component:
        users = [each for each in above if not each.component and its in known.parts(each.directory)]
        if not users:
            return Hold("no kustomization that lists the component is known")
    bases = _bases(users, wanted, known)
    if not bases:
        return Hold(f"its base holds no {wanted.kind} {wanted.name}, or more than one")
    if len(bases) > 1:
        return Hold("the kustomizations that list the component have different objects for it")
    base = bases[0]
    if known.bases.asks(base):
        return None
    file = known.named(patch.slot.file)
    if file is None:
        name = os.path.relpath(patch.slot.file)
        return Hold(
            f"{name}, which is to list its template, is not among the named files", f"name {name}, too"
        )
    root = file.documents[0].root if len(file.documents) == 1 else None
    if root is None or root.kind != MAP or file.documents[0].problem is not None:
        return Hold(f"{file.file.name} is not one document")
    if patch.target is not None and not patch.names_only(base):
        return Hold(f"the entry in {file.file.name} is not for this one object")
    return Site(patch, its, file, users, above, base)


def site_of_file(work: PodWork, ground: Ground) -> Site | Hold | None:
    """Where a patch file stands, or why it cannot be converted there; None: it is no such patch."""
    known, obj, path = ground.kustomizations, work.pod.object, location(work.file)
    naming = known.naming(path) if path is not None else []
    if path is None or not naming or not obj.ref.name or obj.path:
        return None
    if len(naming) > 1:
        return Hold("several kustomizations name it")
    other = known.listing(path)
    if other is not None:
        return Hold(f"{os.path.relpath(other.directory)} lists it among its resources, too")
    entries = [each for each in naming[0].applied if each.source == path]
    if len(entries) != 1:
        return Hold("a kustomization names it several times")
    return site_of(entries[0], naming[0], Wanted(obj.group, obj.ref.kind, obj.ref.name), ground)


def _decides(body: Node, whole: PodWork) -> str | None:
    """A field of the pod spec that a patch changes, and that the claims depend on."""
    pod = whole.pod.path
    keys = tuple(map(str, pod))
    starting = any(whole.containers[index].group != "containers" for index in whole.asked)
    deciding = (*_DECIDING, "initContainers") if starting else _DECIDING
    if body.kind != SEQ:
        return next((key for key in deciding if get(body, *pod, key) is not None), None)
    for step in children(body):
        for pointer in (string(get(step, "path")), string(get(step, "from"))):
            at = tuple((pointer or "/").split("/")[1:])
            if pointer is None or at[: len(keys)] != keys[: len(at)]:
                continue
            inside = at[len(keys) :]
            # The index of a container is another one before the patch than behind it.
            container = len(inside) == 2 and inside[0] == "containers" and string(get(step, "op")) != "add"
            if not inside or inside[0] in deciding or container or inside[2:3] == ("resources",):
                return ".".join(inside) or "the pod"
    return None


def _patched(site: Site, whole: PodWork, labels: bool, known: Kustomizations) -> str | None:
    """What another patch does to the object that the conversion of this one does not go together with."""
    names = known.names_of(site.base)
    for each in site.beside(known):
        for patch in known.may_be_for(each, names):
            text = patch.text()
            if text is None or patch.slot == site.patch.slot:
                continue
            for body in patch.bodies(site.base, names):
                place = patch.place if patch.inline else text.place(body.start)
                touched = next(iter(every_touch(whole, text, body, labels=labels)), None)
                if touched is not None:
                    return f"another patch {told(touched, place)}"
                field = _decides(body, whole)
                if field is not None or KEEP in text.text.text:
                    return f"another patch changes {field or KEEP} ({place})"
    return None


def _reached(site: Site, whole: PodWork, labels: bool, known: Kustomizations) -> str | None:
    """What else of kustomize the conversion does not go together with: fields set from elsewhere, own schemas."""
    names, kind = [name or "" for name in known.names_of(site.base)], site.base.ref.kind or ""
    for each in site.beside(known):
        for reach in each.reaches:
            if reach.is_for(kind, names) and meets(reach, whole, labels=labels):
                return f"{reach.what} {reach.does} ({reach.place}), which the conversion changes"
        for plugin in filter(speaks_of_gpus, each.plugins):
            return f"the transformer {plugin.kind} is about GPUs, too ({plugin.place})"
        for path in each.schemas:
            if not has_kind(path, site.base):
                return f"{os.path.relpath(path)} has no schema of {kind}, so that its lists are not merged"
    return None


def _names_taken(site: Site, templates: Iterable[str], known: Kustomizations) -> str | None:
    """What has the name of a template already, or will have it."""
    workload, wanted = site.base.ref.name, set(templates)
    paths = {path for each in site.above for path in known.files(each.directory)}
    paths |= {path for each in site.beside(known) for path in each.patches}
    for path in sorted(paths):
        for obj in known.claiming(path):
            place, kind = obj.file.place(obj.node.start), obj.ref.kind
            if kind in (TEMPLATE, CLAIM):
                if obj.ref.name in wanted:
                    return f"{kind} {obj.ref.name} is there already ({place})"
            elif obj.ref.name == workload and (obj.group, kind) != (site.base.group, site.base.ref.kind):
                return (
                    f"{kind} {workload} asks for GPUs as well ({place}), and its template has the same name"
                )
    return None


def _namespaces(site: Site, known: Kustomizations) -> set[str | None]:
    """The namespaces that the base has where the template comes to it; None: none yet."""
    if site.its.namespace is not None:
        # It gives that to both.
        return {None}
    path = location(site.base.file)
    found: set[str | None] = set()
    for user in site.users:
        namespace = site.base.ref.namespace
        for each in reversed(known.tree(user.directory)):
            if each.component and each is not site.its:
                found |= {each.namespace} - {None}
            elif each is not user and path in known.files(each.directory):
                namespace = each.namespace or namespace
        found.add(namespace)
    return found


def namespace_of_templates(site: Site, known: Kustomizations) -> str | None:
    """The namespace to write in templates, that of the base; None: none, or the kustomization writes its own."""
    return next(iter(_namespaces(site, known)), None)


def renamed_at(site: Site, field: NameField, known: Kustomizations) -> Place | None:
    """Where names get a prefix or suffix that a field of the patch does not follow.

    One below has done so before the patch and its template come to it.
    """
    for each in site.above:
        follows = any(other.is_in(site.base, field.path) for other in known.name_fields(each.directory))
        for part in () if follows else known.parts(each.directory):
            if part.renames:
                return part.renames[0].place
    return None


def obstacle(site: Site, whole: PodWork, templates: Iterable[str], ground: Ground) -> Hold | None:
    """Why the patch cannot be converted though it could be alone; None: nothing is in the way.

    whole      the pod with the patch applied
    templates  the names that its templates get
    """
    known = ground.kustomizations
    if whole.way == "claims" and len(_namespaces(site, known)) > 1:
        return Hold("the object may be in several namespaces, and its template in one")
    moved = next(moves(site.base, known), None) if whole.way == "claims" else None
    if moved is not None:
        return Hold(f"{moved[1]} moves the object to another namespace ({moved[2]}), and not its template")
    labels = ground.options.node_labels != "keep"
    reason = _patched(site, whole, labels, known) or _reached(site, whole, labels, known)
    reason = reason or _names_taken(site, templates, known)
    return Hold(reason) if reason is not None else None
