"""Counts in strings of a kustomization and in JSON patches move with their base; real kustomize is the judge."""

from __future__ import annotations

import json
import textwrap

import pytest
import yaml

from tests.convert.test_convert_patches import objects
from tests.convert.test_count_patches import BASE, LABEL, MIG, PATCH

GPU = "/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu"
ASKED = "/spec/template/spec/containers/0/resources/requests/nvidia.com~1gpu"
TARGET = "{kind: Deployment, name: chat}"
BOTH = BASE.replace("memory: 1Gi}", "memory: 1Gi}\n            requests: {nvidia.com/gpu: 1}")


def inline(text, target=TARGET, key="patches"):
    """A kustomization with a patch in a literal block."""
    lines = textwrap.indent(text, "      ")
    said = f"target: {target}\n    " if target else ""
    return f"{key}:\n  # More cards.\n  - {said}patch: |- # here\n{lines}".rstrip("\n") + "\n"


def steps(*found):
    """A JSON patch of (op, path, value...) as YAML."""
    return "".join(
        f"- op: {op}\n  path: {path}\n" + "".join(f"  value: {value}\n" for value in values)
        for op, path, *values in found
    )


def tree(prod, base=BASE, **more):
    return {
        "base/kustomization.yaml": "resources: [base.yaml]\n",
        "base/base.yaml": base,
        "prod/kustomization.yaml": f"resources: [../base]\n{prod}",
        **{name.replace("__", "/").replace("_yaml", ".yaml"): text for name, text in more.items()},
    }


RENAMES = f"""\
patches:
  - target: {TARGET}
    options: {{allowNameChange: true}}
    patch: "- {{op: replace, path: /metadata/name, value: talk}}"
"""


@pytest.fixture
def run(tmp_path, monkeypatch, dralint, kustomize):
    """Converts the named files in place: the outcomes by file; what kustomize builds must be converted, or nothing."""

    def converted(files, *named, options=(), mixed=False):
        (tmp_path / ".git").mkdir()
        monkeypatch.chdir(tmp_path)
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / name).write_bytes(text.encode())
        built = [
            name
            for name in ("prod", "prod/sub", "test", "top")
            if (tmp_path / name / "kustomization.yaml").exists()
        ]
        rendered = {name: kustomize.build(tmp_path / name) for name in built}
        ran = dralint("convert", *options, "--write", "--report", "report.json", *(named or ["."]))
        assert ran.code in (0, 1), ran.err
        report = json.loads((tmp_path / "report.json").read_text())
        found = {}
        for each in report["occurrences"]:
            found.setdefault(each["path"], set()).add(each["outcome"])
        for name, before in rendered.items():
            after = kustomize.build(tmp_path / name)
            if set().union(*found.values()) != {"converted"}:
                assert after == before or mixed
                continue
            (tmp_path / "rendered.yaml").write_text(yaml.safe_dump_all(before))
            ran = dralint("convert", *options, "--write", "rendered.yaml")
            assert after == objects((tmp_path / "rendered.yaml").read_text()), ran.err
            (tmp_path / "rendered.yaml").unlink()
        texts = {name: (tmp_path / name).read_bytes() for name in files}
        dralint("convert", *options, "--write", *(named or ["."]))
        assert {name: (tmp_path / name).read_bytes() for name in files} == texts
        assert dralint("check", ".").code == 0
        return found, report["notes"]

    return converted


def asks(tmp_path, files):
    """Whether some text still asks the device plugin."""
    return any(
        "nvidia.com/gpu: " in text or "nvidia.com~1" in text
        for text in map(tmp_path.joinpath, files)
        for text in [text.read_text()]
    )


