"""Patch files that give GPUs to a base without any: they get a claim, and real kustomize proves that it is sound."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.convert.test_convert_patches import objects

BASE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
        - name: server
          image: server:1
          resources:
            limits: {memory: 1Gi}
        - {name: log, image: log:1}
"""
PATCH = """\
# Cards in production.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  replicas: 3
  template:
    spec:
      containers:
        - name: server
          resources:
            limits:
              nvidia.com/gpu: 2 # tensor parallel
              memory: 8Gi # more than before
"""
TOLERATES = "      tolerations: [{key: nvidia.com/gpu, operator: Exists}]\n"
SPOT = "      tolerations: [{key: spot, operator: Exists}]\n"
L4 = "      nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4, zone: a}\n"
WHERE = """\
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
            - matchExpressions: [{key: KEY, operator: In, values: [VALUE]}]
"""
AFFINITY = WHERE.replace("KEY", "nvidia.com/gpu.product").replace("VALUE", "NVIDIA-L4")
ZONE = WHERE.replace("KEY", "zone").replace("VALUE", "a")
NAMES = """\
nameReference:
- kind: ResourceClaimTemplate
  fieldSpecs: [{path: spec/template/spec/resourceClaims/resourceClaimTemplateName}]
"""
REPLICAS = '[{"op": "replace", "path": "/spec/replicas", "value": 5}]'


def pod(text, more):
    """A manifest with more in its pod spec, before the containers."""
    head, _, tail = text.partition("      containers:\n")
    return f"{head}{more}      containers:\n{tail}"


def files(base=BASE, patch=PATCH, key="patches: [{path: gpu.yaml}]", more="", below=""):
    return {
        "base/kustomization.yaml": f"resources: [base.yaml]\n{below}",
        "base/base.yaml": base,
        "prod/kustomization.yaml": f"# What runs.\nresources:\n- ../base # as it is\n{key}\n{more}",
        "prod/gpu.yaml": patch,
    }


def component(**of):
    """The patch in a component, used by an overlay."""
    tree = files(**of)
    head = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
    return {
        **{name: text for name, text in tree.items() if name.startswith("base/")},
        "gpus/kustomization.yaml": f"{head}patches: [{{path: gpu.yaml}}]\n",
        "gpus/gpu.yaml": tree["prod/gpu.yaml"],
        "prod/kustomization.yaml": "resources: [../base]\ncomponents: [../gpus]\n",
    }


class Result:
    """A conversion in place: outcomes and reasons by file, and the report."""

    def __init__(self, report):
        self.report = report
        self.outcomes, self.reasons = {}, {}
        for each in report["occurrences"]:
            self.outcomes.setdefault(each["path"], set()).add(each["outcome"])
            self.reasons.setdefault(each["path"], set()).add(each["reason"])

    @property
    def every(self):
        return set().union(*self.outcomes.values())


