"""What rules read and what checks answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.yamltext.view import Path, Plain

if TYPE_CHECKING:
    from dralint.lint.finding import Severity
    from dralint.yamltext.operations import Operation

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(eq=False)
class Subject:
    """One thing that rules judge: a request, a claim, a pod, a container...

    kind     one of the kinds of schemas/facts.schema.json
    facts    what is of it, every key of its kind always there; each key is a variable of CEL
    object   the object it stands in
    path     where it stands, from the root of the object's document
    anchors  other places that rules can point to (`at: "@claim"`), each in an object of its own
    span     what to mark instead of the field at `path`: offsets in the file, for what no field stands for
    """

    kind: str
    facts: dict[str, Plain]
    object: KubeObject
    path: Path
    anchors: dict[str, tuple[KubeObject, Path]] = field(default_factory=dict)
    span: tuple[int, int] | None = None


class NotJudged(Exception):
    """Raised by a check that cannot answer because a limit was reached; the text says which."""


class Hit(NamedTuple):
    """One answer of a check.

    at             as in a rule file ("exactly.count", "@claim"), or a path from the document's root
    values         for the placeholders of the message, before the subject's facts
    severity       None: the rule's
    related        besides those of the rule file: object, path from its document's root, message
    operations     a fix, on the document of the subject's object
    applicability  of the operations; the rule file can only make it unsafe
    span           what to mark inside of the field: offsets in its object's file, such as of a clause
    """

    at: str | Path = ""
    values: Mapping[str, str] = _NOTHING
    severity: Severity | None = None
    related: tuple[tuple[KubeObject, Path, str], ...] = ()
    operations: tuple[Operation, ...] = ()
    applicability: Literal["safe", "unsafe"] = "safe"
    span: tuple[int, int] | None = None
