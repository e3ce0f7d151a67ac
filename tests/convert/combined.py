"""Manifests for the test of options together, and who asks for what in them, read by PyYAML and rules of this file alone.

Where a kind has its containers and its claims is written down by hand: nothing here comes from dralint.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from tests.convert.judge import at

GPU, MIG = "nvidia.com/gpu", "nvidia.com/mig-1g.10gb"
_NAMES = re.compile(r"nvidia\.com/(gpu|mig-[^/]+|gpumem|gpucores)(\.shared)?\Z")
_BY_CLASS = "deviceclass.resource.kubernetes.io/"
_PROFILE = re.compile(r"device\.attributes\['gpu\.nvidia\.com'\]\.profile == '([^']+)'\Z")


class Form(NamedTuple):
    """Where a kind has a pod.

    spec        the path of the pod spec
    containers  paths below it of single mappings with `resources`; none: lists of containers as in a Pod
    claims      the path below it of the list of claims
    named       containers list the claims they use by name
    """

    spec: str
    containers: tuple[str, ...] = ()
    claims: str = "resourceClaims"
    named: bool = True


POD = Form("spec")
TEMPLATE = Form("spec.template.spec")
FORMS: dict[str, tuple[Form, ...]] = {
    "Pod": (POD,),
    "Deployment": (TEMPLATE,),
    "StatefulSet": (TEMPLATE,),
    "Job": (TEMPLATE,),
    "CronJob": (Form("spec.jobTemplate.spec.template.spec"),),
    "InferenceService": (Form("spec.predictor", ("model",)),),
    "NIMService": (Form("spec", ("",), "draResources", named=False),),
    "NIMPipeline": (Form("spec.services.0.spec", ("",), "draResources", named=False),),
    "Service": (TEMPLATE,),
    "AppWrapper": (Form("spec.components.0.template.spec.template.spec"),),
    "HelmRelease": (Form("spec.values", ("",)),),
    "RayCluster": (
        Form("spec.headGroupSpec.template.spec"),
        Form("spec.workerGroupSpecs.0.template.spec"),
    ),
    "JobSet": (
        Form("spec.replicatedJobs.0.template.spec.template.spec"),
        Form("spec.replicatedJobs.1.template.spec.template.spec"),
    ),
    "LeaderWorkerSet": (
        Form("spec.leaderWorkerTemplate.leaderTemplate.spec"),
        Form("spec.leaderWorkerTemplate.workerTemplate.spec"),
    ),
}


def _container(name: str, limits: str, more: str = "") -> str:
    return f"{{name: {name}, image: registry.example/x:1, resources: {{limits: {{{limits}}}}}{more}}}"


def _pod(*containers: str, inits: tuple[str, ...] = (), more: str = "") -> str:
    before = f"initContainers: [{', '.join(inits)}], " if inits else ""
    return f"{{{before}containers: [{', '.join(containers)}]{more}}}"


def _object(api: str, kind: str, name: str, spec: str) -> str:
    return f"apiVersion: {api}\nkind: {kind}\nmetadata: {{name: {name}, namespace: team}}\nspec: {spec}\n"


def _deployment(name: str, pod: str, more: str = "replicas: 2, strategy: {type: Recreate}, ") -> str:
    labels = "{app: x}"
    spec = f"{{{more}selector: {{matchLabels: {labels}}}, template: {{metadata: {{labels: {labels}}}, spec: {pod}}}}}"
    return _object("apps/v1", "Deployment", name, spec)


ONE = _container("work", f"{GPU}: 1")
TWO = _container("work", f"{GPU}: 2")
_SELECTS = ", nodeSelector: {nvidia.com/gpu.family: ampere}"
_PREFERS = (
    "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 9, preference: "
    "{matchExpressions: [{key: nvidia.com/gpu.product, operator: In, values: [NVIDIA-H100-80GB-HBM3]}]}}]}}"
)
_ROLE = "{replicas: 1, template: {spec: {template: {spec: %s}}}, name: %s}"

OBJECTS = (
    _object("v1", "Pod", "plain", _pod(ONE, more=_SELECTS)),
    _deployment("one", _pod(ONE, more=_SELECTS)),
    _deployment(
        "several",
        _pod(
            _container("a", f"{GPU}: 1"),
            _container("b", f"{GPU}: 2, cpu: 1"),
            inits=(_container("fetch", f"{GPU}: 3"),),
        ),
    ),
    _deployment(
        "steps",
        _pod(
            _container("main", f"{GPU}: 4"),
            inits=(_container("small", f"{GPU}: 1"), _container("large", f"{GPU}: 6")),
            more=f", tolerations: [{{operator: Exists}}], {_PREFERS}",
        ),
    ),
    _deployment("shared", _pod(_container("work", f"{GPU}.shared: 1"))),
    _deployment("both", _pod(_container("work", f"{GPU}: 1, {GPU}.shared: 1"))),
    _deployment("parts", _pod(_container("work", f"{GPU}: 1, nvidia.com/gpumem: 4000, nvidia.com/gpucores: 0"))),
    _deployment("zero", _pod(_container("work", f"{GPU}: 0"), _container("log", "cpu: 1"))),
    _object("batch/v1", "Job", "mixed", f"{{template: {{spec: {_pod(_container('work', f'{GPU}: 1, {MIG}: 2'))}}}}}"),
    _object("batch/v1", "Job", "slice", f"{{template: {{spec: {_pod(_container('work', f'{MIG}: 1'))}}}}}"),
    _object(
        "batch/v1",
        "CronJob",
        "nightly",
        f"{{schedule: '0 3 * * *', jobTemplate: {{spec: {{template: {{spec: {_pod(TWO)}}}}}}}}}",
    ),
    _object(
        "serving.kserve.io/v1beta1",
        "InferenceService",
        "kserve",
        "{predictor: {model: {modelFormat: {name: x}, resources: {limits: {nvidia.com/gpu: 1}}}}}",
    ),
    _object("apps.nvidia.com/v1alpha1", "NIMService", "nim", "{replicas: 1, resources: {limits: {nvidia.com/gpu: 2}}}"),
    _object(
        "apps.nvidia.com/v1alpha1",
        "NIMPipeline",
        "pipeline",
        "{services: [{name: llm, enabled: true, spec: {resources: {limits: {nvidia.com/gpu: 1}}}}]}",
    ),
    _object("serving.knative.dev/v1", "Service", "knative", f"{{template: {{spec: {_pod(ONE)}}}}}"),
    _object(
        "ray.io/v1",
        "RayCluster",
        "ray",
        f"{{headGroupSpec: {{template: {{spec: {_pod(_container('head', f'{GPU}: 0'))}}}}}, "
        f"workerGroupSpecs: [{{groupName: w, template: {{spec: {_pod(TWO)}}}}}]}}",
    ),
    _object(
        "jobset.x-k8s.io/v1alpha2",
        "JobSet",
        "jobset",
        f"{{replicatedJobs: [{_ROLE % (_pod(ONE), 'a')}, {_ROLE % (_pod(TWO), 'b')}]}}",
    ),
    _object(
        "leaderworkerset.x-k8s.io/v1",
        "LeaderWorkerSet",
        "lws",
        f"{{leaderWorkerTemplate: {{size: 2, leaderTemplate: {{spec: {_pod(TWO)}}}, workerTemplate: {{spec: {_pod(TWO)}}}}}}}",
    ),
    _object(
        "workload.codeflare.dev/v1beta2",
        "AppWrapper",
        "wrapper",
        "{components: [{template: {apiVersion: batch/v1, kind: Job, metadata: {name: wrapped}, "
        f"spec: {{template: {{spec: {_pod(TWO)}}}}}}}}}]}}",
    ),
    _object(
        "helm.toolkit.fluxcd.io/v2",
        "HelmRelease",
        "chart",
        "{interval: 1h, values: {resources: {limits: {nvidia.com/gpu: 1}}}}",
    ),
    _object("v1", "ResourceQuota", "gpus", "{hard: {requests.nvidia.com/gpu: 8}}"),
)  # fmt: skip
TEXT = "---\n".join(OBJECTS)


def asked(mapping: Any) -> dict[str, int]:
    """The GPU resources that a mapping with `resources` asks for by name, those of classes too."""
    limits = ((mapping or {}).get("resources") or {}).get("limits") or {}
    return {
        name: int(count) for name, count in limits.items() if _NAMES.match(name) or name.startswith(_BY_CLASS)
    }


class Container(NamedTuple):
    """role: as in `held`; mapping: that has `resources`."""

    role: str
    mapping: dict[str, Any]


class Pod(NamedTuple):
    """A pod of an object; claims: the entries of its list of claims."""

    containers: list[Container]
    claims: list[dict[str, Any]]
    named: bool


def pods(obj: dict[str, Any]) -> Iterator[Pod]:
    """The pods of an object."""
    for form in FORMS.get(obj["kind"], ()):
        spec = at(obj, form.spec)
        if form.containers:
            found = [Container("main", at(spec, path)) for path in form.containers]
        else:
            found = [Container("init", each) for each in spec.get("initContainers") or ()]
            found += [Container("main", each) for each in spec["containers"]]
        yield Pod(found, at(spec, form.claims) or [], form.named)


def held(counts: list[tuple[str, int]]) -> int:
    """What Kubernetes holds for a pod: the largest init container, or all main ones."""
    inits = [count for role, count in counts if role == "init"]
    return max([sum(count for role, count in counts if role == "main"), *inits])


class Device(NamedTuple):
    """What one device of a request is.

    shared  the whole workload has it together
    taken   what of its capacity a pod takes, "" for all of it
    """

    profile: str | None
    shared: bool = False
    taken: str = ""


def _request(request: dict[str, Any], *, shared: bool) -> tuple[Device, int]:
    asks = request.get("firstAvailable") or [request["exactly"]]
    found = set()
    for ask in asks:
        profiles = [_PROFILE.match(each["cel"]["expression"]) for each in ask.get("selectors", ())]
        profile = next((match[1] for match in profiles if match), None)
        assert ask["deviceClassName"] == ("gpu.nvidia.com" if profile is None else "mig.nvidia.com")
        capacity = ask.get("capacity", {}).get("requests", {})
        assert len(capacity) < 2
        found.add((Device(profile, shared, next(iter(capacity.values()), "")), ask["count"]))
    (only,) = found
    return only


class Claims:
    """The claims and templates of some documents, by namespace and name."""

    def __init__(self, documents: list[dict[str, Any]]) -> None:
        self._requests: dict[tuple[str, str, str], list[tuple[str, Device, int]]] = {}
        for each in documents:
            if each["kind"] not in ("ResourceClaim", "ResourceClaimTemplate"):
                continue
            metadata, shared = each["metadata"], each["kind"] == "ResourceClaim"
            spec = each["spec"] if shared else each["spec"]["spec"]
            assert bool(spec["devices"].get("config")) == shared
            key = (each["kind"], metadata.get("namespace", ""), metadata["name"])
            assert key not in self._requests, f"{key} is there twice"
            self._requests[key] = [
                (request["name"], *_request(request, shared=shared))
                for request in spec["devices"]["requests"]
            ]
        self.used: set[tuple[str, str, str]] = set()

    def of(self, namespace: str, entry: dict[str, Any]) -> list[tuple[str, Device, int]]:
        """The requests of an entry of a pod's claims."""
        kind, field = ("ResourceClaim", "resourceClaimName")
        if field not in entry:
            kind, field = ("ResourceClaimTemplate", "resourceClaimTemplateName")
        key = (kind, namespace, entry[field])
        self.used.add(key)
        return self._requests[key]

    @property
    def all(self) -> set[tuple[str, str, str]]:
        return {*self._requests}


