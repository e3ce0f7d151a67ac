"""Files that a kustomization applies as patches are not converted as if they were whole."""

from __future__ import annotations

import textwrap

import pytest

from dralint.convert.kustomize.applied import Patch, Slot
from dralint.convert.words import context_words
from dralint.errors import Place
from dralint.kube.bundle import Context

PATCH = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: train:1
        resources: {limits: {nvidia.com/gpu: 1}}
"""


def convert_tree(convert_text, tmp_path, files, only=None):
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    named = {name: text for name, text in files.items() if only is None or name in only}
    context = Context([str(tmp_path / name) for name in named], context_words())
    return convert_text(named, paths={name: tmp_path / name for name in files}, context=context)


@pytest.mark.parametrize(
    "kustomization",
    [
        "patches:\n- path: patches/gpu.yaml\n",
        "patchesStrategicMerge:\n- patches/gpu.yaml\n",
        "patchesJson6902:\n- {path: ./patches/gpu.yaml}\n",
    ],
)
@pytest.mark.parametrize("only", [None, {"overlay/patches/gpu.yaml"}], ids=["tree", "alone"])
def test_a_patch(convert_text, tmp_path, kustomization, only):
    files = {"overlay/patches/gpu.yaml": PATCH, "overlay/kustomization.yaml": kustomization}
    result = convert_tree(convert_text, tmp_path, files, only)
    assert result.outcomes == ["needs-decision"]
    assert "kustomization.yaml:" in result.occurrences[0].reason


@pytest.mark.parametrize("name", ["overlay/gpu.yaml", "<stdin>"])
def test_standard_input_lies_where_it_is_said_to(convert_text, tmp_path, monkeypatch, name):
    (tmp_path / "overlay").mkdir()
    (tmp_path / "overlay/kustomization.yaml").write_text("patches: [{path: gpu.yaml}]\n")
    monkeypatch.chdir(tmp_path)
    outcome = "converted" if name == "<stdin>" else "needs-decision"
    assert convert_text({name: PATCH}).outcomes == [outcome]


@pytest.mark.parametrize("git", [True, False], ids=["git", "no git"])
@pytest.mark.parametrize(
    "only",
    [
        None,
        {"base/gpu.yaml"},
        {"base/gpu.yaml", "overlay/kustomization.yaml"},
    ],
    ids=["tree", "alone", "two"],
)
def test_a_patch_of_another_directory(convert_text, tmp_path, git, only):
    """What becomes of it depends on the work tree; without one nothing but the named files says which patches there are."""
    if git:
        (tmp_path / ".git").mkdir()
    files = {
        "base/gpu.yaml": PATCH,
        "overlay/kustomization.yaml": "patches:\n- path: ../base/gpu.yaml\n",
        "overlay/unread.yaml": "patches: [\n",
    }
    result = convert_tree(convert_text, tmp_path, files, only)
    known = git or only != {"base/gpu.yaml"}
    assert result.outcomes == ["needs-decision" if known else "converted"]


def test_a_resource(convert_text, tmp_path):
    files = {
        "base/gpu.yaml": PATCH,
        "base/kustomization.yaml": "resources: [gpu.yaml]\npatches: [{path: other.yaml}]\n",
    }
    assert convert_tree(convert_text, tmp_path, files).outcomes == ["converted"]


BASE = {
    "base/job.yaml": PATCH.replace("name: train}", "name: train, namespace: a}"),
    "base/kustomization.yaml": "resources: [job.yaml]\n",
}
JSON_PATCH = """\
- op: replace
  path: /spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu
  value: 4
