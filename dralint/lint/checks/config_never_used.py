"""config-never-used: of the configs that fit a device the driver takes the last one, whole."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import Config
from dralint.lint.facts.configs import strategy
from dralint.lint.facts.parts import LOOKED_AT
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.nvidia.configs import config_kinds
from dralint.yamltext.view import get, string


def _kind(config: Config) -> str | None:
    """The kind of NVIDIA's that the config has and its driver reads."""
    kind = config_kinds().get(string(get(config.parameters, "kind")) or "")
    return kind.kind if kind is not None and kind.driver == config.driver else None


def _covers(later: Config, earlier: Config) -> bool:
    """Whether each request of the earlier config is one of the later's, so that the earlier never counts."""
    if later.requests is None or not later.requests:
        return True
    return bool(earlier.requests) and set(earlier.requests or ()) <= set(later.requests)


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for a config whose requests a later one of the same kind names, too.

    Of two sharing strategies mps-and-timeslicing-same-device speaks.
    """
    spec = spec_of(subject.object)
    configs = [each for each in spec.configs[:LOOKED_AT] if _kind(each) is not None] if spec else []
    for index, config in enumerate(configs):
        later = next(
            (each for each in configs[index + 1 :] if _kind(each) == _kind(config) and _covers(each, config)),
            None,
        )
        if later is None:
            continue
        strategies = {strategy(config), strategy(later)} - {None}
        if len(strategies) < 2:
            related = (subject.object, later.path, "the config that counts instead")
            yield Hit(config.path, {"kind": str(_kind(config))}, related=(related,))
