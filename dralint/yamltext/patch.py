"""Change a text by operations on its documents: only the bytes that must change, checked every time."""

from __future__ import annotations

from dralint.yamltext.operations import (
    HOLE,
    Append,
    Edit,
    Insert,
    InsertDocument,
    Operation,
    Patched,
    Put,
    Refusal,
    Remove,
    Rename,
    Replace,
    Wrap,
)

__all__ = [
    "HOLE",
    "Append",
    "Edit",
    "Insert",
    "InsertDocument",
    "Operation",
    "Patched",
    "Put",
    "Refusal",
    "Remove",
    "Rename",
    "Replace",
    "Wrap",
]