"""
NAMED = "target: {kind: Job, name: train}"
GPU_PATCHES = [
    pytest.param(
        {"overlay/kustomization.yaml": "patches: [{path: gpu.yaml}]\n", "overlay/gpu.yaml": PATCH}, id="file"
    ),
    pytest.param(
        {
            "overlay/kustomization.yaml": f"patches: [{{path: gpu.yaml, {NAMED}}}]\n",
            "overlay/gpu.yaml": PATCH.replace("name: train}", "name: any}"),
        },
        id="file for a target",
    ),
    pytest.param(
        {"overlay/kustomization.yaml": "patchesStrategicMerge:\n- |\n" + textwrap.indent(PATCH, "  ")},
        id="in a string",
    ),
    pytest.param(
        {
            "overlay/kustomization.yaml": f"patchesJson6902: [{{path: gpu.yaml, {NAMED}}}]\n",
            "overlay/gpu.yaml": JSON_PATCH,
        },
        id="JSON patch",
    ),
    pytest.param(
        {
            "overlay/kustomization.yaml": "patches:\n- target: {kind: Job, name: tr.*}\n  patch: |\n"
            + textwrap.indent(JSON_PATCH, "    ")
        },
        id="JSON patch in a string, for a pattern",
    ),
    pytest.param(
        {
            "overlay/kustomization.yaml": "components: [../gpu]\n",
            "gpu/kustomization.yaml": "kind: Component\npatches: [{path: gpu.yaml}]\n",
            "gpu/gpu.yaml": PATCH,
        },
        id="component",
    ),
]
OTHER_PATCHES = [
    pytest.param({"overlay/gpu.yaml": PATCH.replace("name: train}", "name: other}")}, id="of another object"),
    pytest.param({"overlay/gpu.yaml": PATCH.replace("nvidia.com/gpu", "cpu")}, id="of no GPU"),
    pytest.param({"overlay/gpu.yaml": "["}, id="that cannot be read"),
    pytest.param({}, id="that is missing"),
]


def overlay_of_base(files):
    first = files["overlay/kustomization.yaml"]
    return {**BASE, **files, "overlay/kustomization.yaml": f"resources: [../base]\n{first}"}


@pytest.mark.parametrize("only", [None, {"base/job.yaml"}], ids=["tree", "alone"])
@pytest.mark.parametrize("files", GPU_PATCHES)
def test_a_workload_that_an_overlay_asks_for_gpus_for(convert_text, tmp_path, files, only):
    """The patch would put the limit back beside the claim."""
    (tmp_path / ".git").mkdir()
    result = convert_tree(convert_text, tmp_path, overlay_of_base(files), only)
    assert set(result.outcomes) <= {"needs-decision", "unsupported"}
    (occurrence,) = [each for each in result.occurrences if each.path == "base/job.yaml"]
    assert "/gpu.yaml:" in occurrence.reason or "overlay/kustomization.yaml:" in occurrence.reason


@pytest.mark.parametrize("files", OTHER_PATCHES)
def test_a_workload_that_an_overlay_changes_otherwise(convert_text, tmp_path, files):
    (tmp_path / ".git").mkdir()
    first = {"overlay/kustomization.yaml": "patches: [{path: gpu.yaml}]\n"}
    result = convert_tree(convert_text, tmp_path, overlay_of_base({**first, **files}), {"base/job.yaml"})
    assert result.outcomes == ["converted"]


def test_an_overlay_of_something_else(convert_text, tmp_path):
    (tmp_path / ".git").mkdir()
    files = {
        **BASE,
        "other/kustomization.yaml": "resources: [job.yaml]\npatches: [{path: gpu.yaml}]\n",
        "other/gpu.yaml": PATCH,
    }
    assert convert_tree(convert_text, tmp_path, files, {"base/job.yaml"}).outcomes == ["converted"]


def test_a_patch_that_stays_is_told_beside_its_workload(convert_text, tmp_path):
    """Without a work tree, and without its kustomization, nothing says which patches a base has: those that are named are told."""
    files = overlay_of_base(
        {"overlay/kustomization.yaml": "patches: [{path: gpu.yaml}]\n", "overlay/gpu.yaml": PATCH}
    )
    result = convert_tree(convert_text, tmp_path, files, {"base/job.yaml", "overlay/gpu.yaml"})
    assert result.outcomes == ["converted", "needs-decision"]
    (note,) = result.notes
    assert (note.path, note.topic, note.weight) == ("base/job.yaml", "kustomize", "warning")
    assert "overlay/gpu.yaml:11" in note.message


CONFIGURATION = """\
nameReference:
- kind: ResourceClaimTemplate
  group: resource.k8s.io
  fieldSpecs:
  - kind: Job
    path: spec/template/spec/resourceClaims/resourceClaimTemplateName
