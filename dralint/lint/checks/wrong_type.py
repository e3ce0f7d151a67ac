"""wrong-type: a value of another type than the field has, such as a number in quotes."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.schemas import Problem
from dralint.lint.run import Run
from dralint.lint.shapes import node_of, problems_of
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP, SCALAR, SEQ, Node
from dralint.yamltext.operations import Operation, Replace
from dralint.yamltext.scalars import resolve, resolve_plain
from dralint.yamltext.view import get

_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
}
_LONGEST = 40


def _said(node: Node) -> str:
    """What stands there, in words."""
    if node.kind == MAP:
        return "a mapping"
    if node.kind == SEQ:
        return "a list"
    value = resolve(node)
    shown = node.text if len(node.text) <= _LONGEST else f"{node.text[:_LONGEST]}..."
    if isinstance(value, bool):
        return f"{shown} (true or false)" if node.text not in ("true", "false") else shown
    return f'the text "{shown}"' if isinstance(value, str) else f"the number {shown}"


def _meant(node: Node, problem: Problem) -> str | int | bool | None:
    """The same value in the type that is wanted; None where it has none."""
    if node.kind != SCALAR or len(problem.expected) != 1:
        return None
    wanted, text = problem.expected[0], node.text
    if wanted == "string":
        return text
    value = resolve_plain(text)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    fits = (wanted == "integer" and is_number) or (wanted == "boolean" and isinstance(value, bool))
    return value if fits and isinstance(value, (int, bool)) else None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each value of a wrong type, and for each text that is no quantity; the fix quotes or unquotes it."""
    for problem in problems_of(subject, run):
        path = (*subject.path, *problem.path)
        node = get(node_of(subject), *problem.path)
        if problem.what == "unknown" or node is None:
            continue
        name = str(next((step for step in reversed(path) if isinstance(step, str)), "the object"))
        if problem.what == "quantity":
            values = {"name": name, "found": _said(node), "wanted": "a quantity such as 10Gi or 500m"}
            yield Hit(path, values)
            continue
        meant = _meant(node, problem)
        operations: tuple[Operation, ...] = ()
        if meant is not None:
            operations = (Replace(subject.object.document, path, meant),)
        wanted = " or ".join(_WORDS.get(each, each) for each in problem.expected)
        yield Hit(path, {"name": name, "found": _said(node), "wanted": wanted}, operations=operations)
