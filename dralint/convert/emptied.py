"""Which mapping to remove, where removing what is in it would leave it empty."""

from __future__ import annotations

from dralint.yamltext.node import MAP, Node
from dralint.yamltext.scalars import is_merge_key
from dralint.yamltext.view import Path, entries, get


def goes_with(root: Node, path: Path, gone: set[Path], stop: int) -> Path:
    """The path, or that of the outermost mapping which would be empty without what is gone.

    gone  all that is removed; what is found is added to it
    stop  mappings whose paths are not longer than this stay
    """
    while len(path) - 1 > stop:
        parent = get(root, *path[:-1])
        if parent is None or parent.kind != MAP or any(is_merge_key(key) for key in parent.items[::2]):
            break
        if any((*path[:-1], key) not in gone for key in entries(parent)):
            break
        path = path[:-1]
        gone.add(path)
    return path
