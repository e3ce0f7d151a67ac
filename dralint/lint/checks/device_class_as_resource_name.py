"""device-class-as-resource-name: a domain of NVIDIA's without a name, which is no resource."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_DOMAIN = "nvidia.com"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a resource that is called as NVIDIA's domain, or as a class or driver of it.

    No CEL, so that a run over manifests of the device plugin does not load it.
    """
    name = str(subject.facts["name"])
    bare = "/" not in name and not subject.facts["templated"]
    if bare and (name == _DOMAIN or name.endswith(f".{_DOMAIN}")):
        yield Hit()
