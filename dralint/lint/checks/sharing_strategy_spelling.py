"""sharing-strategy-spelling: strategies and intervals are case-sensitive words."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import config_of
from dralint.nvidia.configs import Problem, problems
from dralint.nvidia.nearest import bare, nearest
from dralint.yamltext.node import SCALAR
from dralint.yamltext.operations import Replace
from dralint.yamltext.view import get, plain

_STRATEGY = ("sharing", "strategy")
_INTERVAL = ("sharing", "timeSlicingConfig", "interval")


def _of_sharing(problem: Problem) -> bool:
    place = problem.path if problem.what == "value" else (*problem.path, problem.name)
    return problem.what in ("value", "missing") and place in (_STRATEGY, _INTERVAL)


def _misspelt(subject: Subject, problem: Problem) -> Hit:
    path = (*subject.path, "opaque", "parameters", *problem.path)
    said = f"{problem.path[-1]} {problem.name} does not exist, only {', '.join(problem.expected)}"
    meant = nearest(problem.name, problem.expected)
    node = get(config_of(subject).parameters, *problem.path)
    if meant is None or node is None or node.kind != SCALAR:
        return Hit(path, {"said": said})
    fix = (Replace(subject.object.document, path, meant),)
    certain = bare(meant) == bare(problem.name)
    return Hit(path, {"said": said}, operations=fix, applicability="safe" if certain else "unsafe")


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a strategy or interval that the driver does not know; the fix spells it."""
    config = config_of(subject)
    for problem in problems(plain(config.parameters), config.driver or "", run.target.dra_driver):
        if not _of_sharing(problem):
            continue
        if problem.what == "value":
            yield _misspelt(subject, problem)
            continue
        crash = (
            "; the driver crashes on a timeSlicingConfig without one" if problem.name == "interval" else ""
        )
        path = (*subject.path, "opaque", "parameters", *problem.path)
        yield Hit(path, {"said": f"it has no {problem.name}{crash}"})
