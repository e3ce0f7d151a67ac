"""two-classes-with-config: the result of an allocation does not say which class a config came from."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLASS, ClaimSpec, claim_spec
from dralint.kube.objects import KubeObject
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.yamltext.view import Path


def _drivers(name: str, run: Run) -> tuple[frozenset[str], KubeObject | None]:
    """The drivers that the class of that name has configs for, and the class."""
    for obj in run.bundle.find(CLASS, None, name) or run.context.bundle.find(CLASS, None, name):
        spec = claim_spec(obj)
        if spec is not None:
            return frozenset(each.driver for each in spec.configs if each.driver is not None), obj
    return frozenset(), None


def _classes(spec: ClaimSpec) -> dict[str, Path]:
    """The classes of the requests, each with its first place."""
    found: dict[str, Path] = {}
    for request in spec.requests:
        for ask in request.asks:
            if ask.device_class is not None:
                found.setdefault(ask.device_class, (*ask.path, "deviceClassName"))
    return found


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for the second class of a claim that has a config for the same driver as the first."""
    spec = spec_of(subject.object)
    if spec is None or subject.facts["what"] == "class":
        return
    classes = _classes(spec)
    seen: dict[str, str] = {}
    for name, path in classes.items() if len(classes) > 1 else ():
        drivers, obj = _drivers(name, run)
        for driver in sorted(drivers):
            first = seen.setdefault(driver, name)
            if first != name and obj is not None:
                related = (obj, (*obj.path, "spec", "config"), f"the config of {name}")
                yield Hit(path, {"first": first, "second": name, "driver": driver}, related=(related,))
                return
