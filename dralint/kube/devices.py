"""The requests, constraints and configs of a claim, in every API version. Never raises on wrong shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from dralint.yamltext.node import MAP, SCALAR, SEQ, Node, deref
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import Path, entries, get, string

Form = Literal["flat", "exactly", "firstAvailable", "both", "none"]
# What may stand in `exactly` (v1, v1beta2) or directly in a request (before) and asks for devices.
FLAT_FIELDS = (
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
)


class Selector(NamedTuple):
    """expression: None where it is missing or no string; node: the selector, or its expression."""

    path: Path
    node: Node
    expression: str | None


@dataclass(eq=False)
class Ask:
    """What a request or one alternative of it asks for; paths are absolute in the document.

    name      of the subrequest, None for an exact request
    count     None where absent or no integer; mode as written, None where absent
    """

    path: Path
    node: Node
    name: str | None
    device_class: str | None
    count: int | None
    mode: str | None
    admin_access: bool
    selectors: list[Selector]


@dataclass(eq=False)
class Request:
    """A request of a claim.

    form         flat: the fields of `exactly` stand directly in it; both: more than one form at once;
                 none: it asks for nothing
    ask          what it asks for, None for firstAvailable and none
    subrequests  the alternatives of firstAvailable, in order
    device_class, count, mode, selectors   those of `ask`
    """

    path: Path
    node: Node
    name: str | None
    form: Form
    ask: Ask | None
    subrequests: list[Ask]

    @property
    def device_class(self) -> str | None:
        return self.ask.device_class if self.ask else None

    @property
    def count(self) -> int | None:
        return self.ask.count if self.ask else None

    @property
    def mode(self) -> str | None:
        return self.ask.mode if self.ask else None

    @property
    def selectors(self) -> list[Selector]:
        return self.ask.selectors if self.ask else []

    @property
    def asks(self) -> list[Ask]:
        """What it asks for in every form: the exact request, or its alternatives."""
        return ([self.ask] if self.ask else []) + self.subrequests


class Constraint(NamedTuple):
    """requests: the names it lists, None where it lists none (all requests)."""

    path: Path
    node: Node
    requests: list[str] | None
    match_attribute: str | None
    distinct_attribute: str | None


class Config(NamedTuple):
    """An opaque config; `requests` as in Constraint; `parameters`: its node, None where absent."""

    path: Path
    node: Node
    driver: str | None
    requests: list[str] | None
    parameters: Node | None


def mappings(node: Node | None, path: Path) -> list[tuple[Path, Node]]:
    """The mappings of a list with their paths."""
    if node is None:
        return []
    node = deref(node)
    if node.kind != SEQ:
        return []
    found = [((*path, index), deref(item)) for index, item in enumerate(node.items)]
    return [(place, item) for place, item in found if item.kind == MAP]


def _strings(node: Node | None) -> list[str] | None:
    if node is None or node.kind != SEQ or not node.items:
        return None
    return [text for item in node.items if (text := string(item)) is not None]


def _integer(node: Node | None) -> int | None:
    value = resolve(node) if node is not None and node.kind == SCALAR else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def selectors_of(node: Node, path: Path) -> list[Selector]:
    found = []
    for place, item in mappings(get(node, "selectors"), (*path, "selectors")):
        expression = get(item, "cel", "expression")
        if expression is None:
            found.append(Selector(place, item, None))
        else:
            found.append(Selector((*place, "cel", "expression"), expression, string(expression)))
    return found


def _ask(node: Node, path: Path, name: str | None) -> Ask:
    admin_access = get(node, "adminAccess")
    return Ask(
        path,
        node,
        name,
        string(get(node, "deviceClassName")),
        _integer(get(node, "count")),
        string(get(node, "allocationMode")),
        admin_access is not None and admin_access.kind == SCALAR and resolve(admin_access) is True,
        selectors_of(node, path),
    )


def request_at(path: Path, node: Node) -> Request:
    exactly = get(node, "exactly")
    first_available = get(node, "firstAvailable")
    flat = any(field in entries(node) for field in FLAT_FIELDS)
    forms: list[Form] = []
    ask = None
    if exactly is not None and exactly.kind == MAP:
        forms.append("exactly")
        ask = _ask(exactly, (*path, "exactly"), None)
    if first_available is not None and first_available.kind == SEQ and first_available.items:
        forms.append("firstAvailable")
    if flat:
        forms.append("flat")
        ask = ask or _ask(node, path, None)
    alternatives = [
        _ask(item, place, string(get(item, "name")))
        for place, item in mappings(first_available, (*path, "firstAvailable"))
    ]
    form: Form = "none" if not forms else forms[0] if len(forms) == 1 else "both"
    return Request(path, node, string(get(node, "name")), form, ask, alternatives)


def constraint_at(path: Path, node: Node) -> Constraint:
    return Constraint(
        path,
        node,
        _strings(get(node, "requests")),
        string(get(node, "matchAttribute")),
        string(get(node, "distinctAttribute")),
    )


def config_at(path: Path, node: Node) -> Config:
    return Config(
        path,
        node,
        string(get(node, "opaque", "driver")),
        _strings(get(node, "requests")),
        get(node, "opaque", "parameters"),
    )
