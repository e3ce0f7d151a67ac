"""Patches in strings, and JSON patches, that give GPUs to a base without any; real kustomize proves what they become."""

from __future__ import annotations

import json
import re
import textwrap

import pytest
import yaml

from tests.convert.test_convert_patches import objects
from tests.convert.test_gpu_patches import (
    BASE,
    L4,
    PATCH,
    SPOT,
    TOLERATES,
    component,
    files,
    pod,
    same,
    texts,
)

POD = "/spec/template/spec"
LIMITS = f"{POD}/containers/0/resources/limits"
GPU = f"{LIMITS}/nvidia.com~1gpu"
TARGET = "target: {kind: Deployment, name: chat}"


def inline(patch=PATCH, base=BASE, head="", **of):
    """An overlay with a strategic merge in its kustomization."""
    text = textwrap.indent(patch, "      ").rstrip()
    tree = files(base, patch, key=f"patches:\n  - {head}patch: |-\n{text}", **of)
    del tree["prod/gpu.yaml"]
    return tree


def steps(*steps):
    """The text of a JSON patch: (op, path, value)."""
    keys = ("op", "path", "value")
    return "# Cards.\n" + yaml.safe_dump(
        [dict(zip(keys, each, strict=False)) for each in steps], sort_keys=False
    )


def pointed(*of, base=BASE, inside=True, target=TARGET, **more):
    """An overlay with a JSON patch, in its kustomization or in a file."""
    if inside:
        return inline(steps(*of), base, f"{target}\n    ", **more)
    return files(base, steps(*of), key=f"patches: [{{path: gpu.yaml, {target}}}]", **more)


def in_json(*of, indent=None, inside=False):
    """The same with the steps in JSON, which kustomize reads as nothing else."""
    keys = ("op", "path", "value")
    text = json.dumps([dict(zip(keys, each, strict=False)) for each in of], indent=indent)
    if inside:
        return inline(text, head=f"{TARGET}\n    ")
    return files(BASE, text, key=f"patches: [{{path: gpu.yaml, {TARGET}}}]")


MEMORY = "          resources:\n            limits: {memory: 1Gi}\n"
SOUND = {
    "a merge": inline(),
    "a merge with a target": inline(head=f"{TARGET}\n    "),
    "a merge with a label": inline(pod(PATCH, L4)),
    "a merge for two": inline(PATCH + "---\n" + PATCH.replace("chat", "embed"), BASE + "---\n" + BASE.replace("chat", "embed")),
    "a merge in an old list": {
        **inline(), "prod/kustomization.yaml": "resources: [../base]\npatchesStrategicMerge:\n  - |-\n" + textwrap.indent(PATCH, "    ")
    },
    "a merge, renamed": inline(more="namePrefix: p-\n"),
    "a merge of MIG": inline(PATCH.replace("nvidia.com/gpu:", "nvidia.com/mig-1g.24gb:")),
    "a step": pointed(("add", GPU, 2)),
    "a step with a count in quotes": pointed(("add", GPU, "2")),
    "a step in a file": pointed(("add", GPU, 2), inside=False),
    "a step in an old list": {
        **pointed(("add", GPU, 2), inside=False),
        "prod/kustomization.yaml": "resources: [../base]\npatchesJson6902:\n  - path: gpu.yaml\n    target: {group: apps, version: v1, kind: Deployment, name: chat}\n",
    },
    "steps": pointed(("add", GPU, 2), ("add", f"{LIMITS}/cpu", 4), ("replace", f"{POD}/containers/0/image", "s:2")),
    "steps in a file": pointed(("replace", f"{POD}/containers/0/image", "s:2"), ("add", GPU, 2), inside=False),
    "steps in JSON": in_json(("replace", f"{POD}/containers/0/image", "s:2"), ("add", GPU, 2)),
    "steps in JSON inside": in_json(("add", GPU, 2), ("add", f"{LIMITS}/cpu", 4), inside=True),
    "steps in JSON on lines": in_json(("add", LIMITS, {"nvidia.com/gpu": 2, "memory": "2Gi"}), indent=2),
    "steps in JSON on lines inside": in_json(("add", LIMITS, {"nvidia.com/gpu": 2}), indent=4, inside=True),
    "limits": pointed(("add", LIMITS, {"nvidia.com/gpu": 2, "memory": "2Gi"})),
    "limits of nothing else": pointed(("add", LIMITS, {"nvidia.com/gpu": 2})),
    "resources": pointed(("add", f"{POD}/containers/0/resources", {"limits": {"nvidia.com/gpu": 2}}), base=BASE.replace(MEMORY, "")),
    "resources in a file": pointed(
        ("add", f"{POD}/containers/0/resources", {"limits": {"nvidia.com/gpu": 2}, "requests": {"nvidia.com/gpu": 2}}), inside=False
    ),
    "a container": pointed(("add", f"{POD}/containers/-", {"name": "gpu", "image": "g", "resources": {"limits": {"nvidia.com/gpu": 1}}})),
    "tolerations of the base": pointed(("add", GPU, 2), base=pod(BASE, SPOT)),
    "the base tolerates": pointed(("add", GPU, 2), base=pod(BASE, TOLERATES)),
    "labels of the base": pointed(("add", GPU, 2), base=pod(BASE, L4)),
    "a label": pointed(("add", GPU, 2), ("add", f"{POD}/nodeSelector", {"nvidia.com/gpu.product": "NVIDIA-L4"})),
    "a step, renamed": pointed(("add", GPU, 2), more="namePrefix: p-\n"),
    "a namespace": pointed(("add", GPU, 2), below="namespace: ml\n"),
    "a component": {
        **{name: text for name, text in component().items() if name != "gpus/gpu.yaml"},
        "gpus/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches:\n  - "
         f"{TARGET}\n    patch: |-\n" + textwrap.indent(steps(("add", GPU, 2)), "      "),
    },
    "an image patch beside": inline(more="  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: chat}\n      spec: {replicas: 4}\n"),
}  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch, dralint, kustomize):
    """Converts a tree in place: what it built before, the tree, and what was told."""

    def converted(tree, *arguments):
        root = tmp_path / "tree"
        for name, text in tree.items():
            (root / name).parent.mkdir(exist_ok=True, parents=True)
            (root / name).write_text(text)
        (root / ".git").mkdir()
        monkeypatch.chdir(root)
        built = kustomize.build(root / "prod")
        ran = dralint("convert", "--write", "-v", *arguments, ".")
        assert ran.code in (0, 1), ran.err
        return built, root, ran.err

    return converted


