"""opaque-driver-mismatch: a config that names another driver is read by nobody."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.configs import api_version, config_kinds
from dralint.yamltext.operations import Operation, Put, Replace

_AT = ("opaque", "driver")
_DOMAIN = "nvidia.com"


def _of_nvidia(name: str) -> bool:
    return name == _DOMAIN or name.endswith(f".{_DOMAIN}")


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for parameters of NVIDIA's under a driver that does not read their kind.

    They are NVIDIA's by the group of their apiVersion, or, where that is wrong or missing, by the driver's domain: under a
    driver that is none of NVIDIA's nobody looks at the apiVersion either, so no other rule finds such a config.
    """
    facts = subject.facts
    kind = config_kinds().get(str(facts["kind"]))
    written = facts["driver"]
    ours = _of_nvidia(str(facts["api_version"]).partition("/")[0]) or _of_nvidia(str(written))
    if kind is None or not ours or written is None or written == kind.driver:
        return
    path = (*subject.path, *_AT)
    drivers = {each.driver for each in config_kinds().values()}
    effect = (
        "that driver refuses the config, and the pod does not start"
        if written in drivers
        else "the config is ignored without an error"
    )
    document = subject.object.document
    operations: list[Operation] = [Replace(document, path, kind.driver)]
    right = kind.driver
    if facts["api_version"] != api_version():
        right += f" and apiVersion: {api_version()}"
        parameters = (*subject.path, "opaque", "parameters")
        if facts["api_version"] is None:
            operations.append(Put(document, parameters, "apiVersion", api_version(), before="kind"))
        else:
            operations.append(Replace(document, (*parameters, "apiVersion"), api_version()))
    yield Hit(path, {"right": right, "effect": effect}, operations=tuple(operations))
