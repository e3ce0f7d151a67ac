"""template-shape-in-claim: a claim has one spec, only a template has two."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import Path, entries, get, plain


def _fix(obj: KubeObject) -> list[Operation]:
    """Move the content of the inner spec up, unless something stands beside it."""
    outer, inner = get(obj.node, "spec"), get(obj.node, "spec", "spec")
    if outer is None or inner is None or inner.kind != MAP or list(entries(outer)) != ["spec"]:
        return []
    spec: Path = (*obj.path, "spec")
    moved = [Put(obj.document, spec, key, plain(entry.value)) for key, entry in entries(inner).items()]
    return [Remove(obj.document, (*spec, "spec")), *moved]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a claim with `spec.spec`."""
    if subject.facts["what"] == "claim" and subject.facts["inner_spec"]:
        obj = subject.object
        yield fixed(Hit("spec.spec"), run, obj, lambda: _fix(obj), [(*obj.path, "spec", "spec")])
