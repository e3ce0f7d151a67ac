"""Replacements, variables and transformers beside a conversion: real kustomize says which go together with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.convert.test_convert_patches import DEPLOYMENT, objects
from tests.convert.test_name_configuration import settled
from tests.kustomize import BuildError

SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {count: "4", image: "server:9", limits: "1", zone: b, product: NVIDIA-L40S}
"""
POD = "spec.template.spec"
GPU = f"{POD}.containers.[name=server].resources.limits.[nvidia.com/gpu]"
CHAT = {"kind": "Deployment", "name": "chat"}


def replaced(field, source="data.count", select=None, **more):
    """A replacement that sets a field from a ConfigMap."""
    target = {"select": select or CHAT, "fieldPaths": [field], **more}
    return {
        "source": {"kind": "ConfigMap", "name": "settings", "fieldPath": source},
        "targets": [target],
    }


def from_field(field):
    """A replacement that reads a field of the workload."""
    return {
        "source": {**CHAT, "fieldPath": field},
        "targets": [{"select": {"kind": "ConfigMap"}, "fieldPaths": ["data.limits"]}],
    }


def var(field):
    return {
        "vars": [
            {
                "name": "SETTING",
                "objref": {**CHAT, "apiVersion": "apps/v1"},
                "fieldref": {"fieldpath": field},
            }
        ]
    }


def builtin(kind, **fields):
    return {"apiVersion": "builtin", "kind": kind, "metadata": {"name": "one"}, **fields}


def steps(op, path, value=None):
    return json.dumps([{"op": op, "path": path, **({} if value is None else {"value": value})}])


