"""mps-and-timeslicing-same-device: a device has one sharing strategy."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from dralint.kube.dra import CLASS, Config, claim_spec
from dralint.lint.facts.configs import strategy
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.configs import config_kinds, strategies

_FIELD = ("opaque", "parameters", "sharing", "strategy")


def _shares(config: Config) -> bool:
    drivers = {kind.driver for kind in config_kinds().values()}
    return config.driver in drivers and strategy(config) in strategies()


def _common(one: Config, other: Config, of_class: bool) -> str | None:
    """What both configs are for, in words; None where one of them is the general case of the other."""
    if one.requests is None and other.requests is None:
        return "all devices of the class" if of_class else "all requests"
    if one.requests is None or other.requests is None:
        return None
    both = [name for name in other.requests if name in one.requests]
    return f"request {', '.join(both)}" if both else None


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for the second of two configs that give the same request different strategies."""
    spec = claim_spec(subject.object)
    assert spec is not None
    for one, other in combinations([each for each in spec.configs if _shares(each)], 2):
        common = _common(one, other, spec.object.ref.kind == CLASS)
        if common is None or strategy(one) == strategy(other):
            continue
        values = {"common": common, "first": str(strategy(one)), "second": str(strategy(other))}
        related = ((spec.object, (*one.path, *_FIELD), f"{strategy(one)} is set here"),)
        yield Hit((*other.path, *_FIELD), values, None, related)
