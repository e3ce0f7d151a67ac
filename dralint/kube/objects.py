"""Kubernetes objects of a file: an item of a `List` is an object of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from dralint.errors import InputError, Place
from dralint.source.file import Origin, SourceFile
from dralint.source.prefilter import undisguised
from dralint.yamltext.compose import Document
from dralint.yamltext.node import Node
from dralint.yamltext.text import SourceText
from dralint.yamltext.view import Path


class ObjectRef(NamedTuple):
    """How reports name an object; None for what the manifest does not say."""

    api_version: str | None
    kind: str | None
    namespace: str | None
    name: str | None

    @property
    def called(self) -> str:
        """What a person calls it: `Deployment llm/chat`; `Workflow in llm` where generateName is to name it."""
        if self.namespace and not self.name:
            return f"{self.kind or ''} in {self.namespace}".lstrip()
        return " ".join(
            part for part in (self.kind, "/".join(filter(None, (self.namespace, self.name)))) if part
        )


class Whole:
    """A file that was read in parts, each a file of its own for those who read it.

    apart  they are to become files, so each must be complete without the others
    known  what somebody found out about all parts and keeps, by its own name
    """

    def __init__(self, parts: Sequence[ParsedFile], *, apart: bool = False) -> None:
        self.parts = parts
        self.apart = apart
        self.known: dict[str, object] = {}


@dataclass(eq=False)
class ParsedFile:
    """A decoded and parsed file.

    problems: one InputError per document that could not be read; the other documents are there
    part_of:  all parts of the file that this is a part of, itself among them; None for a file as it is
    """

    file: SourceFile
    text: SourceText
    documents: list[Document]
    objects: list[KubeObject] = field(default_factory=list)
    problems: list[InputError] = field(default_factory=list)
    part_of: Whole | None = field(default=None, repr=False)

    _held: dict[bytes, bool] = field(default_factory=dict, repr=False)

    @cached_property
    def said(self) -> tuple[bytes, ...]:
        """The bytes of the file, and where they are UTF-16 or hold escapes what these say."""
        return (self.file.data, *undisguised(self.file.data))

    def holds(self, word: bytes) -> bool:
        """Whether a word stands in the file, escaped or not; each is looked for once, however many objects ask."""
        found = self._held.get(word)
        if found is None:
            found = self._held[word] = any(word in said for said in self.said)
        return found

    def is_with(self, other: ParsedFile) -> bool:
        """Whether both are the same file, or parts of one."""
        return self is other or (self.part_of is not None and self.part_of is other.part_of)

    def place(self, offset: int) -> Place:
        line, column = self.text.position(offset)
        return Place(self.file.name, line, column)


@dataclass(eq=False)
class KubeObject:
    """One object of a parsed file.

    document  index into `file.documents`
    path      where the object stands in its document: () or ("items", 0)
    node      its mapping
    origin    chart and template for rendered input
    template  it stands in a template document: read, never edited
    read      what was read of it, by the function that reads it and keeps it here
    """

    file: ParsedFile
    document: int
    path: Path
    node: Node
    ref: ObjectRef
    generate_name: str | None = None
    origin: Origin | None = None
    template: bool = False
    read: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def group(self) -> str:
        """The API group, "" for the core group."""
        return (self.ref.api_version or "").rpartition("/")[0]

    @property
    def version(self) -> str:
        return (self.ref.api_version or "").rpartition("/")[2]