COUNT = steps(("replace", GPU, 4))
SOUND = {
    "a merge": inline(PATCH, None),
    "a merge of nothing else": inline(PATCH.replace("              memory: 8Gi\n", "").replace("  replicas: 3\n", "").replace("# More cards in production.\n", "").replace(" # tensor parallel", ""), None),
    "a merge with a target": inline(PATCH.replace("name: chat", "name: any")),
    "a merge in a target of all fields": inline(PATCH, "{group: apps, version: v1, kind: Deployment, name: chat}"),
    "merges by strategy": "patchesStrategicMerge:\n  - |\n" + textwrap.indent(PATCH, "    ") + "  - |\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: chat}\n    spec: {paused: true}\n",
    "one line": 'patchesStrategicMerge:\n- "{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {template: {spec: {containers: [{name: server, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}"\n',
    "quoted": "patches:\n- patch: " + json.dumps(PATCH) + "\n",
    "flow": "patches: [{patch: " + json.dumps(PATCH) + "}]\n",
    "a step": inline(COUNT),
    "a step as JSON": f"patches:\n- target: {TARGET}\n  patch: '{json.dumps([{'op': 'replace', 'path': GPU, 'value': 4}])}'\n",
    "a string": inline(steps(("add", GPU, '"4"'))),
    "a step among others": inline(steps(("replace", "/spec/template/spec/containers/0/image", "b"), ("replace", GPU, 4), ("add", "/spec/replicas", 3))),
    "JSON among others": f"patches:\n- target: {TARGET}\n  patch: '{json.dumps([{'op': 'replace', 'path': GPU, 'value': 4}, {'op': 'add', 'path': '/spec/replicas', 'value': 3}])}'\n",
    "a test before": inline(steps(("test", GPU, 1), ("replace", GPU, 4), ("add", "/spec/replicas", 3))),
    "a test of the name": inline(steps(("test", "/spec/template/spec/containers/0/name", "server"), ("replace", GPU, 4))),
    "set twice": inline(steps(("test", GPU, 1), ("replace", GPU, 4), ("replace", GPU, 4))),
    "6902": inline(COUNT, "{group: apps, version: v1, kind: Deployment, name: chat}", "patchesJson6902"),
    "two patches": inline(COUNT) + textwrap.indent("- target: {kind: Deployment, name: chat}\n  patch: |-\n    - op: replace\n      path: " + GPU + "\n      value: 8\n", "  "),
    "two lists": inline(PATCH, None) + inline(COUNT.replace("4", "2"), key="patchesJson6902"),
    "an image beside it": inline(COUNT) + "images: [{name: 'server', newTag: '2'}]\n",
    "another patch": inline(COUNT) + "  - target: {kind: Deployment}\n    patch: '[{\"op\": \"add\", \"path\": \"/spec/replicas\", \"value\": 7}]'\n",
    "a namespace": inline(COUNT) + "namespace: ml\n",
    "no line break at the end": inline(COUNT).rstrip("\n"),
    "windows": inline(PATCH, None).replace("\n", "\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("prod", SOUND.values(), ids=SOUND.keys())
def test_counts_in_a_kustomization_move(run, tmp_path, prod):
    files = tree(prod)
    found, notes = run(files)
    assert found == {"base/base.yaml": {"converted"}, "prod/kustomization.yaml": {"converted"}}
    assert not asks(tmp_path, files)
    assert not [note for note in notes if "see whether it must follow" in note["message"]]


FILE = "patches:\n- {target: {kind: Deployment, name: chat}, path: gpu.yaml}\n"
COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
ONE = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\n"
OTHER_FIRST = BASE.replace("containers:\n", "containers:\n        - {name: first, image: first:1}\n")
FILES = {
    "a merge with a target": tree(FILE, prod__gpu_yaml=PATCH),
    "steps": tree(FILE, prod__gpu_yaml=COUNT),
    "steps for limits and requests": tree(
        FILE, BOTH, prod__gpu_yaml=steps(("replace", GPU, 4), ("replace", ASKED, 4), ("add", "/spec/replicas", 2))
    ),
    "only steps for limits and requests": tree(FILE, BOTH, prod__gpu_yaml=steps(("test", GPU, 1), ("test", ASKED, 1), ("replace", ASKED, 4), ("replace", GPU, 4))),
    "steps as JSON": tree(FILE.replace(".yaml", ".json"), **{"prod/gpu.json": json.dumps([{"op": "add", "path": GPU, "value": "4"}])}),
    "steps by 6902": tree("patchesJson6902:\n- path: gpu.yaml\n  target: {group: apps, version: v1, kind: Deployment, name: chat}\n", prod__gpu_yaml=COUNT),
    "MIG": tree(inline(COUNT.replace("~1gpu", "~1mig-1g.24gb")), BASE.replace(*MIG).replace(LABEL, "")),
    "two overlays of one file": tree(
        FILE.replace("gpu", "sub/gpu"), prod__sub__kustomization_yaml="resources: [../../base]\n" + FILE, prod__sub__gpu_yaml=COUNT
    ),
    "two overlays of one merge": tree(
        FILE.replace("gpu", "sub/gpu"), prod__sub__kustomization_yaml="resources: [../../base]\n" + FILE, prod__sub__gpu_yaml=PATCH
    ),
    "two overlays of one merge without a target": tree(
        "patches: [{path: sub/gpu.yaml}]\n", prod__sub__kustomization_yaml="resources: [../../base]\npatches: [{path: gpu.yaml}]\n", prod__sub__gpu_yaml=PATCH
    ),
    "two overlays": tree(inline(COUNT), test__kustomization_yaml="resources: [../base]\n" + inline(PATCH, None)),
    "one over the other": tree(
        inline(COUNT), top__kustomization_yaml="resources: [../prod]\n" + inline(COUNT.replace("4", "8"))
    ),
    "a component": tree("components: [../more]\n", more__kustomization_yaml=COMPONENT + inline(COUNT)),
    "a component of two": tree(
        "components: [../more]\n",
        test__kustomization_yaml="resources: [../base]\ncomponents: [../more]\n",
        more__kustomization_yaml=COMPONENT + "patches: [{path: gpu.yaml}]\n",
        more__gpu_yaml=PATCH,
    ),
    "a component and a patch": tree(
        "components: [../more]\n" + inline(COUNT), more__kustomization_yaml=COMPONENT + inline(COUNT.replace("4", "2"))
    ),
    "a component of another": tree(
        "components: [../more]\n",
        more__kustomization_yaml=COMPONENT + "components: [../less]\n",
        less__kustomization_yaml=COMPONENT + inline(PATCH, None),
    ),
    "a file for a component": tree(
        "components: [../more]\n", more__kustomization_yaml=COMPONENT + FILE, more__gpu_yaml=COUNT
    ),
    "deleted": tree("patches:\n- patch: |-\n    $patch: delete\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: chat}\n"),
    "deleted by strategy": tree("patchesStrategicMerge:\n- |-\n  $patch: delete\n  apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: chat}\n"),
    "deleted in a file": tree("patches: [{path: gone.yaml}]\n", prod__gone_yaml=f"{ONE}$patch: delete\n"),
    "deleted by a target": tree("patches:\n- target: {kind: Deployment, name: chat}\n  patch: |-\n" + textwrap.indent(ONE + "$patch: delete\n", "    ")),
    "deleted in one of two": tree(inline(COUNT), test__kustomization_yaml="resources: [../base]\n" + inline(ONE + "$patch: delete\n", None)),
    "deleted in a namespace": tree(
        inline(ONE.replace("chat", "chat, namespace: ml") + "$patch: delete\n", None), BASE.replace("name: chat", "name: chat\n  namespace: ml", 1)
    ),
    "renamed": tree(
        inline(COUNT) + "namePrefix: p-\nnamespace: ml\nconfigurations: [names.yaml]\n",
        prod__names_yaml="nameReference:\n- kind: ResourceClaimTemplate\n  fieldSpecs: [{path: spec/template/spec/resourceClaims/resourceClaimTemplateName}]\n",
    ),
    "bases of the same names": tree(
        inline(COUNT),
        **{
            "other/base.yaml": BASE + "---\n" + BASE.replace("Deployment", "StatefulSet").replace("1, mem", "2, mem"),
            "other/kustomization.yaml": "resources: [base.yaml]\n",
            "test/kustomization.yaml": "resources: [../base]\n" + inline(PATCH, None),
        },
    ),
    "a merge of the second container": tree(inline(PATCH, None), OTHER_FIRST),
    "nothing but the second container": tree(
        "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {template: {spec: {containers: [{name: server, resources: {limits: {nvidia.com/gpu: 4}}}]}}}}'\n",
        OTHER_FIRST,
    ),
    "two workloads in a string": tree(
        inline(PATCH + "---\n" + PATCH.replace("name: chat", "name: talk").replace("4", "2"), None),
        BASE + "---\n" + BASE.replace("name: chat", "name: talk"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("files", FILES.values(), ids=FILES.keys())
def test_files_components_and_overlays(run, tmp_path, files):
    found, notes = run(files)
    assert set().union(*found.values()) == {"converted"}
    assert not asks(tmp_path, files)
    assert not [note for note in notes if "see whether it must follow" in note["message"]]


SERVER = "/spec/template/spec/containers/0"
# The container that a merge lists becomes the first one.
MOVING = "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {template: {spec: {containers: [{name: log, image: b, resources: {limits: {cpu: 1}}}]}}}}'\n"
HELD = {
    "a pattern": tree(inline(COUNT, "{kind: Deployment, name: ch.*}")),
    "any name": tree(inline(COUNT, "{kind: Deployment}")),
    "labels": tree(inline(COUNT, "{kind: Deployment, name: chat, labelSelector: app=chat}")),
    "annotations": tree(inline(PATCH, "{kind: Deployment, name: chat, annotationSelector: a=b}")),
    "the GPU goes": tree(inline(steps(("remove", GPU)))),
    "the GPU goes by a merge": tree(inline(PATCH.replace(" 4 ", " null "), None)),
    "the limits go": tree(inline(steps(("remove", f"{SERVER}/resources/limits")))),
    "other limits": tree(inline(steps(("replace", f"{SERVER}/resources/limits", '{"nvidia.com/gpu": 4}')))),
    "zero": tree(inline(steps(("replace", GPU, 0)))),
    "too many": tree(inline(steps(("replace", GPU, 64)))),
    "no number": tree(inline(steps(("replace", GPU, "4k")))),
    "two counts": tree(inline(steps(("replace", GPU, 4), ("replace", GPU, 2)))),
    "only a test": tree(inline(steps(("test", GPU, 1), ("add", "/spec/replicas", 3)))),
    "copied": tree(inline(steps(("replace", GPU, 4)) + f"- op: copy\n  from: {GPU}\n  path: /metadata/annotations\n"), BASE.replace("name: chat", "name: chat\n  annotations: {}", 1)),
    "one of both sides": tree(inline(COUNT), BOTH),
    "another index": tree(inline(COUNT.replace("/0/", "/1/")), BASE.replace("{name: log, image: log:1}", "{name: log, image: log:1, resources: {limits: {cpu: 1}}}")),
    "an index that moves": tree(
        "patches:\n- patch: '{apiVersion: apps/v1, kind: Deployment, metadata: {name: chat}, spec: {template: {spec: {containers: [{name: proxy, image: p}]}}}}'\n"
        f"- target: {TARGET}\n  patch: '{json.dumps([{'op': 'replace', 'path': GPU.replace('/0/', '/1/'), 'value': 4}])}'\n"
    ),
    "an index that may move": tree(
        f"patches:\n- target: {TARGET}\n  patch: '{json.dumps([{'op': 'remove', 'path': SERVER}])}'\n"
        f"- target: {TARGET}\n  patch: '{json.dumps([{'op': 'replace', 'path': GPU, 'value': 4}])}'\n", OTHER_FIRST
    ),
    "an order that a merge changes": tree(MOVING + f"- target: {TARGET}\n  patch: '{json.dumps([{'op': 'replace', 'path': GPU, 'value': 4}])}'\n"),
    "resources of a container that a merge moves": tree(
        MOVING + f"- target: {TARGET}\n  patch: '{json.dumps([{'op': 'add', 'path': SERVER.replace('0', '1') + '/resources', 'value': {'limits': {'cpu': 1}}}])}'\n"
    ),
    "labels in the same patch": tree(inline(COUNT + steps(("add", "/spec/template/spec/nodeSelector/nvidia.com~1gpu.count", "'8'")))),
    "memory of limits that go": tree(inline(COUNT + steps(("add", f"{SERVER}/resources/limits/memory", "1Gi"))), BASE.replace(", memory: 1Gi", "")),
    "a label that counts": tree(inline(COUNT), BASE.replace("nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}", "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: nvidia.com/gpu.count, operator: Gt, values: ['1']}]}]}}}")),
    "two containers": tree(inline(COUNT), BASE.replace("image: log:1}", "image: log:1, resources: {limits: {nvidia.com/gpu: 1}}}")),
    "the current name": tree(
        inline(COUNT, "{kind: Deployment, name: b-chat}"),
        base__kustomization_yaml="resources: [base.yaml]\nnamePrefix: b-\nconfigurations: [names.yaml]\n",
        base__names_yaml="nameReference:\n- kind: ResourceClaimTemplate\n  fieldSpecs: [{path: spec/template/spec/resourceClaims/resourceClaimTemplateName}]\n",
    ),
    "the current name in a merge": tree(
        inline(PATCH.replace("name: chat", "name: b-chat"), None),
        base__kustomization_yaml="resources: [base.yaml]\nnamePrefix: b-\nconfigurations: [names.yaml]\n",
        base__names_yaml="nameReference:\n- kind: ResourceClaimTemplate\n  fieldSpecs: [{path: spec/template/spec/resourceClaims/resourceClaimTemplateName}]\n",
    ),
    "kept by the patch": tree(inline(PATCH.replace("  name: chat", "  name: chat\n  annotations: {dralint.io/keep: not yet}"), None)),
    "none in the base": tree(inline(COUNT), BASE.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 0")),
    "a file for two": tree(
        FILE + "- {target: {kind: Deployment, name: talk}, path: gpu.yaml}\n", BASE + "---\n" + BASE.replace("name: chat", "name: talk"), prod__gpu_yaml=COUNT
    ),
    "a file with and without a target": tree(FILE + "- {path: gpu.yaml}\n", prod__gpu_yaml=PATCH),
    "another patch keeps it back": tree(inline(COUNT) + "  - target: {kind: Deployment}\n    patch: '[{\"op\": \"remove\", \"path\": \"/spec/template/spec/nodeSelector\"}]'\n"),
    "a container that goes": tree(inline(PATCH.replace("- name: server\n          resources:\n            limits:\n              nvidia.com/gpu: 4 # tensor parallel\n              memory: 8Gi\n", "- {name: server, $patch: delete}\n"), None)),
    "a container in its place": tree(inline(PATCH.replace("- name: server\n", "- name: server\n          image: x\n          $patch: replace\n"), None)),
    "containers in their place": tree(inline(PATCH.replace("- name: server\n", "- $patch: replace\n        - name: server\n          image: x\n"), None)),
    "a pod in its place": tree(inline(PATCH.replace("    spec:\n      containers", "    spec:\n      $patch: replace\n      containers").replace("- name: server\n", "- name: server\n          image: x\n"), None)),
    "a workload in its place": tree(inline(PATCH.replace("spec:\n  replicas", "$patch: replace\nspec:\n  replicas"), None)),
    "an option of the patch": tree(inline(PATCH).rstrip("\n") + "\n    options: {allowNameChange: false}\n"),
    "deleted by a pattern": tree(inline(ONE + "$patch: delete\n", "{kind: Deployment, name: ch.*}")),
    "an alias": tree(inline(COUNT, f"&t {TARGET}") + "  - target: *t\n    patch: '[{\"op\": \"add\", \"path\": \"/spec/replicas\", \"value\": 7}]'\n"),
    "a folded text": tree(inline(COUNT).replace("|- # here", ">-").replace("\n        ", "\n\n        ")),
}  # fmt: skip


@pytest.mark.parametrize("files", HELD.values(), ids=HELD.keys())
def test_what_is_not_only_a_count_of_one_workload_stays(run, tmp_path, files):
    found, _ = run(files)
    assert "converted" not in found["base/base.yaml"]
    assert {name: (tmp_path / name).read_text() for name in files} == files


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("kind: Deployment", "kind: StatefulSet").replace(
            "name: chat", "name: chat\n  namespace: ml", 1
        ),
        (
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: chat-gpu, namespace: ml}\n"
            "spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, count: 1}}]}}}\n"
        ),
    ],
)
@pytest.mark.parametrize("prod", [COUNT, f"$patch: delete\n{ONE}"])
def test_a_template_of_the_name_in_the_same_build(run, tmp_path, prod, other):
    """A patch for the template of one would be for that of the other, too."""
    files = tree(inline(prod), other__base_yaml=other, other__kustomization_yaml="resources: [base.yaml]\n")
    files["prod/kustomization.yaml"] = files["prod/kustomization.yaml"].replace(
        "[../base]", "[../base, ../other]"
    )
    found, _ = run(files, mixed=True)
    assert found["base/base.yaml"] == {"needs-decision"}
    assert (tmp_path / "prod/kustomization.yaml").read_text() == files["prod/kustomization.yaml"]


def test_a_template_of_two_workloads_is_not_patched_for_one(run, tmp_path, dralint):
    """Both would get one template; with the Deployment held back it is the other's alone."""
    files = tree(inline(COUNT), BASE + "---\n" + BASE.replace("kind: Deployment", "kind: StatefulSet"))
    found, _ = run(files, mixed=True)
    assert found == {
        "base/base.yaml": {"needs-decision", "converted"},
        "prod/kustomization.yaml": {"needs-decision"},
    }
    assert (tmp_path / "prod/kustomization.yaml").read_text() == files["prod/kustomization.yaml"]


def test_the_file_that_must_be_named(run, tmp_path, dralint):
    files = tree(inline(COUNT))
    found, _ = run(files, "base")
    assert found == {"base/base.yaml": {"needs-decision"}}
    ran = dralint("convert", "--check", "base")
    assert "name prod/kustomization.yaml as well: it changes together with the workload" in ran.err


MODES = {
    "a merge": tree(inline(PATCH, None)),
    "a merge in a file": tree("patches: [{path: gpu.yaml}]\n", prod__gpu_yaml=PATCH),
    "both sides": tree(inline(PATCH.replace("            limits:\n", "            requests: {nvidia.com/gpu: 4}\n            limits:\n"), None), BOTH),
    "steps": tree(inline(steps(("test", GPU, 1), ("replace", GPU, 4), ("add", "/spec/replicas", 3)))),
    "steps in a file": tree(FILE, prod__gpu_yaml=COUNT),
    "deleted": tree(inline(ONE + "$patch: delete\n", None)),
    "MIG": tree(inline(COUNT.replace("~1gpu", "~1mig-1g.24gb")), BASE.replace(*MIG).replace(LABEL, "")),
}  # fmt: skip


@pytest.mark.parametrize("files", MODES.values(), ids=MODES.keys())
def test_names_change_in_patches_as_well(run, tmp_path, files):
    files = {name: text.replace(LABEL, "") for name, text in files.items()}
    found, notes = run(files, options=("--mode", "implicit"))
    assert set().union(*found.values()) == {"converted"}
    assert not asks(tmp_path, files)
    assert not [note for note in notes if "see whether it must follow" in note["message"]]


@pytest.mark.parametrize("files", MODES.values(), ids=MODES.keys())
def test_names_that_stay_stay_in_patches(run, tmp_path, files):
    found, _ = run(files, options=("--mode", "extended-resource"))
    assert set().union(*found.values()) == {"kept"}
    assert {name: (tmp_path / name).read_text() for name in files} == files


@pytest.mark.parametrize(
    ("prod", "told"),
    [
        (
            inline(steps(("remove", GPU))),
            "takes GPUs away (prod/kustomization.yaml:5:12): the claim would stay",
        ),
        (
            inline(PATCH.replace(" 4 ", " null "), None),
            "takes GPUs away (prod/kustomization.yaml:4:12): the claim would stay",
        ),
        (
            inline(COUNT, "{kind: Deployment}"),
            "asks for GPUs as well (prod/kustomization.yaml:5:12): with a claim it would ask twice",
        ),
    ],
)
def test_why_a_patch_holds_its_base(run, tmp_path, dralint, prod, told):
    run(tree(prod))
    ran = dralint("convert", "--check", ".")
    assert f"a patch for the object {told}; convert what the kustomization renders" in ran.err


@pytest.mark.parametrize("more", ["", "namePrefix: p-\n"])
@pytest.mark.parametrize("target", [None, "{kind: Deployment, name: talk}"])
def test_a_patch_by_a_name_that_a_patch_gave_holds_the_base(run, more, target):
    top = inline(PATCH.replace("name: chat", "name: talk"), target or "")
    found, _ = run(tree(RENAMES + more, top__kustomization_yaml=f"resources: [../prod]\n{top}"))
    assert found["base/base.yaml"] == {"needs-decision"}
