"""Where a kustomization renames what is converted: kustomize gets a configuration, and follows the names."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import yaml

from dralint.kube.paths import VALUES
from tests import name_references
from tests.convert.test_convert_kinds import HOLDING, manifest
from tests.kustomize import find_kubectl

JOB = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: train:1
          resources:
            limits:
              nvidia.com/gpu: 2
"""
CHAT = """\
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
          resources: {limits: {nvidia.com/gpu: 1}}
"""
BASE = {"base/kustomization.yaml": "resources:\n  - job.yaml\n", "base/job.yaml": JOB}
COMPONENT = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"
# Files, the directories to build, and where configurations are made.
LAYOUTS = [
    pytest.param(
        {"base/job.yaml": JOB, "base/kustomization.yaml": "resources: [job.yaml]\nnamePrefix: dev-\n"},
        ["base"],
        ["base"],
        id="in the base",
    ),
    pytest.param(
        {**BASE, "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\n"},
        ["base", "dev"],
        ["base"],
        id="in an overlay",
    ),
    pytest.param(
        {
            **BASE,
            "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\nnamespace: a\n",
            "prod/kustomization.yaml": "resources: [../base]\nnameSuffix: -prod\nnamespace: b\n",
            "both/kustomization.yaml": "resources: [../dev, ../prod]\nnamePrefix: all-\n",
        },
        ["dev", "prod", "both"],
        ["base"],
        id="in several overlays, and one of both",
    ),
    pytest.param(
        {
            **BASE,
            "team/kustomization.yaml": "resources: [../base]\nnameSuffix: -team\n",
            "dev/kustomization.yaml": "resources: [../team]\nnamePrefix: dev-\ncommonLabels: {a: b}\n",
        },
        ["team", "dev"],
        ["base"],
        id="in nested overlays",
    ),
    pytest.param(
        {
            **BASE,
            "named/kustomization.yaml": f"{COMPONENT}namePrefix: named-\n",
            "dev/kustomization.yaml": "resources: [../base]\ncomponents: [../named]\n",
            "outer/kustomization.yaml": "resources: [../dev]\nnameSuffix: -outer\n",
        },
        ["base", "dev", "outer"],
        ["base"],
        id="in a component",
    ),
    pytest.param(
        {
            "train/kustomization.yaml": f"{COMPONENT}resources: [job.yaml]\n",
            "train/job.yaml": JOB,
            "base/kustomization.yaml": "resources: [chat.yaml]\n",
            "base/chat.yaml": CHAT,
            "dev/kustomization.yaml": "resources: [../base]\ncomponents: [../train]\nnamePrefix: dev-\n",
        },
        ["base", "dev"],
        ["base", "train"],
        id="of what a component lists",
    ),
    pytest.param(
        {
            "kustomization.yaml": "resources: [apps/job.yaml, apps/chat.yaml]\nnameSuffix: -x\n",
            "apps/job.yaml": JOB,
            "apps/chat.yaml": CHAT,
        },
        ["."],
        ["."],
        id="of files below",
    ),
    pytest.param(
        {
            **BASE,
            "other/kustomization.yml": "resources: [chat.yaml]\nconfigurations: [own.yaml]\n",
            "other/own.yaml": "nameReference:\n- {kind: Secret, fieldSpecs: [{kind: Deployment, path: spec/x}]}\n",
            "other/chat.yaml": CHAT.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 2"),
            "dev/kustomization.yaml": "resources: [../base, ../other]\nnamePrefix: dev-\n",
        },
        ["base", "dev"],
        ["base", "other"],
        id="of two bases, one with a configuration of its own",
    ),
    pytest.param(
        {
            "base/kustomization.yaml": '{"resources": ["list.yaml"], "namePrefix": "dev-"}\n',
            "base/list.yaml": yaml.safe_dump(
                {"apiVersion": "v1", "kind": "List", "items": [yaml.safe_load(JOB), yaml.safe_load(CHAT)]}
            ),
        },
        ["base"],
        ["base"],
        id="of a List",
    ),
]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Writes files of a git work tree, which is the current directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()

    def written(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return written


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def references(item):
    """Every mapping that names a template or a claim."""
    if isinstance(item, dict):
        if "resourceClaimTemplateName" in item or "resourceClaimName" in item:
            yield item
        item = list(item.values())
    for each in item if isinstance(item, list) else ():
        yield from references(each)


def settled(objects):
    """The objects with the names of templates and claims given by what they ask for; all names must lead to one."""
    objects = json.loads(json.dumps(objects))
    names = {}
    for item in objects:
        if item["kind"] in ("ResourceClaimTemplate", "ResourceClaim"):
            key = (item["kind"], item["metadata"].get("namespace"), item["metadata"]["name"])
            for added in (
                "labels",
                "annotations",
            ):  # kustomize's, which a template made of its output has not
                item["metadata"].pop(added, None)
            names[key] = item["metadata"]["name"] = json.dumps(item["spec"], sort_keys=True)
    for item in objects:
        for each in references(item):
            for field, kind in (
                ("resourceClaimTemplateName", "ResourceClaimTemplate"),
                ("resourceClaimName", "ResourceClaim"),
            ):
                if field in each:
                    each[field] = names[kind, item["metadata"].get("namespace"), each[field]]
    return sorted(objects, key=lambda item: json.dumps(item, sort_keys=True))


def convert_built(folder, directory, *options):
    """The objects of a conversion of what kustomize builds."""
    built = subprocess.run(
        [find_kubectl(), "kustomize", str(folder / directory)], capture_output=True, check=True
    )
    done = subprocess.run(
        [sys.executable, "-m", "dralint", "convert", *options, "-"],
        input=built.stdout,
        capture_output=True,
        check=False,
        cwd=folder.parent,
    )
    assert done.returncode == 0, done.stderr
    return list(yaml.safe_load_all(done.stdout))


@pytest.mark.parametrize(("files", "builds", "made"), LAYOUTS)
def test_what_is_built_is_what_its_output_converts_to(tree, dralint, kustomize, files, builds, made):
    folder = tree(files)
    wanted = {each: settled(convert_built(folder, each)) for each in builds}
    ran = dralint("convert", "--write", ".")
    assert ran.code == 0, ran.err
    after = contents(folder)
    assert {name for name in after if name.endswith("claim-names.yaml")} == {
        f"{each}/claim-names.yaml".removeprefix("./") for each in made
    }
    for each in builds:
        assert settled(kustomize.build(folder / each)) == wanted[each]
    again = dralint("convert", "--write", ".")
    assert again.code == 0
    assert contents(folder) == after
    assert dralint("check", "--quiet", ".").code == 0


@pytest.mark.parametrize("shipped", [False, True], ids=["made", "shipped"])
@pytest.mark.parametrize("sharing", ["exclusive", "shared-claim"])
def test_every_kind_that_can_hold_claims(tree, dralint, kustomize, sharing, shipped):
    """Of all kinds at once, and their objects have the shapes that kustomize must pass through.

    shipped: with the configuration of examples/, which lacks kinds with keys of one's own
    """
    options = ("--sharing", sharing)
    if sharing == "shared-claim":
        options += ("--gate", "driver:TimeSlicingSettings=true", "--device-plugin-config", "plugin.yaml")
    names, files = [], {}
    for number, param in enumerate(HOLDING):
        obj = manifest(*param.values)
        if shipped and VALUES in param.values[1].path:
            continue
        obj["metadata"]["name"] = f"work-{number}"
        text = yaml.safe_dump(obj, sort_keys=False)
        files[f"base/{number}.yaml"] = text.replace("nvidia.com/gpu: 2", "nvidia.com/gpu: 1")
        names.append(f"{number}.yaml")
    folder = tree(
        {
            **files,
            "base/kustomization.yaml": yaml.safe_dump({"resources": names}),
            "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\nnameSuffix: -x\n"
            + "configurations: [claim-names.yaml]\n" * shipped,
            "dev/claim-names.yaml": name_references.text(),
            "plugin.yaml": "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}\n",
        }
    )
    dralint("convert", "--write", "--report", "report.json", *options, ".")
    with open("report.json", encoding="utf-8") as file:
        outcomes = {each["path"]: each["outcome"] for each in json.load(file)["occurrences"]}
    converted = {name for name, outcome in outcomes.items() if outcome == "converted"}
    if sharing == "exclusive":
        assert converted == set(files)
    # One claim for all needs pods whose number is known.
    assert len(converted) > 4
    assert (folder / "base/claim-names.yaml").exists() != shipped
    built = kustomize.build(folder / "dev")
    defined = {
        item["metadata"]["name"]
        for item in built
        if item["kind"] in ("ResourceClaimTemplate", "ResourceClaim")
    }
    users = [(item, list(references(item))) for item in built]
    users = [(item, found) for item, found in users if found]
    assert len(users) == len(converted)
    for item, found in users:
        for each in found:
            name = each.get("resourceClaimTemplateName") or each["resourceClaimName"]
            assert name in defined, (item["kind"], name)
            assert name.startswith("dev-work-")


JOB_OBJECT = yaml.safe_load(JOB)
HOLDERS = [
    pytest.param(
        {
            "apiVersion": "workload.codeflare.dev/v1beta2",
            "kind": "AppWrapper",
            "spec": {"components": [{"template": JOB_OBJECT}]},
        },
        "spec/components/template/spec/template/spec/resourceClaims/resourceClaimTemplateName",
        id="AppWrapper",
    ),
    pytest.param(
        {
            "apiVersion": "kubeflow.org/v1beta1",
            "kind": "Experiment",
            "spec": {"trialTemplate": {"trialSpec": JOB_OBJECT}},
        },
        "spec/trialTemplate/trialSpec/spec/template/spec/resourceClaims/resourceClaimTemplateName",
        id="Experiment",
    ),
    # kustomize renames neither the template nor what refers to it: both stand in one object.
    pytest.param(
        {"apiVersion": "template.openshift.io/v1", "kind": "Template", "objects": [JOB_OBJECT]},
        None,
        id="Template",
    ),
]


@pytest.mark.parametrize(("holder", "path"), HOLDERS)
def test_what_stands_in_another_object(tree, dralint, kustomize, holder, path):
    folder = tree(
        {
            "base/kustomization.yaml": "resources: [outer.yaml]\nnamePrefix: dev-\n",
            "base/outer.yaml": yaml.safe_dump({"metadata": {"name": "outer"}, **holder}),
        }
    )
    assert dralint("convert", "--write", ".").code == 0
    made = contents(folder).get("base/claim-names.yaml")
    assert (path is None) == (made is None)
    if path is not None:
        (entry,) = yaml.safe_load(made)["nameReference"]
        assert [(spec["kind"], spec["path"]) for spec in entry["fieldSpecs"]] == [(holder["kind"], path)]
    built = kustomize.build(folder / "base")
    (outer,) = [item for item in built if item["kind"] == holder["kind"]]
    (name,) = {each["resourceClaimTemplateName"] for each in references(outer)}
    defined = outer.get("objects") or built
    assert name in [item["metadata"]["name"] for item in defined if item["kind"] == "ResourceClaimTemplate"]


TREE = {**BASE, "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\n"}
CLAIM_NAMES = "base/claim-names.yaml"


def needs_decision(dralint, *arguments):
    ran = dralint("convert", "--check", *arguments)
    assert "1 needs-decision" in ran.err
    return ran.err


@pytest.mark.parametrize(
    ("more", "paths", "says"),
    [
        pytest.param({}, ["base/job.yaml"], "name base/kustomization.yaml as well", id="alone"),
        pytest.param(
            {CLAIM_NAMES: "nameReference: []\n"},
            ["."],
            "base/claim-names.yaml is there already, and dralint did not make it",
            id="another one's configuration",
        ),
        pytest.param(
            {CLAIM_NAMES: "a: b\n"}, ["."], "base/claim-names.yaml is there already", id="another file"
        ),
        pytest.param(
            {"base/kustomization.yaml": "resources: [job.yaml]\nconfigurations: &a []\nx: *a\n"},
            ["."],
            "base/kustomization.yaml cannot be edited safely",
            id="an alias",
        ),
        pytest.param(
            {"base/kustomization.yaml": "resources: [job.yaml]\n---\na: b\n"},
            ["."],
            "base/kustomization.yaml cannot be edited safely",
            id="two documents",
        ),
    ],
)
def test_a_workload_waits(tree, dralint, more, paths, says):
    folder = tree({**TREE, **more})
    before = contents(folder)
    err = needs_decision(dralint, *paths)
    assert "dev/kustomization.yaml:2:13 renames objects" in err
    assert says in err
    dralint("convert", "--write", *paths)
    assert contents(folder) == before


@pytest.mark.parametrize(
    "paths",
    [["base"], ["base/job.yaml", "base/kustomization.yaml"], ["base/kustomization.yaml", "base/job.yaml"]],
)
def test_both_files_are_enough(tree, dralint, kustomize, paths):
    folder = tree(TREE)
    assert dralint("convert", "--write", *paths).code == 0
    names = [item["metadata"]["name"] for item in kustomize.build(folder / "dev")]
    assert sorted(names) == ["dev-train", "dev-train-gpu"]


def test_a_configuration_that_is_there_serves(tree, dralint, kustomize):
    """Also one that others made, and that no kustomization listed."""
    field = "spec/template/spec/resourceClaims/resourceClaimTemplateName"
    text = (
        "nameReference:\n- group: resource.k8s.io\n  kind: ResourceClaimTemplate\n"
        f"  fieldSpecs: [{{group: batch, kind: Job, path: {field}}}]\n"
    )
    folder = tree({**TREE, CLAIM_NAMES: text})
    assert dralint("convert", "--write", ".").code == 0
    after = contents(folder)
    assert after[CLAIM_NAMES] == text
    assert yaml.safe_load(after["base/kustomization.yaml"])["configurations"] == ["claim-names.yaml"]
    assert len(kustomize.build(folder / "dev")) == 2


def test_what_is_added_later_completes_it(tree, dralint, kustomize):
    folder = tree(TREE)
    assert dralint("convert", "--write", ".").code == 0
    first = contents(folder)
    (folder / "base/chat.yaml").write_text(CHAT)
    (folder / "base/kustomization.yaml").write_text(
        first["base/kustomization.yaml"].replace("- job.yaml\n", "- job.yaml\n  - chat.yaml\n")
    )
    assert "name base/claim-names.yaml as well" in needs_decision(
        dralint, "base/chat.yaml", "base/kustomization.yaml"
    )
    assert dralint("convert", "--write", ".").code == 0
    second = contents(folder)
    assert second[CLAIM_NAMES].startswith(first[CLAIM_NAMES])
    assert second[CLAIM_NAMES] != first[CLAIM_NAMES]
    assert second["base/kustomization.yaml"].count("claim-names.yaml") == 1
    built = kustomize.build(folder / "dev")
    names = {item["metadata"]["name"] for item in built}
    assert {each["resourceClaimTemplateName"] for item in built for each in references(item)} <= names
    assert len(names) == 4


def test_zeros_and_names_need_none(tree, dralint):
    folder = tree({**TREE, "base/job.yaml": JOB.replace("gpu: 2", "gpu: 0")})
    assert dralint("convert", "--write", ".").code == 0
    assert CLAIM_NAMES not in contents(folder)
    folder = tree(TREE)
    assert dralint("convert", "--write", "--mode", "implicit", ".").code == 0
    assert CLAIM_NAMES not in contents(folder)


def test_hashes_of_config_maps_rename_no_template(tree, dralint, kustomize):
    folder = tree(
        {
            **BASE,
            "base/kustomization.yaml": "resources: [job.yaml]\nconfigMapGenerator: [{name: a, literals: [b=c]}]\n",
        }
    )
    assert dralint("convert", "--write", ".").code == 0
    assert CLAIM_NAMES not in contents(folder)
    names = [item["metadata"]["name"] for item in kustomize.build(folder / "base")]
    assert "train-gpu" in names


def test_where_the_files_go(tree, dralint, snapshot):
    folder = tree(TREE)
    before = contents(folder)
    shown = dralint("convert", ".")
    assert shown.out == snapshot(name="diff")
    assert shown.err == snapshot(name="diff, told")
    assert dralint("convert", "--check", ".").err == snapshot(name="check")
    assert dralint("convert", "--output-dir", "../copies", ".").code == 0
    assert contents(folder) == before
    copies = contents(folder.parent / "copies")
    subprocess.run(["git", "apply"], input=shown.out.encode(), cwd=folder, check=True)
    assert contents(folder) == {**before, **copies}
    applied = contents(folder)
    tree(before)
    (folder / CLAIM_NAMES).unlink()
    assert dralint("convert", "--write", ".").err == snapshot(name="write")
    assert contents(folder) == applied
