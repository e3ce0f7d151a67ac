"""Random documents in random styles, random operations on them, and a model of what these mean.

Nothing of dralint is used to write or change the documents. Every string value is unique, so that a test can
see which part of the text an edit took away.
"""

from __future__ import annotations

import copy
import itertools
import json

from dralint.yamltext.operations import (
    Append,
    Insert,
    InsertDocument,
    Put,
    Remove,
    Rename,
    Replace,
)

HARD_STRINGS = [
    "yes", "n", "1", "0x10", "1e3", "~", "null", "", " x", "x ", "a: b", "a #b", "#c", "- d", "?", "x:", "{e}", "[f",
    "g, h", "'i'", '"j"', "k\nl", "m\tn", "%o", "@p", "`q", "&r", "*s", "!t", "|", ">u", "=", "<<", "2001-01-01", "1:30",
    "ü é", "😀", "\u2028", "\x85", "\ufeff", "\x7f", "---", "...", "nvidia.com/gpu", "a\\b", "1_000", ".5", "-1", "+",
    "image:1.2", "device.attributes['x'].y == \"z\"", "x" * 90,
]  # fmt: skip


class Writer:
    """Writes one object as YAML text in a style that changes from place to place."""

    def __init__(self, random, *, line_break="\n"):
        self.random = random
        self.step = random.choice([2, 2, 2, 4, 3])
        self.dash = random.choice([0, 0, 2])
        self.gap = random.choice([1, 1, 1, 3])
        self.comments = random.choice([0.0, 0.1, 0.4])
        self.blanks = random.choice([0.0, 0.15])
        self.flow = random.choice([0.0, 0.15, 0.5])
        self.odd = random.choice([0.0, 0.1, 0.3])
        self.line_break = line_break
        self.numbers = itertools.count()

    def chance(self, probability):
        return self.random.random() < probability

    def comment_lines(self, column):
        lines = []
        if self.chance(self.comments):
            for _ in range(self.random.choice([1, 1, 2])):
                where = self.random.choice([column, column, column, 0, column + 2, column + 5])
                lines.append(
                    " " * where
                    + f"# note {next(self.numbers)} {self.random.choice(['', 'a: b', '- x', '{', 'é'])}"
                )
        if self.chance(self.blanks):
            lines.insert(self.random.randrange(len(lines) + 1), self.random.choice(["", "", " " * column]))
        return lines

    def end_comment(self):
        return (
            f"{self.random.choice([' ', '   '])}# end {next(self.numbers)}"
            if self.chance(self.comments / 2)
            else ""
        )

    def key(self, key):
        if self.chance(self.odd / 3):
            return self.random.choice([f'"{key}"', f"'{key}'"])
        return key

    def scalar(self, value, *, flow=False):
        if not isinstance(value, str):
            return "null" if value is None else json.dumps(value)
        if value in HARD_STRINGS or not value.replace("-", "").replace("_", "").isalnum():
            return json.dumps(value)
        return self.random.choice([value, value, value, f'"{value}"', f"'{value}'"])

    # flow style

    def flow_text(self, value):
        if not isinstance(value, (dict, list)):
            return self.scalar(value, flow=True)
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        parts = [f"{self.key(k)}: {self.flow_text(v)}" for k, v in value.items()] if isinstance(value, dict) else [
            self.flow_text(each) for each in value
        ]  # fmt: skip
        blank = self.random.choice(["", "", " "]) if parts else ""
        comma = "," if parts and self.chance(self.odd / 2) else ""
        return (
            opening
            + blank
            + self.random.choice([", ", ", ", ",  ", " , "]).join(parts)
            + comma
            + blank
            + closing
        )

    def flow_lines(self, value, column):
        """A flow collection over several lines, for a place in that column; the first line has no indent."""
        if not isinstance(value, (dict, list)) or not value or self.chance(0.5):
            return [self.flow_text(value)]
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        inner = " " * (column + 2)
        entries = list(value.items()) if isinstance(value, dict) else [(None, each) for each in value]
        last_comma = self.chance(0.5)
        lines = [opening + self.end_comment()]
        for index, (key, each) in enumerate(entries):
            lines += self.comment_lines(column + 2)
            below = self.flow_lines(each, column + 2)
            below[0] = inner + (f"{self.key(key)}: " if key is not None else "") + below[0]
            if last_comma or index + 1 < len(entries):
                below[-1] += ","
            below[-1] += self.end_comment()
            lines += below
        lines += self.comment_lines(column + 2)
        if self.chance(self.odd) and "#" not in lines[-1]:
            lines[-1] += closing
        else:
            lines.append(" " * column + closing)
        return lines

    # block style

    def text_lines(self, value, column):
        """A string as a block scalar or over several lines, None where it cannot be."""
        if not value or not value.isalnum() or column == 0:
            return None
        style = self.random.choice(["|-", ">-", "double"])
        if style == "double":
            return [f'"{value}\\', " " * column + '"']
        return [f"{style}{self.end_comment()}", " " * column + value, *([""] if self.chance(0.3) else [])]

    def value_lines(self, value, column, *, in_sequence):
        """What follows a key's colon or a dash: the rest of that line, then whole lines."""
        if isinstance(value, (dict, list)) and value and not self.chance(self.flow):
            return None
        if isinstance(value, (dict, list)):
            lines = self.flow_lines(value, column)
            return [
                " " + lines[0],
                *lines[1:-1],
                *([lines[-1] + self.end_comment()] if len(lines) > 1 else []),
            ]
        if value is None and self.chance(0.5):
            return ["" + self.end_comment()]
        if isinstance(value, str) and self.chance(self.odd):
            lines = self.text_lines(value, column + self.step + 2)
            if lines:
                return [" " + lines[0], *lines[1:]]
        text = self.scalar(value)
        if self.chance(self.odd / 4) and not in_sequence:
            return ["" + self.end_comment(), " " * (column + self.step) + text]
        return [" " + text + self.end_comment()]

    def block(self, value, column):
        """The lines of a collection whose keys or dashes stand in that column."""
        lines = []
        if isinstance(value, dict):
            for key, each in value.items():
                if lines:
                    lines += self.comment_lines(column)
                head = " " * column + self.key(key) + ":"
                rest = self.value_lines(each, column, in_sequence=False)
                if rest is not None:
                    lines += [head + rest[0], *rest[1:]]
                    continue
                inner = column + (self.step if isinstance(each, dict) else self.dash)
                below = self.block(each, inner)
                lines += [head + self.end_comment(), *self.comment_lines(inner), *below]
            return [*lines, *self.comment_lines(column)]
        inner = column + 1 + self.gap
        for each in value:
            if lines:
                lines += self.comment_lines(column)
            rest = self.value_lines(each, column, in_sequence=True)
            if rest is not None:
                lines += [" " * column + "-" + rest[0], *rest[1:]]
                continue
            below = self.block(each, inner)
            if self.chance(self.odd / 3):
                lines += [" " * column + "-" + self.end_comment(), *self.comment_lines(inner), *below]
            else:
                lines += [" " * column + "-" + " " * self.gap + below[0][inner:], *below[1:]]
        return lines

    def kyaml(self, value, indent=""):
        if isinstance(value, dict) and value:
            inner = [f"{indent}  {k}: {self.kyaml(v, indent + '  ')},\n" for k, v in value.items()]
            return "{\n" + "".join(inner) + indent + "}"
        if isinstance(value, list) and value:
            if all(isinstance(each, (dict, list)) and each for each in value):
                return "[" + ", ".join(self.kyaml(each, indent) for each in value) + "]"
            return (
                "[\n"
                + "".join(f"{indent}  {self.kyaml(each, indent + '  ')},\n" for each in value)
                + indent
                + "]"
            )
        return json.dumps(value)

    def document(self, value, kind):
        if kind == "json":
            separators = self.random.choice([None, (",", ":")])
            indent = self.random.choice([None, 2, 4, "\t"]) if separators is None else None
            return json.dumps(value, indent=indent, separators=separators, ensure_ascii=False) + "\n"
        if kind == "kyaml":
            return self.kyaml(value) + "\n"
        if kind == "flow":
            return "\n".join(self.flow_lines(value, 0)) + "\n"
        return "\n".join(self.block(value, 0)) + "\n"


