"""Insert a document before another, and wrap the one object of a JSON file."""

from __future__ import annotations

import json
from typing import NamedTuple

from dralint.yamltext.operations import HOLE, InsertDocument, Wrap
from dralint.yamltext.page import SEPARATOR, Page
from dralint.yamltext.piece import AFTER, DOCUMENT, Piece, Refused, rank
from dralint.yamltext.render import BlockStyle, FlowStyle, flow_value, mapping_lines
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import block_style, flow_style, is_json


class Insertion(NamedTuple):
    """Where documents go before one that is there, and how they are written: found once for all of them.

    at          the offset
    head, tail  the lines before the comments and after the body
    block, flow  the style of the body, one of them
    line_break  between the lines
    comments    whether these can be written
    """

    at: int
    head: tuple[str, ...]
    tail: tuple[str, ...]
    block: BlockStyle | None
    flow: FlowStyle | None
    line_break: str
    comments: bool = True


def _is_json_file(sheet: Sheet) -> bool:
    """Whether the file is one JSON object or a stream of them."""
    page, root = sheet.page, sheet.root
    if not is_json(root) or page.separator:
        return False
    try:
        json.loads(page.text[root.start : root.end])
    except (ValueError, RecursionError):
        return False
    return True


def _separator(sheet: Sheet) -> int | None:
    """The offset of the document's own `---`, None where it has none."""
    found = SEPARATOR.search(
        sheet.page.text, sheet.document.start, max(sheet.root.start, sheet.document.start + 4)
    )
    return found.start() if found else None


def _below_header(sheet: Sheet) -> int:
    """Where a document goes that becomes the first: below a header that a blank line follows.

    Comments that touch the object stay with it.
    """
    page = sheet.page
    position, header_end, comments = sheet.document.start, sheet.document.start, False
    while position < page.line_start(sheet.root.start):
        if page.is_comment(position):
            comments = True
        elif page.is_blank(position) and comments:
            header_end = page.line_end(position)
        position = page.line_end(position)
    return header_end


def _blank_lines(page: Page, separator: int | None) -> tuple[bool, bool]:
    """Whether the file writes a blank line before its `---`, and after it."""
    found = None
    if separator is None or page.blank >= separator:
        start = 0 if separator is None else separator + 3
        match = SEPARATOR.search(page.text, start) if page.separator else None
        found = match.start() if match else None
    else:
        found = separator
    before = found is not None and found > 1 and page.is_blank(page.line_start(found - 1))
    after = separator is not None and page.is_blank(page.line_end(separator))
    return before, after


def _written(
    sheet: Sheet, at: int, line_break: str, head: tuple[str, ...] = (), tail: tuple[str, ...] = ()
) -> Insertion:
    """The insertion at an offset, in the style of the document that is there."""
    page, root = sheet.page, sheet.root
    if root.style:
        flow = flow_style(page, sheet.tree, root, lines=page.spread(root))
        return Insertion(at, head, tail, None, flow, line_break)
    return Insertion(at, head, tail, block_style(page, sheet.tree, root, root.start), None, line_break)


def find_insertion(sheet: Sheet) -> Insertion:
    """Where and how documents are inserted before the sheet's; raises Refused."""
    page, document = sheet.page, sheet.document
    if page.directive:
        raise Refused("no document is inserted into a file with a `%` directive", page.text.index("%"))
    separator = _separator(sheet)
    at = separator
    if at is None:
        if _is_json_file(sheet):
            return _between_json(sheet)
        if page.blank < document.start:
            raise Refused("the document does not begin with `---`", document.start)
        at = _below_header(sheet)
    blank_before, blank_after = _blank_lines(page, separator)
    head: tuple[str, ...] = ()
    tail = ("",) if blank_before else ()
    if separator is not None:
        head = ("---", "") if blank_after else ("---",)
    else:
        tail = (*tail, "---")
    return _written(sheet, at, page.line_break(at), head, tail)


def _between_json(sheet: Sheet) -> Insertion:
    """Before a JSON object in a file that is a stream of them already."""
    page = sheet.page
    start = sheet.root.start
    if page.blank >= sheet.document.start and sheet.document.end >= page.filled:
        raise Refused("a JSON file with one object cannot get a second one: wrap it in a List", start)
    return _written(sheet, start, page.line_break(start))._replace(comments=False)


def plan_insertion(sheet: Sheet, place: Insertion, group: int, operation: InsertDocument) -> Piece:
    """The piece that writes a new document before the sheet's; raises Refused."""
    value = operation.value
    if not isinstance(value, dict) or not value:
        raise Refused("a new document must be a mapping", sheet.document.start)
    flow = place.flow
    if flow is not None:
        body = flow_value(value, flow, "").split(flow.line_break if flow.lines else place.line_break)
    else:
        body = mapping_lines(value, 0, place.block or BlockStyle())
    comments = operation.comments if place.comments else ()
    lines = [*place.head, *comments, *body, *place.tail, ""]
    return Piece(place.at, place.at, place.line_break.join(lines), rank(DOCUMENT, 0), group)


def plan_wrap(sheet: Sheet, group: int, operation: Wrap) -> list[Piece]:
    """The two pieces that write a mapping around the only object of a JSON file; raises Refused."""
    page, root = sheet.page, sheet.root
    alone = page.blank >= root.start and root.end >= page.filled
    if not (_is_json_file(sheet) and alone):
        raise Refused("only a JSON file with one object can be wrapped", root.start)
    style: FlowStyle = flow_style(page, sheet.tree, root, lines=page.spread(root))
    parts = flow_value(operation.wrapper, style).split(json.dumps(HOLE))
    if len(parts) != 2:
        raise Refused("the wrapper must hold the object once", root.start)
    # The object keeps its own lines, so its first one is not indented either.
    opening = parts[0].rstrip(" \t") if parts[0].rstrip(" \t").endswith("\n") else parts[0]
    before = Piece(root.start, root.start, opening, rank(DOCUMENT, 0), group)
    return [before, Piece(root.end, root.end, parts[1], rank(AFTER, 0), group)]
