"""Functions on lists: Kubernetes' own, cel-go's `lists` and `sets` extensions, and lists of optionals.

Sources: kubernetes apiserver/pkg/cel/library/lists.go; cel-go ext/lists.go, ext/sets.go, cel/library.go.
"""

from __future__ import annotations

from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from dralint.cel.device.equality import compare, contains, same
from dralint.cel.device.limits import Budget, bounded, room_for, spend_ours
from dralint.cel.device.registry import generic, implementations
from dralint.cel.device.values import (
    EMPTY,
    NO_SUCH_OVERLOAD,
    CelError,
    Duration,
    Optional,
    Timestamp,
    Uint,
    from_key,
    to_key,
    type_name,
)

_SUMMABLE = (int, Uint, float, Duration)
_COMPARABLE = (int, Uint, float, bool, Duration, Timestamp, str, bytes)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise CelError(NO_SUCH_OVERLOAD)
    return value


def _of(kinds: tuple[type, ...], value: Any) -> list[Any]:
    """A list whose first item has one of these types: by it Go picks the function."""
    items = _list(value)
    if items and type(items[0]) not in kinds:
        raise CelError(NO_SUCH_OVERLOAD)
    return items


@generic("sum")
def _sum(budget: Budget, value: Any) -> Any:
    items = _of(_SUMMABLE, value)
    spend_ours(budget, len(items))
    table, _ = implementations("_+_")
    total: Any = type(items[0])(0) if items else 0
    for item in items:
        add = table.get((type(total), type(item)))
        if add is None:
            raise CelError(NO_SUCH_OVERLOAD)
        total = add(total, item)
    return total


def _extreme(budget: Budget, value: Any, sign: int, name: str) -> Any:
    items = _of(_COMPARABLE, value)
    if not items:
        raise CelError(f"{name} called on empty list")
    spend_ours(budget, len(items))
    found = items[0]
    for item in items[1:]:
        if compare(item, found) == sign:
            found = item
    return found


@generic("min")
def _min(budget: Budget, value: Any) -> Any:
    return _extreme(budget, value, -1, "min")


@generic("max")
def _max(budget: Budget, value: Any) -> Any:
    return _extreme(budget, value, 1, "max")


@generic("isSorted")
def _is_sorted(budget: Budget, value: Any) -> bool:
    items = _of(_COMPARABLE, value)
    spend_ours(budget, len(items))
    return all(compare(a, b) <= 0 for a, b in pairwise(items))


@generic("indexOf")
def _index_of(budget: Budget, items: Any, wanted: Any) -> int:
    return next(
        (index for index, item in enumerate(_searched(budget, items)) if same(budget, item, wanted)), -1
    )


@generic("lastIndexOf")
def _last_index_of(budget: Budget, items: Any, wanted: Any) -> int:
    found = _searched(budget, items)
    return next((index for index in range(len(found) - 1, -1, -1) if same(budget, found[index], wanted)), -1)


def _searched(budget: Budget, items: Any) -> list[Any]:
    spend_ours(budget, len(_list(items)))
    return _list(items)


@generic("first")
def _first(_: Budget, items: Any) -> Optional:
    return Optional(items[0]) if _list(items) else EMPTY


@generic("last")
def _last(_: Budget, items: Any) -> Optional:
    return Optional(items[-1]) if _list(items) else EMPTY


@generic("unwrapOpt")
@generic("optional.unwrap")
def _unwrap(budget: Budget, items: Any) -> list[Any]:
    spend_ours(budget, len(_list(items)))
    if any(type(item) is not Optional for item in items):
        raise CelError("value was not an optional type")
    return [item.value for item in items if item is not EMPTY]


@generic("lists.range")
def _range(budget: Budget, size: Any) -> list[int]:
    if type(size) is not int:
        raise CelError(NO_SUCH_OVERLOAD)
    room_for(size)
    spend_ours(budget, max(size, 0))
    return list(range(size))


@generic("reverse")
def _reverse(budget: Budget, items: Any) -> list[Any]:
    spend_ours(budget, len(_list(items)))
    return list(reversed(items))


