"""opaque-driver-mismatch: a config that names another driver is read by nobody."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.configs import api_version, config_kinds
from dralint.yamltext.operations import Replace

_AT = ("opaque", "driver")


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for parameters of NVIDIA's under a driver that does not read their kind."""
    facts = subject.facts
    kind = config_kinds().get(str(facts["kind"]))
    group = api_version().partition("/")[0]
    written = facts["driver"]
    ours = str(facts["api_version"]).partition("/")[0] == group
    if kind is None or not ours or written is None or written == kind.driver:
        return
    path = (*subject.path, *_AT)
    drivers = {each.driver for each in config_kinds().values()}
    effect = (
        "that driver refuses the config, and the pod does not start"
        if written in drivers
        else "the config is ignored without an error"
    )
    values = {"right": kind.driver, "effect": effect}
    yield Hit(path, values, operations=(Replace(subject.object.document, path, kind.driver),))
