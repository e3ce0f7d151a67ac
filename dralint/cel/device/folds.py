"""Closures of macros, which the parser turns into folds; the common shapes get loops of their own.

Source: cel-go interpreter/interpretable.go (evalFold), parser/macro.go and ext/*.go (the shapes).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from dralint.cel.device.evaluate import BUDGET, Compiler, Frame, Run
from dralint.cel.device.limits import ERROR_STEP, LOOP_STEP, spend, spend_ours
from dralint.cel.device.tree import Call, Comprehension, Const, Ident, ListLiteral, Node
from dralint.cel.device.values import (
    GO_TYPE_NAMES,
    NO_SUCH_OVERLOAD,
    CelError,
    Domains,
    from_key,
)

_UNSET = object()


class _Failed(NamedTuple):
    """A variable whose value is an error, which reading it raises."""

    error: CelError


def _reader(slot: int) -> Run:
    def read(frame: Frame) -> Any:
        value = frame[slot]
        if type(value) is _Failed:
            raise value.error
        return value

    return read


def _compile_bind(compiler: Compiler, node: Comprehension) -> Run:
    """`cel.bind(name, init, result)`: init is evaluated when the name is first read."""
    slot, init = compiler.slot(), compiler.compile(node.init)

    def read(frame: Frame) -> Any:
        value = frame[slot]
        if value is _UNSET:
            try:
                value = frame[slot] = init(frame)
            except CelError as error:
                frame[slot] = _Failed(error)
                raise
        elif type(value) is _Failed:
            raise value.error
        return value

    with_name = _Names(compiler, {node.accumulator: read})
    result = with_name.compile(node.result)

    def run(frame: Frame) -> Any:
        frame[slot] = _UNSET
        return result(frame)

    return run


class _Names:
    """Compiles with some more variables in scope."""

    def __init__(self, compiler: Compiler, names: dict[str, Run]) -> None:
        self._compiler = compiler
        self._names = names

    def compile(self, node: Node) -> Run:
        outer = self._compiler.scope
        self._compiler.scope = {**outer, **self._names}
        try:
            return self._compiler.compile(node)
        finally:
            self._compiler.scope = outer


def is_bind(node: Comprehension) -> bool:
    """Whether this is `cel.bind`: a fold over nothing."""
    return (
        isinstance(node.range, ListLiteral)
        and not node.range.items
        and isinstance(node.condition, Const)
        and node.condition.value is False
    )


def _is_true(node: Node) -> bool:
    return isinstance(node, Const) and node.value is True


class _Loop:
    """What all loops share: the range, the slots of its variables, the budget."""

    def __init__(self, compiler: Compiler, node: Comprehension) -> None:
        self._range = compiler.compile(node.range)
        self._id = node.range.id
        self._step = max(LOOP_STEP, compiler.loops.get(node.id, 0))
        self._first = compiler.slot()
        self._second = compiler.slot() if node.variable2 else None
        first = self._first
        names: dict[str, Run] = {node.variable: lambda frame: frame[first]}
        if self._second is not None:
            second = self._second
            names[node.variable2] = lambda frame: frame[second]
        self.names = names

    def steps(self, frame: Frame) -> Iterator[None]:
        """Sets the variables to each element in turn."""
        values = self._range(frame)
        kind = type(values)
        if kind is dict or kind is Domains:
            pairs: Any = ((from_key(key), value) for key, value in list(values.items()))
        elif kind is not list:
            name = GO_TYPE_NAMES.get(kind, kind.__name__)
            error = CelError(f"got '{name}', expected iterable type")
            error.node = self._id
            raise error
        else:
            pairs = enumerate(values) if self._second is not None else ((value, None) for value in values)
        budget, step, first, second = frame[BUDGET], self._step, self._first, self._second
        for a, b in pairs:
            spend(budget, step)
            frame[first] = a
            if second is not None:
                frame[second] = b
            yield


def _quantified(loop: _Loop, predicate: Run, decides: bool, node: int) -> Run:
    """`all` (decides: False) and `exists` (True): a deciding element wins over errors of others."""

    def run(frame: Frame) -> bool:
        failure: CelError | None = None
        for _ in loop.steps(frame):
            try:
                value: object = predicate(frame)
            except CelError as error:
                spend_ours(frame[BUDGET], ERROR_STEP)
                failure = failure or error
                continue
            if value is decides:
                return decides
            if value is not (not decides) and failure is None:
                failure = CelError(NO_SUCH_OVERLOAD)
                failure.node = node
        if failure is not None:
            raise failure
        return not decides

    return run


def _tested(condition: Run | None, frame: Frame, node: int) -> bool:
    if condition is None:
        return True
    value = condition(frame)
    if type(value) is not bool:
        error = CelError(NO_SUCH_OVERLOAD)
        error.node = node
        raise error
    return value


def _collected(loop: _Loop, condition: Run | None, element: Run, node: int) -> Run:
    """`map`, `filter` and `transformList`."""

    def run(frame: Frame) -> list[Any]:
        return [element(frame) for _ in loop.steps(frame) if _tested(condition, frame, node)]

    return run


def _counted(loop: _Loop, condition: Run, node: int) -> Run:
    """`exists_one`."""

    def run(frame: Frame) -> bool:
        return sum(_tested(condition, frame, node) for _ in loop.steps(frame)) == 1

    return run


def _folded(compiler: Compiler, node: Comprehension, loop: _Loop) -> Run:
    """Any other fold. An error of a step is the accumulator's value, and the loop goes on."""
    slot = compiler.slot()
    accumulator = {node.accumulator: _reader(slot)}
    init = compiler.compile(node.init)
    inside = _Names(compiler, {**loop.names, **accumulator})
    condition, step = inside.compile(node.condition), inside.compile(node.step)
    result = _Names(compiler, accumulator).compile(node.result)

    def attempt(run: Run, frame: Frame) -> Any:
        try:
            return run(frame)
        except CelError as error:
            spend_ours(frame[BUDGET], ERROR_STEP)
            return _Failed(error)

    def run(frame: Frame) -> Any:
        frame[slot] = attempt(init, frame)
        for _ in loop.steps(frame):
            if attempt(condition, frame) is False:
                break
            frame[slot] = attempt(step, frame)
        return result(frame)

    return run


