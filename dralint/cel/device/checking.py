"""Parse and type-check a selector: a checked tree, or errors with their places in the text."""

from __future__ import annotations

import re

from dralint.cel.device.answers import CompileError
from dralint.cel.device.celtypes import ANY, DYN
from dralint.cel.device.environment import environment
from dralint.cel.device.lexing import Token, blanked, constant_tests, renamed_macros, tokens
from dralint.cel.device.libraries import Settings, libraries
from dralint.cel.device.tree import Checked, TooDeep, decode
from dralint.cel.device.validate import faults

# Twice what the API server takes: enough to say what is wrong besides the length, and quick.
MAX_CODE_POINTS = 20_480
_ERROR = re.compile(r"^(?:INVALID_ARGUMENT: )?ERROR: <input>:(\d+):(-?\d+): (.*)$", re.MULTILINE)
_CONTAINER = " (in container '')"
_STRUCT = re.compile(r" not found in struct '[^']*'")
# How the engine numbers type parameters: `list(T%7)`.
_PARAMETER = re.compile(r"%\d+")
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*\Z")
_KINDS = (
    ("Syntax error", "syntax"),
    ("undeclared reference", "undeclared"),
    ("undefined field", "undefined-field"),
    ("found no matching overload", "no-overload"),
    ("reserved identifier", "syntax"),
)


class NotJudged(Exception):
    """A limit of dralint or its engine: the expression may be right, and nothing is said about it."""


def _kind(message: str) -> str:
    return next((kind for start, kind in _KINDS if message.startswith(start)), "other")


def _whole_name(text: str, error: CompileError) -> CompileError:
    """The engine points at the last dot of an undeclared name, Kubernetes at its first part."""
    name = _DOTTED.search(text, 0, error.offset) if error.kind == "undeclared" else None
    if name is None or text[error.offset : error.offset + 1] != ".":
        return error
    first = name.group().partition(".")[0]
    return CompileError(f"undeclared reference to '{first}'", name.start(), error.kind)


def _errors(text: str, report: str) -> list[CompileError]:
    """The engine's report, one error for each place and message."""
    found: dict[CompileError, None] = {}
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    for line, column, written in _ERROR.findall(report):
        message = _STRUCT.sub("", _PARAMETER.sub("", written).removesuffix(" [INVALID_ARGUMENT]"))
        message = message.replace(_CONTAINER, "").replace("existsOne", "exists_one")
        start = starts[min(int(line), len(starts)) - 1]
        offset = min(start + max(int(column) - 1, 0), len(text))
        found[_whole_name(text, CompileError(message, offset, _kind(message)))] = None
    return sorted(found, key=lambda error: error.offset)


def _compiled(text: str, settings: Settings) -> bytes | str:
    """The serialized checked expression, or the engine's report."""
    try:
        serialized: bytes = environment(settings).compile(text).serialize()
    except RuntimeError as error:
        return str(error)
    return serialized


def check(expression: str, settings: Settings) -> tuple[Checked, list[Token]] | list[CompileError]:
    """The checked tree and the text's tokens, or the errors. Raises NotJudged."""
    if len(expression) > MAX_CODE_POINTS:
        raise NotJudged(f"longer than {MAX_CODE_POINTS:,} characters")
    try:
        expression.encode()
    except UnicodeEncodeError:
        raise NotJudged("not valid Unicode") from None
    found = tokens(expression)
    text = blanked(expression, sorted(constant_tests(found) + renamed_macros(found)))
    answer = _compiled(text, settings)
    if isinstance(answer, str):
        if "recursion" in answer.lower():
            raise NotJudged("nested too deeply for the parser")
        return _errors(expression, answer) or [CompileError(answer.splitlines()[0], 0, "other")]
    try:
        checked = decode(answer)
    except TooDeep:
        raise NotJudged("nested too deeply") from None
    attribute = DYN if settings.list_type_attributes or settings.stored else ANY
    wrong = [
        CompileError(each.what, 0 if each.node is None else checked.positions.get(each.node, 0), each.kind)
        for each in faults(checked, attribute, libraries(settings).hidden)
    ]
    return [_whole_name(text, each) for each in wrong] or (checked, found)