@pytest.mark.parametrize("tree", SOUND.values(), ids=SOUND.keys())
def test_what_kustomize_builds_is_what_converting_its_output_makes(run, dralint, kustomize, tree):
    built, root, told = run(tree)
    assert ": converted: " in told
    assert ": needs-decision: " not in told
    file = root.parent / "rendered.yaml"
    file.write_text(yaml.safe_dump_all(built))
    assert dralint("convert", "--write", file).code == 0
    assert same(kustomize.build(root / "prod")) == same(objects(file.read_text()))
    after = texts(root)
    again = dralint("convert", "--write", ".")
    assert (again.code, texts(root)) == (0, after)
    assert "converted: " not in again.err
    assert dralint("check", ".").code == 0


MORE = "  - patch: |-\n      apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: chat}\n      spec: {template: {spec: "
HELD = {
    "tolerations of the base": (inline(base=pod(BASE, SPOT)), "would take the place of the base's list"),
    "a directive": (inline(PATCH.replace("limits:\n", "limits:\n              $patch: replace\n")), "holds a directive"),
    "a target for all": (inline(head="target: {kind: Deployment}\n    "), "does not name one object"),
    "a folded string": (
        {**inline(), "prod/kustomization.yaml": "resources: [../base]\npatches:\n  - patch: >-\n      " + json.dumps(yaml.safe_load(PATCH)).replace(" ", "\n      ", 1) + "\n"},
        "",
    ),
    "a pattern": (pointed(("add", GPU, 2), target="target: {kind: Deployment, name: chat.*}"), "its base holds no Deployment chat.*"),
    "a target without a name": (pointed(("add", GPU, 2), target="target: {kind: Deployment}"), "does not name one object"),
    "a whole mapping, to a target by label": (
        pointed(("add", f"{POD}/containers/0/resources", {"limits": {"nvidia.com/gpu": 2}}), target="target: {labelSelector: a=b}"), "does not name one object"
    ),
    "another container order": (
        pointed(("add", GPU, 2), more=MORE + "{containers: [{name: new, image: n}]}}}\n"), "other indexes"
    ),
    "tolerations of another patch": (pointed(("add", GPU, 2), more=MORE + "{tolerations: [{key: a}]}}}\n"), "another patch changes tolerations"),
    "memory by another patch": (
        pointed(("add", GPU, 2), more=MORE + "{containers: [{name: server, resources: {limits: {memory: 4Gi}}}]}}}\n"), "another patch changes resources"
    ),
    "a step to another namespace": (
        inline(more='  - target: {kind: Deployment}\n    patch: \'[{"op": "add", "path": "/metadata/namespace", "value": "ml"}]\'\n'), "moves the object to another namespace"
    ),
    "metadata of another namespace": (
        inline(more='  - target: {kind: Deployment}\n    patch: \'[{"op": "replace", "path": "/metadata", "value": {"name": "chat", "namespace": "ml"}}]\'\n'), "moves the object to another namespace"
    ),
    "a namespace in the same steps": (pointed(("add", GPU, 2), ("add", "/metadata/namespace", "ml")), "moves the object to another namespace"),
    "two patches": (inline(more=f"  - {TARGET}\n    patch: |-\n" + textwrap.indent(steps(("add", GPU, 2)), "      ")), "another patch asks for GPUs"),
    "a test of the limit": (pointed(("add", GPU, 2), ("test", GPU, 2)), "cannot be applied to the base"),
    "kept": (pointed(("add", GPU, 2), base=BASE.replace("  name: chat", "  name: chat\n  annotations: {dralint.io/keep: later}")), "dralint.io/keep: later"),
}  # fmt: skip


