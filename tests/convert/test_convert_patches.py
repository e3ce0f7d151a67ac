"""Patches beside a conversion: where both go together, real kustomize builds what converting its output would make."""

from __future__ import annotations

import json
import textwrap

import pytest
import yaml

from tests.kustomize import Loader

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4, zone: a}
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      containers:
        - name: server
          image: server:1
          resources:
            limits: {nvidia.com/gpu: 1}
            requests: {cpu: 1, nvidia.com/gpu: 1}
        - name: log
          image: log:1
          resources: {limits: {cpu: 1}}
"""
CLUSTER = """\
apiVersion: ray.io/v1
kind: RayCluster
metadata:
  name: ray
spec:
  headGroupSpec:
    template:
      spec:
        tolerations: [{key: nvidia.com/gpu, operator: Exists}]
        containers:
          - {name: head, image: ray:1, resources: {limits: {nvidia.com/gpu: 1, cpu: 1}}}
"""
POD = "/spec/template/spec"
SERVER = f"{POD}/containers/0"


def pointed(*steps):
    """A kustomization's patch of JSON steps: (op, path, value)."""
    keys = ("op", "path", "value")
    patch = json.dumps([dict(zip(keys, step, strict=False)) for step in steps])
    return {"patches": [{"target": {"kind": "Deployment|RayCluster"}, "patch": patch}]}


def merged(text, head=None):
    """A kustomization's strategic merge; text: what it says below `spec`."""
    whole = head or "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n"
    return {"patches": [{"patch": whole + textwrap.indent(textwrap.dedent(text), "  ")}]}


def container(text, name="server"):
    """A strategic merge of a container."""
    return merged(f"template: {{spec: {{containers: [{{name: {name}, {text}}}]}}}}")


RAY = "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: ray}\nspec:\n"
TOGETHER = {
    "an image": container("image: server:2"),
    "memory": container("resources: {limits: {memory: 1Gi}}"),
    "cpu": container("resources: {requests: {cpu: null, memory: 1Gi}}"),
    "another container": container("resources: {limits: {cpu: 2}}", "log"),
    "another container goes": container("$patch: delete", "log"),
    "one more container": container("image: proxy:1", "proxy"),
    "replicas": merged("replicas: 3"),
    "a label of the zone": merged("template: {spec: {nodeSelector: {zone: b}}}"),
    "a JSON patch of an image": pointed(("replace", f"{SERVER}/image", "server:2")),
    "a JSON patch of a request": pointed(("replace", f"{SERVER}/resources/requests/cpu", 2)),
    "a JSON patch adds an item": pointed(("add", f"{POD}/containers/-", {"name": "proxy", "image": "proxy:1"})),
    "a JSON patch adds a request": pointed(("add", f"{SERVER}/resources/requests/memory", "1Gi")),
    "a JSON patch tests a name": pointed(("test", f"{SERVER}/name", "server")),
    "a JSON patch removes another container": pointed(("remove", f"{POD}/containers/1")),
    "a JSON patch of a zone": pointed(("replace", f"{POD}/nodeSelector/zone", "b")),
    "of a custom resource": merged("rayVersion: 2.50.0", RAY),
}  # fmt: skip
APART = {
    "another count": container("resources: {limits: {nvidia.com/gpu: 4}}"),
    "no count": container("resources: {limits: {nvidia.com/gpu: null}}"),
    "no limits": container("resources: {limits: null, requests: null}"),
    "no resources": container("resources: null"),
    "other limits": container("resources: {limits: {$patch: replace, cpu: 1}, requests: null}"),
    "deleted limits": container("resources: {$patch: delete}"),
    "deleted container": container("$patch: delete"),
    "replaced container": container("$patch: replace, image: x"),
    "replaced containers": merged("template: {spec: {containers: [{$patch: replace}, {name: a, image: b}]}}"),
    "replaced pod": merged("template: {spec: {$patch: replace, containers: [{name: a, image: b}]}}"),
    "claims": container("resources: {claims: [{name: nic}]}"),
    "claims of the pod": merged("template: {spec: {resourceClaims: [{name: nic, resourceClaimName: n}]}}"),
    "GPUs for another container": container("resources: {limits: {nvidia.com/gpu: 1}}", "log"),
    "another card": merged("template: {spec: {nodeSelector: {nvidia.com/gpu.product: NVIDIA-L40S}}}"),
    "one more label of cards": merged("template: {spec: {nodeSelector: {nvidia.com/gpu.count: '8'}}}"),
    "no labels": merged("template: {spec: {nodeSelector: null}}"),
    "a JSON patch of the count": pointed(("replace", f"{SERVER}/resources/limits/nvidia.com~1gpu", 4)),
    "a JSON patch removes the count": pointed(("remove", f"{SERVER}/resources/limits/nvidia.com~1gpu")),
    "a JSON patch of what is gone": pointed(("add", f"{SERVER}/resources/limits/memory", "1Gi")),
    "a JSON patch of resources": pointed(("replace", f"{SERVER}/resources", {"limits": {"cpu": 1}})),
    "a JSON patch removes the container": pointed(("remove", SERVER)),
    "a JSON patch of the pod": pointed(("replace", POD, {"containers": [{"name": "a", "image": "b"}]})),
    "a JSON patch adds claims": pointed(("add", f"{SERVER}/resources/claims", [{"name": "nic"}])),
    "a JSON patch adds a container with GPUs": pointed(
        ("add", f"{POD}/containers/-", {"name": "x", "image": "x", "resources": {"limits": {"nvidia.com/gpu": 1}}})
    ),
    "a JSON patch of a label of cards": pointed(("add", f"{POD}/nodeSelector/nvidia.com~1gpu.count", "8")),
    "a JSON patch of labels": pointed(("replace", f"{POD}/nodeSelector", {"zone": "b"})),
    "a JSON patch tests what is gone": pointed(("test", f"{SERVER}/resources/limits", {"nvidia.com/gpu": 1})),
    "a list of a custom resource": merged(
        "headGroupSpec: {template: {spec: {containers: [{name: head, image: ray:2}]}}}", RAY
    ),
    "the count of an operator": merged("headGroupSpec: {rayStartParams: {num-gpus: '2'}}", RAY),
}  # fmt: skip


