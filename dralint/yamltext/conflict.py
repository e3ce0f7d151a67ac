"""Which groups of operations cannot be carried out together: one removes what another works on."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.yamltext.action import Action
from dralint.yamltext.operations import Append, Insert, Put, Remove, Rename, Replace
from dralint.yamltext.piece import Refused
from dralint.yamltext.view import Path


def _touched(action: Action) -> Path:
    """The path of what the operation needs to be there."""
    operation = action.operation
    assert isinstance(operation, (Remove, Replace, Rename, Put, Append, Insert))
    whole = action.fills and action.place == operation.path
    return (*operation.path, operation.key) if whole and isinstance(operation, Put) else operation.path


# What two operations cannot both have at one path.
_CLASHES = {
    ("remove", "remove"),
    ("key", "key"),
    ("value", "value"),
    ("value", "entries"),
    ("value", "items"),
    ("entries", "items"),
}


def _claim(action: Action) -> str:
    """What an operation wants of its path: "remove", "key", "value", or parts of a null's new value."""
    operation = action.operation
    if isinstance(operation, (Remove, Rename)):
        return "remove" if isinstance(operation, Remove) else "key"
    if isinstance(operation, Replace) or not action.fills:
        return "value" if isinstance(operation, Replace) else ""
    if action.place == operation[1]:
        return "value"
    return "entries" if isinstance(operation, Put) else "items"


class _Claims:
    """What the operations of the groups so far need, remove, replace and rename."""

    def __init__(self) -> None:
        self.taken: dict[Path, set[str]] = {}
        self.removed: set[Path] = set()
        self.needed: set[Path] = set()

    def conflict(self, actions: list[Action]) -> Refused | None:
        """Why these actions cannot be done together with those so far; without a reason they are noted."""
        mine = [(action, _touched(action), _claim(action)) for action in actions]
        removed = {path for _, path, claim in mine if claim == "remove"}
        taken: dict[Path, set[str]] = {}
        for action, path, claim in mine:
            above = [path[:length] for length in range(len(path) + (claim != "remove"))]
            if any(each in removed or each in self.removed for each in above):
                return Refused("an operation works on what another removes", action.container.start)
            if claim == "remove" and path in self.needed:
                return Refused("an operation works on what another removes", action.container.start)
            for other in (*taken.get(path, ()), *self.taken.get(path, ())):
                if (claim, other) in _CLASHES or (other, claim) in _CLASHES:
                    return Refused("two operations want the same entry", action.container.start)
            taken.setdefault(path, set()).add(claim)
        self.removed |= removed
        for path, claims in taken.items():
            self.taken.setdefault(path, set()).update(claims)
            self.needed.update(path[:length] for length in range(len(path) + 1))
        return None


def conflicts(actions: list[Action]) -> Iterator[Refused]:
    """A refusal for every group that works on what an earlier one, or itself, removes or replaces."""
    groups: dict[int, list[Action]] = {}
    for action in actions:
        groups.setdefault(action.group, []).append(action)
    claims = _Claims()
    for group in sorted(groups):
        refused = claims.conflict(groups[group])
        if refused:
            yield Refused(refused.what, refused.offset, group)