LIMIT = "/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu"
IMAGE = "/spec/template/spec/containers/0/image"
NAMES = [{"path": "metadata/name"}]
CREATE = {"options": {"create": True}}
# What goes together with the conversion.
TOGETHER_REPLACEMENTS = {
    "an image": replaced(f"{POD}.containers.[name=server].image", "data.image"),
    "an image of all": replaced(f"{POD}.containers.*.image", "data.image"),
    "an image by index": replaced(f"{POD}.containers.0.image", "data.image"),
    "replicas": replaced("spec.replicas", **CREATE),
    "limits of another container": replaced(f"{POD}.containers.[name=log].resources.limits.cpu"),
    "a new request": replaced(f"{POD}.containers.0.resources.requests.memory", **CREATE),
    "a zone": replaced(f"{POD}.nodeSelector.zone", "data.zone"),
    "GPUs of another object": replaced(GPU, select={"kind": "Deployment", "name": "other"}),
    "GPUs of all but this": replaced(GPU, select={"kind": "Deployment"}, reject=[{"name": "chat"}]),
    "an annotation with the name": replaced("metadata.annotations.[nvidia.com/gpu]", **CREATE),
    "reads an image": from_field(f"{POD}.containers.0.image"),
    "reads a name": from_field("metadata.name"),
    "reads a request": from_field(f"{POD}.containers.0.resources.requests.cpu"),
}
APART_REPLACEMENTS = {
    "the count": replaced(GPU),
    "the count of all": replaced(GPU.replace("[name=server]", "0"), select={"kind": "Deploy.*"}),
    "the count with a backslash": replaced(GPU.replace("[nvidia.com/gpu]", r"nvidia\.com/gpu")),
    "the request": replaced(f"{POD}.containers.0.resources.requests.[nvidia.com/gpu]"),
    "GPUs of another container": replaced(
        f"{POD}.containers.[name=log].resources.limits.[nvidia.com/gpu]", **CREATE
    ),
    "something in the limits": replaced(f"{POD}.containers.0.resources.limits.memory", **CREATE),
    "claims": replaced(f"{POD}.resourceClaims.0.name", **CREATE),
    "a label of cards": replaced(f"{POD}.nodeSelector.[nvidia.com/gpu.product]", "data.product"),
    "one more label of cards": replaced(f"{POD}.nodeSelector.[nvidia.com/gpu.count]", **CREATE),
    "a count but for another name": replaced(GPU, reject=[{"name": "other"}]),
    "reads the count": from_field(GPU),
    "reads the limits": from_field(f"{POD}.containers.0.resources.limits"),
    "reads a label": from_field(f"{POD}.nodeSelector.[nvidia.com/gpu.product]"),
}
TOGETHER = {
    "a variable of an image": var(f"{POD}.containers[0].image"),
    "a variable of a name": var("metadata.name"),
    "images": {"images": [{"name": "server", "newTag": "2"}]},
    "replicas of the kustomization": {"replicas": [{"name": "chat", "count": 2}]},
    "labels of the kustomization": {"labels": [{"pairs": {"a": "b"}, "includeTemplates": True}]},
    "annotations": {"commonAnnotations": {"a": "b"}},
    "a generator": {"secretGenerator": [{"name": "s", "literals": ["a=b"]}], "generatorOptions": {"labels": {"a": "b"}}},
    "an order": {"sortOptions": {"order": "fifo"}},
    "a namespace": {"namespace": "lab"},
    "definitions of nothing": {"crds": ["crd.json"]},
    "schemas of Kubernetes": {"openapi": {"version": "v1.21.2"}},
    "patch of an image": builtin("PatchTransformer", patch=steps("replace", IMAGE, "x:2"), target=CHAT),
    "JSON patch of an image": builtin(
        "PatchJson6902Transformer", jsonOp=steps("replace", IMAGE, "x:2"), target={**CHAT, "group": "apps", "version": "v1"}
    ),
    "merge of replicas": builtin(
        "PatchStrategicMergeTransformer",
        patches="apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec: {replicas: 3}\n",
    ),
    "prefix": builtin("PrefixTransformer", prefix="dev-", fieldSpecs=NAMES),
    "suffix of Deployments": builtin("SuffixTransformer", suffix="-dev", fieldSpecs=[{**NAMES[0], "kind": "Deployment"}]),
    "replicas": builtin("ReplicaCountTransformer", replica={"name": "chat", "count": 2}, fieldSpecs=[{"path": "spec/replicas", "create": True, "kind": "Deployment"}]),
    "labels": builtin("LabelTransformer", labels={"a": "b"}, fieldSpecs=[{"path": "spec/template/metadata/labels", "create": True, "kind": "Deployment"}]),
    "added value": builtin("ValueAddTransformer", value="1", targets=[{"selector": CHAT, "fieldPath": "spec/replicas"}]),
    "replacement": builtin("ReplacementTransformer", replacements=[TOGETHER_REPLACEMENTS["an image"]]),
}  # fmt: skip
APART = {
    "a variable of the count": var(rf"{POD}.containers[0].resources.limits.nvidia\.com/gpu"),
    "patch of the count": builtin("PatchTransformer", patch=steps("replace", LIMIT, 4), target=CHAT),
    "JSON patch of the count": builtin(
        "PatchJson6902Transformer", jsonOp=steps("remove", LIMIT), target={**CHAT, "group": "apps", "version": "v1"}
    ),
    "merge of GPUs": builtin(
        "PatchStrategicMergeTransformer",
        patches="apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec: {template: {spec: {containers: "
        "[{name: server, resources: {limits: {nvidia.com/gpu: 4}}}]}}}\n",
    ),
    "added value": builtin(
        "ValueAddTransformer",
        value="4",
        targets=[{"selector": CHAT, "fieldPath": "spec/template/spec/nodeSelector/nvidia.com\\/gpu.product"}],
    ),
    "replacement": builtin("ReplacementTransformer", replacements=[APART_REPLACEMENTS["the count"]]),
}  # fmt: skip


def overlay_of(entry, form):
    """The overlay and its files; form: where the replacement or transformer stands."""
    if "apiVersion" not in entry and "targets" not in entry:
        return entry, {}
    key = "replacements" if "targets" in entry and "source" in entry else "transformers"
    text = yaml.safe_dump(entry)
    if form == "inline":
        return {key: [entry if key == "replacements" else text]}, {}
    if form == "directory":
        return {key: ["below"]}, {
            "overlay/below/kustomization.yaml": "resources: [one.yaml]\n",
            "overlay/below/one.yaml": text,
        }
    if form == "list":
        text = yaml.safe_dump([entry])
    named = {"path": "one.yaml"} if key == "replacements" else "one.yaml"
    return {key: [named]}, {"overlay/one.yaml": text}