@generic("slice")
def _slice(budget: Budget, items: Any, start: Any, end: Any) -> list[Any]:
    if type(start) is not int or type(end) is not int:
        raise CelError(NO_SUCH_OVERLOAD)
    size = len(_list(items))
    if start < 0 or end < 0:
        raise CelError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise CelError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if end > size:
        raise CelError(f"cannot slice({start}, {end}), list is length {size}")
    spend_ours(budget, (end - start) // 10)
    return list(items[start:end])


@generic("flatten")
def _flatten(budget: Budget, items: Any, depth: Any = 1) -> list[Any]:
    if type(depth) is not int:
        raise CelError(NO_SUCH_OVERLOAD)
    if depth < 0:
        raise CelError("level must be non-negative")
    made = _list(items)
    for _ in range(depth):
        if not any(type(item) is list for item in made):
            break
        flat: list[Any] = []
        for item in made:
            spend_ours(budget, 1 + (len(item) // 10 if type(item) is list else 0))
            room_for(len(flat) + (len(item) if type(item) is list else 1))
            if type(item) is list:
                flat.extend(item)
            else:
                flat.append(item)
        made = flat
    return bounded(list(made))  # type: ignore[no-any-return]


@generic("distinct")
def _distinct(budget: Budget, items: Any) -> list[Any]:
    made: list[Any] = []
    for item in _list(items):
        if not contains(budget, made, item):
            made.append(item)
    return made


@generic("sort")
def _sort(budget: Budget, items: Any) -> list[Any]:
    return _sorted(budget, items, items)


@generic("@sortByAssociatedKeys")
def _sort_by(budget: Budget, items: Any, keys: Any) -> list[Any]:
    return _sorted(budget, items, keys)


def _sorted(budget: Budget, items: Any, keys: Any) -> list[Any]:
    """The items in the order of their keys, which must all have one comparable type."""
    if len(_list(items)) != len(_list(keys)):
        raise CelError(
            f"@sortByAssociatedKeys() expected a list of the same size as the associated keys list, "
            f"but got {len(items)} and {len(keys)} elements respectively"
        )
    if not items:
        return list(items)
    spend_ours(budget, 5 * len(items))
    kind = type(keys[0])
    if kind not in _COMPARABLE:
        raise CelError("list elements must be comparable")
    if any(type(key) is not kind for key in keys):
        raise CelError("list elements must have the same type")
    order = sorted(range(len(items)), key=lambda index: cmp_to_key(compare)(keys[index]))
    return [items[index] for index in order]


def _covers(budget: Budget, items: list[Any], part: list[Any]) -> bool:
    return all(contains(budget, items, item) for item in part)


@generic("sets.contains")
def _set_contains(budget: Budget, items: Any, part: Any) -> bool:
    return _covers(budget, _list(items), _list(part))


@generic("sets.intersects")
def _set_intersects(budget: Budget, left: Any, right: Any) -> bool:
    a, b = _list(left), _list(right)
    return any(contains(budget, b, item) for item in a)


@generic("sets.equivalent")
def _set_equivalent(budget: Budget, left: Any, right: Any) -> bool:
    a, b = _list(left), _list(right)
    return _covers(budget, a, b) and _covers(budget, b, a)


@generic("cel.@mapInsert")
def _map_insert(budget: Budget, into: Any, *entry: Any) -> dict[Any, Any]:
    """A copy of a map with the entry (key, value), or with the entries of another map."""
    if len(entry) == 2:
        new = {to_key(entry[0]): entry[1]}
    elif type(entry[0]) is dict:
        new = entry[0]
    else:
        raise CelError(NO_SUCH_OVERLOAD)
    if type(into) is not dict:
        raise CelError(NO_SUCH_OVERLOAD)
    spend_ours(budget, 1 + (len(into) + len(new)) // 10)
    for key in new:
        if key is None:
            raise CelError(f"unsupported key type: {type_name(entry[0])}")
        if key in into:
            raise CelError(f"insert failed: key {from_key(key)} already exists")
    return bounded({**into, **new})  # type: ignore[no-any-return]