"""


@pytest.mark.parametrize("key", ["namePrefix", "nameSuffix"])
@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        pytest.param({"overlay/kustomization.yaml": "%s: dev-\n"}, "needs-decision", id="renamed"),
        pytest.param({"overlay/kustomization.yaml": "%s: ''\n"}, "converted", id="by nothing"),
        pytest.param(
            {
                "overlay/kustomization.yaml": "%s: dev-\nconfigurations: [dra.yaml]\n",
                "overlay/dra.yaml": CONFIGURATION,
            },
            "converted",
            id="with references",
        ),
        pytest.param(
            {
                "overlay/kustomization.yaml": "%s: dev-\n",
                "base/kustomization.yaml": "resources: [job.yaml]\nconfigurations: [dra.yaml]\n",
                "base/dra.yaml": CONFIGURATION,
            },
            "converted",
            id="with references in the base",
        ),
        *(
            pytest.param(
                {
                    "overlay/kustomization.yaml": "%s: dev-\nconfigurations: [dra.yaml]\n",
                    "overlay/dra.yaml": CONFIGURATION.replace(old, new),
                },
                outcome,
                id=f"with references: {new}",
            )
            for old, new, outcome in [
                ("kind: ResourceClaimTemplate", "kind: Secret", "needs-decision"),
                ("resource.k8s.io", "example.com", "needs-decision"),
                ("kind: Job", "kind: CronJob", "needs-decision"),
                ("kind: Job", "version: v1beta1", "needs-decision"),
                ("kind: Job", "group: batch", "converted"),
                ("spec/template/spec", "spec", "needs-decision"),
                ("resourceClaims/", "resourceClaims[]/", "converted"),
                ("path: spec/", "path: /spec/", "converted"),
            ]
        ),
    ],
)
def test_a_workload_that_is_renamed(convert_text, tmp_path, key, files, outcome):
    """kustomize does not know that resourceClaimTemplateName is a name."""
    (tmp_path / ".git").mkdir()
    named = {name: text.replace("%s", key) for name, text in files.items()}
    result = convert_tree(convert_text, tmp_path, overlay_of_base(named), {"base/job.yaml"})
    assert result.outcomes == [outcome]


@pytest.mark.parametrize(
    "text",
    [
        PATCH.replace("    spec:\n", "    spec:\n      $patch: replace\n"),
        PATCH.replace("      restartPolicy: Never\n", "").replace("        image: train:1\n", ""),
        (
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n"
            "  template: {spec: {containers: [{name: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}\n"
        ),
    ],
)
def test_what_looks_like_a_patch(convert_text, text):
    assert convert_text(text).outcomes == ["needs-decision"]


@pytest.mark.parametrize("script", ["git apply $patch", "echo $retainKeys", "export $patch: 1"])
def test_a_script_with_the_words_of_a_patch(convert_text, script):
    text = PATCH.replace(
        "        image: train:1\n", f"        image: train:1\n        args: ['{script}']  # $patch: x\n"
    )
    assert convert_text(text).outcomes == ["converted"]


@pytest.mark.parametrize(
    "directive",
    [
        "$patch: delete",
        "$retainKeys: [a]",
        "$setElementOrder/containers: [a]",
        "'$deleteFromPrimitiveList/a': [b]",
    ],
)
def test_every_directive(convert_text, directive):
    text = PATCH.replace("    spec:\n", f"    spec:\n      {directive}\n")
    assert convert_text(text).outcomes == ["needs-decision"]


OVERLAY = """\
apiVersion: workloads.x-k8s.io/v1alpha2
kind: RoleBasedGroup
metadata: {name: serve}
spec:
  roleTemplates:
  - name: base
    template: {spec: {%scontainers: [{name: engine, image: x%s}]}}
  roles:
  - name: decode
    standalonePattern:
      templateRef:
        name: %s
        patch:
          spec:
            containers:
            - {name: engine, resources: {limits: {nvidia.com/gpu: 4}}}
"""


@pytest.mark.parametrize(
    ("base", "outcomes"),
    [
        (("", "", "base"), ["converted"]),
        (("", "", "other"), ["needs-decision"]),
        (("tolerations: [{key: team}], ", "", "base"), ["needs-decision"]),
        (("", ", resources: {claims: [{name: nic}]}", "base"), ["needs-decision"]),
        (("", ", resources: {limits: {nvidia.com/gpu: 1}}", "base"), ["needs-decision", "needs-decision"]),
        (
            ("initContainers: [{name: i, image: x, resources: {limits: {nvidia.com/gpu: 1}}}], ", "", "base"),
            ["needs-decision", "needs-decision"],
        ),
        # A claim of the base may have the name that the patch's claim gets.
        (("resourceClaims: [{name: gpu, resourceClaimName: nic}], ", "", "base"), ["needs-decision"]),
    ],
)
def test_a_patch_over_a_template_of_the_same_object(convert_text, base, outcomes):
    assert convert_text(OVERLAY % base).outcomes == outcomes


@pytest.mark.parametrize(
    ("pattern", "name", "matches"),
    [
        ("train", "train", True),
        ("train", "training", False),
        ("train.*", "training", True),
        ("^(?:train)$", "other", True),
        ("train|serve", "serve", True),
        ("train|serve", "save", False),
        (r"my\.job", "my.job", True),
        (r"my\.job", "my-job", False),
        (".*", "", True),
        # These would run for ever, or are no expressions: it may be the one that is meant.
        ("(a+)+b", "a" * 60, True),
        (".*" * 30 + "b", "a" * 60, True),
        ("a**", "a", True),
        ("(", "a", True),
        ("a{2}", "b", True),
    ],
)
def test_the_name_in_a_target(parse_text, pattern, name, matches):
    (obj,) = parse_text(f"kind: Job\nmetadata: {{name: '{name}'}}\nspec: {{x: nvidia.com/gpu}}\n").objects
    slot = Slot("/k.yaml", 0, ("patches", 0), "patch")
    patch = Patch(
        {"name": pattern},
        Place("k.yaml", 1, 1),
        slot,
        None,
        lambda: parse_text("a: 1\n---\nb: nvidia.com/gpu\n"),
    )
    assert len(patch.bodies(obj, {name})) == matches


@pytest.mark.parametrize("name", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
@pytest.mark.parametrize("only", [None, {"base/gpu.yaml"}], ids=["tree", "alone"])
def test_an_overlay_elsewhere_is_seen_by_each_name_it_may_have(convert_text, tmp_path, name, only):
    (tmp_path / ".git").mkdir()
    files = {
        "base/gpu.yaml": PATCH,
        "base/Kustomization": "resources: [gpu.yaml]\n",
        f"prod/{name}": "resources: [../base]\npatches: [{path: gpu.yaml}]\n",
        "prod/gpu.yaml": PATCH.replace("name: main", "name: other"),
    }
    result = convert_tree(convert_text, tmp_path, files, only)
    assert set(result.outcomes) == {"needs-decision"}