@pytest.mark.parametrize(("tree", "reason"), HELD.values(), ids=HELD.keys())
def test_what_is_not_sure_is_left_and_told(run, tree, reason):
    _, root, told = run(tree)
    assert texts(root) == {name: text.encode() for name, text in tree.items()}
    outcome = "kept" if "dralint.io/keep" in reason else "needs-decision"
    assert re.search(rf"^prod/kustomization.yaml:\d+:\d+: {outcome}: nvidia.com/gpu", told, re.MULTILINE)
    assert reason in told


def test_a_value_in_a_file_of_steps_waits(run):
    given = ("add", f"{POD}/containers/0/resources", {"limits": {"nvidia.com/gpu": 2}})
    tree = pointed(given, target="target: {kind: Deployment}", inside=False)
    _, root, told = run(tree)
    assert texts(root) == {name: text.encode() for name, text in tree.items()}
    assert "needs-decision: nvidia.com/gpu: prod/kustomization.yaml:4:18 applies the file as a patch" in told


def test_a_base_with_gpus_is_not_meant(run):
    _, root, told = run(
        inline(base=BASE.replace("image: log:1}", "image: log:1, resources: {limits: {nvidia.com/gpu: 1}}}"))
    )
    assert "a claim takes its place" not in told
    assert not (root / "prod/chat-gpu.yaml").exists()


@pytest.mark.parametrize("mode", ["implicit", "extended-resource"])
def test_other_modes(run, mode):
    tree = pointed(("add", GPU, 2))
    _, root, told = run(tree, "--mode", mode)
    assert texts(root) == {name: text.encode() for name, text in tree.items()}
    outcome = "kept" if mode == "extended-resource" else "needs-decision"
    assert f"prod/kustomization.yaml:9:15: {outcome}: nvidia.com/gpu" in told


def test_the_texts(run, snapshot):
    _, root, _ = run(pointed(("add", GPU, 2), ("add", f"{LIMITS}/cpu", 4), base=pod(BASE, L4)))
    assert (root / "prod/kustomization.yaml").read_text() == snapshot


def test_signs_of_sharing_count(run):
    plugin = "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n"
    tree = {**inline(), "plugin.yaml": plugin}
    _, root, told = run(tree)
    assert "may not be a whole device" in told
    assert texts(root) == {name: text.encode() for name, text in tree.items()}


@pytest.mark.parametrize("side", ["limits", "requests"])
@pytest.mark.parametrize(
    "target", [TARGET, "target: {kind: Deployment}", "target: {kind: Deployment, name: cha.*}"]
)
@pytest.mark.parametrize("mode", ["auto", "extended-resource"])
def test_a_step_that_sets_all_limits_in_a_file_is_told_of(run, side, target, mode):
    step = ("add", f"{POD}/containers/0/resources/{side}", {"nvidia.com/gpu": 2})
    _, root, told = run(pointed(step, inside=False, target=target), "--mode", mode)
    assert "prod/gpu.yaml:3:9: " in told
    assert (": converted: " in told) == ("nvidia.com/gpu: 2" not in (root / "prod/gpu.yaml").read_text())
