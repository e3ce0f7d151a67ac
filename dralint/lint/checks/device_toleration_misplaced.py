"""device-toleration-misplaced: taints of devices are tolerated by requests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from dralint.kube.dra import CLASS
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.yamltext.node import MAP
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import Path, entries, get, plain

_FIELD = "tolerations"


def _fix(subject: Subject, path: Path) -> list[Operation]:
    """Move the tolerations to what the claim's only request asks for."""
    spec = spec_of(subject.object)
    asks = [ask for request in spec.requests for ask in request.asks] if spec else []
    if len(asks) != 1 or _FIELD in entries(asks[0].node):
        return []
    document = subject.object.document
    value = plain(get(subject.object.file.documents[document].root, *path))
    return [Remove(document, path), Put(document, asks[0].path, _FIELD, value)]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for tolerations of a claim, a template, its `devices` or a class; the fix moves them."""
    obj, spec = subject.object, spec_of(subject.object)
    if spec is None:
        return
    paths = dict.fromkeys(((*spec.outer, _FIELD), (*spec.path, _FIELD), (*spec.path, "devices", _FIELD)))
    root = obj.file.documents[obj.document].root
    for path in paths:
        holder = get(root, *path[:-1])
        if holder is None or holder.kind != MAP or _FIELD not in entries(holder):
            continue
        only_class = obj.ref.kind == CLASS
        where = "a DeviceClass has no tolerations" if only_class else f"{path[-2]} has no tolerations"
        yield fixed(Hit(path, {"where": where}), run, obj, partial(_fix, subject, path), [path])
