"""Where kustomize finds what it is to do in a directory."""

from __future__ import annotations

import os

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")


def kustomization_file(directory: str) -> str | None:
    """The path of a directory's kustomization; None where it has none."""
    paths = (os.path.join(directory, name) for name in NAMES)
    return next((path for path in paths if os.path.isfile(path)), None)
