"""The two CEL engines behind one small interface, each imported only when it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Protocol

from dralint.errors import UsageError
from dralint.yamltext.view import Plain

NATIVE = "cel-expr-python"
PORTABLE = "cel-python"
NAMES = (NATIVE, PORTABLE)

# Of one evaluation, whatever it holds: the native engine's own figure (facts: limit L8).
MAX_LOOP_STEPS = 10_000


class CelFailure(Exception):
    """An expression that did not compile or could not be evaluated.

    what    a sentence without a full stop
    line    in the expression, from 1, where it is known; column: in code points, from 1
    limit   it is dralint's or the engine's limit that was reached, not a mistake of the expression
    """

    def __init__(
        self, what: str, line: int | None = None, column: int | None = None, limit: bool = False
    ) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.column = column
        self.limit = limit


class Program(Protocol):
    """A compiled expression."""

    def evaluate(self, bound: object) -> Plain:
        """The value for variables that the same session has bound; raises CelFailure."""


class Session(Protocol):
    """An engine with a set of variables, all of type dyn."""

    def compile(self, text: str) -> Program:
        """Raises CelFailure with line and column."""

    def bind(self, values: Mapping[str, Plain]) -> object:
        """Values for `Program.evaluate`: converted once for all programs; `cel.values.clean` comes before."""


_MODULES = {NATIVE: "dralint.cel.native", PORTABLE: "dralint.cel.portable"}


def _opened(engine: str, variables: Sequence[str]) -> Session | None:
    """The engine's session; None when its package is not installed."""
    try:
        module = import_module(_MODULES[engine])
    except ImportError:
        return None
    opened: Session = module.open_session(tuple(variables))
    return opened


def session(engine: str | None, variables: Sequence[str]) -> Session:
    """A session of the named engine; None: cel-expr-python, or cel-python where it has no wheel (musl).

    Raises UsageError for an engine that does not exist or is not installed.
    """
    if engine is not None and engine not in NAMES:
        raise UsageError(f"unknown CEL engine {engine!r}", advice=f"one of {', '.join(NAMES)}")
    for name in (engine,) if engine else NAMES:
        opened = _opened(name, variables)
        if opened is not None:
            return opened
    missing = engine or " or ".join(NAMES)
    raise UsageError(f"the CEL engine {missing} is not installed", advice=f"pip install {engine or NATIVE}")
