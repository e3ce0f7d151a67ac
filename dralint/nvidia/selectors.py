"""The selector that a person would write for a card or one of its MIG slices."""

from __future__ import annotations

import json

from dralint.nvidia.cards import Card
from dralint.nvidia.published import gpu_driver_name


def _equal(attribute: str, value: str) -> str:
    # A JSON string is a CEL string.
    return f'device.attributes["{gpu_driver_name()}"].{attribute} == {json.dumps(value, ensure_ascii=False)}'


def card_selector(card: Card) -> str:
    """For a request with the class of whole GPUs, or of MIG slices when any profile will do."""
    return _equal("productName", card.name)


def slice_selector(card: Card, profile: str) -> str:
    """For a request with the class of MIG slices: this profile of this card."""
    return f"{_equal('productName', card.name)} && {_equal('profile', profile)}"
