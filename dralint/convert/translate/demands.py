"""What a pod demands of the labels of its node: nodeSelector and required node affinity, as values."""

from __future__ import annotations

from typing import NamedTuple

from dralint.yamltext.view import Path, Plain

# Values of a demand that a message shows.
_SHOWN = 4
OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt")


class Demand(NamedTuple):
    """An entry of nodeSelector, which is an `In` with one value, or a match expression.

    path  where it stands in the document, () where it stands in none
    at    offset of its first character in the text
    held  why it cannot be taken away from where it stands, without a full stop; "" where it can
    """

    key: str
    operator: str
    values: tuple[str, ...] = ()
    path: Path = ()
    at: int = 0
    held: str = ""

    @property
    def meaning(self) -> tuple[str, str, frozenset[str]]:
        """Equal for demands that let the same nodes through."""
        return self.key, self.operator, frozenset(self.values)

    def __str__(self) -> str:
        rest = len(self.values) - _SHOWN
        values = ", ".join(self.values[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
        if self.operator == "In" and len(self.values) == 1:
            return f"{self.key}: {values}"
        return f"{self.key} {self.operator} {values}".rstrip()


class Term(NamedTuple):
    """A term of the node affinity: a node fits it that meets all of it.

    others  what is no demand on a label, as plain data: matchFields, and expressions that cannot be read
    path    where it stands in the document
    """

    demands: tuple[Demand, ...]
    others: tuple[Plain, ...] = ()
    path: Path = ()

    @property
    def empty(self) -> bool:
        """Nothing is in it; the scheduler lets no node through an empty term."""
        return not self.demands and not self.others


class Preference(NamedTuple):
    """A preferred term with its weight; path: where it stands in the document."""

    weight: int
    term: Term
    path: Path = ()


class Constraints(NamedTuple):
    """What a pod demands of its node.

    selector   all of them must be met
    terms      one of them must be met; None: the pod has no required node affinity
    preferred  what the scheduler counts in a node's favour
    """

    selector: tuple[Demand, ...] = ()
    terms: tuple[Term, ...] | None = None
    preferred: tuple[Preference, ...] = ()
