"""unknown-field: what Kubernetes' schema does not have is refused, or dropped by a client that does not look."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.schemas import Problem, known_since
from dralint.kube.versions import Version
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


def _advice(problem: Problem, later: Version | None) -> str:
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
    found = [problem for problem in problems_of(subject, run) if problem.what == "unknown"]
    since = {}
    if found:
        definition = str(subject.facts["definition"])
        since = known_since(plain(node_of(subject)), definition, run.target.kubernetes)
    for problem in found:
        name = str(problem.path[-1])
        advice = _advice(problem, since.get(problem.path))
        operations = _rename(subject, problem) if advice.startswith("did you mean") else ()
        certain = any(name.lower() == each.lower() for each in problem.expected)
        values = {"name": name, "advice": advice, "holder": problem.definition.rpartition(".")[2]}
        path = (*subject.path, *problem.path)
        yield Hit(path, values, operations=operations, applicability="safe" if certain else "unsafe")
