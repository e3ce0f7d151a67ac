"""Insert a document before another, and wrap the one object of a JSON file."""

from __future__ import annotations

import json
import re

from dralint.yamltext.operations import HOLE, InsertDocument, Wrap
from dralint.yamltext.page import Page
from dralint.yamltext.piece import AFTER, DOCUMENT, Piece, Refused, rank
from dralint.yamltext.render import FlowStyle, flow_value, mapping_lines
from dralint.yamltext.sheet import Sheet
from dralint.yamltext.style import block_style, flow_style, is_json

_SEPARATOR = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)


_BLANK = re.compile(r"\s*")


def _blank_before(page: Page, offset: int) -> bool:
    """Whether only blank lines stand in the text before `offset`."""
    found = _BLANK.match(page.text)
    return found is not None and found.end() >= offset


def _is_json_file(sheet: Sheet) -> bool:
    """Whether the file is one JSON object or a stream of them."""
    page, root = sheet.page, sheet.root
    if not is_json(root) or _SEPARATOR.search(page.text):
        return False
    try:
        json.loads(page.text[root.start : root.end])
    except (ValueError, RecursionError):
        return False
    return True


def _separator(sheet: Sheet) -> int | None:
    """The offset of the document's own `---`, None where it has none."""
    found = _SEPARATOR.search(
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
    if separator is None or _blank_before(page, separator):
        start = 0 if separator is None else separator + 3
        match = _SEPARATOR.search(page.text, start)
        found = match.start() if match else None
    else:
        found = separator
    before = found is not None and found > 1 and page.is_blank(page.line_start(found - 1))
    after = separator is not None and page.is_blank(page.line_end(separator))
    return before, after


def _body(sheet: Sheet, operation: InsertDocument, line_break: str) -> list[str]:
    value = operation.value
    if not isinstance(value, dict) or not value:
        raise Refused("a new document must be a mapping", sheet.document.start)
    root = sheet.root
    if root.style:
        spread = "\n" in sheet.page.text[root.start : root.end]
        style = flow_style(sheet.page, sheet.tree, root, lines=spread)
        return flow_value(value, style, "").split(style.line_break if style.lines else line_break)
    return mapping_lines(value, 0, block_style(sheet.page, sheet.tree, root, root.start))


def plan_insertion(sheet: Sheet, group: int, operation: InsertDocument) -> Piece:
    """The piece that writes a new document before the sheet's; raises Refused."""
    page, document = sheet.page, sheet.document
    if page.directive:
        raise Refused("no document is inserted into a file with a `%` directive", page.text.index("%"))
    separator = _separator(sheet)
    first = _blank_before(page, document.start)
    at = separator
    if at is None:
        if _is_json_file(sheet):
            return _json_document(sheet, group, operation)
        if not first:
            raise Refused("the document does not begin with `---`", document.start)
        at = _below_header(sheet)
    line_break = page.line_break(at)
    blank_before, blank_after = _blank_lines(page, separator)
    lines = [*operation.comments, *_body(sheet, operation, line_break), *([""] if blank_before else [])]
    lines = ["---", *([""] if blank_after else []), *lines] if separator is not None else [*lines, "---"]
    return Piece(at, at, line_break.join([*lines, ""]), rank(DOCUMENT, 0), group)


def _json_document(sheet: Sheet, group: int, operation: InsertDocument) -> Piece:
    """A JSON object before another in a file that is a stream of them already."""
    page = sheet.page
    start = sheet.root.start
    if _blank_before(page, sheet.document.start) and not page.text[sheet.document.end :].strip():
        raise Refused("a JSON file with one object cannot get a second one: wrap it in a List", start)
    line_break = page.line_break(start)
    text = line_break.join([*_body(sheet, operation, line_break), ""])
    return Piece(start, start, text, rank(DOCUMENT, 0), group)


def plan_wrap(sheet: Sheet, group: int, operation: Wrap) -> list[Piece]:
    """The two pieces that write a mapping around the only object of a JSON file; raises Refused."""
    page, root = sheet.page, sheet.root
    alone = _blank_before(page, root.start) and not page.text[root.end :].strip()
    if not (_is_json_file(sheet) and alone):
        raise Refused("only a JSON file with one object can be wrapped", root.start)
    style: FlowStyle = flow_style(page, sheet.tree, root, lines="\n" in page.text[root.start : root.end])
    parts = flow_value(operation.wrapper, style).split(json.dumps(HOLE))
    if len(parts) != 2:
        raise Refused("the wrapper must hold the object once", root.start)
    # The object keeps its own lines, so its first one is not indented either.
    opening = parts[0].rstrip(" \t") if parts[0].rstrip(" \t").endswith("\n") else parts[0]
    before = Piece(root.start, root.start, opening, rank(DOCUMENT, 0), group)
    return [before, Piece(root.end, root.end, parts[1], rank(AFTER, 0), group)]