def objects(text):
    found = [item for item in yaml.load_all(text, Loader) if item is not None]
    return sorted(found, key=lambda item: json.dumps(item, sort_keys=True))


@pytest.fixture
def outcome(tmp_path, monkeypatch, dralint, kustomize):
    """The outcomes with a kustomization over the base; where all is converted it is proved to be sound."""

    def converted(overlay, base=DEPLOYMENT):
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(tmp_path)
        for name, text in {
            "base/base.yaml": base,
            "base/kustomization.yaml": "resources: [base.yaml]\n",
            "overlay/kustomization.yaml": json.dumps({"resources": ["../base"], **overlay}),
        }.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        rendered = kustomize.build(tmp_path / "overlay")
        ran = dralint("convert", "--write", "--report", "report.json", ".")
        assert ran.code in (0, 1), ran.err
        report = json.loads((tmp_path / "report.json").read_text())
        found = {each["outcome"] for each in report["occurrences"] if each["path"] == "base/base.yaml"}
        if found == {"converted"}:
            after = kustomize.build(tmp_path / "overlay")
            (tmp_path / "rendered.yaml").write_text(yaml.safe_dump_all(rendered))
            ran = dralint("convert", "--write", "rendered.yaml")
            assert after == objects((tmp_path / "rendered.yaml").read_text()), ran.err
        return found

    return converted


def base_for(overlay):
    return (
        CLUSTER
        if "RayCluster\nmeta" in json.loads(json.dumps(overlay))["patches"][0]["patch"]
        else DEPLOYMENT
    )


@pytest.mark.parametrize("overlay", TOGETHER.values(), ids=TOGETHER.keys())
def test_patches_that_go_together_with_the_conversion(outcome, overlay):
    assert outcome(overlay, base_for(overlay)) == {"converted"}


@pytest.mark.parametrize("overlay", APART.values(), ids=APART.keys())
def test_patches_that_would_undo_or_break_it(outcome, overlay):
    assert outcome(overlay, base_for(overlay)) == {"needs-decision"}


TOLERATIONS = [
    (merged("template: {spec: {tolerations: [{key: team}]}}"), True),
    (merged("template: {spec: {tolerations: [{operator: Exists}]}}"), False),
    (pointed(("add", f"{POD}/tolerations", [{"key": "team"}])), True),
    (pointed(("add", f"{POD}/tolerations", [{"key": "nvidia.com/gpu", "operator": "Exists"}])), False),
    (merged("replicas: 2"), False),
]


@pytest.mark.parametrize(("overlay", "told"), TOLERATIONS)
@pytest.mark.parametrize(
    "base", [DEPLOYMENT, DEPLOYMENT.replace("      tolerations: ", "      # tolerations: ")]
)
def test_tolerations_of_a_patch_are_told(tmp_path, monkeypatch, dralint, overlay, told, base):
    """They take the place of the base's list, and of what the conversion adds to it."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text(base)
    (tmp_path / "kustomization.yaml").write_text(json.dumps({"resources": ["base.yaml"], **overlay}))
    ran = dralint("convert", "--check", "base.yaml")
    assert ("take the place of the one for nvidia.com/gpu" in ran.err) == (told and base != DEPLOYMENT)
    assert "1 converted" in ran.err
