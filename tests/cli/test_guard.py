"""A report replaces nothing but a report, and where it cannot be written is told before anything is done."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

MANIFEST = """\
apiVersion: v1
kind: Pod
metadata:
  name: chat
spec:
  resourceClaims:
    - name: gpu
      source:
        resourceClaimTemplateName: chat
  containers:
    - name: main
      image: example
      resources:
        limits:
          nvidia.com/gpu: 1
        claims:
          - name: gpu
"""
OPTIONS = {
    "convert": ("convert", "--write", "--report", "{}"),
    "check json": ("check", "--fix", "--output-format", "json={}"),
    "check text": ("check", "--fix", "--output-format", "text={}"),
    "check sarif": ("check", "--output-format", "concise", "--output-format", "sarif={}"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, with a manifest in it that both commands would change."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "pod.yaml").write_text(MANIFEST)
    monkeypatch.chdir(here)
    return here


@pytest.fixture(params=OPTIONS)
def run(request: pytest.FixtureRequest, dralint: Any) -> Any:
    """Runs each command with its report in a file."""

    def ran(file: str | Path, *paths: str) -> Any:
        return dralint(*(word.format(file) for word in OPTIONS[request.param]), *paths)

    return ran


@pytest.mark.parametrize("paths", [("pod.yaml",), (".",), (), ("../here",)])
@pytest.mark.parametrize("name", ["pod.yaml", "./pod.yaml", "../here/pod.yaml"])
def test_an_input_is_never_replaced(folder: Path, run: Any, name: str, paths: tuple[str, ...]) -> None:
    ran = run(name, *paths)
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(re.escape(name) + r": error: .*\n", ran.err)
    assert (folder / "pod.yaml").read_text() == MANIFEST


def test_an_input_that_looks_like_a_report_is_not_either(folder: Path, run: Any) -> None:
    assert run("report.out", "pod.yaml").code < 2
    before = (folder / "report.out").read_bytes()
    ran = run("report.out", "report.out", "pod.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "report.out: error: is one of the files to read" in ran.err
    assert (folder / "report.out").read_bytes() == before


@pytest.mark.parametrize("text", ["remember: the milk\n", "{}", MANIFEST])
def test_a_file_of_somebody_else_is_not_replaced(folder: Path, run: Any, text: str) -> None:
    (folder / "notes").write_text(text)
    ran = run("notes", "pod.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(r"notes: error: exists and is no report of dralint .*\n", ran.err)
    assert (folder / "notes").read_text() == text
    assert (folder / "pod.yaml").read_text() == MANIFEST


def test_a_report_is_replaced_and_not_read(folder: Path, run: Any) -> None:
    def texts() -> tuple[int, str, bytes]:
        (folder / "pod.yaml").write_text(MANIFEST)
        code, out, _ = run("report.json")
        return code, out, (folder / "report.json").read_bytes()

    (folder / "report.json").write_text("")
    assert texts() == texts()


@pytest.mark.parametrize("place", ["missing/report.out", "pod.yaml/report.out", "."])
def test_a_place_that_cannot_be_written_is_told_first(folder: Path, run: Any, place: str) -> None:
    ran = run(place, "pod.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch(re.escape(place) + r": error: .*\n", ran.err)
    assert os.listdir(folder) == ["pod.yaml"]
    assert (folder / "pod.yaml").read_text() == MANIFEST


def test_links_and_protected_files_are_told_first(folder: Path, run: Any) -> None:
    (folder / "link").symlink_to("elsewhere")
    (folder / "locked").touch(0o444)
    for name in ("link", "locked"):
        ran = run(name, "pod.yaml")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith(f"{name}: error: ")
    assert not (folder / "elsewhere").exists()
    assert (folder / "pod.yaml").read_text() == MANIFEST


def test_two_formats_need_two_files(folder: Path, dralint: Any) -> None:
    ran = dralint("check", "--output-format", "json=a", "--output-format", "sarif=./a", "pod.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert "two formats for the file" in ran.err


def test_a_minus_is_standard_output(folder: Path, dralint: Any) -> None:
    ran = dralint("check", "--output-format", "json=-", "pod.yaml")
    assert json.loads(ran.out)["version"] == 1
    ran = dralint("convert", "--report", "-", "pod.yaml")
    assert (ran.code, json.loads(ran.out)["summary"]["occurrences"]) == (1, 1)
    assert os.listdir(folder) == ["pod.yaml"]
    ran = dralint("convert", "--report", "-", "-")
    assert (ran.code, ran.out) == (2, "")
    assert "--report -" in ran.err


def test_a_baseline_replaces_no_manifest(folder: Path, dralint: Any) -> None:
    ran = dralint("check", "--baseline", "pod.yaml", "--write-baseline", "pod.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert (folder / "pod.yaml").read_text() == MANIFEST


def test_a_pipe_and_a_device_are_written_to(folder: Path, dralint: Any) -> None:
    assert dralint("convert", "--report", "/dev/null", "pod.yaml").code == 1
    assert dralint("check", "--output-format", "json=/dev/null", "pod.yaml").code == 1
