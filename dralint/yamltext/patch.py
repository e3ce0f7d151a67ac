"""Change a text by operations on its documents: only the bytes that must change, checked every time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dralint.errors import InternalError
from dralint.yamltext.action import Action, Change, gather, resolve_operation
from dralint.yamltext.block import fill_block, plan_block
from dralint.yamltext.compose import Document, collector_paused
from dralint.yamltext.conflict import conflicts
from dralint.yamltext.documents import Insertion, find_insertion, plan_insertion, plan_wrap
from dralint.yamltext.flow import fill_flow, plan_flow
from dralint.yamltext.objects import apply
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
from dralint.yamltext.page import Page
from dralint.yamltext.piece import Piece, Refused
from dralint.yamltext.scalar_edit import plan_scalars
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.size import becomes_too_large, too_large
from dralint.yamltext.splice import ordered, settle, splice, to_edits
from dralint.yamltext.text import SourceText
from dralint.yamltext.uses import wrong_uses
from dralint.yamltext.verify import Expected, check
from dralint.yamltext.view import Plain, plain

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
    "patch",
]


class _Plan:
    """The plan for one document: the operations asked of it, and the pieces of those that are alive."""

    def __init__(self, page: Page, document: Document) -> None:
        self.document = document
        self.sheet = Sheet(page, document)
        self.operations: list[tuple[int, Operation]] = []
        self.actions: list[Action] = []
        self.inserted: list[Piece] = []
        self.pieces: list[Piece] = []
        self.planned_for: frozenset[int] | None = None
        self._insertion: Insertion | Refused | None = None

    def insertion(self) -> Insertion:
        """Where documents are inserted before this one; raises Refused."""
        if self._insertion is None:
            try:
                self._insertion = find_insertion(self.sheet)
            except Refused as refused:
                self._insertion = refused
        if isinstance(self._insertion, Refused):
            raise Refused(self._insertion.what, self._insertion.offset)
        return self._insertion

    def alive(self, refused: set[int]) -> frozenset[int]:
        return frozenset(group for group, _ in self.operations if group not in refused)


class _Patch:
    """One call of `patch`: plans per document, refusals per group."""

    def __init__(self, source: SourceText, documents: Sequence[Document]) -> None:
        self.page = Page(source.text)
        self.documents = documents
        self.plans: dict[int, _Plan] = {}
        self.unreadable: dict[int, Refused] = {}
        self.refusals: dict[int, Refusal] = {}
        # Refused only because of another group; taken back when that one is refused, too.
        self.conflicts: dict[int, Refusal] = {}

    def refuse(self, refused: Refused, group: int | None = None) -> None:
        group = refused.group if refused.group is not None else group
        if group is None:
            raise InternalError(f"nobody is to blame for: {refused.what}")
        self.refusals.setdefault(group, Refusal(group, refused.what, refused.offset))

    def resolve(self, groups: Sequence[Sequence[Operation]]) -> None:
        """Find every operation's place; what cannot be found refuses its group."""
        for group, operations in enumerate(groups):
            for operation in operations:
                try:
                    self._resolve(group, operation)
                except Refused as refused:
                    self.refuse(refused, group)
                    break

    def _resolve(self, group: int, operation: Operation) -> None:
        plan = self._plan_of(operation.document)
        sheet = plan.sheet
        if isinstance(operation, InsertDocument):
            plan.inserted.append(plan_insertion(sheet, plan.insertion(), group, operation))
        elif isinstance(operation, Wrap):
            plan_wrap(sheet, group, operation)
        else:
            plan.actions.append(resolve_operation(sheet, group, operation))
        plan.operations.append((group, operation))

    def _plan_of(self, index: int) -> _Plan:
        if not 0 <= index < len(self.documents):
            raise Refused(f"there is no document {index}", 0)
        if index in self.unreadable:
            raise self.unreadable[index]
        if index not in self.plans:
            try:
                self.plans[index] = _Plan(self.page, self.documents[index])
            except Refused as refused:
                self.unreadable[index] = refused
                raise
        return self.plans[index]

    def refused(self) -> set[int]:
        return self.refusals.keys() | self.conflicts.keys()

    def plan(self) -> None:
        """Plan all documents until no more group has to be refused."""
        while True:
            known = len(self.refusals)
            self._find_conflicts()
            refused = self.refused()
            for plan in self.plans.values():
                alive = plan.alive(refused)
                if alive != plan.planned_for:
                    plan.pieces = self._pieces(plan, alive)
                    plan.planned_for = alive
            if len(self.refusals) == known:
                return

    def _find_conflicts(self) -> None:
        self.conflicts = {}
        for plan in self.plans.values():
            for refused in conflicts([each for each in plan.actions if each.group not in self.refusals]):
                assert refused.group is not None
                self.conflicts[refused.group] = Refusal(refused.group, refused.what, refused.offset)

    def _pieces(self, plan: _Plan, alive: frozenset[int]) -> list[Piece]:
        """The pieces of one document; what is refused meanwhile leads to another round."""
        sheet = plan.sheet
        actions = [each for each in plan.actions if each.group in alive]
        wrong = list(wrong_uses(sheet, actions))
        changes: list[Change] = []
        if not wrong:
            changes, wrong = gather(sheet, actions)
        for refused in wrong:
            self.refuse(refused)
        if wrong:
            return []
        pieces: list[Piece] = []
        try:
            for change in changes:
                pieces += self._change_pieces(sheet, change)
            pieces += self._document_pieces(plan, alive)
            pieces = ordered(pieces)
            return ordered([*pieces, *settle(self.page, sheet.tree.scalars, pieces)])
        except Refused as error:
            self.refuse(error)
            return []

    def _document_pieces(self, plan: _Plan, alive: frozenset[int]) -> Iterator[Piece]:
        """The pieces that put documents or a wrapper around what is there."""
        yield from (piece for piece in plan.inserted if piece.group in alive)
        wrapped = False
        for group, operation in plan.operations:
            if group in alive and isinstance(operation, Wrap):
                if wrapped:
                    raise Refused("one document is wrapped once", plan.sheet.root.start, group)
                yield from plan_wrap(plan.sheet, group, operation)
                wrapped = True

    def _change_pieces(self, sheet: Sheet, change: Change) -> list[Piece]:
        try:
            pieces = plan_scalars(sheet, change)
            flow = bool(change.container.style)
            pieces += fill_flow(sheet, change) if flow else fill_block(sheet, change)
            if change.removed or change.added:
                pieces += plan_flow(sheet, change) if flow else plan_block(sheet, change)
        except Refused as refused:
            self.refuse(refused, change.group)
            return []
        return pieces

    def edits(self) -> list[Edit]:
        pieces = [piece for index in sorted(self.plans) for piece in self.plans[index].pieces]
        last = self.plans.get(len(self.documents) - 1)
        scalars = last.sheet.tree.scalars if last else []
        try:
            return to_edits(self.page, ordered(pieces), scalars)
        except Refused as error:
            raise InternalError("edits of two documents overlap") from error

    def expected(self) -> list[Expected]:
        """What the new text must hold, document by document."""
        found: list[Expected] = []
        refused = self.refused()
        for index, document in enumerate(self.documents):
            plan = self.plans.get(index)
            operations = [each for group, each in plan.operations if group not in refused] if plan else []
            inserted = [each for each in operations if isinstance(each, InsertDocument)]
            found += [Expected(None, partial(_inserted, each)) for each in inserted]
            found.append(Expected(document, partial(_applied, document, operations) if operations else None))
        return found


