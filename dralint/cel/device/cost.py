"""The cost that Kubernetes estimates for a selector before it accepts it.

A walk of the checked tree as cel-go makes it, with (smallest, largest) sizes and costs in uint64 that
stay at the top instead of running over. Source: cel-go checker/cost.go.
"""

from __future__ import annotations

from typing import NamedTuple

from dralint.cel.device.celtypes import Type
from dralint.cel.device.cost_functions import estimate_call
from dralint.cel.device.cost_values import (
    ONE,
    TOP,
    UNKNOWN,
    ZERO,
    Argument,
    Estimate,
    Path,
    Range,
    add,
    device_size,
    fixed,
    times,
    union,
)
from dralint.cel.device.folds import is_bind
from dralint.cel.device.tree import (
    Call,
    Checked,
    Comprehension,
    Const,
    Ident,
    ListLiteral,
    MapLiteral,
    Node,
    Select,
)

_LIST, _MAP = fixed(10), fixed(30)
_SCALARS = frozenset(("bool", "double", "duration", "int", "timestamp", "uint"))
_VALUES, _ITEMS, _KEYS = "@values", "@items", "@keys"
_EMPTY_SIZE = Range(TOP, 0)


class _Entries(NamedTuple):
    """The sizes of a container's keys and values."""

    is_map: bool
    key: Range
    value: Range


class _Variable(NamedTuple):
    """A variable of a macro or of cel.bind."""

    path: Path
    size: Range | None
    entries: _Entries | None


def _join(left: _Entries | None, right: _Entries | None) -> _Entries | None:
    if left is None or right is None:
        return left or right
    return _Entries(left.is_map, union(left.key, right.key), union(left.value, right.value))


def _is_scalar(kind: Type) -> bool:
    if kind[0] == "optional_type" and len(kind) > 1:
        return _is_scalar(kind[1])
    return kind[0] in _SCALARS


