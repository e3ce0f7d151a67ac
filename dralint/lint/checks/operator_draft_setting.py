"""operator-draft-setting: settings of drafts, which no release of the GPU operator reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

# gpu-operator#1541, #2424, #2696 and the reviewed drafts of its documentation, against the chart of v26.7.0.
_DRAFTS = {
    "operator-chart": {
        "gpuCluster.enabled": "gpuCluster.deployCR",
        "draDriver.gpus.enabled": "a GPUCluster (gpuCluster.deployCR)",
        "draDriver.enabled": "a GPUCluster (gpuCluster.deployCR)",
    },
    "ClusterPolicy": {"spec.draDriver": "a GPUCluster instead of the ClusterPolicy"},
}


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each setting of a draft; of one beside the device plugin another rule speaks."""
    facts: Any = subject.facts
    drafts = _DRAFTS.get(facts["what"], {})
    prefix = "spec." if facts["what"] == "ClusterPolicy" else ""
    settings = facts["settings"]
    both = drafts and (
        settings[f"{prefix}draDriver.gpus.enabled"] is True
        and settings[f"{prefix}devicePlugin.enabled"] is True
    )
    for name, instead in drafts.items():
        if name in facts["given"] and not (both and "draDriver" in name):
            yield Hit(name, {"name": name.removeprefix("spec."), "instead": instead})