def _inserted(operation: InsertDocument) -> Plain:
    return operation.value


def _applied(document: Document, operations: list[Operation]) -> Plain:
    return apply(plain(document.root), operations)


def _unchanged(
    source: SourceText, groups: Sequence[Sequence[Operation]], reason: str, offset: int
) -> Patched:
    """Every group refused for one reason."""
    return Patched(source.text, [], [Refusal(group, reason, offset) for group in range(len(groups))])


def patch(
    source: SourceText,
    documents: Sequence[Document],
    groups: Sequence[Sequence[Operation]],
    *,
    all_or_none: bool = False,
) -> Patched:
    """The text after the groups of operations; a group is carried out whole or refused whole.

    documents: those that `compose` gave for the text; all paths and indexes are those of this text.
    all_or_none: where a group is refused the text stays as it is, which spares the check of a new one.
    Raises InternalError, and returns nothing, if the new text does not hold exactly what was meant.
    """
    reason = source.uneditable or too_large(documents) or becomes_too_large(documents, groups)
    if reason:
        offset = source.odd_break or 0
        return _unchanged(source, groups, reason, offset)
    with collector_paused():
        work = _Patch(source, documents)
        work.resolve(groups)
        work.plan()
        refusals = [each for _, each in sorted({**work.conflicts, **work.refusals}.items())]
        if refusals and all_or_none:
            return Patched(source.text, [], refusals)
        edits = work.edits()
        if not edits:
            return Patched(source.text, [], refusals)
        new = splice(source.text, edits)
        expected = work.expected()
        # The plans are as large as the documents; the check needs the room for the new ones.
        del work
        try:
            check(source.text, new, edits, expected)
        except Refused as refused:
            return _unchanged(source, groups, refused.what, refused.offset)
        return Patched(new, edits, refusals)
