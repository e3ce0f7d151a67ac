"""Whether the MIG layouts that are known make the devices of converted claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.convert.model import Note
from dralint.convert.notes.pod_notes import note_at, with_devices
from dralint.convert.sharing.cluster import PlacedLayout, label_of, layouts_of
from dralint.convert.work import Ground, PodWork
from dralint.kube.objects import ParsedFile
from dralint.nvidia.mig_layouts import KEY, layout_label, named_layout, offered
from dralint.yamltext.node import deref

_SHOWN = 6


def _known(files: Sequence[ParsedFile], ground: Ground) -> list[PlacedLayout]:
    """The layouts among the files and those given: mig-parted's, and those that Nodes have by their labels.

    Empty where what one of them makes is not known: it may make anything.
    """
    cluster = ground.options.cluster
    found, labels = list(cluster.layouts), list(cluster.labels)
    for file in files:
        if file.holds(KEY.encode()) or file.holds(layout_label().encode()):
            for obj in file.objects:
                if not obj.template:
                    found += layouts_of(obj)
                    label = label_of(obj)
                    labels += [label] if label is not None else []
    if any(each.layout.strange for each in found):
        return []
    defined = {each.layout.name for each in found}
    for label in labels:
        if label.layout not in defined:
            by_name = named_layout(label.layout)
            if by_name is None:
                return []
            found.append(PlacedLayout(by_name, label.place))
    return found


def layout_notes(files: Sequence[ParsedFile], works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """A note for each request for a profile that no layout makes."""
    asking = [work for work in works if any(each.device.profile for each in with_devices(work))]
    # Under DynamicMIG the driver makes what claims ask for.
    if not asking or ground.options.target.driver_gate("DynamicMIG"):
        return
    layouts = _known(files, ground)
    made = offered(each.layout for each in layouts)
    if not made:
        return
    places = [*dict.fromkeys(str(each.place) for each in layouts if each.layout.profiles)]
    place = places[0] + (f" and {len(places) - 1} more" if len(places) > 1 else "")
    shown = ", ".join(made[:_SHOWN]) + (f" and {len(made) - _SHOWN} more" if len(made) > _SHOWN else "")
    for work in asking:
        for each in with_devices(work):
            profile = each.device.profile
            if profile is not None and profile not in made:
                message = f"no known MIG layout makes {profile}, only {shown} ({place}): add it to a layout, or ask for one of these"
                yield note_at(work, deref(each.counts[0]), "mig-layout", message)