class _Estimator:
    def __init__(self, checked: Checked) -> None:
        self._checked = checked
        self._paths: dict[int, Path] = {}
        self._sizes: dict[int, Range] = {}
        self._entries: dict[int, _Entries] = {}
        self._variables: dict[str, list[_Variable]] = {}
        self.loops: dict[int, int] = {}

    def cost(self, node: Node) -> Range:
        match node:
            case Const():
                return ZERO
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case Comprehension():
                return self._bind(node) if is_bind(node) else self._loop(node)

    def _ident(self, node: Ident) -> Range:
        variable = self._variable(node.name)
        if variable:
            self._paths[node.id] = variable.path
            return ONE
        # `device.attributes` is one name to our checker, but a select to Kubernetes'.
        path = tuple(node.name.split(".")) if node.name.startswith("device.") else (node.name,)
        self._paths[node.id] = path
        return fixed(len(path))

    def _variable(self, name: str) -> _Variable | None:
        found = self._variables.get(name)
        return found[-1] if found else None

    def _select(self, node: Select) -> Range:
        operand = self.cost(node.operand)
        if node.test:
            return operand
        kind = self._checked.type(node.operand)
        path = self._path(node.operand)
        self._paths[node.id] = (*path, node.field)
        costs = kind[0] == "map" or kind[0] == "kubernetes.DRADevice"
        return add(operand, ONE) if costs else operand

    def _path(self, node: Node) -> Path:
        return self._paths.get(node.id, ())

    def _argument(self, node: Node) -> Argument:
        path = self._path(node)
        known = () if path[:1] == ("@result",) else path
        return Argument(node, self._checked.type(node), known, self._size(node))

    def _size(self, node: Node) -> Range | None:
        if node.id in self._sizes:
            return self._sizes[node.id]
        match node:
            case Const(_, value):
                return fixed(len(value) if isinstance(value, str | bytes) else 1)
            case ListLiteral():
                return fixed(len(node.items))
            case MapLiteral():
                return fixed(len(node.entries))
        size = device_size(self._path(node))
        if size is None and _is_scalar(self._checked.type(node)):
            size = ONE
        if size is None and isinstance(node, Ident):
            variable = self._variable(node.name)
            size = variable.size if variable else None
        return size

    def _length(self, node: Node) -> Range:
        size = self._size(node)
        return UNKNOWN if size is None else size

    def _entries_of(self, node: Node) -> _Entries | None:
        if node.id in self._entries:
            return self._entries[node.id]
        variable = self._variable(node.name) if isinstance(node, Ident) else None
        return variable.entries if variable else None

    def _call(self, node: Call) -> Range:
        arg_costs = [self.cost(arg) for arg in node.args]
        sum_of_args = add(*arg_costs)
        if node.function == "dyn":
            self._copy(node, node.args[0])
            return add(ONE, sum_of_args)
        target_cost = self.cost(node.target) if node.target is not None else ZERO
        target = self._argument(node.target) if node.target is not None else None
        args = [self._argument(arg) for arg in node.args]
        found: Range | None = None
        result: Range | None = None
        for overload in self._checked.overloads.get(node.id, ()):
            if overload in ("logical_and", "logical_or"):
                cost = Range(arg_costs[0].low, sum_of_args.high)
                estimate = Estimate(cost)
            elif overload == "conditional":
                estimate = self._conditional(node, arg_costs)
                cost = estimate.cost
            else:
                estimate = estimate_call(node.function, overload, target, args)
                cost = add(estimate.cost, sum_of_args)
            if overload == "add_list":
                self._set_entries(node, _join(self._entries_of(node.args[0]), self._entries_of(node.args[1])))
            found = cost if found is None else union(found, cost)
            if estimate.result is not None:
                result = estimate.result if result is None else union(result, estimate.result)
            if overload in ("index_map", "index_list"):
                step = _VALUES if overload == "index_map" else _ITEMS
                self._paths[node.id] = (*self._path(node.args[0]), step)
            if result is None:
                result = self._size(node)
        if result is not None:
            self._sizes[node.id] = result
        return add(target_cost, found or ZERO)

    def _conditional(self, node: Call, costs: list[Range]) -> Estimate:
        _, then, otherwise = node.args
        self._set_entries(node, _join(self._entries_of(then), self._entries_of(otherwise)))
        size = union(self._length(then), self._length(otherwise))
        return Estimate(add(costs[0], union(costs[1], costs[2])), size)

    def _set_entries(self, node: Node, entries: _Entries | None) -> None:
        if entries is not None:
            self._entries[node.id] = entries

    def _copy(self, node: Node, source: Node) -> None:
        """The node is as large as its source."""
        size = self._size(source)
        if size is not None:
            self._sizes[node.id] = size
        self._set_entries(node, self._entries_of(source))

    def _list(self, node: ListLiteral) -> Range:
        cost = add(_LIST, *[self.cost(item) for item in node.items])
        value = _EMPTY_SIZE if node.items else ZERO
        for item in node.items:
            value = union(value, self._length(item))
        self._entries[node.id] = _Entries(is_map=False, key=ONE, value=value)
        return cost

    def _map(self, node: MapLiteral) -> Range:
        cost = _MAP
        key = value = _EMPTY_SIZE if node.entries else ZERO
        for entry in node.entries:
            cost = add(cost, self.cost(entry.key), self.cost(entry.value))
            key, value = union(key, self._length(entry.key)), union(value, self._length(entry.value))
        self._entries[node.id] = _Entries(is_map=True, key=key, value=value)
        return cost

    def _push(self, name: str, variable: _Variable) -> None:
        self._variables.setdefault(name, []).append(variable)

    def _push_bound(self, name: str, node: Node) -> None:
        self._push(name, _Variable(self._path(node), self._size(node), self._entries_of(node)))

    def _bind(self, node: Comprehension) -> Range:
        cost = add(self.cost(node.range), self.cost(node.init))
        self._push_bound(node.accumulator, node.init)
        cost = add(cost, self.cost(node.result))
        self._variables[node.accumulator].pop()
        self._copy(node, node.result)
        return cost

    def _push_loop(self, node: Comprehension) -> list[str]:
        entries, path = self._entries_of(node.range), self._path(node.range)
        is_map = entries.is_map if entries else self._checked.type(node.range)[0] == "map"
        key_size, value_size = (entries.key, entries.value) if entries else (None, None)
        key = _Variable((*path, _KEYS), key_size, None)
        value = _Variable((*path, _VALUES if is_map else _ITEMS), value_size, None)
        if not node.variable2:
            self._push(node.variable, key if is_map else value)
            return [node.variable]
        # A list's index has the size of an int.
        self._push(node.variable, key if is_map else _Variable((), key_size, None))
        self._push(node.variable2, value)
        return [node.variable, node.variable2]

    def _loop(self, node: Comprehension) -> Range:
        cost = add(self.cost(node.range), self.cost(node.init))
        self._push_bound(node.accumulator, node.init)
        names = self._push_loop(node)
        each = add(self.cost(node.condition), self.cost(node.step))
        self.loops[node.id] = each.low
        for name in names:
            self._variables[name].pop()
        cost = add(cost, self.cost(node.result))
        self._variables[node.accumulator].pop()
        length = self._length(node.range)
        if isinstance(node.init, Const):
            self._sizes[node.id] = self._length(node.init)
        elif isinstance(node.init, ListLiteral | MapLiteral):
            self._sizes[node.id] = length
            self._set_entries(node, self._entries_of(node.step))
        return add(cost, times(length, each))


class Cost(NamedTuple):
    """What an expression costs.

    largest  what Kubernetes expects at most; its limit is `limits.MAX_COST`
    loops    what one step of a macro costs at least, by the macro's node id
    """

    largest: int
    loops: dict[int, int]


def estimate(checked: Checked) -> Cost:
    """The cost of a checked expression."""
    estimator = _Estimator(checked)
    return Cost(estimator.cost(checked.root).high, estimator.loops)