def _appended(step: Node, accumulator: str) -> Node | None:
    """The element of `accumulator + [element]`."""
    match step:
        case Call(_, "_+_", None, (Ident(_, name), ListLiteral(_, (item,), optional))):
            return item if name == accumulator and not optional else None
    return None


def _shaped(compiler: Compiler, node: Comprehension, loop: _Loop) -> Run | None:
    """The loop of a well-known macro, recognized by its shape."""
    inside, step, name = _Names(compiler, loop.names), node.step, node.accumulator
    match step:
        case Call(_, "_&&_" | "_||_", None, (Ident(_, left), predicate)) if (
            left == name and isinstance(node.condition, Call) and isinstance(node.result, Ident)
        ):
            return _quantified(loop, inside.compile(predicate), step.function == "_||_", step.id)
    if not _is_true(node.condition):
        return None
    condition: Node | None = None
    match step:
        case Call(_, "_?_:_", None, (test, then, Ident(_, left))) if left == name:
            condition, step = test, then
    if isinstance(node.init, ListLiteral) and not node.init.items and isinstance(node.result, Ident):
        element = _appended(step, name)
        if element is not None:
            tested = inside.compile(condition) if condition is not None else None
            return _collected(loop, tested, inside.compile(element), node.step.id)
    match step:
        case Call(_, "_+_", None, (Ident(_, left), Const(_, 1))) if left == name and condition is not None:
            return _counted(loop, inside.compile(condition), node.step.id)
    return None


def compile_fold(compiler: Compiler, node: Comprehension) -> Run:
    """The closure of a macro."""
    if is_bind(node):
        return _compile_bind(compiler, node)
    loop = _Loop(compiler, node)
    return _shaped(compiler, node, loop) or _folded(compiler, node, loop)
