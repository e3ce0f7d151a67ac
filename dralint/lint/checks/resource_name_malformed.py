"""resource-name-malformed: a name of NVIDIA's domain that is no resource name at all."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.misspelt import meant
from dralint.nvidia.resources import domain


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a name that begins with the domain and that the API server does not take.

    No CEL, so that a run over manifests of the device plugin does not load it.
    """
    name = str(subject.facts["name"])
    if subject.facts["extended"] or subject.facts["templated"]:
        return
    if subject.facts["limit"] is None and subject.facts["request"] is None:
        return  # A patch that takes the request away.
    bare = name == domain() or ("/" not in name and name.endswith(f".{domain()}"))
    if name.strip().lower().startswith(domain()) and not bare:
        right = meant(name)
        yield Hit(
            "",
            {"advice": f"write {right}" if right else "it is domain, slash and name, such as nvidia.com/gpu"},
        )