def same(items):
    """Objects without what does not matter: labels that kustomize gives templates, limits that are there and empty."""

    def bare(value):
        if isinstance(value, list):
            return [bare(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: bare(each) for key, each in value.items() if each != {} or key not in ("limits", "requests")
        }

    for item in items:
        if item["kind"] == "ResourceClaimTemplate":
            item["metadata"].pop("labels", None)
    return [bare(item) for item in items]


def texts(directory: Path):
    found = (path for path in directory.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


@pytest.fixture
def run(tmp_path, monkeypatch, dralint, kustomize):
    """Converts the named files in place; where all is converted it is proved to be what it should be."""

    def converted(tree, *arguments, git=True, named=None, builds=("prod", "test")):
        root = tmp_path / "tree"
        for name, text in tree.items():
            (root / name).parent.mkdir(exist_ok=True, parents=True)
            (root / name).write_bytes(text.encode() if isinstance(text, str) else text)
        if git:
            (root / ".git").mkdir()
        monkeypatch.chdir(root)
        before = texts(root)
        overlays = [name for name in builds if (root / name / "kustomization.yaml").exists()]
        rendered = {name: kustomize.build(root / name) for name in overlays}
        report = tmp_path / "report.json"
        ran = dralint("convert", "--write", "--report", report, *arguments, *(named or ["."]))
        assert ran.code in (0, 1), ran.err
        found = Result(json.loads(report.read_text()))
        if found.every == {"converted"}:
            for name, items in rendered.items():
                file = tmp_path / "rendered.yaml"
                file.write_text(yaml.safe_dump_all(items))
                dralint("convert", "--write", *arguments, file)
                assert same(kustomize.build(root / name)) == same(objects(file.read_text()))
            after = texts(root)
            assert dralint("convert", "--write", *arguments, *(named or ["."])).code == 0
            assert texts(root) == after
            checked = dralint("check", ".")
            assert checked.code == 0, checked.out
        elif "converted" not in found.every:
            assert texts(root) == before
        return found

    return converted


SIDECAR = """\
      initContainers:
        - name: proxy
          image: proxy:1
          restartPolicy: Always
"""
INIT = """\
      initContainers:
        - name: fetch
          resources:
            limits: {nvidia.com/gpu: 1}
"""
TALK = BASE.replace("chat", "talk").replace(
    "limits: {memory: 1Gi}", "limits: {memory: 1Gi, nvidia.com/gpu: 4}"
)
SOUND = {
    "a count for another object in the same file": files(f"{BASE}---\n{TALK}", PATCH + "---\n" + PATCH.replace("chat", "talk").replace("gpu: 2", "gpu: 8")),
    "before it": files(f"{BASE}---\n{TALK}", PATCH.replace("chat", "talk").replace("gpu: 2", "gpu: 8") + "---\n" + PATCH),
    "a patch": files(),
    "a strategic merge": files(key="patchesStrategicMerge: [gpu.yaml]"),
    "a target": files(key="patches: [{path: gpu.yaml, target: {kind: Deployment, name: chat}}]"),
    "a base without resources": files(base=BASE.replace("          resources:\n            limits: {memory: 1Gi}\n", "")),
    "empty limits in the base": files(BASE.replace("{memory: 1Gi}", "{}"), PATCH.replace("              memory: 8Gi # more than before\n", "")),
    "nothing but the limit": files(patch=PATCH.replace("              memory: 8Gi # more than before\n", "")),
    "requests, too": files(patch=PATCH + "            requests: {nvidia.com/gpu: 2, cpu: 4}\n"),
    "the second container": files(patch=PATCH.replace("name: server", "name: log")),
    "a container of its own": files(patch=PATCH.replace("name: server", "name: gpu\n          image: gpu:1")),
    "two containers": files(patch=PATCH + "        - name: log\n          resources: {limits: {nvidia.com/gpu: 1}}\n"),
    "an init container": files(
        pod(BASE, "      initContainers: [{name: fetch, image: fetch:1}]\n"), pod(PATCH, INIT)
    ),
    "a sidecar only the base says is one": files(
        pod(BASE, SIDECAR),
        pod(PATCH, "      initContainers: [{name: proxy, resources: {limits: {nvidia.com/gpu: 1}}}]\n"),
    ),
    "MIG": files(patch=PATCH.replace("nvidia.com/gpu: ", "nvidia.com/mig-1g.24gb: ")),
    "MIG beside": files(patch=PATCH + "              nvidia.com/mig-1g.24gb: 1\n"),
    "none": files(patch=PATCH.replace("gpu: 2", "gpu: 0")),
    "the base tolerates": files(pod(BASE, TOLERATES)),
    "the patch tolerates": files(pod(BASE, SPOT), pod(PATCH, TOLERATES)),
    "the patch tolerates something else": files(pod(BASE, TOLERATES), pod(PATCH, SPOT)),
    "a label": files(patch=pod(PATCH, L4)),
    "a label, and one of the base": files(pod(BASE, "      nodeSelector: {zone: b}\n"), pod(PATCH, L4)),
    "an affinity": files(patch=pod(PATCH, AFFINITY)),
    "a label of the zone in the base": files(pod(BASE, ZONE), pod(PATCH, L4)),
    "a namespace": files(*(text.replace("name: chat", "name: chat\n  namespace: ml") for text in (BASE, PATCH))),
    "a namespace of the base": files(below="namespace: ml\n"),
    "a namespace above": files(more="namespace: ml\n"),
    "a namespace above another": files(below="namespace: low\n", more="namespace: ml\n"),
    "renamed": {**files(more="namePrefix: p-\nconfigurations: [names.yaml]\n"), "prod/names.yaml": NAMES},
    "renamed by a name": files(more="namePrefix: p-\n"),
    "renamed above": {**files(), "test/kustomization.yaml": "resources: [../prod]\nnamePrefix: b-\n"},
    "renamed in a component's user": {**component(), "test/kustomization.yaml": "resources: [../base]\ncomponents: [../gpus]\nnamePrefix: p-\n"},
    "labels and images": files(more="commonLabels: {a: b}\nimages: [{name: server, newTag: '2'}]\nreplicas: [{name: chat, count: 2}]\n"),
    "annotations that order": files(BASE.replace("metadata:\n  name: chat", "metadata:\n  annotations: {argocd.argoproj.io/sync-wave: '3'}\n  name: chat")),
    "a patch of the image": files(key="patches: [{path: gpu.yaml}, {path: image.yaml}]")
    | {"prod/image.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec: {template: {spec: {containers: [{name: server, image: server:2}]}}}\n"},
    "a JSON patch of replicas": files(
        key=f"patches: [{{path: gpu.yaml}}, {{target: {{kind: Deployment}}, patch: '{REPLICAS}'}}]"
    ),
    "no list of resources": {
        **files(),
        "prod/kustomization.yaml": "bases: [../base]\npatches: [{path: gpu.yaml}]\n",
    },
    "a file beside": {
        "prod/kustomization.yaml": "resources: [base.yaml]\npatches: [{path: gpu.yaml}]\n",
        "prod/base.yaml": BASE,
        "prod/gpu.yaml": PATCH,
    },
    "a List": files("apiVersion: v1\nkind: List\nitems:\n- " + BASE.replace("\n", "\n  ").rstrip() + "\n"),
    "JSON": {**files(), "prod/kustomization.yaml": '{"resources": ["../base"], "patches": [{"path": "gpu.yaml"}]}\n'},
    "a patch in JSON": {
        **{name: text for name, text in files(key="patches: [{path: gpu.json}]").items() if "gpu.yaml" not in name},
        "prod/gpu.json": json.dumps(yaml.safe_load(PATCH), indent=2),
    },
    "anchors": files(
        BASE.replace("{memory: 1Gi}", "&l {memory: 1Gi}").replace("image: log:1}", "image: log:1, resources: {limits: *l}}"),
        PATCH.replace("spec:\n  replicas: 3\n  template:\n", "spec:\n  replicas: &n 3\n  template:\n").replace("gpu: 2 #", "gpu: *n #"),
    ),
    "a replacement elsewhere": files(
        more="replacements: [{source: {kind: Deployment, fieldPath: metadata.name}, targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.metadata.labels.app]}]}]\n"
    ),
    "the patch has the name": {
        **{name: text for name, text in files(key="patches: [{path: chat-gpu.yaml}]").items() if "gpu.yaml" not in name},
        "prod/chat-gpu.yaml": PATCH,
    },
    "two workloads in a file": files(
        BASE + "---\n" + BASE.replace("chat", "embed"), PATCH + "---\n" + PATCH.replace("chat", "embed").replace(": 2", ": 1")
    ),
    "two files": {
        **files(BASE + "---\n" + BASE.replace("chat", "embed"), key="patches: [{path: gpu.yaml}, {path: more.yaml}]"),
        "prod/more.yaml": PATCH.replace("chat", "embed"),
    },
    "two overlays": {
        **files(),
        "test/kustomization.yaml": "resources: [../base]\npatches: [{path: gpu.yaml}]\n",
        "test/gpu.yaml": PATCH.replace(": 2", ": 1"),
    },
    "an overlay over the other": {**files(), "test/kustomization.yaml": "resources: [../prod]\nnamespace: test\n"},
    "both overlays in one": {
        **files(more="namespace: a\n"),
        "b/kustomization.yaml": "resources: [../base]\nnamespace: b\npatches: [{path: gpu.yaml}]\n",
        "b/gpu.yaml": PATCH,
        "test/kustomization.yaml": "resources: [../prod, ../b]\n",
    },
    "a component": component(),
    "a component for a namespace": component(below="namespace: ml\n"),
    "a component of two overlays": {**component(), "test/kustomization.yaml": "resources: [../base]\ncomponents: [../gpus]\nnamespace: test\n"},
    "a StatefulSet": files(*(text.replace("Deployment", "StatefulSet").replace("spec:\n  ", "spec:\n  serviceName: chat\n  ", 1) for text in (BASE, PATCH))),
    "a CronJob": files(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: chat}\nspec:\n  schedule: '* * * * *'\n  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: server, image: s}]}}}}\n",
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: chat}\nspec:\n  jobTemplate: {spec: {template: {spec: {containers: [{name: server, resources: {limits: {nvidia.com/gpu: 1}}}]}}}}\n",
    ),
    "a Pod": files(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: chat}\nspec: {containers: [{name: server, image: s}]}\n",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: chat}\nspec: {containers: [{name: server, resources: {limits: {nvidia.com/gpu: 1}}}]}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("tree", SOUND.values(), ids=SOUND.keys())
