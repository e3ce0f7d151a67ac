"""sharing-strategy-spelling: strategies and intervals are case-sensitive words."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.checks.opaque_unknown_field import config_at
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.configs import Problem, problems
from dralint.nvidia.nearest import bare, nearest
from dralint.yamltext.node import SCALAR
from dralint.yamltext.operations import Operation, Replace
from dralint.yamltext.view import get, plain

_STRATEGY = ("sharing", "strategy")
_INTERVAL = ("sharing", "timeSlicingConfig", "interval")


def _of_sharing(problem: Problem) -> bool:
    place = problem.path if problem.what == "value" else (*problem.path, problem.name)
    return problem.what in ("value", "missing") and place in (_STRATEGY, _INTERVAL)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a strategy or interval that the driver does not know; the fix spells it."""
    config = config_at(subject)
    for problem in problems(plain(config.parameters), config.driver or "", run.target.dra_driver):
        if not _of_sharing(problem):
            continue
        path = (*subject.path, "opaque", "parameters", *problem.path)
        if problem.what == "missing":
            crash = (
                "; the driver crashes on a timeSlicingConfig without one"
                if problem.name == "interval"
                else ""
            )
            yield Hit(path, {"said": f"it has no {problem.name}{crash}"})
            continue
        field = str(problem.path[-1])
        meant = nearest(problem.name, problem.expected)
        operations: tuple[Operation, ...] = ()
        node = get(config.parameters, *problem.path)
        if meant is not None and node is not None and node.kind == SCALAR:
            operations = (Replace(subject.object.document, path, meant),)
        said = f"{field} {problem.name} does not exist, only {', '.join(problem.expected)}"
        certain = meant is not None and bare(meant) == bare(problem.name)
        yield Hit(path, {"said": said}, None, (), operations, "safe" if certain else "unsafe")
