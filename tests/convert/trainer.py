"""What the pods of TrainJobs hold, read by PyYAML and the words of Kubeflow Trainer's API alone.

It shares no code with dralint. What Trainer does with `resourcesPerNode` is known in part only: it takes the place
of the resources of the runtime's container `node`. Two readings fit that, and a conversion must be right by both.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import yaml

GROUP = "trainer.kubeflow.org"
STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
NAMES = {
    "nvidia.com/gpu": "gpu",
    "deviceclass.resource.kubernetes.io/gpu.nvidia.com": "gpu",
    "nvidia.com/mig-1g.10gb": "mig-1g.10gb",
}


def whole(own: Any, resources: Any) -> Any:
    """Whatever stands in resourcesPerNode takes the place of all that the container has, claims too."""
    return resources if own is None else own


def amounts(own: Any, resources: Any) -> Any:
    """Limits and requests take the place of what the container has; claims of the TrainJob are not looked at."""
    stands = {key: own[key] for key in ("limits", "requests") if (own or {}).get(key) is not None}
    return stands or resources


READINGS = {"whole": whole, "amounts": amounts}


class Training(NamedTuple):
    """Of the pods of a TrainJob: devices held, devices that the trainer sees, other resources, processes."""

    held: Counter[str]
    seen: Counter[str]
    others: dict[str, str]
    processes: Any


def _limits(resources: Any) -> Counter[str]:
    return Counter(
        {
            NAMES[name]: int(count)
            for name, count in ((resources or {}).get("limits") or {}).items()
            if name in NAMES
        }
    )


def _devices(template: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for request in template["spec"]["spec"]["devices"]["requests"]:
        exact = request["exactly"]
        name = "gpu" if exact["deviceClassName"] == "gpu.nvidia.com" else "mig-1g.10gb"
        found[name] += exact["count"]
    return found


def _others(resources: Any) -> dict[str, str]:
    """What it asks for beside devices; requests are the limits where nothing else is said."""
    limits = (resources or {}).get("limits") or {}
    sides = {"limits": limits, "requests": {**limits, **((resources or {}).get("requests") or {})}}
    return {
        f"{side}.{name}": f"{amount[:-4]}" if (amount := str(value)).endswith("000m") else amount
        for side, values in sides.items()
        for name, value in values.items()
        if name not in NAMES
    }


def _pod(runtime: Any) -> Any:
    jobs = runtime["spec"]["template"]["spec"]["replicatedJobs"]
    steps = [((job["template"].get("metadata") or {}).get("labels") or {}).get(STEP) for job in jobs]
    index = steps.index("trainer") if "trainer" in steps else [job["name"] for job in jobs].index("node")
    return jobs[index]["template"]["spec"]["template"]["spec"]


def trainings(texts: list[str], reading: str) -> dict[str, Training]:
    """By name what each TrainJob of the texts gets whose runtime is among them."""
    documents = [each for text in texts for each in yaml.safe_load_all(text) if each]
    templates = {
        each["metadata"]["name"]: each for each in documents if each["kind"] == "ResourceClaimTemplate"
    }
    runtimes = {(each["kind"], each["metadata"]["name"]): each for each in documents}
    found = {}
    for job in (each for each in documents if each["kind"] == "TrainJob"):
        reference = job["spec"]["runtimeRef"]
        runtime = runtimes.get((reference.get("kind", "ClusterTrainingRuntime"), reference["name"]))
        if runtime is None:
            continue
        pod = _pod(runtime)
        trainer = job["spec"].get("trainer") or {}
        held: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        others: dict[str, str] = {}
        claims = {
            each["name"]: _devices(templates[each["resourceClaimTemplateName"]])
            for each in pod.get("resourceClaims", ())
        }
        for devices in claims.values():
            held += devices
        for container in pod["containers"]:
            resources = container.get("resources")
            if container["name"] == "node":
                resources = READINGS[reading](trainer.get("resourcesPerNode"), resources)
                seen = _limits(resources)
                for listed in (resources or {}).get("claims") or ():
                    seen += claims.get(listed["name"], Counter())
                others = _others(resources)
            held += _limits(resources)
        torch = (runtime["spec"].get("mlPolicy") or {}).get("torch")
        processes = trainer.get("numProcPerNode", (torch or {}).get("numProcPerNode", "auto"))
        if processes in ("auto", "gpu"):
            processes = sum(_limits(resources_of(pod, trainer, reading)).values())
        found[job["metadata"]["name"]] = Training(
            +held, +seen, others, processes if torch is not None else None
        )
    return found


def resources_of(pod: Any, trainer: Any, reading: str) -> Any:
    """The resources of the trainer's container once the TrainJob's have taken their place."""
    node = next(each for each in pod["containers"] if each["name"] == "node")
    return READINGS[reading](trainer.get("resourcesPerNode"), node.get("resources"))
