"""Device selectors on cel-python, the second engine: no type checker, no cost, no optional syntax.

It parses and evaluates on its own; only Kubernetes' functions are those of `dralint.cel.device`. What it cannot
evaluate is not judged. Imported only when asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import celpy
from celpy import celtypes
from celpy.celparser import CELParseError
from celpy.evaluation import CELEvalError, base_functions

from dralint.cel.device.answers import CompileError, CompileErrors, EvaluationError
from dralint.cel.device.equality import STRICT, equal
from dralint.cel.device.lexing import tokens
from dralint.cel.device.limits import CHARACTER_STEPS, MAX_STEPS, Allowance
from dralint.cel.device.registry import implementations
from dralint.cel.device.values import CelError, Domains, Duration, LimitReached, Timestamp, Uint
from dralint.cel.equality import OPERATORS
from dralint.cel.portable import _BudgetExceeded, _Evaluator
from dralint.cel.strings import FUNCTIONS

# Kubernetes' functions, by the name that an expression calls them.
_KUBERNETES = (
    *("quantity", "isQuantity", "sign", "add", "sub", "asInteger", "isInteger"),
    *("asApproximateFloat", "isGreaterThan", "isLessThan", "compareTo", "semver", "isSemver"),
    *("major", "minor", "patch", "includes", "isSorted", "sum", "max", "matches", "find"),
    *("findAll", "join", "distinct", "flatten", "slice", "sort", "isURL", "url", "getScheme"),
    *("getHost", "getHostname", "getPort", "getEscapedPath", "ip", "isIP", "cidr", "isCIDR"),
    *("family", "containsIP", "containsCIDR", "prefixLength", "masked", "isLoopback"),
    *("isUnspecified", "isGlobalUnicast"),
)
_OPTIONAL_SYNTAX = re.compile(r"\.\s*\?|[\[{,]\s*\?")
_NO_MEMBER = re.compile(r"no such member in mapping: '(.*)'", re.DOTALL)
_UNKNOWN = re.compile(r"undeclared reference|unbound function|no such function|not supported", re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class _Attributes(celtypes.MapType):
    """`device.attributes` and `device.capacity`: an unknown domain is an empty map."""

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key) if key in self else celtypes.MapType()

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get(key, celtypes.MapType() if default is None else default)


def _to_celpy(value: Any) -> Any:
    """One of our values as cel-python has it; Kubernetes' own types stay."""
    kind = type(value)
    if kind is list:
        return celtypes.ListType([_to_celpy(each) for each in value])
    if kind is dict or kind is Domains:
        made = _Attributes if kind is Domains else celtypes.MapType
        return made({celtypes.StringType(key): _to_celpy(each) for key, each in value.items()})
    if kind is Timestamp:
        return celtypes.TimestampType(_EPOCH + timedelta(microseconds=value // 1000))
    if kind is Duration:
        return celtypes.DurationType(timedelta(microseconds=value // 1000))
    wrapper = {
        bool: celtypes.BoolType,
        int: celtypes.IntType,
        Uint: celtypes.UintType,
        float: celtypes.DoubleType,
        str: celtypes.StringType,
        bytes: celtypes.BytesType,
    }.get(kind)
    return wrapper(value) if wrapper else value


def _from_celpy(value: Any) -> Any:
    """One of cel-python's values as ours."""
    match value:
        case celtypes.BoolType():
            return bool(value)
        case celtypes.UintType():
            return Uint(value)
        case celtypes.IntType():
            return int(value)
        case celtypes.DoubleType():
            return float(value)
        case celtypes.StringType():
            return str(value)
        case celtypes.BytesType():
            return bytes(value)
        case celtypes.ListType():
            return [_from_celpy(each) for each in value]
        case celtypes.MapType():
            return {_from_celpy(key): _from_celpy(each) for key, each in value.items()}
        case celtypes.TimestampType():
            return Timestamp((value - celtypes.TimestampType(_EPOCH)) // _MICROSECOND * 1000)
        case celtypes.DurationType():
            return Duration(value // _MICROSECOND * 1000)
    return value


def _bridged(name: str) -> Callable[..., Any]:
    """A function of ours that takes and gives cel-python's values; an error is returned, as theirs do."""

    def call(*args: Any) -> Any:
        failed = next((arg for arg in args if isinstance(arg, CELEvalError)), None)
        if failed is not None:
            return failed
        table, generic = implementations(name)
        values = [_from_celpy(arg) for arg in args]
        implementation = table.get(tuple(map(type, values)))
        try:
            if implementation is not None:
                return _to_celpy(implementation(*values))
            if generic is None:
                return CELEvalError(f"no such overload: {name}")
            return _to_celpy(generic([MAX_STEPS], *values))
        except CelError as error:
            return CELEvalError(error.message)

    return call


def _strictly(name: str) -> Callable[[Any, Any], Any]:
    """`==` and `!=`, which Kubernetes' own types on the left refuse for others."""
    theirs = OPERATORS[name]

    def compare(left: Any, right: Any) -> Any:
        if type(left) not in STRICT or isinstance(right, CELEvalError):
            return theirs(left, right)
        try:
            answer = equal([MAX_STEPS], left, _from_celpy(right))
        except CelError as error:
            return celtypes.BoolType(True) if name == "_!=_" else CELEvalError(error.message)
        return celtypes.BoolType(answer == (name == "_==_"))

    return compare


def _of_lists(name: str) -> Callable[..., Any]:
    """A function that strings have, too: ours for lists."""
    ours, theirs = _bridged(name), FUNCTIONS[name]
    return lambda target, *args: (ours if isinstance(target, celtypes.ListType) else theirs)(target, *args)


def _plus(left: Any, right: Any) -> Any:
    """cel-python's sum of two strings is no string of its own."""
    total = base_functions["_+_"](left, right)
    return celtypes.StringType(total) if type(total) is str else total


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **OPERATORS,
    "_==_": _strictly("_==_"),
    "_!=_": _strictly("_!=_"),
    "_+_": _plus,
    **{name: _bridged(name) for name in _KUBERNETES},
    **FUNCTIONS,
    **{name: _of_lists(name) for name in ("indexOf", "lastIndexOf")},
}


_TOO_MUCH = EvaluationError("all selectors together take too many steps", 0, judged=False)
# In the steps of the other engine, measured: of a character, and of a step in a loop.
_SLOWER, _LOOP_STEPS = 2, 200


def _failure(error: CELEvalError) -> EvaluationError:
    what = str(error.args[0] if error.args else "it cannot be evaluated")
    missing = _NO_MEMBER.fullmatch(what)
    if missing:
        return EvaluationError(f"no such key: {missing[1]}", 0)
    return EvaluationError(what, 0, judged=not _UNKNOWN.search(what))


class CelpyClause:
    """An expression or a part of one, with its text and where that starts."""

    def __init__(self, text: str, offset: int, allowance: Allowance) -> None:
        self.text = text
        self.offset = offset
        self._allowance = allowance
        # cel-python looks at every part of the text at each evaluation.
        self._steps = _SLOWER * CHARACTER_STEPS * len(text)
        allowance.take(self._steps)
        environment = celpy.Environment(runner_class=celpy.InterpretedRunner)
        self._runner = environment.program(environment.compile(text), functions=_FUNCTIONS)

    def evaluate(self, device: Mapping[str, Any]) -> bool | EvaluationError:
        """Whether the device matches, or why nothing can be said; without a place in the text."""
        variables = celtypes.MapType(
            {celtypes.StringType(name): _to_celpy(value) for name, value in device.items()}
        )
        loop_steps = [0]
        try:
            evaluator = _Evaluator(self._runner.ast, self._runner.new_activation(), loop_steps)
            value = evaluator.evaluate({"device": variables})
        except CELEvalError as error:
            return _failure(error)
        except (_BudgetExceeded, LimitReached, RecursionError, MemoryError):
            return EvaluationError("it takes too many steps", 0, judged=False)
        except Exception as error:  # noqa: BLE001  # celpy lets any Python exception out
            return EvaluationError(f"{type(error).__name__}", 0, judged=False)
        finally:
            self._allowance.take(self._steps + _LOOP_STEPS * loop_steps[0])
        if isinstance(value, celtypes.BoolType):
            return bool(value)
        return EvaluationError("CEL result could not be converted to bool", 0)

    def evaluate_all(self, devices: Iterable[Mapping[str, Any]]) -> list[bool | EvaluationError]:
        """The answer for each device; what is left when the allowance is used up is not judged."""
        return [self.evaluate(device) if self._allowance.left > 0 else _TOO_MUCH for device in devices]


class CelpyProgram(CelpyClause):
    """A selector that parses. There is no cost without types."""

    cost = None

    @property
    def expression(self) -> str:
        return self.text

    @property
    def clauses(self) -> tuple[CelpyClause, ...]:
        """What stands between the outermost `&&`, by the text alone."""
        pieces = _split(self.text)
        return tuple(CelpyClause(self.text[start:end], start, self._allowance) for start, end in pieces)


def _split(text: str) -> list[tuple[int, int]]:
    found = tokens(text)
    depth, cuts = 0, []
    for token in found:
        if token.text in ("(", "[", "{"):
            depth += 1
        elif token.text in (")", "]", "}"):
            depth -= 1
        elif not depth and token.text in ("||", "?"):
            return [(0, len(text))]
        elif not depth and token.text == "&&":
            cuts.append(token)
    starts, ends = [0, *(cut.end for cut in cuts)], [*(cut.start for cut in cuts), len(text)]
    return [
        (start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip()))
        for start, end in zip(starts, ends, strict=True)
        for piece in (text[start:end],)
    ]


def compile_selector(expression: str, allowance: Allowance | None = None) -> CelpyProgram | CompileErrors:
    """Parse an expression. Only mistakes of syntax are found; mistakes of types show when it is evaluated.

    allowance  of all selectors of a run; None: it has its own
    """
    steps = allowance or Allowance()
    if steps.left <= 0:
        return CompileErrors((CompileError(_TOO_MUCH.message, 0, "limit"),), judged=False)
    try:
        return CelpyProgram(expression, 0, steps)
    except CELParseError as error:
        if _OPTIONAL_SYNTAX.search(expression):
            reason = CompileError("cel-python does not know optional syntax", 0, "limit")
            return CompileErrors((reason,), judged=False)
        lines = expression.split("\n")
        before = sum(len(line) + 1 for line in lines[: max((error.line or 1) - 1, 0)])
        return CompileErrors(
            (CompileError("syntax error", before + max((error.column or 1) - 1, 0), "syntax"),)
        )
    except (RecursionError, MemoryError):
        return CompileErrors((CompileError("nested too deeply", 0, "limit"),), judged=False)
    except Exception as error:  # noqa: BLE001  # celpy lets any Python exception out
        return CompileErrors(
            (CompileError(f"it does not parse: {type(error).__name__}", 0, "limit"),), judged=False
        )
