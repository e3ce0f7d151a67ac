"""The result of a conversion: every GPU request of the input with what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple

from dralint.kube.objects import ObjectRef, ParsedFile
from dralint.source.file import Origin
from dralint.yamltext.operations import Edit

# How a request moves to DRA: a claim takes its place, the name stays and a DeviceClass serves it, or the name
# of a DeviceClass takes its place.
Way = Literal["claims", "extended-resource", "implicit"]

if TYPE_CHECKING:  # made from a conversion
    from dralint.convert.kustomize.component import Component
    from dralint.nvidia.target import Target


class Outcome(StrEnum):
    CONVERTED = "converted"
    KEPT = "kept"
    NEEDS_DECISION = "needs-decision"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class ClaimRef:
    """The claim that replaces an occurrence: the pod's claim name, its template and the class.

    count      the devices of the claim that the container sees in the place of the request
    others     the other claims, where an init container takes those of several
    selectors  the expressions that choose among the devices of the class, beside that for the profile
    preferred  alternatives of what must hold beside them, the best first; any device is the last
    shared     `template` is a ResourceClaim, which all pods of the workload have together
    capacity   what of a device's capacity it takes, name and quantity; empty: the whole device
    """

    name: str
    template: str
    device_class: str
    count: int
    profile: str | None = None
    others: tuple[ClaimRef, ...] = ()
    selectors: tuple[str, ...] = ()
    preferred: tuple[str, ...] = ()
    shared: bool = False
    capacity: tuple[tuple[str, str], ...] = ()


@dataclass
class Occurrence:
    """One GPU request of the input; see "occurrence" in the design's words.

    quantity  the source text of the count, None where it is null
    reason    one sentence without a full stop; next: what a person should do, "" when nothing
    """

    path: str
    line: int
    column: int
    object: ObjectRef | None
    field: str
    container: str | None
    resource: str
    quantity: str | None
    outcome: Outcome
    mode: Way | None
    reason: str
    next: str = ""
    claim: ClaimRef | None = None
    source: Origin | None = None


def is_open(occurrence: Occurrence) -> bool:
    """Whether a person must see to the request before the move is done.

    So it is, too, where it stays with the device plugin until something else is converted.
    """
    waits = occurrence.outcome is Outcome.KEPT and occurrence.mode is None and bool(occurrence.next)
    return waits or occurrence.outcome in (Outcome.NEEDS_DECISION, Outcome.UNSUPPORTED)


class Note(NamedTuple):
    """Something beside the workloads that a person should know; `line` is None for a whole file.

    weight  warning: what runs may change, so it is always shown; info: shown when asked for
    edited  the file was, or would be, edited for it
    """

    path: str
    line: int | None
    column: int | None
    topic: str
    message: str
    object: ObjectRef | None = None
    weight: Literal["warning", "info"] = "info"
    edited: bool = False


Advice = Literal["move", "wait", "stay"]


class Workload(NamedTuple):
    """Whether an object with GPU requests should move now.

    line      that of its first request
    object    None for a file whose requests stand in no object
    reasons   why, a sentence each without a full stop
    outcomes  of its requests
    """

    path: str
    line: int
    object: ObjectRef | None
    advice: Advice
    reasons: tuple[str, ...]
    outcomes: tuple[Outcome, ...]


class Step(NamedTuple):
    """One thing to do on the cluster."""

    title: str
    text: str


@dataclass(eq=False)
class FileResult:
    """A file and its text after conversion; `after` equals the original bytes when nothing changed.

    error  why the file stays as it is although it should change
    edits  what made it of the file's text, in the order of the text, as `patch` returns them
    made   the file is not there yet: `file` is an empty one
    group  results of one number are right only together; None: this one is right alone
    """

    file: ParsedFile
    after: bytes
    error: str | None = None
    edits: Sequence[Edit] = ()
    made: bool = False
    group: int | None = None

    @property
    def changed(self) -> bool:
        """Whether the file changes, or was changed, or made."""
        return self.error is None and self.after != self.file.file.data


ClassState = Literal["needed", "served", "told"]


class ClassNeed(NamedTuple):
    """A DeviceClass that requests by name stand on.

    name               of the class
    resource           what pods ask for by it
    extended_resource  its extendedResourceName, None where its own name is enough
    selectors          CEL expressions
    state              needed: nothing is known to serve the resource; served: something does; told: it depends
                       on who installs the driver
    reason             who serves it, or on what it depends; "" where it is just needed
    """

    name: str
    resource: str
    extended_resource: str | None
    selectors: tuple[str, ...]
    state: ClassState
    reason: str = ""


@dataclass
class Conversion:
    """target: that of the run, with who installs the driver where the files say it.
    components: what does the same to bases, where that was asked for (`Options.overlay`).
    """

    target: Target
    assumptions: list[str] = field(default_factory=list)
    occurrences: list[Occurrence] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    files: list[FileResult] = field(default_factory=list)
    classes: list[ClassNeed] = field(default_factory=list)
    workloads: list[Workload] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    components: list[Component] = field(default_factory=list)
