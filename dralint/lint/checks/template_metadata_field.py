"""template-metadata-field: a template gives its claims labels and annotations, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import TEMPLATE
from dralint.kube.schemas import fields_of
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP, SCALAR
from dralint.yamltext.operations import Remove
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import entries, get

_ALLOWED = ("labels", "annotations")
_METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each other field of the inner metadata, unknown ones aside; the fix takes it away."""
    obj = subject.object
    metadata = get(obj.node, "spec", "metadata")
    if obj.ref.kind != TEMPLATE or metadata is None or metadata.kind != MAP:
        return
    for name in entries(metadata):
        value = get(metadata, name)
        is_null = value is not None and value.kind == SCALAR and resolve(value) is None
        if name in _ALLOWED or is_null or name not in fields_of(_METADATA, run.target.kubernetes):
            continue
        path = (*obj.path, "spec", "metadata", name)
        yield Hit(path, {"name": name}, operations=(Remove(obj.document, path),))
