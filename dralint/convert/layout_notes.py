"""Whether the MIG layouts that are known make the devices of converted claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.cluster import PlacedLayout, layouts_of
from dralint.convert.model import Note
from dralint.convert.pod_notes import note_at, with_claims
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import ParsedFile
from dralint.nvidia.mig_layouts import KEY, offered
from dralint.yamltext.node import deref

_SHOWN = 6


def _known(files: Sequence[ParsedFile], ground: Ground) -> list[PlacedLayout]:
    """The layouts among the files, and those given."""
    found = [
        layout
        for file in files
        if file.holds(KEY.encode())
        for obj in file.objects
        if not obj.template
        for layout in layouts_of(obj)
    ]
    return [*ground.options.cluster.layouts, *found]


def layout_notes(files: Sequence[ParsedFile], works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """A note for each pod whose claim asks for a profile that no layout makes."""
    asking = [work for work in works if any(each.device.profile for each in with_claims(work))]
    # Under DynamicMIG the driver makes what claims ask for.
    if not asking or ground.options.target.driver_gate("DynamicMIG"):
        return
    layouts = _known(files, ground)
    made = offered(each.layout for each in layouts)
    if not made:
        return
    shown = ", ".join(made[:_SHOWN]) + (f" and {len(made) - _SHOWN} more" if len(made) > _SHOWN else "")
    for work in asking:
        for each in with_claims(work):
            profile = each.device.profile
            if profile is not None and profile not in made:
                message = f"no MIG layout that is known makes {profile}: {layouts[0].place} makes {shown}"
                yield note_at(work, deref(each.counts[0]), "mig-layout", message)
