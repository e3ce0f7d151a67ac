"""The check of `"...".format([...])` before it runs: number and types of the arguments.

Source: cel-go ext/strings.go (stringFormatValidator).
"""

from __future__ import annotations

from dralint.cel.device.celtypes import DYN, Type, show
from dralint.cel.device.formatting import CLAUSE
from dralint.cel.device.tree import Call, Checked, Const, ListLiteral, MapLiteral, Node
from dralint.cel.device.validate import Fault

_STRING = frozenset(
    (
        "list",
        "map",
        "int",
        "uint",
        "double",
        "bool",
        "string",
        "timestamp",
        "bytes",
        "duration",
        "type",
        "null_type",
    )
)
# Per clause: its name, the types it takes, and how cel-go words them.
_CLAUSES = {
    "s": (
        "string",
        _STRING,
        "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
    ),
    "d": ("decimal", frozenset(("int", "uint")), "integers"),
    "f": ("fixed-point", frozenset(("double", "string")), "doubles"),
    "e": ("scientific", frozenset(("double", "string")), "doubles"),
    "b": ("binary", frozenset(("int", "uint", "bool")), "integers and bools"),
    "x": ("hex", frozenset(("int", "uint", "string", "bytes")), "integers, byte buffers, and strings"),
    "X": ("hex", frozenset(("int", "uint", "string", "bytes")), "integers, byte buffers, and strings"),
    "o": ("octal", frozenset(("int", "uint")), "integers"),
}


def _refused(checked: Checked, node: Node, taken: frozenset[str]) -> Node | None:
    """The node whose type the clause does not take; for %s also deep inside of literals."""
    kind: Type = checked.type(node)
    if kind != DYN and kind[0] not in taken:
        return node
    if taken is not _STRING:
        return None
    inner: tuple[Node, ...] = ()
    if isinstance(node, ListLiteral):
        inner = node.items
    elif isinstance(node, MapLiteral):
        inner = tuple(part for entry in node.entries for part in (entry.key, entry.value))
    return next((bad for each in inner if (bad := _refused(checked, each, taken))), None)


def format_faults(checked: Checked, node: Call) -> list[Fault]:
    """What is wrong with a call of `format`, where text and list are literals."""
    text = node.target
    if not isinstance(text, Const) or not isinstance(text.value, str) or not node.args:
        return []
    args = node.args[0]
    if not isinstance(args, ListLiteral):
        return []
    used = 0
    for clause in CLAUSE.finditer(text.value):
        if clause.group() == "%%":
            continue
        if clause[2] not in _CLAUSES:
            what = f'could not parse formatting clause: unrecognized formatting clause "{clause[2]}"'
            return [Fault(what, node.id, "format")]
        if used >= len(args.items):
            return [Fault(f"index {used} out of range", node.id, "format")]
        name, taken, kinds = _CLAUSES[clause[2]]
        bad = _refused(checked, args.items[used], taken)
        if bad is not None:
            shown = show(checked.type(bad))
            return [Fault(f"{name} clause can only be used on {kinds}, was given {shown}", bad.id, "format")]
        used += 1
    if used < len(args.items):
        what = f"too many arguments supplied to string.format (expected {used}, got {len(args.items)})"
        return [Fault(what, node.id, "format")]
    return []
