"""`dralint convert --mode` and `--device-classes` as a person runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = json.loads((ROOT / "schemas" / "convert.schema.json").read_text())
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: chat}
spec:
  containers:
    - name: main
      image: example
      resources:
        limits:
          %s: 1
"""
EXTENDED = ("--mode", "extended-resource", "--stack", "operator")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with two pods, the current one."""
    (tmp_path / "gpu.yaml").write_text(POD % "nvidia.com/gpu")
    (tmp_path / "mig.yaml").write_text(POD % "nvidia.com/mig-1g.24gb")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(path: Path) -> list[str]:
    return [item["metadata"]["name"] for item in yaml.safe_load_all(path.read_text())]


def test_one_run_or_two_make_the_same_file(tree: Path, dralint: Any) -> None:
    assert dralint("convert", *EXTENDED, "--device-classes", "all.yaml", "gpu.yaml", "mig.yaml").code == 0
    for name in ("mig.yaml", "gpu.yaml"):
        ran = dralint("convert", *EXTENDED, "--device-classes", "each.yaml", name)
        assert (ran.code, ran.out) == (0, "")
    assert (tree / "each.yaml").read_bytes() == (tree / "all.yaml").read_bytes()
    assert names(tree / "all.yaml") == ["nvidia-gpu-extended", "nvidia-mig-1g-24gb-extended"]


def test_a_second_run_finds_the_classes(tree: Path, dralint: Any) -> None:
    first = dralint("convert", *EXTENDED, "--device-classes", "classes.yaml", ".")
    assert "classes.yaml: DeviceClass nvidia-gpu-extended, nvidia-mig-1g-24gb-extended written" in first.err
    written = (tree / "classes.yaml").read_bytes()
    second = dralint("convert", *EXTENDED, "--device-classes", "classes.yaml", ".")
    assert (second.code, (tree / "classes.yaml").read_bytes()) == (0, written)
    assert "DeviceClass" not in second.err
    assert dralint("check", "--stack", "operator", "--complete", ".").code == 0


def test_check_writes_nothing(tree: Path, dralint: Any) -> None:
    ran = dralint("convert", *EXTENDED, "--check", "--device-classes", "classes.yaml", "gpu.yaml")
    assert ran.code == 1
    assert "classes.yaml: would get the DeviceClass nvidia-gpu-extended" in ran.err
    assert not (tree / "classes.yaml").exists()


@pytest.mark.parametrize(
    ("stack", "says"),
    [
        (["--stack", "operator"], "nvidia-gpu-extended for nvidia.com/gpu: needed: --device-classes FILE"),
        (["--stack", "standalone"], None),
        ([], "needed unless the DRA driver's own chart is installed"),
    ],
)
def test_a_class_is_told(tree: Path, dralint: Any, stack: list[str], says: str | None) -> None:
    ran = dralint("convert", "--mode", "extended-resource", *stack, "gpu.yaml")
    assert ran.code == 0
    assert ("DeviceClass" in ran.err) == bool(says)
    assert says is None or says in ran.err


@pytest.mark.parametrize("stack", [["--stack", "standalone"], []])
def test_a_class_that_may_be_the_second_is_never_written(tree: Path, dralint: Any, stack: list[str]) -> None:
    arguments = ["--mode", "extended-resource", *stack, "--device-classes", "classes.yaml", "gpu.yaml"]
    assert dralint("convert", *arguments).code == 0
    assert not (tree / "classes.yaml").exists()


@pytest.mark.parametrize("mode", ["auto", "claims", "extended-resource", "implicit"])
def test_the_report_holds_the_mode_and_the_classes(tree: Path, dralint: Any, mode: str) -> None:
    ran = dralint("convert", "-q", "--mode", mode, "--stack", "operator", "--report", "-", ".")
    report = json.loads(ran.out)
    jsonschema.validate(report, SCHEMA)
    by_name = {"extended-resource", "implicit"}
    assert {each["mode"] for each in report["occurrences"]} == {mode if mode in by_name else "claims"}
    assert [each["name"] for each in report["deviceClasses"]] == {
        "extended-resource": ["nvidia-gpu-extended", "nvidia-mig-1g-24gb-extended"],
        "implicit": ["nvidia-mig-1g-24gb"],
    }.get(mode, [])
    assert all(each["manifest"]["kind"] == "DeviceClass" for each in report["deviceClasses"])


def test_readable_reports_show_the_classes(tree: Path, dralint: Any) -> None:
    for name in ("report.md", "report.html"):
        assert dralint("convert", *EXTENDED, "--report", name, ".").code == 0
        text = (tree / name).read_text()
        assert "nvidia-mig-1g-24gb-extended" in text
        assert "extendedResourceName: nvidia.com/gpu" in text


def test_standard_input(tree: Path) -> None:
    text = POD % "nvidia.com/mig-1g.24gb"
    options = ["--mode", "implicit", "--device-classes", "classes.yaml"]
    command = [sys.executable, "-m", "dralint", "convert", *options, "-"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert "deviceclass.resource.kubernetes.io/nvidia-mig-1g-24gb: 1" in ran.stdout
    assert names(tree / "classes.yaml") == ["nvidia-mig-1g-24gb"]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("gpu.yaml", None, "gpu.yaml:1:1: error: Pod is no DeviceClass"),
        ("odd.yaml", "a: [\n", "odd.yaml:"),
        ("missing/classes.yaml", None, "missing/classes.yaml: error: could not be written"),
        (".", None, ".: error: is a directory"),
        ("-", None, "the classes go to a file"),
        ("", None, "the classes go to a file"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line_and_nothing_is_written(
    tree: Path, dralint: Any, name: str, content: str | None, says: str
) -> None:
    if content is not None:
        (tree / name).write_text(content)
    before = (tree / "mig.yaml").read_bytes()
    ran = dralint("convert", "--mode", "implicit", "--write", "--device-classes", name, "mig.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert (tree / "mig.yaml").read_bytes() == before


def test_a_class_of_the_name_that_is_another_one_is_an_error(tree: Path, dralint: Any) -> None:
    text = (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: nvidia-gpu-extended}\nspec: {}\n"
    )
    (tree / "classes.yaml").write_text(text)
    options = ["--sharing", "exclusive", "--write", "--device-classes", "classes.yaml"]
    part = (tree / "gpu.yaml").read_text() + "          nvidia.com/gpumem: 3000\n"
    (tree / "gpu.yaml").write_text(part)
    ran = dralint("convert", *EXTENDED, *options, "gpu.yaml")
    assert ran.code == 2
    assert (tree / "gpu.yaml").read_text() == part
    assert (
        "classes.yaml:1:1: error: the DeviceClass nvidia-gpu-extended is there and is another one" in ran.err
    )
    assert (tree / "classes.yaml").read_text() == text


def test_the_report_is_another_file(tree: Path, dralint: Any) -> None:
    ran = dralint("convert", *EXTENDED, "--report", "out.json", "--device-classes", "out.json", "gpu.yaml")
    assert ran.code == 2
    assert "--device-classes and --report name the same file" in ran.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_no_file(tree: Path, dralint: Any) -> None:
    os.mkfifo(tree / "pipe")
    ran = dralint("convert", *EXTENDED, "--device-classes", "pipe", "gpu.yaml")
    assert ran.code == 2


@pytest.mark.parametrize("options", [(), ("--report", "report.json")])
@pytest.mark.parametrize(
    ("there", "to"),
    [
        ({"dra/kustomization.yaml": "resources: []\n"}, ("--output-overlay", "dra")),
        ({"dra": ""}, ("--output-overlay", "dra")),
        ({"dra": ""}, ("--output-overlay", "dra/sub")),
        ({"dra/kustomization.yaml/file": ""}, ("--output-overlay", "dra")),
        ({"out": ""}, ("--output-dir", "out")),
        ({"out": ""}, ("--output-dir", "out/sub")),
        ({}, ("--output-overlay", ".")),
    ],
)
def test_nothing_is_written_where_something_is_in_the_way(
    tree: Path, dralint: Any, there: dict[str, str], to: tuple[str, str], options: tuple[str, ...]
) -> None:
    (tree / "base").mkdir()
    text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec:\n  template:\n    spec:\n"
    text += "      containers:\n      - {name: m, image: x, resources: {limits: {nvidia.com/gpu: 1}}}\n"
    (tree / "base" / "chat.yaml").write_text(text)
    for name, data in there.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(data)
    before = {path for path in tree.rglob("*") if path.name != "report.json"}
    ran = dralint("convert", "--mode", "implicit", *to, *options, "--device-classes", "classes.yaml", "base")
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert set(tree.rglob("*")) == before
    assert all((tree / name).read_text() == data for name, data in there.items())


@pytest.mark.parametrize("option", ["--device-classes", "--report"])
@pytest.mark.parametrize(
    ("to", "name"), [("--output-dir", "out/gpu.yaml"), ("--output-overlay", "out/kustomization.yaml")]
)
def test_no_file_is_written_twice(tree: Path, dralint: Any, option: str, to: str, name: str) -> None:
    (tree / "out").mkdir()
    ran = dralint("convert", "--mode", "implicit", to, "out", option, name, "gpu.yaml")
    assert ran.code == 2
    assert f"{name}: error: would be written twice in one run" in ran.err
    assert list((tree / "out").iterdir()) == []
