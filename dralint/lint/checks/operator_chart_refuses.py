"""operator-chart-refuses: values with which the GPU operator's chart does not install."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def _told(facts: Any) -> Iterator[tuple[str, str]]:
    """Which value, and why the chart fails on it; of a file of values only what it says itself counts."""
    values = facts["settings"]
    if (
        values["gpuCluster.deployCR"] is True
        and values["driver.enabled"] is True
        and values["driver.nvidiaDriverCRD.enabled"] is not True
        and not (facts["partial"] and "driver.enabled" not in facts["given"])
    ):
        yield (
            "driver.enabled",
            "a GPUCluster takes its driver from an NVIDIADriver (driver.nvidiaDriverCRD.enabled) or the host",
        )
    if values["devicePlugin.config.create"] is True:
        missing = [
            name
            for name in ("devicePlugin.config.name", "devicePlugin.config.data")
            if not values[name] and not facts["partial"]
        ]
        if missing:
            yield "devicePlugin.config.create", f"devicePlugin.config.create needs {' and '.join(missing)}"
    if values["cdi.nriPluginEnabled"] is True:
        off = [name for name in ("cdi.enabled", "toolkit.enabled") if values[name] is False]
        if off:
            yield "cdi.nriPluginEnabled", f"the NRI plugin needs {' and '.join(off)}"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each value of the chart that keeps it from installing."""
    facts: Any = subject.facts
    if facts["what"] == "operator-chart":
        for name, says in _told(facts):
            yield Hit(name, {"says": says})
