"""What a device selector reads and compares, whether it compiles or not: for rules that judge its text.

Only parsed, so it holds for expressions that the type checker refuses as well.
"""

from __future__ import annotations

from dralint.cel.device.checking import MAX_CODE_POINTS
from dralint.cel.device.environment import environment
from dralint.cel.device.extents import Extents, Range
from dralint.cel.device.lexing import tokens
from dralint.cel.device.libraries import Settings
from dralint.cel.device.parts import Anatomy, Comparison, Constant, Key, Read
from dralint.cel.device.tree import TooDeep, decode_parsed
from dralint.cel.device.walk import Walk

__all__ = ["Anatomy", "Comparison", "Constant", "Key", "Range", "Read", "anatomy"]


def anatomy(expression: str, settings: Settings) -> Anatomy | None:
    """The parts of an expression; None where it does not parse, or is too large or nested too deeply.

    Raises UsageError where cel-expr-python is not installed.
    """
    if len(expression) > MAX_CODE_POINTS:
        return None
    engine = environment(settings)
    try:
        expression.encode()
        root, positions = decode_parsed(engine.compile(expression, True).serialize())
        walk = Walk(Extents(tokens(expression), positions))
        walk.visit(root)
    except (RuntimeError, TooDeep, UnicodeEncodeError, RecursionError, LookupError):
        return None
    return Anatomy(
        tuple(walk.reads),
        tuple(walk.comparisons),
        frozenset(walk.guards),
        tuple(walk.calls),
        tuple(walk.conditions),
    )
