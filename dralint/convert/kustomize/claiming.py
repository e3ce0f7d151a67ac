"""Which objects of a file that nobody named are claims, templates of claims, or ask for GPUs."""

from __future__ import annotations

import os

from dralint.convert.occurrences import occurrences
from dralint.kube.dra import CLAIM, TEMPLATE
from dralint.kube.objects import KubeObject
from dralint.kube.read import parse_path
from dralint.source.file import SourceFile
from dralint.source.find import read

# What files with claims, templates or GPU requests hold.
_WORDS = (CLAIM.encode(), b"nvidia.com/")


def claiming(path: str) -> list[KubeObject]:
    """The objects of a file that are claims or templates of claims, or ask for GPUs."""
    source = read(path, os.path.relpath(path)) if os.path.isfile(path) else None
    if not isinstance(source, SourceFile) or not any(word in source.data for word in _WORDS):
        return []
    file = parse_path(path)
    asking = {each.object for each in occurrences(file)} if file is not None else set()
    objects = file.objects if file is not None else ()
    return [each for each in objects if each in asking or each.ref.kind in (CLAIM, TEMPLATE)]
