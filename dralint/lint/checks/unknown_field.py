"""unknown-field: what Kubernetes' schema does not have is refused, or dropped by a client that does not look."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.schemas import Problem, since
from dralint.lint.run import Run
from dralint.lint.shapes import node_of, problems_of
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.nearest import nearest
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Rename
from dralint.yamltext.view import entries, get, plain

# Of longer lists nobody finds the right one.
_SHOWN = 10


def _rename(subject: Subject, problem: Problem) -> tuple[Operation, ...]:
    parent = get(node_of(subject), *problem.path[:-1])
    meant = nearest(str(problem.path[-1]), problem.expected)
    if meant is None or parent is None or parent.kind != MAP or meant in entries(parent):
        return ()
    return (Rename(subject.object.document, (*subject.path, *problem.path), meant),)


def _advice(subject: Subject, problem: Problem, run: Run) -> str:
    target = run.target.kubernetes
    later = since(plain(node_of(subject)), str(subject.facts["definition"]), problem, target)
    if later is not None:
        return f"it came with Kubernetes {later}"
    meant = nearest(str(problem.path[-1]), problem.expected)
    if meant is not None:
        return f"did you mean {meant}?"
    if len(problem.expected) > _SHOWN or not problem.expected:
        return "leave it out"
    return f"the fields there are {', '.join(problem.expected)}"


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each field that the schema does not have and no other rule speaks of; the fix renames it."""
    for problem in problems_of(subject, run):
        if problem.what != "unknown":
            continue
        name = str(problem.path[-1])
        advice = _advice(subject, problem, run)
        operations = _rename(subject, problem) if advice.startswith("did you mean") else ()
        certain = any(name.lower() == each.lower() for each in problem.expected)
        values = {"name": name, "advice": advice, "holder": problem.definition.rpartition(".")[2]}
        path = (*subject.path, *problem.path)
        yield Hit(path, values, operations=operations, applicability="safe" if certain else "unsafe")
