"""What is made and changed beside a patch that gives GPUs: the file of its templates, and who lists it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache

from dralint.convert.kustomize.gpu_sites import Hold, Site, obstacle, renamed_at
from dralint.convert.kustomize.joint import Change, Joint, Listed, can_change
from dralint.convert.kustomize.name_configuration import configured, name_fields
from dralint.convert.names import template_name
from dralint.convert.occurrences import Verdict
from dralint.convert.templates import object_of
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import ParsedFile
from dralint.yamltext.render import BlockStyle, mapping_lines
from dralint.yamltext.view import Plain

_STYLE = BlockStyle(step=2, dash=2, gap=1)
_LISTED = "resources"
_REFERENCE = "resourceClaimTemplateName"


def _file_name(site: Site, workload: str) -> str | None:
    """The name of the file for the templates, one that is free; None: there is none."""
    name = template_name(workload, None, None)
    names = (f"{name}.yaml", f"{name}-template.yaml")
    free = (each for each in names if not os.path.lexists(os.path.join(site.its.directory, each)))
    return next(free, None)


def _text(works: Sequence[PodWork]) -> str:
    """The file of the templates of pods."""
    templates = [each for work in works if work.apart is not None for each in work.apart.templates]
    objects: list[dict[str, Plain]] = []
    for template in templates:
        item = object_of(template)
        assert isinstance(item, dict)
        if item not in objects:
            objects.append(item)
    documents = ("\n".join(mapping_lines(item, 0, _STYLE)) + "\n" for item in objects)
    return "---\n".join(documents)


def _joints(site: Site, name: str) -> list[Joint]:
    """What is changed and made beside the patch."""

    def listed(_: Sequence[PodWork]) -> Sequence[Change]:
        return [Listed(_LISTED, name)]

    return [
        Joint(os.path.join(site.its.directory, name), None, "templates", _text),
        Joint(site.patch.slot.file, site.file, (_LISTED, name), listed),
    ]


# A kustomization may name patches for a thousand objects; the name does not matter.
@lru_cache(maxsize=2)
def _can_list(file: ParsedFile) -> bool:
    """Whether a kustomization takes one more of its resources."""
    return can_change(file, [Listed(_LISTED, "chat-gpu.yaml")])


def _following(work: PodWork, site: Site, ground: Ground) -> list[Joint] | Hold:
    """The changes by which kustomize follows the names of the templates, where it renames them."""
    for field in name_fields(work, [_REFERENCE]):
        renames = renamed_at(site, field, ground.kustomizations)
        found = configured(renames, field, site.its, ground) if renames is not None else []
        return Hold(found.reason, found.next) if isinstance(found, Verdict) else found
    return []


def joints_of(site: Site, work: PodWork, whole: PodWork, ground: Ground) -> list[Joint] | Hold:
    """What is changed and made beside a patch that is planned, or why it cannot be."""
    assert work.apart is not None
    templates = [each.name for each in work.apart.templates]
    held = obstacle(site, whole, templates, ground)
    if held is not None or not templates:
        return held or []
    names = _following(work, site, ground)
    if isinstance(names, Hold):
        return names
    name = _file_name(site, site.base.ref.name or "")
    if name is None:
        directory = os.path.relpath(site.its.directory)
        return Hold(f"the names for a file of its template are taken in {directory}")
    if not _can_list(site.file):
        return Hold(f"{site.file.file.name}, which is to list its template, cannot be edited safely")
    return [*_joints(site, name), *names]
