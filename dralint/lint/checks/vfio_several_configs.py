"""vfio-several-configs: all VFIO devices of a claim share one config."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of
from dralint.nvidia.configs import config_kinds
from dralint.yamltext.view import get, string

_KIND = "VfioDeviceConfig"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for the second VfioDeviceConfig of a claim that is for other requests than the first."""
    spec = spec_of(subject.object)
    driver = config_kinds()[_KIND].driver
    first = None
    for config in spec.configs if spec is not None and subject.facts["what"] != "class" else ():
        if config.driver != driver or string(get(config.parameters, "kind")) != _KIND:
            continue
        if first is None:
            first = config
        elif first.requests != config.requests:
            related = (subject.object, first.path, "the first VfioDeviceConfig")
            yield Hit((*config.path, "opaque", "parameters", "kind"), related=(related,))