def test_what_kustomize_builds_is_what_converting_its_output_makes(run, tree):
    found = run(tree)
    assert found.every == {"converted"}, found.reasons


RENAMED = {
    "a suffix": files(more="nameSuffix: -b\n"),
    "a prefix below": files(below="namePrefix: low-\n"),
    "a prefix below and one above": files(below="namePrefix: low-\n", more="namePrefix: p-\n"),
    "a suffix below a component": component(below="nameSuffix: -low\n"),
}


@pytest.mark.parametrize("tree", RENAMED.values(), ids=RENAMED.keys())
def test_names_follow_where_they_are_others_than_those_of_the_output(run, tmp_path, tree, kustomize):
    found = run(tree, builds=())
    assert found.every == {"converted"}, found.reasons
    workload, template = kustomize.build(tmp_path / "tree/prod")
    (claim,) = workload["spec"]["template"]["spec"]["resourceClaims"]
    assert template["kind"] == "ResourceClaimTemplate"
    assert claim == {"name": "gpu", "resourceClaimTemplateName": template["metadata"]["name"]}


def merge(text):
    """A strategic merge for the Deployment, as an entry of patches; text: its pod spec."""
    head = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {template: {spec: "
    return json.dumps({"patch": f"{head}{text}}}}}}}"})


def steps(*steps):
    """A JSON patch for Deployments, as an entry of patches: (op, path, value)."""
    keys = ("op", "path", "value")
    patch = json.dumps([dict(zip(keys, step, strict=False)) for step in steps])
    return json.dumps({"target": {"kind": "Deployment"}, "patch": patch})


def with_patch(entry, first=False):
    entries = [entry, "{path: gpu.yaml}"] if first else ["{path: gpu.yaml}", entry]
    return files(key=f"patches: [{', '.join(entries)}]")


POD = "/spec/template/spec"
RAY = """\
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: chat}
spec: {template: {spec: {containers: [{name: server, image: s, GPU}]}}}
"""
TEMPLATE = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: chat-gpu}\n"
HELD = {
    "the base has GPUs for another container": (
        files(BASE.replace("image: log:1}", "image: log:1, resources: {limits: {nvidia.com/gpu: 1}}}")), "applies the file as a patch"
    ),
    "no base": (
        {**files(patch=PATCH), "base/base.yaml": BASE.replace("name: chat", "name: talk"), "prod/kustomization.yaml": "resources: [../base]\n", "odd/kustomization.yaml": "resources: [../base]\npatches: [{path: gpu.yaml}]\n", "odd/gpu.yaml": PATCH},
        "its base holds no Deployment chat, or more than one",
    ),
    "two bases": (
        {**files(more="namespace: b\n"), "base/base.yaml": BASE.replace("  name: chat", "  name: chat\n  namespace: ml") + "---\n" + BASE.replace("  name: chat", "  name: chat\n  namespace: web"),
         "prod/kustomization.yaml": "resources: [../base]\npatches: [{path: gpu.yaml}]\n", "prod/gpu.yaml": PATCH.replace("  name: chat", "  name: chat\n  namespace: ml")},
        "its base holds no Deployment chat, or more than one",
    ),
    "a target for all": (files(key="patches: [{path: gpu.yaml, target: {kind: Deployment}}]"), "is not for this one object"),
    "a target by label": (
        files(key="patches: [{path: gpu.yaml, target: {kind: Deployment, name: chat, labelSelector: a=b}}]"), "is not for this one object"
    ),
    "another patch in the file": (
        files(patch=pod(PATCH.replace("nvidia.com/gpu", "cpu"), L4) + "---\n" + PATCH), "another patch for the object stands beside it"
    ),
    "a directive": (files(patch=PATCH.replace("limits:\n", "limits:\n              $patch: replace\n")), "holds a directive"),
    "a custom resource": (files(RAY.replace(", GPU", ""), RAY.replace("GPU", "resources: {limits: {nvidia.com/gpu: 1}}")), "applies the file as a patch"),
    "tolerations of the base": (files(pod(BASE, SPOT)), "would take the place of the base's list"),
    "a label of the base": (files(pod(BASE, L4)), "stand in the base, too"),
    "an affinity of the base": (files(pod(BASE, AFFINITY)), "stand in the base, too"),
    "an affinity over another one": (files(pod(BASE, ZONE), pod(PATCH, AFFINITY)), "stand in the base, too"),
    "kept in the base": (files(BASE.replace("metadata:\n  name: chat", "metadata:\n  name: chat\n  annotations: {dralint.io/keep: later}")), "dralint.io/keep: later"),
    "kept in the patch": (files(patch=PATCH.replace("metadata:\n  name: chat", "metadata:\n  name: chat\n  annotations: {dralint.io/keep: later}")), "dralint.io/keep: later"),
    "a node by name": (files(pod(BASE, "      nodeName: one\n")), "with its base: nodeName"),
    "a reference in the base": (
        files(BASE.replace("image: log:1}", "image: log:1, env: [{name: N, valueFrom: {resourceFieldRef: {containerName: server, resource: limits.nvidia.com/gpu}}}]}")),
        "with its base: a resourceFieldRef",
    ),
    "claims in the base": (
        files(pod(BASE, "      resourceClaims: [{name: nic, resourceClaimTemplateName: nic}]\n")), "resourceClaims of its base"
    ),
    "an init container beside a sidecar only the base says is one": (
        files(pod(BASE, SIDECAR.replace("proxy:1", "proxy:1") + "        - {name: fetch, image: fetch:1}\n"),
              pod(PATCH, "      initContainers:\n        - {name: proxy, resources: {limits: {nvidia.com/gpu: 1}}}\n        - {name: fetch, resources: {limits: {nvidia.com/gpu: 3}}}\n")),
        "with its base: ",
    ),
    "limits and requests differ": (files(patch=PATCH + "            requests: {nvidia.com/gpu: 1}\n"), "with its base: limits and requests"),
    "renamed, with a configuration of the name": ({**files(more="namePrefix: p-\n"), "prod/claim-names.yaml": "a: 1\n"}, "renames objects"),
    "another patch gives GPUs": (with_patch(merge("{containers: [{name: log, resources: {limits: {nvidia.com/gpu: 1}}}]}")), "another patch asks for GPUs"),
    "another patch takes limits": (with_patch(merge("{containers: [{name: server, resources: {limits: null}}]}"), first=True), "another patch changes"),
    "another patch has claims": (with_patch(merge("{resourceClaims: [{name: nic, resourceClaimName: nic}]}"), first=True), "another patch changes"),
    "another patch has tolerations": (with_patch(merge("{tolerations: [{key: spot}]}")), "another patch changes tolerations"),
    "another patch has labels": (with_patch(merge("{nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}}")), "another patch asks for node labels"),
    "another patch adds a step": (with_patch(steps(("add", f"{POD}/tolerations", [{"key": "spot"}]))), "another patch changes tolerations"),
    "another patch changes resources by index": (
        with_patch(steps(("add", f"{POD}/containers/0/resources", {"limits": {"cpu": 1}})), first=True), "another patch changes"
    ),
    "another patch removes a container": (with_patch(steps(("remove", f"{POD}/containers/1")), first=True), "another patch changes"),
    "a template of the name": (
        {**files(more="").copy(), "prod/kustomization.yaml": "resources: [../base, own.yaml]\npatches: [{path: gpu.yaml}]\n", "prod/own.yaml": TEMPLATE},
        "ResourceClaimTemplate chat-gpu is there already",
    ),
    "a StatefulSet of the name": (
        {**files(), "prod/kustomization.yaml": "resources: [../base, set.yaml]\npatches: [{path: gpu.yaml}]\n",
         "prod/set.yaml": BASE.replace("Deployment", "StatefulSet").replace("memory: 1Gi", "nvidia.com/gpu: 1")},
        "its template has the same name",
    ),
    "a resource as well": (
        {**files(), "test/kustomization.yaml": "resources: [../prod/gpu.yaml]\n"}, "among its resources, too"
    ),
    "a replacement": (
        files(more="replacements: [{source: {kind: Deployment, fieldPath: spec.replicas}, targets: [{select: {kind: Deployment}, fieldPaths: ['spec.template.spec.containers.0.resources.limits.[nvidia.com/gpu]']}]}]\n"),
        "which the conversion changes",
    ),
    "a replacement in a file": (
        {**files(more="replacements: [{path: r.yaml}]\n"), "prod/r.yaml": "source: {kind: Deployment, fieldPath: spec.replicas}\ntargets: [{select: {kind: Deployment}, fieldPaths: ['spec.template.spec.containers.0.resources.limits.[nvidia.com/gpu]']}]\n"},
        "which the conversion changes",
    ),
    "a transformer": ({**files(more="transformers: [t.yaml]\n"), "prod/t.yaml": "apiVersion: example.com/v1\nkind: Cards\nmetadata: {name: cards}\nlimit: nvidia.com/gpu\n"}, "the transformer Cards is about GPUs"),
    "a component nobody lists": (
        {**component(), "prod/kustomization.yaml": "resources: [../base]\n"}, "no kustomization that lists the component is known"
    ),
    "a component for two bases": (
        {**component(), "other/kustomization.yaml": "resources: [base.yaml]\ncomponents: [../gpus]\n", "other/base.yaml": BASE},
        "have different objects for it",
    ),
    "a component in two namespaces": (
        {**component(), "ml/kustomization.yaml": "resources: [../base]\nnamespace: ml\n", "test/kustomization.yaml": "resources: [../ml]\ncomponents: [../gpus]\n"},
        "in several namespaces",
    ),
    "its file name is taken twice": (
        {**files(), "prod/chat-gpu.yaml": "a: 1\n", "prod/chat-gpu-template.yaml": "a: 1\n"}, "are taken in prod"
    ),
    "the kustomization cannot be edited": (
        {**files(), "prod/kustomization.yaml": "resources: &a [../base]\nx: *a\npatches: [{path: gpu.yaml}]\n"}, "cannot be edited safely"
    ),
    "two documents": (files(more="---\nkind: Kustomization\n"), "is not one document"),
    "an alias for two containers": (
        files(patch=PATCH.replace("resources:\n", "resources: &gpus\n") + "        - {name: log, resources: *gpus}\n"), "its text cannot be edited safely"
    ),
}  # fmt: skip


@pytest.fixture
def held(tmp_path, monkeypatch, dralint):
    """Converts a tree in place: what is said of the patch; nothing of it may change."""

    def told(tree, *arguments):
        for name, text in tree.items():
            (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / name).write_text(text)
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(tmp_path)
        ran = dralint("convert", "--write", "--report", "report.json", *(arguments or ["."]))
        assert ran.code in (0, 1), ran.err
        report = json.loads((tmp_path / "report.json").read_text())
        (tmp_path / "report.json").unlink()
        found = Result(report)
        for name in tree:
            if "gpu" in name or name == "prod/kustomization.yaml":
                assert (tmp_path / name).read_text() == tree[name]
        return found

    return told


@pytest.mark.parametrize(("tree", "reason"), HELD.values(), ids=HELD.keys())
def test_what_is_not_sure_is_left(held, tree, reason):
    found = held(tree)
    patch = next(name for name in ("odd/gpu.yaml", "prod/gpu.yaml", "gpus/gpu.yaml") if name in tree)
    assert "converted" not in found.outcomes[patch]
    assert all(reason in each for each in found.reasons[patch])


@pytest.mark.parametrize("named", [["prod/gpu.yaml"], ["prod/gpu.yaml", "base"]])
def test_the_kustomization_must_be_named(held, named):
    found = held(files(), *named)
    assert found.outcomes == {"prod/gpu.yaml": {"needs-decision"}}
    (each,) = found.report["occurrences"]
    assert (
        "prod/kustomization.yaml, which is to list its template, is not among the named files"
        in each["reason"]
    )
    assert each["next"] == "name prod/kustomization.yaml, too"


@pytest.mark.parametrize("git", [True, False])
@pytest.mark.parametrize("named", [["prod"], ["prod/gpu.yaml", "prod/kustomization.yaml"]])
def test_the_base_need_not_be_named(run, git, named):
    assert run(files(), named=named, git=git).every == {"converted"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--mode", "claims"),
        ("--mode", "implicit"),
        ("--node-labels", "both"),
        ("--node-labels", "keep"),
        ("--no-toleration",),
        ("--suffix-hash",),
        ("--sharing", "exclusive"),
        ("--companions",),
    ],
)
def test_options_mean_the_same_in_a_patch(run, arguments):
    base = pod(BASE, SPOT) if "--no-toleration" in arguments else BASE
    found = run(files(base, pod(PATCH, L4)), *arguments)
    assert found.every == {"converted"}, found.reasons