class Seen(NamedTuple):
    """What the containers of a pod see by names and by claims, and what its claims hold."""

    names: list[dict[str, int]]
    devices: list[Counter[Device]]
    held: Counter[Device]


def seen(pod: Pod, namespace: str, claims: Claims) -> Seen:
    """What a pod sees and holds."""
    requests = [claims.of(namespace, entry) for entry in pod.claims]
    held_: Counter[Device] = Counter()
    for of_claim in requests:
        for _, device, count in of_claim:
            held_[device] += count
    devices = []
    for container in pod.containers:
        found: Counter[Device] = Counter()
        listed = (container.mapping.get("resources") or {}).get("claims") or []
        if not pod.named:
            assert not listed
            listed = [{"name": index} for index in range(len(pod.claims))]
            names: dict[Any, int] = {index: index for index in range(len(pod.claims))}
        else:
            names = {entry["name"]: index for index, entry in enumerate(pod.claims)}
            assert len(names) == len(pod.claims)
        for entry in listed:
            for name, device, count in requests[names[entry["name"]]]:
                if entry.get("request") in (None, name):
                    found[device] += count
        devices.append(found)
    return Seen([asked(each.mapping) for each in pod.containers], devices, held_)


def documents(text: str) -> list[dict[str, Any]]:
    """The objects of a text, items of lists too."""
    found = []
    for each in yaml.load_all(text, yaml.CSafeLoader):
        found += each["items"] if each["kind"] == "List" else [each]
    return found
