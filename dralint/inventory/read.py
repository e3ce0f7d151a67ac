"""Files to an inventory: ResourceSlices, or Nodes with labels where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dralint.errors import InputError
from dralint.inventory.device import Inventory, Note
from dralint.inventory.manifests import Manifest, manifest, manifests
from dralint.inventory.nodes import KIND as NODE
from dralint.inventory.nodes import from_nodes, is_node
from dralint.inventory.slices import KIND as SLICE
from dralint.inventory.slices import from_slices, is_slice
from dralint.kube.objects import KubeObject
from dralint.nvidia.target import Target
from dralint.source.file import SourceFile


def from_manifests(found: Sequence[Manifest], target: Target) -> Inventory | None:
    """The devices of the objects; None where they hold neither ResourceSlices nor Nodes.

    ResourceSlices say what there is. Nodes count only without them: their devices are predicted.
    """
    nodes = [each for each in found if is_node(each)]
    if any(map(is_slice, found)):
        inventory = from_slices(found)
        if nodes:
            inventory.notes.append(
                Note("there are ResourceSlices, so the Nodes are not read", nodes[0].place)
            )
        return inventory
    return from_nodes(nodes, target) if nodes else None


def read_inventory(
    files: Iterable[SourceFile | InputError], target: Target, problems: list[InputError]
) -> Inventory:
    """The inventory of files of ResourceSlices or Nodes, YAML or JSON, in any number of documents.

    What cannot be read is added to `problems`, as is a set of files that holds neither kind.
    """
    found: list[Manifest] = []
    names = []
    for file in files:
        if isinstance(file, InputError):
            problems.append(file)
            continue
        names.append(file.name)
        found.extend(manifests(file, problems))
    inventory = from_manifests(found, target)
    if inventory is None:
        if names and not problems:
            problems.append(
                InputError(
                    f"no ResourceSlice and no Node in {', '.join(names)}",
                    advice="make it with: kubectl get resourceslices -o json",
                )
            )
        return Inventory([])
    return inventory


def inventory_of(objects: Iterable[KubeObject], target: Target) -> Inventory | None:
    """The inventory among the objects of checked files; None where they hold neither slices nor Nodes.

    Templates are passed over. Raises InputError for an object that is too large.
    """
    wanted = (each for each in objects if each.ref.kind in (SLICE, NODE) and not each.template)
    return from_manifests([manifest(each) for each in wanted], target)
