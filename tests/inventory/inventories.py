"""Inventories for tests, from text."""

from __future__ import annotations

from dralint.errors import InputError
from dralint.inventory.device import Inventory
from dralint.inventory.read import read_inventory
from dralint.nvidia.target import Target, make_target
from dralint.source.file import SourceFile


def files(*texts: str) -> list[SourceFile]:
    """Files `0.yaml`, `1.yaml`, ..."""
    return [SourceFile(f"{number}.yaml", None, text.encode()) for number, text in enumerate(texts)]


def read(*texts: str, target: Target | None = None) -> tuple[Inventory, list[str]]:
    """The inventory of these files, and what could not be read."""
    problems: list[InputError] = []
    inventory = read_inventory(files(*texts), target or make_target(), problems)
    return inventory, [str(each) for each in problems]


def notes(inventory: Inventory) -> list[str]:
    """The notes with their places."""
    return [f"{note.place}: {note.what}" for note in inventory.notes]
