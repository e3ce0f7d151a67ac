"""What a rule reports."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from dralint.kube.objects import ObjectRef
from dralint.source.file import Origin

if TYPE_CHECKING:
    from dralint.yamltext.operations import Operation

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class Region(NamedTuple):
    """A range of a file; lines and columns start at 1, the end column is the one after the last."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


class Related(NamedTuple):
    """Another place that explains a finding."""

    region: Region
    message: str


class TextEdit(NamedTuple):
    """Replace the characters [start, end) of the file by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Fix:
    """An edit that removes the finding; unsafe when it may change what runs or lose a comment.

    operations  what the edits do, on the documents of the finding's file: with those of other fixes
                they give one patch that is checked as a whole
    """

    applicability: Literal["safe", "unsafe"]
    edits: tuple[TextEdit, ...]
    operations: tuple[Operation, ...] = dataclasses.field(default=(), compare=False, repr=False)


@dataclass(frozen=True)
class Finding:
    """One finding; `field` is the path inside the object as Kubernetes writes it."""

    rule: str
    name: str
    layer: str
    severity: Severity
    message: str
    region: Region
    object: ObjectRef | None = None
    field: str | None = None
    related: tuple[Related, ...] = ()
    source: Origin | None = None
    help: str = ""
    fix: Fix | None = None
