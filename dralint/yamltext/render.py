"""Plain values to text: block, flow, KYAML and JSON style."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import NamedTuple

from dralint.yamltext.scalars import resolve_plain
from dralint.yamltext.view import Plain

# A first character that means something to YAML, a mapping's ": ", a comment's " #".
_NEVER_PLAIN = re.compile(r"[-?:,\[\]{}#&*!|>'\"%@`\s]|.*(?::(?:\s|\Z)|\s#|\s\Z)|\.\.\.|=\Z|<<\Z", re.DOTALL)
_FLOW_SIGNS = re.compile(r"[,\[\]{}:?]")
# Kubernetes reads these as strings, YAML 1.1 as dates and base 60 numbers; Go's own writer quotes them, too.
_OTHERS_MISREAD = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[Tt\s].*)?\Z|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?\Z"
)
# Characters of a string whose quoting is remembered.
_REMEMBERED = 64
# What YAML does not count as printable, or reads as a line break; JSON may write them as they are.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")


class BlockStyle(NamedTuple):
    """How a file writes block collections.

    step  columns from a key to the keys of its mapping
    dash  columns from a key to the dashes of its sequence
    gap   blanks after a dash
    """

    step: int = 2
    dash: int = 0
    gap: int = 1


class FlowStyle(NamedTuple):
    r"""How a file writes flow collections.

    json      keys and strings in double quotes
    kyaml     strings in double quotes, a comma after the last entry
    lines     every entry on a line of its own
    step      what a nested line is indented by
    colon     between key and value; comma: between entries on one line
    line_break  "\\n" or "\\r\\n"
    """

    json: bool = False
    kyaml: bool = False
    lines: bool = False
    step: str = "  "
    colon: str = ": "
    comma: str = ", "
    line_break: str = "\n"


def quoted(text: str) -> str:
    """A string in double quotes, as JSON and YAML both read it."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(text, ensure_ascii=False))


def is_plain(text: str, *, flow: bool) -> bool:
    """Whether a string may stand without quotes: every reader takes it for that string."""
    return _is_plain(text, flow) if len(text) <= _REMEMBERED else _is_plain.__wrapped__(text, flow)


# What is written is mostly the same few words.
@lru_cache(maxsize=4096)
def _is_plain(text: str, flow: bool) -> bool:
    if not text or not text.isprintable() or _NEVER_PLAIN.match(text) or _OTHERS_MISREAD.match(text):
        return False
    if flow and _FLOW_SIGNS.search(text):
        return False
    return isinstance(resolve_plain(text), str)


def scalar(value: Plain, *, flow: bool = False, quote: bool = False) -> str:
    """A scalar, or an empty collection. quote: strings always in double quotes."""
    if isinstance(value, str):
        return quoted(value) if quote or not is_plain(value, flow=flow) else value
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{}"
    if isinstance(value, list):
        return "[]"
    return repr(value)


def _literal_lines(value: Plain, column: int) -> list[str] | None:
    """A text of several lines as a literal block scalar, the header first; None for what cannot stand in one.

    column: that of its lines
    """
    if not isinstance(value, str) or "\n" not in value:
        return None
    lines = value.removesuffix("\n").split("\n")
    first, last = lines[0], lines[-1]
    # Blanks before the first line would count as its indent, and blank last lines be dropped.
    if not first or first[0] == " " or not last.strip() or not all(map(str.isprintable, lines)):
        return None
    header = "|" if value.endswith("\n") else "|-"
    return [header, *(" " * column + line if line else "" for line in lines)]


def mapping_lines(mapping: dict[str, Plain], column: int, style: BlockStyle) -> list[str]:
    """The lines of a block mapping whose keys stand in `column`, without line breaks."""
    lines: list[str] = []
    for key, value in mapping.items():
        head = " " * column + scalar(key) + ":"
        if isinstance(value, dict) and value:
            lines += [head, *mapping_lines(value, column + style.step, style)]
        elif isinstance(value, list) and value:
            lines += [head, *sequence_lines(value, column + style.dash, style)]
        else:
            first, *others = _literal_lines(value, column + style.step) or [scalar(value)]
            lines += [f"{head} {first}", *others]
    return lines


def sequence_lines(items: list[Plain], column: int, style: BlockStyle) -> list[str]:
    """The lines of a block sequence whose dashes stand in `column`, without line breaks."""
    lines: list[str] = []
    inner = column + 1 + style.gap
    dash = " " * column + "-" + " " * style.gap
    for item in items:
        if isinstance(item, dict) and item:
            below = mapping_lines(item, inner, style)
        elif isinstance(item, list) and item:
            below = sequence_lines(item, inner, style)
        else:
            first, *others = _literal_lines(item, inner) or [scalar(item)]
            below = [" " * inner + first, *others]
        lines += [dash + below[0][inner:], *below[1:]]
    return lines


def flow_key(key: str, style: FlowStyle) -> str:
    return scalar(key, flow=True, quote=style.json)


def flow_entry(key: str, value: Plain, style: FlowStyle, indent: str) -> str:
    return flow_key(key, style) + style.colon + flow_value(value, style, indent)


def flow_value(value: Plain, style: FlowStyle, indent: str = "") -> str:
    """A value in flow style; `indent` is that of the line it begins on."""
    if isinstance(value, dict) and value:
        inner = indent + style.step if style.lines else indent
        entries = [flow_entry(key, each, style, inner) for key, each in value.items()]
        return _enclosed("{", entries, "}", style, indent)
    if isinstance(value, list) and value:
        cuddled = style.kyaml and all(isinstance(each, (dict, list)) and each for each in value)
        inner = indent + style.step if style.lines and not cuddled else indent
        items = [flow_value(each, style, inner) for each in value]
        return _enclosed("[", items, "]", style._replace(lines=style.lines and not cuddled), indent)
    return scalar(value, flow=True, quote=style.json or style.kyaml)


def _enclosed(opening: str, parts: list[str], closing: str, style: FlowStyle, indent: str) -> str:
    if not style.lines:
        return opening + style.comma.join(parts) + closing
    inner = style.line_break + indent + style.step
    last_comma = "," if style.kyaml else ""
    return opening + inner + ("," + inner).join(parts) + last_comma + style.line_break + indent + closing
