"""The devices that the command line says the cluster has: --inventory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dralint.cli.messages import tell
from dralint.errors import DralintError, InputError

if TYPE_CHECKING:
    from dralint.inventory.device import Inventory
    from dralint.nvidia.target import Target


def given_inventory(
    paths: Sequence[str], target: Target, stdin_name: str, problems: list[DralintError]
) -> Inventory | None:
    """The devices of files of ResourceSlices or Nodes; None where no file is named.

    What cannot be read is added to `problems`; where nothing can be read there is no inventory. Files
    without any device are an inventory: nothing matches there.
    """
    if not paths:
        return None
    from dralint.inventory.manifests import WORDS
    from dralint.inventory.read import read_inventory
    from dralint.source.find import find

    found: list[InputError] = []
    inventory = read_inventory(find(paths, words=WORDS, stdin_name=stdin_name), target, found)
    problems.extend(found)
    return None if found and not inventory.devices else inventory


def tell_notes(inventory: Inventory | None) -> None:
    """What a reader should know about the inventory."""
    for note in inventory.notes if inventory else ():
        tell(f"{note.place or 'dralint'}: note: {note.what}")
