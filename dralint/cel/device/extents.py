"""Which part of an expression's text a node of its tree stands for; the parser tells one offset of each only."""

from __future__ import annotations

from collections.abc import Mapping

from dralint.cel.device.lexing import Token
from dralint.cel.device.tree import Call, Comprehension, Const, Ident, ListLiteral, MapLiteral, Node, Select

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ACCESS = ("_[_]", "_[?_]")

Range = tuple[int, int]


class Extents:
    """Ranges in the text of one parsed expression, in code points."""

    def __init__(self, found: list[Token], positions: Mapping[int, int]) -> None:
        self._tokens = found
        self._positions = positions
        self._at = {token.start: index for index, token in enumerate(found)}
        self._ends = {token.end: index for index, token in enumerate(found)}
        self._partner: dict[int, int] = {}
        self._known: dict[int, Range] = {}
        open_: list[int] = []
        for index, token in enumerate(found):
            if token.text in _CLOSING:
                open_.append(index)
            elif token.text in _CLOSING.values() and open_:
                other = open_.pop()
                self._partner[index], self._partner[other] = other, index

    def of(self, node: Node) -> Range:
        """The node's text without parentheses around it. Raises LookupError where it cannot be told."""
        if node.id not in self._known:
            self._known[node.id] = self._range(node)
        return self._known[node.id]

    def with_parentheses(self, node: Node) -> Range:
        """The node's text with the parentheses right around it."""
        start, end = self.of(node)
        first, last = self._at[start], self._ends[end]
        while self._partner.get(first - 1) == last + 1 and self._is_group(first - 1):
            first, last = first - 1, last + 1
        return self._tokens[first].start, self._tokens[last].end

    def key(self, node: Node) -> Range:
        """What stands after the dot or in the brackets of an access."""
        index = self._index(node)
        if isinstance(node, Select) and node.test:
            # The place of `has` is its parenthesis; the field stands last in it.
            name = self._tokens[self._partner[index] - 1]
            return name.start, name.end
        if isinstance(node, Call) and node.function in _ACCESS:
            first = index + (2 if node.function == "_[?_]" else 1)
            return self._tokens[first].start, self._end(self._partner[index] - 1)
        field = self._field(index)
        return self._tokens[field].start, self._end(field)

    def operator(self, node: Call) -> Range:
        """The sign of an operator."""
        index = self._index(node)
        last = index
        sign = node.function.removeprefix("@").strip("_")
        while self._text(index, last) != sign:
            last += 1
            if last >= len(self._tokens) or last > index + 1:
                return self._tokens[index].start, self._tokens[index].end
        return self._tokens[index].start, self._tokens[last].end

    def _text(self, first: int, last: int) -> str:
        return "".join(token.text for token in self._tokens[first : last + 1])

    def _index(self, node: Node) -> int:
        return self._at[self._positions[node.id]]

    def _is_group(self, opening: int) -> bool:
        before = self._tokens[opening - 1].text if opening > 0 else ""
        return self._tokens[opening].text == "(" and (not before.isidentifier() or before == "in")

    def _end(self, index: int) -> int:
        return self._tokens[index].end

    def _range(self, node: Node) -> Range:
        match node:
            case Const():
                return self._constant(node)
            case Ident():
                index = self._index(node)
                return self._tokens[index].start, self._end(index)
            case Select(_, operand, _, test):
                index = self._index(node)
                if test:
                    return self._tokens[index - 1].start, self._end(self._partner[index])
                return self.with_parentheses(operand)[0], self._end(self._field(index))
            case ListLiteral() | MapLiteral():
                index = self._index(node)
                return self._tokens[index].start, self._end(self._partner[index])
            case Comprehension():
                return self._macro(node)
            case Call():
                return self._call(node)

    def _field(self, dot: int) -> int:
        """The token of the field after a dot."""
        return dot + 2 if self._tokens[dot + 1].text == "?" else dot + 1

    def _constant(self, node: Const) -> Range:
        index = self._index(node)
        negative = self._tokens[index].text == "-"
        last = index + negative
        # `1.5` is three tokens.
        while (
            isinstance(node.value, float)
            and last + 1 < len(self._tokens)
            and self._tokens[last + 1].start == self._tokens[last].end
            and (self._tokens[last + 1].text == "." or self._tokens[last + 1].text.isalnum())
        ):
            last += 1
        return self._tokens[index].start, self._end(last)

    def _macro(self, node: Comprehension) -> Range:
        index = self._index(node)
        end = self._end(self._partner[index])
        start = self._tokens[index - 1].start
        if self._tokens[index - 2].text == "." and index >= 3:
            start = self._tokens[index - 3].start
            if self._tokens[index - 3].text != "cel":
                start = self.with_parentheses(node.range)[0]
        return start, end

    def _call(self, node: Call) -> Range:
        index = self._index(node)
        if node.function in _ACCESS:
            return self.with_parentheses(node.args[0])[0], self._end(self._partner[index])
        if node.function == "_?._":
            return self.with_parentheses(node.args[0])[0], self._end(self._field(index))
        if self._tokens[index].text == "(" and not node.function.startswith("_"):
            end = self._end(self._partner[index])
            if node.target is not None:
                return self.with_parentheses(node.target)[0], end
            return self._tokens[index - 1].start, end
        if len(node.args) == 1:
            return self._tokens[index].start, self.with_parentheses(node.args[0])[1]
        return self.with_parentheses(node.args[0])[0], self.with_parentheses(node.args[-1])[1]
