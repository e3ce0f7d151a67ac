"""The configuration for kustomize that people can take: the fields of all kinds that name claims, from the data of kinds."""

from __future__ import annotations

from pathlib import Path

from dralint.convert.kustomize.component_files import name_references
from dralint.convert.kustomize.name_configuration import known_fields

FILE = Path(__file__).resolve().parent.parent / "examples/name-prefix/claim-names.yaml"
_HEAD = """\
# For kustomize: list this file under `configurations` where `namePrefix` or `nameSuffix` stands, or in the base below it.
# The fields of all kinds that name a ResourceClaimTemplate or a ResourceClaim; what a project does not use may go.
# Missing are kinds that have a part under a key of one's own, such as the `Worker` of a PyTorchJob, since kustomize
# takes no `*`: for those `dralint convert` writes the fields that are there.
"""


def text() -> str:
    """What the file holds."""
    return _HEAD + name_references(known_fields())


def write() -> None:
    """Write the file anew."""
    FILE.write_text(text(), encoding="utf-8")
