"""Each directory of examples/ is a promise: this file before, exactly that file after."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from tests import name_references

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/before.*"))
# What is converted with more than the defaults.
ARGS = {"quota-and-kueue": ["--companions"]}
CORE_GROUPS = {"v1", "apps/v1", "batch/v1", "resource.k8s.io/v1"}


def files(name):
    (before,) = (EXAMPLES / name).glob("before.*")
    return before, before.with_name(f"after{before.suffix}")


def items(document):
    return document["items"] if document["kind"] == "List" else [document]


def objects(path):
    return [item for document in yaml.safe_load_all(path.read_bytes()) for item in items(document)]


def pod_specs(value):
    """Every mapping with a list of containers."""
    if isinstance(value, dict):
        if isinstance(value.get("containers"), list):
            yield value
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from pod_specs(child)


def test_there_are_examples():
    assert len(NAMES) >= 9


@pytest.mark.parametrize("name", NAMES)
def test_before_becomes_after(name, tmp_path, dralint):
    before, after = files(name)
    target = tmp_path / before.name
    target.write_bytes(before.read_bytes())
    ran = dralint("convert", *ARGS.get(name, ()), "--write", target)
    assert target.read_text() == after.read_text()
    assert target.read_bytes() == after.read_bytes()
    assert ran.code == 0


@pytest.mark.parametrize("name", NAMES)
def test_second_run_changes_nothing(name, tmp_path, dralint):
    _, after = files(name)
    target = tmp_path / after.name
    target.write_bytes(after.read_bytes())
    assert dralint("convert", *ARGS.get(name, ()), "--write", target).code == 0
    assert target.read_bytes() == after.read_bytes()
    ran = dralint("convert", *ARGS.get(name, ()), target)
    assert (ran.code, ran.out) == (0, "")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", [0, 1], ids=["before", "after"])
def test_kubernetes_accepts_it(name, which):
    validate = pytest.importorskip("kubernetes_validate").validate
    for item in objects(files(name)[which]):
        if item["apiVersion"] in CORE_GROUPS:
            validate(item, "1.36", strict=True)
        for spec in pod_specs(item):
            validate({"apiVersion": "v1", "kind": "Pod", "spec": spec}, "1.36", strict=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", [0, 1], ids=["before", "after"])
def test_check_is_content(name, which, dralint):
    ran = dralint("check", "--context", "none", "--output-format", "json", files(name)[which])
    findings = json.loads(ran.out)["findings"]
    assert [finding for finding in findings if finding["severity"] in ("warning", "error")] == []
    assert ran.code == 0


@pytest.mark.parametrize("name", NAMES)
def test_readme_is_three_lines(name):
    title, *text = (EXAMPLES / name / "README.md").read_text(encoding="utf-8").splitlines()
    assert title.startswith("# ")
    assert len([line for line in text if line]) == 2


SHARING = {
    "shared-claim": "driver:TimeSlicingSettings=true",
    "consumable": "driver:ConsumableShares=true",
}


@pytest.mark.parametrize("sharing", SHARING)
def test_shared_inference(sharing, dralint, monkeypatch):
    monkeypatch.chdir(EXAMPLES / "shared-inference")
    arguments = ["convert", "--device-plugin-config", "plugin.yaml", "workload.yaml"]
    waits = dralint(*arguments)
    assert (waits.code, waits.out) == (1, "")
    assert f"; {sharing} gives" in waits.err
    ran = dralint(*arguments, "--sharing", sharing, "--gate", SHARING[sharing])
    assert ran.out == Path(f"{sharing}.diff").read_text(encoding="utf-8")
    assert "1 GPU request: 1 converted" in ran.err


@pytest.mark.parametrize("sharing", SHARING)
def test_shared_inference_passes_check(sharing, dralint, tmp_path):
    (tmp_path / "workload.yaml").write_bytes((EXAMPLES / "shared-inference" / "workload.yaml").read_bytes())
    plugin, gate = EXAMPLES / "shared-inference" / "plugin.yaml", SHARING[sharing]
    options = ["--device-plugin-config", plugin, "--sharing", sharing]
    assert dralint("convert", "--write", *options, "--gate", gate, tmp_path / "workload.yaml").code == 0
    ran = dralint("check", "--context", "none", "--gate", gate, "--fail-on", "warning", tmp_path)
    assert ran.code == 0


def test_index_lists_every_example():
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    every = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))
    assert sorted(line.split("](")[1].split("/")[0] for line in text.splitlines() if "](" in line) == every
    assert set(NAMES) < set(every)


BY_NAME = EXAMPLES / "extended-resource"


@pytest.mark.parametrize(
    ("mode", "after", "classes"),
    [
        ("extended-resource", "workloads.yaml", "classes.yaml"),
        ("implicit", "implicit.yaml", "implicit-classes.yaml"),
    ],
)
def test_requests_by_name(mode, after, classes, tmp_path, dralint):
    target, class_file = tmp_path / "workloads.yaml", tmp_path / "classes.yaml"
    target.write_bytes((BY_NAME / "workloads.yaml").read_bytes())
    options = ["--mode", mode, "--stack", "operator", "--device-classes", class_file, "--write"]
    for _ in range(2):
        assert dralint("convert", *options, target).code == 0
        assert target.read_text() == (BY_NAME / after).read_text()
        assert class_file.read_text() == (BY_NAME / classes).read_text()
    checked = dralint("check", "--stack", "operator", "--complete", target, class_file)
    assert (checked.code, checked.out) == (0, "")


@pytest.mark.parametrize("name", ["classes.yaml", "implicit-classes.yaml"])
def test_kubernetes_accepts_the_classes(name):
    validate = pytest.importorskip("kubernetes_validate").validate
    for item in objects(BY_NAME / name):
        validate(item, "1.36", strict=True)


def test_name_prefix(dralint, monkeypatch, tmp_path, kustomize):
    shutil.copytree(EXAMPLES / "name-prefix", tmp_path / "name-prefix")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "name-prefix")
    assert dralint("convert", ".").out == Path("convert.diff").read_text(encoding="utf-8")
    assert dralint("convert", "--write", ".").code == 0
    made = kustomize.build(Path("overlays/prod"))
    template, user = sorted(made, key=lambda item: item["kind"], reverse=True)
    (claim,) = user["spec"]["template"]["spec"]["resourceClaims"]
    assert claim["resourceClaimTemplateName"] == template["metadata"]["name"] == "prod-assistant-gpu"
    # The one for all kinds does the same, in the overlay.
    Path("base/kustomization.yaml").write_text("resources: [deployment.yaml]\n")
    prod = Path("overlays/prod/kustomization.yaml")
    prod.write_text(prod.read_text() + "configurations: [claim-names.yaml]\n")
    shutil.copy("claim-names.yaml", "overlays/prod")
    assert kustomize.build(Path("overlays/prod")) == made


def test_gpu_overlay(dralint, monkeypatch, tmp_path, kustomize):
    shutil.copytree(EXAMPLES / "gpu-overlay", tmp_path / "gpu-overlay")
    monkeypatch.chdir(tmp_path / "gpu-overlay")
    assert dralint("convert", ".").out == Path("convert.diff").read_text(encoding="utf-8")
    Path("built.yaml").write_text(yaml.safe_dump_all(kustomize.build(Path("overlays/gpu"))))
    assert dralint("convert", "--write", "base", "overlays", "built.yaml").code == 0
    built = sorted(yaml.safe_load_all(Path("built.yaml").read_text()), key=lambda item: item["kind"])
    assert sorted(kustomize.build(Path("overlays/gpu")), key=lambda item: item["kind"]) == built


def test_count_patches(dralint, monkeypatch, tmp_path, kustomize):
    shutil.copytree(EXAMPLES / "count-patches", tmp_path / "count-patches")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path / "count-patches")
    assert dralint("convert", ".").out == Path("convert.diff").read_text(encoding="utf-8")
    for name in ("prod", "test"):
        Path(f"{name}.yaml").write_text(yaml.safe_dump_all(kustomize.build(Path("overlays", name))))
    assert dralint("convert", "--write", "base", "overlays", "prod.yaml", "test.yaml").code == 0
    for name in ("prod", "test"):
        built = sorted(yaml.safe_load_all(Path(f"{name}.yaml").read_text()), key=lambda item: item["kind"])
        assert sorted(kustomize.build(Path("overlays", name)), key=lambda item: item["kind"]) == built
    assert dralint("check", ".").code == 0


def test_the_configuration_for_all_kinds_is_current():
    assert name_references.FILE.read_text(encoding="utf-8") == name_references.text()