def in_turn(entries, forms):
    """Each entry in one of the forms that it can be written in."""
    turns = [
        (name, entry, forms[number % len(forms)]) for number, (name, entry) in enumerate(entries.items())
    ]
    return [pytest.param(entry, form, id=f"{name}, {form}") for name, entry, form in turns]


@pytest.fixture
def outcome(tmp_path, monkeypatch, dralint, kustomize):
    """What becomes of the base's requests; where they are converted it is proved to be sound."""

    def converted(entry, form):
        overlay, more = overlay_of(entry, form)
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(tmp_path)
        for name, text in {
            "base/base.yaml": DEPLOYMENT,
            "base/settings.yaml": SETTINGS,
            "overlay/crd.json": "{}",
            "base/kustomization.yaml": "resources: [base.yaml, settings.yaml]\n",
            "overlay/kustomization.yaml": json.dumps({"resources": ["../base"], **overlay}),
            **more,
        }.items():
            Path(name).parent.mkdir(exist_ok=True, parents=True)
            Path(name).write_text(text)
        rendered = kustomize.build(tmp_path / "overlay")
        ran = dralint("convert", "--write", "--report", "report.json", "base")
        assert ran.code in (0, 1), ran.err
        (found,) = json.loads(Path("report.json").read_bytes())["occurrences"]
        if found["outcome"] == "converted":
            after = kustomize.build(tmp_path / "overlay")
            Path("rendered.yaml").write_text(yaml.safe_dump_all(rendered))
            ran = dralint("convert", "--write", "rendered.yaml")
            assert settled(after) == settled(objects(Path("rendered.yaml").read_text())), ran.err
        return found["outcome"], found["reason"]

    return converted


@pytest.mark.parametrize(("entry", "form"), in_turn(TOGETHER_REPLACEMENTS, ("inline", "file", "list")))
def test_replacements_that_go_together_with_the_conversion(outcome, entry, form):
    assert outcome(entry, form)[0] == "converted"


@pytest.mark.parametrize(("entry", "form"), in_turn(APART_REPLACEMENTS, ("inline", "file", "list")))
def test_replacements_that_would_undo_or_break_it(outcome, entry, form):
    found, reason = outcome(entry, form)
    assert found == "needs-decision"
    assert f"overlay/{'kustomization' if form == 'inline' else 'one'}.yaml:" in reason
    assert (
        "a replacement reads" if entry["source"]["kind"] == "Deployment" else "a replacement sets"
    ) in reason


@pytest.mark.parametrize(("entry", "form"), in_turn(TOGETHER, ("inline", "file", "directory")))
def test_what_else_goes_together_with_the_conversion(outcome, entry, form):
    assert outcome(entry, form)[0] == "converted"


@pytest.mark.parametrize(("entry", "form"), in_turn(APART, ("inline", "file", "directory")))
def test_what_else_would_undo_or_break_it(outcome, entry, form):
    found, reason = outcome(entry, form)
    assert found == "needs-decision"
    assert ".yaml:" in reason


TREE = {
    "base/base.yaml": DEPLOYMENT,
    "base/kustomization.yaml": "resources: [base.yaml]\n",
}


def run(tmp_path, monkeypatch, dralint, files):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, text in {**TREE, **files}.items():
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        Path(name).write_text(text)
    return dralint("convert", "--check", "base").err


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ("x: 1", "warning: the transformer Sizer (overlay/t.yaml:1:1) is not kustomize's own"),
        ("gpus: {nvidia.com/gpu: 4}", "needs-decision: nvidia.com/gpu in container server"),
    ],
)
def test_a_transformer_that_kustomize_has_not(tmp_path, monkeypatch, dralint, settings, says):
    files = {
        "overlay/kustomization.yaml": "resources: [../base]\ntransformers: [t.yaml, missing.yaml]\n",
        "overlay/t.yaml": f"apiVersion: example.com/v1\nkind: Sizer\nmetadata: {{name: a}}\n{settings}\n",
    }
    err = run(tmp_path, monkeypatch, dralint, files)
    assert says in err
    assert "the transformer Sizer (overlay/t.yaml:1:1)" in err
    assert ("1 converted" in err) == ("warning" in says)