def test_labels_of_the_base_may_be_kept(run):
    assert run(files(pod(BASE, L4)), "--node-labels", "keep").every == {"converted"}


def test_what_stays_an_extended_resource_stays_in_the_patch(run):
    found = run(files(), "--mode", "extended-resource")
    assert found.outcomes == {"prod/gpu.yaml": {"kept"}}


def test_an_overlay_leaves_patches(tmp_path, monkeypatch, dralint):
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    before = texts(tmp_path)
    ran = dralint("convert", "--output-overlay", "dra", ".")
    assert "applies the file as a patch, and no component converts patches, but --write may" in ran.err
    assert texts(tmp_path) == before


def test_the_texts(run, tmp_path, snapshot):
    run(files(patch=pod(PATCH, L4)))
    changed = ("prod/gpu.yaml", "prod/kustomization.yaml", "prod/chat-gpu.yaml")
    assert {name: (tmp_path / "tree" / name).read_text() for name in changed} == snapshot


def test_line_ends_stay(run, tmp_path):
    tree = files()
    run({name: text.replace("\n", "\r\n") for name, text in tree.items()})
    for name in ("prod/gpu.yaml", "prod/kustomization.yaml"):
        text = (tmp_path / "tree" / name).read_bytes()
        assert text.count(b"\n") == text.count(b"\r\n")