def random_value(random, numbers, depth):
    kind = random.random()
    if depth and kind < 0.35:
        return {
            f"k{next(numbers)}": random_value(random, numbers, depth - 1)
            for _ in range(random.choice([0, 1, 1, 2, 3]))
        }
    if depth and kind < 0.6:
        return [random_value(random, numbers, depth - 1) for _ in range(random.choice([0, 1, 1, 2, 3]))]
    return random.choice(
        [f"v{next(numbers)}", f"v{next(numbers)}", f"v{next(numbers)}", next(numbers), True, None]
    )


def random_object(random, numbers):
    return {f"k{next(numbers)}": random_value(random, numbers, 4) for _ in range(random.choice([1, 2, 3, 4]))}


def new_value(random, numbers, depth=2):
    if random.random() < 0.3:
        return random.choice(HARD_STRINGS)
    return random_value(random, numbers, depth)


def random_file(random, *, only=None):
    """A file's text, the objects of its documents, and "json", "kyaml", "flow" or "block"."""
    numbers = itertools.count()
    line_break = random.choice(["\n", "\n", "\n", "\r\n"])
    writer = Writer(random, line_break=line_break)
    kind = only or random.choice(["block"] * 6 + ["json", "kyaml", "flow"])
    count = 1 if kind == "json" else random.choice([1, 1, 2, 3])
    objects = [random_object(random, numbers) for _ in range(count)]
    text = ""
    if kind != "json" and random.random() < 0.3:
        text += f"# header {next(writer.numbers)}\n" + random.choice(["", "\n"])
    # A separator after comments would make these a document of their own.
    for index, each in enumerate(objects):
        if index or (kind != "json" and not text and random.random() < 0.4):
            text += random.choice(["", "", "\n"]) if index else ""
            text += random.choice(["---\n", "---\n", "--- # doc\n"])
        text += writer.document(each, kind)
    if random.random() < 0.25:
        text = text.rstrip("\n")
    return text.replace("\n", line_break), objects, kind


