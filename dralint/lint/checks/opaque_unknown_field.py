"""opaque-unknown-field: the driver decodes its configuration strictly, and only when a pod starts."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import config_of
from dralint.nvidia.configs import Problem, config_kinds, problems
from dralint.nvidia.gates import release_text
from dralint.nvidia.nearest import nearest
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Rename
from dralint.yamltext.view import entries, field_path, get, plain

# Required by the decoder's scheme or by the kind; a missing strategy or interval is sharing-strategy-spelling.
_OF_SHARING = ("strategy", "interval")


def _said(problem: Problem, kind: str, driver_version: str) -> str:
    where = field_path(problem.path)
    meant = nearest(problem.name, problem.expected)
    known = f"did you mean {meant}?" if meant else f"known here: {', '.join(problem.expected)}"
    if problem.what == "later-field" and problem.since is not None:
        return f"{kind} has {where} only from driver {release_text(problem.since)} on, the target is {driver_version}"
    if problem.what == "unknown-field":
        return f"{kind} has no field {where}; {known}"
    if problem.what == "unknown-kind":
        return f"there is no kind {problem.name}; {known}"
    if problem.what == "api-version":
        return f"the apiVersion is {problem.name}, the driver reads only {problem.expected[0]}"
    if problem.what == "missing":
        choice = f" ({' or '.join(problem.expected)})" if problem.expected else ""
        return f"{problem.name}{choice} is missing"
    return f"{where} is not {' or '.join(problem.expected)}"


def _rename(problem: Problem, subject: Subject) -> tuple[Operation, ...]:
    meant = nearest(problem.name, problem.expected) if problem.what == "unknown-field" else None
    parent = get(config_of(subject).parameters, *problem.path[:-1])
    if meant is None or parent is None or parent.kind != MAP or meant in entries(parent):
        return ()
    path = (*subject.path, "opaque", "parameters", *problem.path)
    return (Rename(subject.object.document, path, meant),)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each field, kind or version that the driver refuses to decode."""
    config = config_of(subject)
    version = run.target.dra_driver
    kind = str(subject.facts["kind"])
    for problem in problems(plain(config.parameters), config.driver or "", version):
        if problem.what == "value" or (problem.what == "missing" and problem.name in _OF_SHARING):
            continue
        operations = _rename(problem, subject)
        meant = operations[0].key if operations and isinstance(operations[0], Rename) else ""
        certain = meant.lower() == problem.name.lower()
        path = (*subject.path, "opaque", "parameters", *problem.path)
        said = _said(problem, kind if kind in config_kinds() else "the config", version)
        yield Hit(path, {"said": said}, None, (), operations, "safe" if certain else "unsafe")
