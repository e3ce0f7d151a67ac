"""template-missing-inner-spec: a template holds the claim's spec inside its own."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.objects import KubeObject
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Operation, Put, Remove
from dralint.yamltext.view import get, plain


def _fix(obj: KubeObject) -> list[Operation]:
    devices = plain(get(obj.node, "spec", "devices"))
    return [
        Remove(obj.document, (*obj.path, "spec", "devices")),
        Put(obj.document, (*obj.path, "spec"), "spec", {"devices": devices}),
    ]


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a template with `spec.devices`; the fix moves it to `spec.spec.devices`, if that is free."""
    if subject.facts["what"] != "template" or not subject.facts["outer_devices"]:
        return
    obj = subject.object
    if subject.facts["inner_spec"]:
        yield Hit("spec.devices")
    else:
        yield fixed(Hit("spec.devices"), run, obj, lambda: _fix(obj), [(*obj.path, "spec", "devices")])
