"""Closures of calls: the operators with rules of their own, then every function by its arguments' types.

Source: cel-go interpreter/interpretable.go and planner.go, decorators.go for `in` with literals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dralint.cel.device.access import select, select_optional
from dralint.cel.device.equality import equal
from dralint.cel.device.evaluate import (
    BUDGET,
    Compiler,
    Frame,
    Run,
    compile_attribute,
    parts,
)
from dralint.cel.device.limits import ERROR_STEP, spend, spend_ours
from dralint.cel.device.registry import implementations
from dralint.cel.device.semver import Semver
from dralint.cel.device.tree import Call, Const, Node
from dralint.cel.device.values import (
    EMPTY,
    NO_SUCH_OVERLOAD,
    CelError,
    Optional,
    Uint,
    no_such_overload,
    to_key,
)

# Functions whose results can be long and are new: their size is taken from the steps, as Kubernetes does.
_MAKES_TEXT = frozenset(
    (
        "_+_",
        "replace",
        "lowerAscii",
        "upperAscii",
        "substring",
        "trim",
        "join",
        "format",
        "strings.quote",
        "string",
    )
)
_LONG = 100
_PRIMITIVES = frozenset((bool, int, Uint, float, str))


def located(error: CelError, node: int) -> CelError:
    """The error with the node where it arose, unless it knows one already."""
    if error.node is None:
        error.node = node
    return error


def compile_call(compiler: Compiler, node: Call) -> Run:
    """The closure of a call."""
    special = _SPECIAL.get(node.function)
    return (special and special(compiler, node)) or _function(compiler, node)


def _terms(node: Node, operator: str) -> list[Node]:
    if isinstance(node, Call) and node.function == operator:
        return [term for arg in node.args for term in _terms(arg, operator)]
    return [node]


def _logical(compiler: Compiler, node: Call) -> Run:
    """`&&` and `||`: a deciding value wins over errors, in either order; else the first error stays."""
    terms = [compiler.compile(term) for term in _terms(node, node.function)]
    decides, id_ = node.function == "_||_", node.id
    otherwise = not decides

    def run(frame: Frame) -> bool:
        failure: CelError | None = None
        for term in terms:
            try:
                value: object = term(frame)
            except CelError as error:
                failure = failure or error
                spend_ours(frame[BUDGET], ERROR_STEP)
                continue
            if value is decides:
                return decides
            if value is not otherwise and failure is None:
                failure = located(CelError(NO_SUCH_OVERLOAD), id_)
        if failure is not None:
            raise failure
        return otherwise

    return run


def _conditional(compiler: Compiler, node: Call) -> Run:
    test, then, otherwise = (compiler.compile(arg) for arg in node.args)
    id_ = node.id

    def run(frame: Frame) -> Any:
        value = test(frame)
        if value is True:
            return then(frame)
        if value is False:
            return otherwise(frame)
        raise located(CelError(NO_SUCH_OVERLOAD), id_)

    return run


def _equals(compiler: Compiler, node: Call) -> Run:
    left, right = (compiler.compile(arg) for arg in node.args)
    wanted, id_ = compiler.constant(node.args[1]), node.id
    if type(wanted) is str:

        def text_equals(frame: Frame) -> bool:
            value = left(frame)
            if type(value) is str:
                return bool(value == wanted)
            try:
                return equal(frame[BUDGET], value, wanted)
            except CelError as error:
                raise located(error, id_) from None

        return text_equals

    def run(frame: Frame) -> bool:
        try:
            return equal(frame[BUDGET], left(frame), right(frame))
        except CelError as error:
            raise located(error, id_) from None

    return run


def _differs(compiler: Compiler, node: Call) -> Run:
    left, right = (compiler.compile(arg) for arg in node.args)

    def run(frame: Frame) -> bool:
        a, b = left(frame), right(frame)
        try:
            return not equal(frame[BUDGET], a, b)
        except CelError:
            # Kubernetes: what cannot be compared is different.
            return True

    return run


def _in(compiler: Compiler, node: Call) -> Run | None:
    """`x in [literals]`, which cel-go makes a set of; it cannot hash a version or bytes."""
    items = compiler.constant(node.args[1])
    if type(items) is not list or any(type(item) not in _PRIMITIVES for item in items):
        return None
    if not items:
        return lambda _: False
    members = {_member(item) for item in items}
    value_of, id_ = compiler.compile(node.args[0]), node.id

    def run(frame: Frame) -> bool:
        value = value_of(frame)
        if type(value) is Semver or type(value) is bytes:
            raise located(CelError("internal error: runtime error: hash of unhashable type"), id_)
        return type(value) in _PRIMITIVES and _member(value) in members

    return run


def _member(value: Any) -> Any:
    key = to_key(value)
    return value if key is None else key


def _index(compiler: Compiler, node: Call) -> Run:
    operand, key = node.args
    if isinstance(key, Const) and isinstance(key.value, str):
        attribute = compile_attribute(node, operand, key.value)
        if attribute:
            return attribute
    container_of, key_of = compiler.compile(operand), compiler.compile(key)
    id_ = node.id

    def run(frame: Frame) -> Any:
        try:
            return select(container_of(frame), key_of(frame))
        except CelError as error:
            raise located(error, id_) from None

    return run


def _optional_index(compiler: Compiler, node: Call) -> Run:
    container_of, key_of = (compiler.compile(arg) for arg in node.args)
    return lambda frame: select_optional(container_of(frame), key_of(frame))


def _otherwise(compiler: Compiler, node: Call) -> Run:
    """`or` and `orValue`: the second is evaluated only when the first is empty."""
    assert node.target is not None
    target, other = compiler.compile(node.target), compiler.compile(node.args[0])
    unwrap, id_ = node.function == "orValue", node.id

    def run(frame: Frame) -> Any:
        value = target(frame)
        if type(value) is not Optional:
            raise located(CelError(NO_SUCH_OVERLOAD), id_)
        if value is EMPTY:
            return other(frame)
        return value.value if unwrap else value

    return run


def _not_strictly_false(compiler: Compiler, node: Call) -> Run:
    value_of = compiler.compile(node.args[0])

    def run(frame: Frame) -> bool:
        try:
            return value_of(frame) is not False
        except CelError:
            return True

    return run


_SPECIAL: dict[str, Callable[[Compiler, Call], Run | None]] = {
    "_&&_": _logical,
    "_||_": _logical,
    "_?_:_": _conditional,
    "_==_": _equals,
    "_!=_": _differs,
    "@in": _in,
    "_[_]": _index,
    "_?._": _optional_index,
    "_[?_]": _optional_index,
    "or": _otherwise,
    "orValue": _otherwise,
    "@not_strictly_false": _not_strictly_false,
}


def _counting(run: Run) -> Run:
    def counted(frame: Frame) -> Any:
        value = run(frame)
        if type(value) is str and len(value) > _LONG:
            spend(frame[BUDGET], len(value) // 10)
        return value

    return counted


def _function(compiler: Compiler, node: Call) -> Run:
    run = _dispatched(compiler, node)
    return _counting(run) if node.function in _MAKES_TEXT else run


def _dispatched(compiler: Compiler, node: Call) -> Run:
    name, id_ = node.function, node.id
    table, generic = implementations(name)
    args = [compiler.compile(part) for part in parts(node)]
    shown = "" if name.startswith(("_", "@", "!", "-")) else name

    def other(frame: Frame, *values: Any) -> Any:
        try:
            if generic is None:
                raise no_such_overload(name, *values) if shown else CelError(NO_SUCH_OVERLOAD)
            return generic(frame[BUDGET], *values)
        except CelError as error:
            raise located(error, id_) from None

    if len(args) == 2:
        first, second = args

        def binary(frame: Frame) -> Any:
            a, b = first(frame), second(frame)
            implementation = table.get((type(a), type(b)))
            if implementation is None:
                return other(frame, a, b)
            try:
                return implementation(a, b)
            except CelError as error:
                raise located(error, id_) from None

        return binary

    def run(frame: Frame) -> Any:
        values = [arg(frame) for arg in args]
        implementation = table.get(tuple(map(type, values)))
        if implementation is None:
            return other(frame, *values)
        try:
            return implementation(*values)
        except CelError as error:
            raise located(error, id_) from None

    return run
