"""A patch that gives an object another name or kind: later patches are for that, and hold the object back."""

from __future__ import annotations

import json

import pytest

from dralint.convert.kustomize.applied import Patch

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
        image: s:1
        resources:
          limits: {nvidia.com/gpu: 1}
"""
OBJECT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: talk}\n"
MORE = (
    OBJECT
    + "spec: {template: {spec: {containers: [{name: server, resources: {limits: {nvidia.com/gpu: 4}}}]}}}\n"
)
TARGET = "{kind: Deployment, name: chat}"
NAME = {"allowNameChange": True}
KIND = {"allowKindChange": True}


def entry(text, options, target=TARGET):
    return f"- target: {target}\n  options: {json.dumps(options)}\n  patch: {json.dumps(text)}\n"


def steps(*found):
    return json.dumps([{"op": "replace", "path": path, "value": value} for path, value in found])


def transformer(text):
    return f"transformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {{name: a}}\n  target: {TARGET}\n  options: {{allowNameChange: true, allowKindChange: true}}\n  patch: {json.dumps(text)}\n"


# What gives the name or the kind, and the object that the patch above is for.
RENAMES = {
    "a merge": ("patches:\n" + entry(OBJECT, NAME), MORE),
    "a step": ("patches:\n" + entry(steps(("/metadata/name", "talk")), NAME), MORE),
    "all metadata": ("patches:\n" + entry(steps(("/metadata", {"name": "talk"})), NAME), MORE),
    "a merge of a transformer": (transformer(OBJECT), MORE),
    "two after each other": (
        "patches:\n" + entry(OBJECT.replace("talk", "say"), NAME) + entry(OBJECT, NAME, "{kind: Deployment, name: say}"),
        MORE,
    ),
    "with a prefix": ("namePrefix: p-\npatches:\n" + entry(OBJECT, NAME), MORE.replace("talk", "p-talk")),
    "a kind by a merge": (
        "patches:\n" + entry(OBJECT.replace("Deployment", "StatefulSet").replace("talk", "chat"), KIND),
        MORE.replace("Deployment", "StatefulSet").replace("talk", "chat"),
    ),
    "a kind by a step": (
        "patches:\n" + entry(steps(("/kind", "StatefulSet")), KIND),
        MORE.replace("Deployment", "StatefulSet").replace("talk", "chat"),
    ),
    "a kind of a transformer": (
        transformer(OBJECT.replace("Deployment", "StatefulSet")), MORE.replace("Deployment", "StatefulSet")
    ),
}  # fmt: skip


def write(root, tree):
    (root / ".git").mkdir()
    for name, text in tree.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text)


@pytest.mark.parametrize(("renames", "more"), RENAMES.values(), ids=RENAMES.keys())
@pytest.mark.parametrize("inside", [True, False])
def test_a_patch_by_the_new_name_or_kind_holds_the_base(tmp_path, dralint, kustomize, renames, more, inside):
    patch = f"patches: [{{patch: {json.dumps(more)}}}]\n" if inside else "patches: [{path: more.yaml}]\n"
    tree = {
        "base/kustomization.yaml": "resources: [base.yaml]\n",
        "base/base.yaml": BASE,
        "prod/kustomization.yaml": f"resources: [../base]\n{renames}",
        "top/kustomization.yaml": f"resources: [../prod]\n{patch}",
        **({} if inside else {"top/more.yaml": more}),
    }
    write(tmp_path, tree)
    before = kustomize.build(tmp_path / "top")
    assert "'nvidia.com/gpu': 4" in str(before)
    ran = dralint("convert", "--write", tmp_path)
    assert ran.code == 1
    after = kustomize.build(tmp_path / "top")
    assert ("resourceClaims" in str(after)) != ("nvidia.com/gpu" in str(after))
    again = dralint("convert", "--check", tmp_path)
    assert "would change" not in again.err


@pytest.mark.parametrize("target", ["{kind: Deployment, name: ''}", "{kind: '', name: chat}", "{name: ch.*}"])
def test_an_empty_field_of_a_target_means_all(tmp_path, dralint, kustomize, target):
    step = steps(("/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu", 4))
    tree = {
        "base.yaml": BASE,
        "kustomization.yaml": "resources: [base.yaml]\npatches:\n" + entry(step, {}, target),
    }
    write(tmp_path, tree)
    assert "'nvidia.com/gpu': 4" in str(kustomize.build(tmp_path))
    assert dralint("convert", "--write", tmp_path).code == 1
    assert (tmp_path / "base.yaml").read_text() == BASE


@pytest.mark.parametrize("targeted", [True, False])
def test_an_object_is_compared_with_its_own_patches_only(tmp_path, dralint, monkeypatch, targeted):
    """A project has a thousand of each."""
    many = 40
    bases = "---\n".join(BASE.replace("name: chat", f"name: chat-{index}") for index in range(many))
    texts = [OBJECT.replace("talk", f"chat-{index}") + "spec: {replicas: 3}\n" for index in range(many)]
    patches = (
        entry(text, {}, f"{{kind: Deployment, name: chat-{index}}}")
        if targeted
        else f"- patch: {json.dumps(text)}\n"
        for index, text in enumerate(texts)
    )
    tree = {"base.yaml": bases, "kustomization.yaml": "resources: [base.yaml]\npatches:\n" + "".join(patches)}
    write(tmp_path, tree)
    compared, bodies = [], Patch.bodies

    def counted(patch, obj, names):
        compared.append(obj)
        return bodies(patch, obj, names)

    monkeypatch.setattr(Patch, "bodies", counted)
    ran = dralint("convert", "--check", tmp_path)
    assert f"{many} GPU requests: {many} converted" in ran.err
    assert many <= len(compared) < 10 * many
