"""taint-rule-selects: a DeviceTaintRule without a selector does nothing, an empty one hits everything."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import GROUP
from dralint.lint.facts.patched import is_patch
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import MAP, SCALAR
from dralint.yamltext.scalars import resolve
from dralint.yamltext.view import entries, get

_KIND = "DeviceTaintRule"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a rule that selects no device, or every one."""
    obj = subject.object
    if obj.group != GROUP or obj.ref.kind != _KIND or is_patch(obj):
        return
    selector = get(obj.node, "spec", "deviceSelector")
    if selector is None or (selector.kind == SCALAR and resolve(selector) is None):
        yield Hit("spec", {"what": "has no deviceSelector and taints no device"})
    elif selector.kind == MAP and not entries(selector):
        yield Hit(
            "spec.deviceSelector",
            {"what": "has an empty deviceSelector and taints every device of the cluster"},
        )
