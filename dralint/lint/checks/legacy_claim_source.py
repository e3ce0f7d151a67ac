"""legacy-claim-source: `source` around a pod's claim name went with Kubernetes 1.31."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import entries, get, plain

_REMOVED_MINOR = 31  # kubernetes/api core/v1 types.go, release-1.31


def _fix(subject: Subject) -> list[Operation]:
    obj, path = subject.object, subject.path
    node = get(obj.file.documents[obj.document].root, *path)
    source = get(node, "source")
    if node is None or source is None or source.kind != MAP:
        return []
    missing = {key: entry for key, entry in entries(source).items() if key not in entries(node)}
    moved = [Put(obj.document, path, key, plain(entry.value)) for key, entry in missing.items()]
    return [Remove(obj.document, (*path, "source")), *moved]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim with `source`; the fix moves its content up."""
    if subject.facts["legacy_source"] and run.target.kubernetes.minor >= _REMOVED_MINOR:
        yield fixed(Hit("source"), run, subject.object, lambda: _fix(subject), [(*subject.path, "source")])
