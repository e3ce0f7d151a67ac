"""mps-and-timeslicing-same-device: a device has one sharing strategy."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLASS, ClaimSpec, Config, claim_spec
from dralint.kube.objects import KubeObject
from dralint.lint.facts.configs import strategy
from dralint.lint.facts.parts import LOOKED_AT, looked_at
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.nvidia.configs import config_kinds, strategies
from dralint.yamltext.view import Path, get, string

_FIELD = ("opaque", "parameters", "sharing", "strategy")
# A config that names no request: the general case.
_ALL = ""


def _shares(config: Config) -> bool:
    drivers = {kind.driver for kind in config_kinds().values()}
    return config.driver in drivers and strategy(config) in strategies()


def _differ(one: Config, other: Config) -> bool:
    return strategy(one) != strategy(other)


def _kind(config: Config) -> str | None:
    return string(get(config.parameters, "kind"))


def _clash(config: Config, earlier: list[Config]) -> tuple[Config, str] | None:
    """An earlier config of another strategy that this one takes a device from, and the request it is of.

    The driver looks from the last config to the first and takes the first that names the request or names
    none. So a general config before a special one is the rule to its exception, and a general one behind
    it, which leaves nothing of it, is a mistake.
    """
    for other in earlier:
        if not _differ(other, config) or _kind(other) != _kind(config):
            continue
        own, others = config.requests or [_ALL], other.requests or [_ALL]
        common = next((name for name in others if name in own), None)
        if common is None and own == [_ALL]:
            common = others[0]
        if common is not None:
            return other, common
    return None


def _of_class(spec: ClaimSpec, config: Config, run: Run) -> tuple[KubeObject, Path, str, str] | None:
    """The class of a request of this config that has another strategy: object, place, class, strategy."""
    named = set(config.requests or ())
    for request in looked_at(spec):
        name = request.device_class
        if name is None or (named and request.name not in named):
            continue
        for obj in run.bundle.find(CLASS, None, name) or run.context.bundle.find(CLASS, None, name):
            of_class = claim_spec(obj)
            for other in of_class.configs if of_class else ():
                if _shares(other) and _differ(other, config) and _kind(other) == _kind(config):
                    return obj, (*other.path, *_FIELD), name, str(strategy(other))
    return None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a config that gives a device another strategy than an earlier one, or than its class."""
    spec = spec_of(subject.object)
    earlier: list[Config] = []
    of_class = subject.facts["what"] == "class"
    for config in spec.configs[:LOOKED_AT] if spec else ():
        if not _shares(config):
            continue
        at = (*config.path, *_FIELD)
        clash = _clash(config, earlier)
        if clash is not None:
            first, name = clash
            everything = "every device of the class" if of_class else "every request"
            values = {
                "common": f"request {name}" if name else everything,
                "first": str(strategy(first)),
                "second": str(strategy(config)),
                "place": "another config",
                "effect": "the driver takes the later",
            }
            related = (subject.object, (*first.path, *_FIELD), f"{strategy(first)} is set here")
            yield Hit(at, values, related=(related,))
        elif spec is not None and not of_class:
            yield from _over_class(spec, config, at, run)
        earlier.append(config)


def _over_class(spec: ClaimSpec, config: Config, at: Path, run: Run) -> Iterator[Hit]:
    """A claim may set aside what its class configures: said, and no mistake by itself."""
    found = _of_class(spec, config, run)
    if found is not None:
        obj, path, name, other = found
        values = {
            "common": "the device",
            "first": other,
            "second": str(strategy(config)),
            "place": f"class {name}",
            "effect": "the claim's counts, and nothing of the class's config is left",
        }
        yield Hit(at, values, "info", ((obj, path, f"{other} is set here"),))
