"""Lines, columns, comments and the real end of a node in a text that is to be edited."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator

from dralint.yamltext.compose import has_directive
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node

SEPARATOR = re.compile(r"^---(?=[ \t\r\n]|\Z)", re.MULTILINE)
_SPACE = re.compile(r"\s*")
_BLANKS = re.compile(r"[ \t]*")
_BLANKS_AND_RETURNS = re.compile(r"[ \t\r]*")
_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_PROPERTY = re.compile(r"&[^\s,\[\]{}]+|!<[^>\s]*>|![^\s,\[\]{}]*")
_INDENT = re.compile(r"^ *(?=[^ \r\n])", re.MULTILINE)
_BLOCK_HEADER = re.compile(r"(?:\A|[ \t])[|>]([0-9+-]*)")


class Page:
    """A text that ends in a line break: where the file has none, one is added here.

    Planning then knows only whole lines; `splice` takes the added line break away again.

    text       the characters, with that line break
    length     of the file's own text
    directive  whether some line starts with `%`
    separator  whether some line is `---`
    blank      how many blank characters the text begins with; filled: the offset after its last other one
    breaks     the offsets of all line feeds: a line may be as long as the file, so nothing searches for its ends
    """

    __slots__ = ("blank", "breaks", "directive", "filled", "length", "separator", "text")

    def __init__(self, text: str) -> None:
        self.length = len(text)
        if text and not text.endswith("\n"):
            before = text.rfind("\n")
            text += "\r\n" if before > 0 and text[before - 1] == "\r" else "\n"
        self.text = text
        self.directive = has_directive(text)
        self.separator = "---" in text and SEPARATOR.search(text) is not None
        self.blank = self._after(_SPACE, 0)
        self.filled = len(text.rstrip())
        self.breaks = array("L", (found.start() for found in re.finditer("\n", text)))

    @property
    def lacks_line_break(self) -> bool:
        return self.length < len(self.text)

    def spread(self, node: Node) -> bool:
        """Whether the node stands on several lines."""
        return self.text.find("\n", node.start, node.end) >= 0

    def line_start(self, offset: int) -> int:
        line = bisect_left(self.breaks, offset)
        return self.breaks[line - 1] + 1 if line else 0

    def line_end(self, offset: int) -> int:
        """The offset after the line break of the line that holds `offset`."""
        line = bisect_left(self.breaks, offset)
        return self.breaks[line] + 1 if line < len(self.breaks) else len(self.text)

    def line_break(self, offset: int) -> str:
        """The line break of the line that holds `offset`; at the end of the text, of the last line."""
        if not self.breaks:
            return "\n"
        found = self.breaks[min(bisect_left(self.breaks, offset), len(self.breaks) - 1)]
        return "\r\n" if found > 0 and self.text[found - 1] == "\r" else "\n"

    def text_end(self, offset: int) -> int:
        """The offset of the line break of the line that holds `offset`."""
        end = self.line_end(offset)
        return end - len(self.line_break(offset))

    def column(self, offset: int) -> int:
        return offset - self.line_start(offset)

    def indent(self, offset: int) -> str:
        """The blanks at the start of the line that holds `offset`."""
        start = self.line_start(offset)
        return self.text[start : self._after(_BLANKS, start)]

    def _after(self, pattern: re.Pattern[str], offset: int) -> int:
        """The offset after what the pattern, which may match nothing, matches."""
        found = pattern.match(self.text, offset)
        return found.end() if found else offset

    def before_blanks(self, offset: int) -> int:
        """The offset of the blanks that end at `offset`."""
        while offset and self.text[offset - 1] in " \t":
            offset -= 1
        return offset

    def first_on_line(self, offset: int) -> bool:
        return self._after(_BLANKS, self.line_start(offset)) >= offset

    def last_on_line(self, offset: int) -> bool:
        """Whether only blanks or a comment stand between `offset` and the end of its line."""
        rest = self._after(_BLANKS_AND_RETURNS, offset)
        return self.text[rest : rest + 1] in ("", "\n", "#")

    def is_blank(self, start: int) -> bool:
        """Whether the line that starts at `start` is empty but for blanks."""
        rest = self._after(_BLANKS_AND_RETURNS, start)
        return self.text[rest : rest + 1] in ("", "\n")

    def is_comment(self, start: int) -> bool:
        """Whether the line that starts at `start` looks like a comment."""
        rest = self._after(_BLANKS, start)
        return self.text[rest : rest + 1] == "#"

    def next_token(self, offset: int) -> int:
        """The offset of what follows after blanks, line breaks and comments."""
        return self._after(_BLANKS_AND_COMMENTS, offset)

    def properties_end(self, node: Node) -> int:
        """The offset after the anchor and tag a node begins with; the node's start without them."""
        position = node.start
        # Counted, because the first key inside may begin with an anchor or tag of its own.
        for present in (node.anchor, node.tag):
            if present is not None:
                found = _PROPERTY.match(self.text, self.next_token(position))
                position = found.end() if found else position
        return position

    def body(self, node: Node) -> int:
        """The offset of a node's first character after its anchor and tag; its end where nothing follows."""
        end = self.properties_end(node)
        return end if end == node.start else min(self.next_token(end), node.end)

    def block_scalar(self, node: Node) -> str | None:
        """The chomping and indent indicators of a block scalar, None for other nodes."""
        if node.kind != SCALAR or node.style not in ("|", ">"):
            return None
        header = _BLOCK_HEADER.search(self.text[node.start : self.line_end(node.start)])
        return header.group(1) if header else ""

    def content_end(self, node: Node) -> int:
        """The offset after the last character that is part of the node, a line break aside.

        The parser's end of a block collection runs over the blank lines and comments that follow,
        that of a block scalar over blank lines.
        """
        while node.kind in (MAP, SEQ) and not node.style and node.items:
            node = node.items[-1]
        indicators = self.block_scalar(node)
        if indicators is None:
            return node.end
        if "+" in indicators:
            return node.end - 1 if node.end > node.start and self.text[node.end - 1] == "\n" else node.end
        return self._clipped_end(node, explicit=indicators.strip("-") != "")

    def _clipped_end(self, node: Node, *, explicit: bool) -> int:
        """The end of the last line that is not empty; blanks deeper than the text are not empty.

        explicit: the header gives the indent, so the lines do not tell which blanks are text
        """
        header_end = self.line_end(node.start)
        content = self.text[header_end : max(header_end, node.end)]
        last = len(content.rstrip(" \r\n"))
        if not last:
            if content:
                return header_end + len(content.removesuffix("\n").removesuffix("\r"))
            return node.start + len(self.text[node.start : header_end].rstrip(" \t\r\n"))
        end = header_end + last
        blanks = content[last:].split("\n")
        end += len(blanks[0].rstrip("\r"))
        if any(line.strip("\r") for line in blanks[1:]):
            deepest = 0 if explicit else min(map(len, _INDENT.findall(content)))
            position = header_end + last + len(blanks[0]) + 1
            for line in blanks[1:]:
                blank = line.rstrip("\r")
                if len(blank) > deepest:
                    end = position + len(blank)
                position += len(line) + 1
        return end

    def own_line_comments(self, start: int, end: int, inside: list[Node]) -> Iterator[tuple[int, int]]:
        """The ranges of the comment lines among the lines that start in [start, end).

        inside: scalars whose lines are text, not comments
        """
        if "#" not in self.text[start:end]:
            return
        spans = sorted((node.start, node.end) for node in inside if self.spread(node))
        position = start if self.line_start(start) == start else self.line_end(start)
        while position < end:
            stop = self.line_end(position)
            if self.is_comment(position):
                before = bisect_left(spans, (position,)) - 1
                if before < 0 or spans[before][1] <= position:
                    yield position, stop
            position = stop

    def after_deeper_comments(self, position: int, column: int) -> int:
        """Move a line start over the comment lines that are indented deeper than `column`."""
        best = position
        while position < len(self.text):
            if self.is_comment(position):
                if len(self.indent(position)) <= column:
                    break
                best = self.line_end(position)
            elif not self.is_blank(position):
                break
            position = self.line_end(position)
        return best
