"""template-shape-in-claim: a claim has one spec, only a template has two."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import holds_comment
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import Path, entries, get, plain


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a claim with `spec.spec`; the fix moves its content up, unless something else is beside it."""
    if subject.facts["what"] != "claim" or not subject.facts["inner_spec"]:
        return
    obj = subject.object
    outer, inner = get(obj.node, "spec"), get(obj.node, "spec", "spec")
    operations: tuple[Operation, ...] = ()
    spec: Path = (*obj.path, "spec")
    if outer is not None and inner is not None and inner.kind == MAP and list(entries(outer)) == ["spec"]:
        operations = (
            Remove(obj.document, (*spec, "spec")),
            *(Put(obj.document, spec, key, plain(entry.value)) for key, entry in entries(inner).items()),
        )
    loses = holds_comment(obj, (*spec, "spec"))
    yield Hit("spec.spec", {}, None, (), operations, "unsafe" if loses else "safe")
