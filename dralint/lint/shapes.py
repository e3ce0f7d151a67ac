"""What Kubernetes' schemas say of a subject of kind `typed`, less what a rule of its own says."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from dralint.kube.objects import KubeObject
from dralint.kube.schemas import Problem, problems
from dralint.kube.versions import Version
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Subject
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.view import Path, entries, get, plain

_DATA = os.path.join(os.path.dirname(__file__), "facts", "data", "specific.yaml")
# The directives of a strategic merge patch, such as `$patch: delete`.
_DIRECTIVE = "$"


@lru_cache(maxsize=1)
def specific() -> Sequence[Mapping[str, Any]]:
    """The entries of data/specific.yaml."""
    data: Any = load_data(_DATA)
    return list(data["specific"])


def node_of(subject: Subject) -> Node | None:
    """The node at the subject's path."""
    return get(subject.object.file.documents[subject.object.document].root, *subject.path)


def _has_its_rule(problem: Problem, obj: KubeObject, parent: Node | None) -> bool:
    version, _, definition = problem.definition.partition(".")
    name = problem.path[-1] if problem.path else ""
    return any(
        entry["definition"] == definition
        and problem.what == entry.get("what", "unknown")
        and ("fields" not in entry or name in entry["fields"])
        and ("under" not in entry or (len(problem.path) > 1 and problem.path[-2] in entry["under"]))
        and version in entry.get("versions", (version,))
        and obj.ref.kind in entry.get("kinds", (obj.ref.kind,))
        and ("beside" not in entry or (parent is not None and entry["beside"] in entries(parent)))
        for entry in specific()
    )


def _is_final(problem: Problem, node: Node | None) -> bool:
    """Whether nothing fills the field in later: neither its name nor its value is a placeholder."""
    name = str(problem.path[-1]) if problem.path else ""
    if problem.what == "unknown":
        return not templated(name) and not name.startswith(_DIRECTIVE)
    return node is None or node.kind != SCALAR or not templated(node.text)


@lru_cache(maxsize=4)
def _problems(obj: KubeObject, path: Path, definition: str, version: Version) -> list[Problem]:
    root = obj.file.documents[obj.document].root
    found = problems(plain(get(root, *path)), definition, version)
    kept = []
    for problem in found:
        parent = get(root, *path, *problem.path[:-1])
        if not _has_its_rule(problem, obj, parent) and _is_final(problem, get(root, *path, *problem.path)):
            kept.append(problem)
    return kept


def problems_of(subject: Subject, run: Run) -> list[Problem]:
    """The unknown fields and wrong types of a subject of kind `typed`, found once for all rules that ask."""
    definition = str(subject.facts["definition"])
    return _problems(subject.object, subject.path, definition, run.target.kubernetes)
