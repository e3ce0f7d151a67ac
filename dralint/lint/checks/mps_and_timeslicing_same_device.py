"""mps-and-timeslicing-same-device: a device has one sharing strategy."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import Config
from dralint.lint.facts.configs import strategy
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.nvidia.configs import config_kinds, strategies

_FIELD = ("opaque", "parameters", "sharing", "strategy")
# A config that names no request: the general case, to which those that do are exceptions.
_ALL = ""


def _shares(config: Config) -> bool:
    drivers = {kind.driver for kind in config_kinds().values()}
    return config.driver in drivers and strategy(config) in strategies()


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for the second of two configs that give the same request different strategies."""
    spec = spec_of(subject.object)
    earlier: dict[str, Config] = {}
    for config in spec.configs if spec else ():
        if not _shares(config):
            continue
        names = config.requests or [_ALL]
        other = next((name for name in names if name in earlier and _differ(earlier[name], config)), None)
        if other is not None:
            first = earlier[other]
            everything = "every device of the class" if subject.facts["what"] == "class" else "every request"
            values = {
                "common": f"request {other}" if other else everything,
                "first": str(strategy(first)),
                "second": str(strategy(config)),
            }
            related = (subject.object, (*first.path, *_FIELD), f"{strategy(first)} is set here")
            yield Hit((*config.path, *_FIELD), values, related=(related,))
        earlier.update(dict.fromkeys(names, config))


def _differ(one: Config, other: Config) -> bool:
    return strategy(one) != strategy(other)
