"""template-missing-inner-spec: a template holds the claim's spec inside its own."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.rewriting import holds_comment
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.operations import Put, Remove
from dralint.yamltext.view import Path, get, plain


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a template with `spec.devices`; the fix moves it to `spec.spec.devices`."""
    if subject.facts["what"] != "template" or not subject.facts["outer_devices"]:
        return
    obj = subject.object
    if subject.facts["inner_spec"]:
        yield Hit("spec.devices")
        return
    spec: Path = (*obj.path, "spec")
    devices = (*spec, "devices")
    operations = (
        Remove(obj.document, devices),
        Put(obj.document, spec, "spec", {"devices": plain(get(obj.node, "spec", "devices"))}),
    )
    yield Hit("spec.devices", {}, None, (), operations, "unsafe" if holds_comment(obj, devices) else "safe")