SCHEMA = {
    "definitions": {
        "d": {"x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "%s"}]}
    }
}
IMAGE_PATCH = """\
resources: [../base]
openapi: {path: schema.json}
patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: chat}
    spec: {template: {spec: {containers: [{name: server, image: "x:2"}]}}}
"""


@pytest.mark.parametrize(("kind", "converted"), [("Deployment", True), ("StatefulSet", False)])
def test_a_schema_that_lacks_the_kind(tmp_path, monkeypatch, dralint, kustomize, kind, converted):
    """kustomize replaces its lists then: the patched container has no resources any more."""
    files = {
        "overlay/kustomization.yaml": IMAGE_PATCH,
        "overlay/schema.json": json.dumps(SCHEMA).replace("%s", kind),
    }
    err = run(tmp_path, monkeypatch, dralint, files)
    assert ("1 converted" in err) == converted
    if not converted:
        (built,) = kustomize.build(tmp_path / "overlay")
        assert built["spec"]["template"]["spec"]["containers"] == [{"name": "server", "image": "x:2"}]
        assert "a patch for the object changes" in err


@pytest.mark.parametrize("name", ["chat", "dev-chat", "dev-chat-x", "other"])
@pytest.mark.parametrize("form", ["target", "merge"])
def test_an_outer_patch_names_what_an_inner_kustomization_renamed(
    tmp_path, monkeypatch, dralint, kustomize, name, form
):
    patch, target = steps("replace", LIMIT, 4), {"target": {"kind": "Deployment", "name": name}}
    if form == "merge":
        pod = {"containers": [{"name": "server", "resources": {"limits": {"nvidia.com/gpu": "4"}}}]}
        head = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}}
        patch, target = json.dumps({**head, "spec": {"template": {"spec": pod}}}), {}
    overlay = {"resources": ["../dev"], "patches": [{"patch": patch, **target}], "nameSuffix": "-x"}
    files = {
        "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\n",
        "overlay/kustomization.yaml": json.dumps(overlay),
    }
    err = run(tmp_path, monkeypatch, dralint, files)
    try:
        (built,) = kustomize.build(tmp_path / "overlay")
        (server, _) = built["spec"]["template"]["spec"]["containers"]
        applies = str(server["resources"]["limits"]["nvidia.com/gpu"]) == "4"
    except BuildError:  # a merge for an object that is not there
        applies = False
    # The last name is that of the built object, which its own kustomization's patches cannot use yet.
    assert ("1 converted" in err) != (applies or name == "dev-chat-x")


MOVE = json.dumps([{"op": "add", "path": "/metadata/namespace", "value": "moved"}])
ALL = json.dumps([{"op": "replace", "path": "/metadata", "value": {"name": "chat", "namespace": "moved"}}])
MOVES = [
    ({"patches": [{"target": {"kind": "Deployment"}, "patch": MOVE}]}, False),
    ({"patches": [{"target": {"kind": "Deployment"}, "patch": ALL}]}, False),
    ({"patches": [{"target": {"name": "chat"}, "patch": MOVE}]}, False),
    ({"patches": [{"target": {"kind": "Deployment|ResourceClaimTemplate"}, "patch": MOVE}]}, True),
    ({"patches": [{"target": {"name": "chat.*"}, "patch": MOVE}]}, True),
    ({"namespace": "moved"}, True),
    (
        {
            "resources": ["../base", "settings.yaml"],
            "replacements": [replaced("metadata.namespace", "data.zone", {"kind": "Deployment"}, **CREATE)],
        },
        False,
    ),
]


@pytest.mark.parametrize(("overlay", "together"), MOVES)
def test_an_object_that_moves_to_another_namespace(
    tmp_path, monkeypatch, dralint, kustomize, overlay, together
):
    """Its templates must move with it."""
    text = json.dumps({"resources": ["../base"], **overlay})
    files = {"overlay/kustomization.yaml": text, "overlay/settings.yaml": SETTINGS}
    err = run(tmp_path, monkeypatch, dralint, files)
    assert ("1 converted" in err) == together
    assert ("moves the object to another namespace" in err) != together
    dralint("convert", "--write", "base")
    built = [each for each in kustomize.build(tmp_path / "overlay") if each["kind"] != "ConfigMap"]
    spaces = [each["metadata"].get("namespace") for each in built]
    assert len(set(spaces)) == 1
    assert len(built) == 1 + together
