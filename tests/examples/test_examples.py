"""Each directory of examples/ is a promise: this file before, exactly that file after."""

import json
from pathlib import Path

import pytest
import yaml

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


def test_index_lists_every_example():
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    every = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))
    assert sorted(line.split("](")[1].split("/")[0] for line in text.splitlines() if "](" in line) == every
    assert set(NAMES) < set(every)
