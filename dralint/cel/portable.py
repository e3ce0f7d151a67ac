"""Rule expressions on cel-python: pure Python, where the C++ engine has no wheel or as a second opinion."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import celpy
from celpy import celtypes, evaluation
from celpy.adapter import json_to_cel
from celpy.celparser import CELParseError

from dralint.cel.engines import MAX_LOOP_STEPS, CelFailure
from dralint.cel.equality import OPERATORS
from dralint.cel.strings import FUNCTIONS
from dralint.yamltext.view import Plain

# It logs errors that it also returns.
logging.getLogger("celpy").setLevel(logging.CRITICAL + 1)
_MACROS_OF_ITS_OWN = re.compile(r"\.\s*(?:min|reduce)\s*\(")


# What follows is the name of a grammar token and of a Python type.
_OVERLOAD = re.compile(r"(?<=found no matching overload) for .*", re.DOTALL)


class _BudgetExceeded(Exception):
    """More loop steps than MAX_LOOP_STEPS; not a CEL error, which `||` and `&&` would swallow."""


class _Evaluator(evaluation.Evaluator):
    """celpy's interpreter with the budget of loop steps that the native engine has."""

    def __init__(self, ast: Any, activation: Any, steps: list[int] | None = None) -> None:
        super().__init__(ast, activation)
        self._steps = steps if steps is not None else [0]

    def sub_evaluator(self, ast: Any) -> _Evaluator:
        return _Evaluator(ast, self.activation, self._steps)

    def _counted(self, body: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def step(item: Any) -> Any:
            self._steps[0] += 1
            if self._steps[0] > MAX_LOOP_STEPS:
                raise _BudgetExceeded
            return body(item)

        return step

    def build_macro_eval(self, child: Any) -> Callable[[Any], Any]:
        return self._counted(super().build_macro_eval(child))

    def build_ss_macro_eval(self, child: Any) -> Callable[[Any], Any]:
        return self._counted(super().build_ss_macro_eval(child))


def _plain(value: Any) -> Plain:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, celtypes.BoolType):
        return bool(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    # A predicate gives booleans; of anything else only the kind is told.
    return {} if isinstance(value, dict) else int(value) if isinstance(value, int) else str(value)


class _PortableProgram:
    def __init__(self, runner: Any) -> None:
        self._runner = runner

    def evaluate(self, bound: Any) -> Plain:
        try:
            evaluator = _Evaluator(self._runner.ast, self._runner.new_activation())
            return _plain(evaluator.evaluate(bound))
        except _BudgetExceeded:
            raise CelFailure(f"it takes more than {MAX_LOOP_STEPS:,} loop steps", limit=True) from None
        except (RecursionError, MemoryError):
            raise CelFailure("it is nested too deep", limit=True) from None
        except Exception as error:  # noqa: BLE001  # celpy lets any Python exception out
            what = str(error.args[0] if error.args else type(error).__name__)
            raise CelFailure(_OVERLOAD.sub("", what)) from None


class PortableSession:
    """See `engines.Session`."""

    def __init__(self, variables: Sequence[str]) -> None:
        self._environment = celpy.Environment(runner_class=celpy.InterpretedRunner)
        self._variables = frozenset(variables)

    def compile(self, text: str) -> _PortableProgram:
        try:
            tree = self._environment.compile(text)
        except CELParseError as error:
            raise CelFailure("syntax error", error.line, error.column) from None
        except Exception as error:  # noqa: BLE001  # celpy lets any Python exception out
            raise CelFailure(f"it does not parse: {type(error).__name__}") from None
        if _MACROS_OF_ITS_OWN.search(text):
            raise CelFailure("`min` and `reduce` are no CEL macros")
        return _PortableProgram(self._environment.program(tree, functions={**OPERATORS, **FUNCTIONS}))

    def bind(self, values: Mapping[str, Plain]) -> dict[str, Any]:
        return {name: json_to_cel(value) for name, value in values.items()}


def open_session(variables: Sequence[str]) -> PortableSession:
    return PortableSession(variables)
