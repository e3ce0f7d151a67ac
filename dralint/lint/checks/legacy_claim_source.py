"""legacy-claim-source: `source` around a pod's claim name went with Kubernetes 1.31."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import holds_comment
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import Path, entries, get, plain

_REMOVED_MINOR = 31  # kubernetes/api core/v1 types.go, release-1.31


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim with `source`; the fix moves its content up."""
    if not subject.facts["legacy_source"] or run.target.kubernetes.minor < _REMOVED_MINOR:
        return
    obj = subject.object
    document, path = obj.file.documents[obj.document].root, subject.path
    source: Path = (*path, "source")
    node, inside = get(document, *path), get(document, *source)
    operations: tuple[Operation, ...] = ()
    if node is not None and inside is not None and inside.kind == MAP and inside.items:
        missing = {key: entry for key, entry in entries(inside).items() if key not in entries(node)}
        operations = (
            Remove(obj.document, source),
            *(Put(obj.document, path, key, plain(entry.value)) for key, entry in missing.items()),
        )
    yield Hit("source", {}, None, (), operations, "unsafe" if holds_comment(obj, source) else "safe")
