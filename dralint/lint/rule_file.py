"""A team's rule file: checked against the schema, with the line and column of what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from dralint.errors import InputError, Place, RuleError
from dralint.lint.places import node_at
from dralint.lint.rule import Rule, from_data
from dralint.lint.valid import errors
from dralint.yamltext.compose import compose
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node
from dralint.yamltext.text import SourceText, decode
from dralint.yamltext.view import Path, get

_OWN_ID = re.compile(r"DRA[0-9]")


def _opened(file: str) -> tuple[SourceText, Node | None]:
    with open(file, "rb") as handle:
        text = decode(handle.read(), file)
    return text, compose(text.text)[0].root


def place(file: str, path: Path, line: int | None = None, column: int | None = None) -> Place:
    """Where a key of a rule file stands, or its nearest ancestor.

    line, column: of a mistake inside the text that the key has as value, from 1
    """
    try:
        text, root = _opened(file)
    except (OSError, InputError):
        return Place(file)
    if root is None:
        return Place(file, 1, 1)
    value = get(root, *path) if line is not None and column is not None else None
    if value is not None and line is not None and column is not None:
        return Place(file, *text.position(_inside(text.text, value, line, column)))
    return Place(file, *text.position(node_at(root, path).start))


def _inside(text: str, node: Node, line: int, column: int) -> int:
    """The offset of a line and column of a scalar's value; its start where folding hides it."""
    raw = text[node.start : node.end]
    if node.style == "|":
        lines = raw.split("\n")
        indent = min((len(each) - len(each.lstrip()) for each in lines[1:] if each.strip()), default=0)
        if line < len(lines):
            return node.start + sum(len(each) + 1 for each in lines[:line]) + indent + column - 1
    elif "\n" not in raw and "\\" not in raw and "''" not in raw and not (node.anchor or node.tag):
        return node.start + len(node.style) + column - 1
    return node.start


def _data(file: str) -> Any:
    # Not from load_data's memory: what a relative name means changes with the current directory.
    return load_data.__wrapped__(file)


def examples(rule: Rule) -> Mapping[str, Any]:
    """The bad and good examples of a rule; nothing for one without, and for what the engine itself reports."""
    found: Mapping[str, Any] = _data(rule.file).get("examples", {}) if rule.file else {}
    return found


def _check_schema(data: Any, file: str) -> None:
    wrong = errors(data, "rule.schema.json")
    if not wrong:
        return
    from dralint.lint.schema_errors import first, position, what

    error = first(wrong)
    neither = error.validator == "oneOf" and not error.absolute_path
    said = "a rule has either `when` or `check`" if neither else what(error)
    raise RuleError(said, place(file, position(error)), "see schemas/rule.schema.json")


def _check_names(data: Mapping[str, Any], file: str) -> None:
    from dralint.lint.facts import KINDS

    if _OWN_ID.match(data["id"]):
        advice = "take another prefix, such as ACME001"
        raise RuleError(f"the id {data['id']} is one of dralint's own", place(file, ("id",)), advice)
    for subject in from_data(data, file).subjects:
        if subject not in KINDS:
            from dralint.nvidia.nearest import did_you_mean

            advice = did_you_mean(subject, KINDS) or f"one of {', '.join(sorted(KINDS))}"
            raise RuleError(f"there is no subject {subject!r}", place(file, ("subject",)), advice)


def read_rule(file: str) -> Rule:
    """Raises RuleError with file, line and column for a file that is not a valid rule."""
    data = _data(file)
    _check_schema(data, file)
    _check_names(data, file)
    return from_data(data, file)