def places(value, path=()):
    """Every (path, value) inside an object."""
    yield path, value
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for step, each in children:
        yield from places(each, (*path, step))


class Operations:
    """Random operations on the objects of a file that do not want the same places."""

    def __init__(self, random, objects, *, json=False):
        self.random = random
        self.json = json
        self.objects = objects
        self.numbers = itertools.count(1000)
        self.removed = set()
        self.used = set()

    def free(self, document, path):
        return not any((document, path[:length]) in self.removed for length in range(len(path) + 1))

    def use(self, document, path):
        self.used.update((document, path[:length]) for length in range(len(path) + 1))

    def one(self):
        random = self.random
        document = random.randrange(len(self.objects))
        found = [each for each in places(self.objects[document]) if self.free(document, each[0])]
        kind = random.choice(
            ["remove", "remove", "remove", "put", "put", "append", "insert", "replace", "rename", "document"]
        )
        if kind == "document":
            # A second object in a JSON file is refused; Wrap has its own tests.
            if self.json:
                return None
            return InsertDocument(
                document, random_object(random, self.numbers), random.choice([(), ("# Source: x",)])
            )
        if kind == "remove":
            found = [
                p
                for p, _ in found
                if p and (document, p) not in self.used and ("value", document, p) not in self.used
            ]
            found = [p for p in found if ("key", document, p) not in self.used]
            if not found:
                return None
            path = random.choice(found)
            parent = dict(places(self.objects[document]))[path[:-1]]
            # As convert does: a parent that would be empty goes as a whole.
            if (
                len(parent) == 1
                and len(path) > 1
                and random.random() < 0.7
                and (document, path[:-1]) not in self.used
            ):
                path = path[:-1]
            if ("key", document, path) in self.used:
                return None
            self.removed.add((document, path))
            self.use(document, path[:-1])
            return Remove(document, path)
        if kind == "replace":
            leaves = [
                p
                for p, v in found
                if p and not isinstance(v, (dict, list)) and (document, p) not in self.used
            ]
            leaves = [p for p in leaves if ("value", document, p) not in self.used]
            if not leaves:
                return None
            path = random.choice(leaves)
            self.used.add(("value", document, path))
            self.use(document, path)
            return Replace(
                document, path, random.choice([new_value(random, self.numbers, 0), 7, False, None, "x1"])
            )
        if kind == "rename":
            keys = [
                p for p, _ in found if p and isinstance(p[-1], str) and ("key", document, p) not in self.used
            ]
            if not keys:
                return None
            path = random.choice(keys)
            self.used.add(("key", document, path))
            self.use(document, path)
            return Rename(
                document,
                path,
                random.choice(["renamed", "y", "a b", "nvidia.com/gpu"]) + str(next(self.numbers)),
            )
        wanted = dict if kind == "put" else list
        found = [(p, v) for p, v in found if isinstance(v, wanted) or (v is None and p and kind != "insert")]
        found = [
            (p, v)
            for p, v in found
            if v is not None or ((document, p) not in self.used and ("value", document, p) not in self.used)
        ]
        if not found:
            return None
        path, value = random.choice(found)
        if value is None:
            self.used.add(("value", document, path))
        self.use(document, path)
        if kind == "append":
            return Append(document, path, new_value(random, self.numbers))
        if kind == "insert":
            return Insert(document, path, random.randrange(len(value) + 1), new_value(random, self.numbers))
        return self.put(document, path, value)

    def put(self, document, path, value):
        random = self.random
        key = (
            f"new{next(self.numbers)}"
            if random.random() < 0.8
            else f"{random.choice(HARD_STRINGS)[:50]}{next(self.numbers)}"
        )
        nulls = [k for k, v in (value or {}).items() if v is None and (document, (*path, k)) not in self.used]
        nulls = [
            k
            for k in nulls
            if ("value", document, (*path, k)) not in self.used
            and ("key", document, (*path, k)) not in self.used
        ]
        nulls = [k for k in nulls if self.free(document, (*path, k))]
        if nulls and random.random() < 0.3:
            key = random.choice(nulls)
            self.used.add(("value", document, (*path, key)))
            self.use(document, (*path, key))
        beside = random.choice([None, *(value or {})])
        where = {random.choice(["after", "before"]): beside} if beside else {}
        return Put(document, path, key, new_value(random, self.numbers), **where)

    def groups(self):
        made = []
        for _ in range(self.random.choice([1, 1, 2, 3])):
            group = [each for each in (self.one() for _ in range(self.random.choice([1, 1, 2, 4]))) if each]
            if group:
                made.append(group)
        return made