def test_the_diff_makes_the_file_too(tmp_path, monkeypatch, dralint):
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copytree(tmp_path, tmp_path / "copy")
    for root in (tmp_path, tmp_path / "copy"):
        subprocess.run(["git", "init", "-q", str(root)], check=True)
    monkeypatch.chdir(tmp_path / "copy")
    diff = dralint("convert", ".")
    assert diff.code == 1
    assert "3 files would change" in diff.err
    subprocess.run(["git", "apply"], input=diff.out.encode(), check=True)
    monkeypatch.chdir(tmp_path)
    assert dralint("convert", "--write", "base", "prod").code == 0
    assert texts(tmp_path / "copy/prod") == texts(tmp_path / "prod")


def test_what_is_told_of_a_file_that_is_made(tmp_path, monkeypatch, dralint, root):
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    ran = dralint("convert", "--check", "--report", "report.json", "prod")
    assert ran.code == 1
    assert "prod/chat-gpu.yaml: would be made\n" in ran.err
    assert not (tmp_path / "prod/chat-gpu.yaml").exists()
    report = json.loads((tmp_path / "report.json").read_text())
    made = {each["path"]: each["made"] for each in report["files"]}
    assert made == {"prod/gpu.yaml": False, "prod/kustomization.yaml": False, "prod/chat-gpu.yaml": True}
    schema = json.loads((root / "schemas/convert.schema.json").read_text())
    jsonschema.validate(report, schema)


def test_a_copy_has_the_file_too(tmp_path, monkeypatch, dralint):
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    ran = dralint("convert", "--output-dir", "out", "base", "prod")
    assert ran.code == 0, ran.err
    copied = texts(tmp_path / "out")
    assert sorted(copied) == [
        "base/base.yaml",
        "base/kustomization.yaml",
        "prod/chat-gpu.yaml",
        "prod/gpu.yaml",
        "prod/kustomization.yaml",
    ]
    assert not (tmp_path / "prod/chat-gpu.yaml").exists()
    assert dralint("convert", "--write", "base", "prod").code == 0
    assert texts(tmp_path / "prod") == {
        name.removeprefix("prod/"): text for name, text in copied.items() if "prod/" in name
    }
