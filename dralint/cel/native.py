"""Rule expressions on cel-expr-python, Google's C++ engine; needs no protobuf."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from cel_expr_python import cel  # type: ignore[import-untyped]  # its .pyi is not marked as typed

from dralint.cel.engines import MAX_LOOP_STEPS, CelFailure
from dralint.yamltext.view import Plain

# Names that are types: declaring them makes every compilation fail.
_TYPE_NAMES = frozenset(
    ("bool", "bytes", "double", "dyn", "int", "list", "map", "null_type", "string", "type", "uint")
)
# Version 0 holds what cel-python can be given as well: no `format`, no `join`.
_CONFIG = "extensions:\n- name: strings\n  version: '0'\n"
_COMPILE_ERROR = re.compile(r"ERROR: <input>:(\d+):(\d+): (.*)")
# An empty container, and the list of all tokens that could have stood there.
_NOISE = re.compile(r" \(in container ''\)$|(?: expecting .*)$")
_STATUS = re.compile(r"^[A-Z_]+: | ?\[[A-Z_]+\]$")


def _failure(message: str) -> CelFailure:
    """The engine's text in our words; a limit is told from a mistake by the text only (L1, L8)."""
    if "Iteration budget exceeded" in message:
        return CelFailure(f"it takes more than {MAX_LOOP_STEPS:,} loop steps", limit=True)
    found = _COMPILE_ERROR.search(message)
    if found:
        line, column, what = int(found[1]), int(found[2]), _NOISE.sub("", found[3])
        return CelFailure(what, line, column, limit="recursion" in what.lower())
    first = message.splitlines()[0] if message else "the engine gives no reason"
    return CelFailure(_STATUS.sub("", first), limit="recursion" in message.lower())


class _NativeProgram:
    def __init__(self, expression: cel.Expression) -> None:
        self._expression = expression

    def evaluate(self, bound: Any) -> Plain:
        try:
            value = self._expression.eval(activation=bound)
            if value.type() == cel.Type.ERROR:
                raise _failure(str(value.value()))
            result: Plain = value.plain_value()
        except MemoryError:
            raise CelFailure("it takes too much memory", limit=True) from None
        except RuntimeError as error:
            raise _failure(str(error)) from None
        return result


class NativeSession:
    """See `engines.Session`."""

    def __init__(self, variables: Sequence[str]) -> None:
        self._environment = cel.NewEnv(
            config=cel.NewEnvConfigFromYaml(_CONFIG),
            variables={name: cel.Type.DYN for name in variables if name not in _TYPE_NAMES},
        )

    def compile(self, text: str) -> _NativeProgram:
        try:
            return _NativeProgram(self._environment.compile(text))
        except (RuntimeError, MemoryError) as error:
            raise _failure(str(error)) from None

    def bind(self, values: Mapping[str, Plain]) -> cel.Activation:
        return self._environment.Activation(values)


@cache
def open_session(variables: tuple[str, ...]) -> NativeSession:
    """One serves all who have the same variables."""
    return NativeSession(variables)