class Item:
    """A list item that remembers its index of before; None for a new one."""

    def __init__(self, index, value):
        self.index = index
        self.value = value


def _marked(value):
    if isinstance(value, dict):
        return {key: [key, _marked(each)] for key, each in value.items()}
    if isinstance(value, list):
        return [Item(index, _marked(each)) for index, each in enumerate(value)]
    return value


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.values()}
    if isinstance(value, list):
        return [_plain(item.value) for item in value]
    return value


def _new(value):
    return _marked(copy.deepcopy(value))


def _reach(root, path):
    """The holder and its slot for the value at a path, by the names and indexes of before."""
    holder = [None, root]
    for step in path:
        value = holder[1] if isinstance(holder, list) else holder.value
        holder = (
            value[step] if isinstance(value, dict) else next(item for item in value if item.index == step)
        )
    return holder


def _get(holder):
    return holder[1] if isinstance(holder, list) else holder.value


def _set(holder, value):
    if isinstance(holder, list):
        holder[1] = value
    else:
        holder.value = value


def expected(objects, operations):
    """The objects of the new file: one operation after the other on objects that remember old places."""
    roots = [[None, _marked(copy.deepcopy(each))] for each in objects]
    inserted = {index: [] for index in range(len(objects))}
    for operation in sorted(operations, key=lambda each: isinstance(each, Remove)):
        if isinstance(operation, InsertDocument):
            inserted[operation.document].append(copy.deepcopy(operation.value))
            continue
        root = _get(roots[operation.document])
        if isinstance(operation, Put):
            holder = _reach(root, operation.path)
            if _get(holder) is None:
                _set(holder, {})
            mapping = _get(holder)
            if operation.key in mapping:
                mapping[operation.key][1] = _new(operation.value)
            else:
                mapping[operation.key] = [operation.key, _new(operation.value)]
        elif isinstance(operation, Append):
            holder = _reach(root, operation.path)
            if _get(holder) is None:
                _set(holder, [])
            _get(holder).append(Item(None, _new(operation.value)))
        elif isinstance(operation, Insert):
            items = _get(_reach(root, operation.path))
            olds = [number for number, item in enumerate(items) if item.index == operation.index]
            if olds:
                items.insert(olds[0], Item(None, _new(operation.value)))
            else:
                last = max((n for n, item in enumerate(items) if item.index is not None), default=-1)
                behind = sum(1 for item in items[last + 1 :])
                items.insert(last + 1 + behind, Item(None, _new(operation.value)))
        elif isinstance(operation, Replace):
            _set(_reach(root, operation.path), operation.value)
        elif isinstance(operation, Rename):
            _reach(root, operation.path)[0] = operation.key
        elif isinstance(operation, Remove):
            holder = _get(_reach(root, operation.path[:-1]))
            if isinstance(holder, dict):
                del holder[operation.path[-1]]
            else:
                holder[:] = [item for item in holder if item.index != operation.path[-1]]
    result = []
    for index, root in enumerate(roots):
        result += [*inserted[index], _plain(_get(root))]
    return result
