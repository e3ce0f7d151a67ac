"""The formats of `dralint check`, from the command line: one exit code, one set of findings, several files at once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from dralint.cli.formats import FORMATS

Dralint = Callable[..., Any]

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: {name}
spec:
  devices:
    requests:
      - name: card
        {body}
"""
GOOD = CLAIM.format(name="good", body="exactly: {deviceClassName: gpu.nvidia.com}")
BAD = CLAIM.format(name="bad", body="deviceClassName: gpu.nvidia.com  # ##[add-mask]x")
OWN = ("--select", "DRA101", "--target-kubernetes", "1.36", "--dra-driver", "0.5.1")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, below the root of a work tree."""
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    folder = tmp_path / "repository" / "deploy"
    folder.mkdir()
    (folder / "good.yaml").write_text(GOOD)
    (folder / "bad.yaml").write_text(BAD)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return folder


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("good.yaml",), 0),
        (("bad.yaml",), 1),
        (("bad.yaml", "--fail-on", "never"), 0),
        (("bad.yaml", "gone.yaml"), 2),
    ],
)
def test_the_exit_code_does_not_depend_on_the_format(
    dralint: Dralint, name: str, arguments: tuple[str, ...], code: int
) -> None:
    assert dralint("check", *OWN, "--output-format", name, *arguments).code == code
    assert dralint("check", *OWN, "--output-format", f"{name}=out", *arguments).code == code


def test_all_formats_at_once_tell_the_same(dralint: Dralint, folder: Path) -> None:
    formats = [f"--output-format={name}={name}.out" for name in FORMATS]
    ran = dralint("check", *OWN, *formats, "bad.yaml", "good.yaml")
    assert (ran.code, ran.out) == (1, "")
    found = {name: (folder / f"{name}.out").read_text() for name in FORMATS}
    (result,) = json.loads(found["sarif"])["runs"][0]["results"]
    (finding,) = json.loads(found["json"])["findings"]
    (issue,) = json.loads(found["gitlab"])
    assert finding["line"] == issue["location"]["lines"]["begin"] == 9
    place = result["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == 9
    assert place["artifactLocation"] == {"uri": "deploy/bad.yaml", "uriBaseId": "%SRCROOT%"}
    assert result["fixes"][0]["properties"]["applicability"] == finding["fix"]["applicability"]
    assert found["github"].startswith("::error file=deploy/bad.yaml,line=9,")
    assert issue["location"]["path"] == "deploy/bad.yaml"
    names = {case.attrib["classname"]: len(case) for case in ET.fromstring(found["junit"]).iter("testcase")}
    assert names == {"deploy/bad.yaml": 1, "deploy/good.yaml": 0}
    assert found["concise"].startswith("bad.yaml:9:9: error[DRA101 ")
    assert found["text"].startswith("bad.yaml:9:9: error[DRA101 ")


def test_what_could_not_be_read_is_told_in_every_ci_format(dralint: Dralint, folder: Path) -> None:
    names = ("sarif", "github", "gitlab", "junit")
    formats = [f"--output-format={name}={name}.out" for name in names]
    assert dralint("check", *OWN, *formats, "gone.yaml").code == 2
    for name in names:
        text = (folder / f"{name}.out").read_text()
        assert "deploy/gone.yaml" in text, name
        assert "no such file" in text.lower(), name


def test_a_file_that_cannot_be_written_is_told_before_anything_is_done(
    dralint: Dralint, folder: Path
) -> None:
    formats = ("--output-format=gitlab=c", "--output-format=json=no/such/a", "--output-format=text")
    ran = dralint("check", *OWN, *formats, "bad.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["no/such/a"]
    assert not (folder / "c").exists()


def test_one_file_that_can_no_longer_be_written_does_not_cost_the_others(
    dralint: Dralint, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dralint.cli.guard.guard", lambda path, named: None)
    formats = ("--output-format=json=no/such/a", "--output-format=junit=no/b", "--output-format=gitlab=c")
    ran = dralint("check", *OWN, *formats, "bad.yaml")
    assert ran.code == 2
    assert [line.partition(":")[0] for line in ran.err.splitlines()] == ["no/b", "no/such/a"]
    assert json.loads((folder / "c").read_text())


def test_one_file_is_not_written_twice(dralint: Dralint) -> None:
    ran = dralint("check", *OWN, "--output-format=json=out", "--output-format=sarif=out", "good.yaml")
    assert (ran.code, ran.err) == (
        2, "dralint: error: two formats for the file out (give each its own)\n"
    )  # fmt: skip


def test_github_actions_gets_annotations_unless_a_format_is_given(
    dralint: Dralint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert dralint("check", *OWN, "bad.yaml").out.startswith("::error file=deploy/bad.yaml,line=9,")
    assert dralint("check", *OWN, "--output-format", "text", "bad.yaml").out.startswith("bad.yaml:9:9: ")
    assert dralint("check", *OWN, "--output-format", "json=out", "bad.yaml").out == ""
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert dralint("check", *OWN, "bad.yaml").out.startswith("bad.yaml:9:9: ")


def test_nothing_that_is_shown_in_github_actions_is_a_command(
    dralint: Dralint, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "::add-mask::x.yaml").write_text(BAD)
    names = ("::add-mask::x.yaml", "::stop-commands::y.yaml")
    text = dralint("check", *OWN, *names)
    assert text.out.startswith("::add-mask::")
    assert "##[add-mask]" in text.out
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    for name in ("text", "concise"):
        ran = dralint("check", *OWN, "--output-format", name, *names)
        assert (ran.code, ran.out != "", "stop-commands" in ran.err) == (2, True, True)
        for line in (ran.out + ran.err).splitlines():
            assert not line.lstrip().startswith("::")
            assert "##[" not in line


def test_rendered_input_is_told_by_its_template(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dralint", "check", *OWN, "--output-format=github", "--output-format=sarif=out", "-"],
        input=f"---\n# Source: demo/templates/claim.yaml\n{BAD}", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout.startswith(
        "::error file=demo/templates/claim.yaml,title=DRA101 flat-request-in-v1::demo/templates/claim.yaml: "
    )
    assert "%0Arendered: <stdin>:11:9, " in done.stdout
    (result,) = json.loads((folder / "out").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "demo/templates/claim.yaml", "uriBaseId": "%SRCROOT%"}
    shown = result["relatedLocations"][0]["physicalLocation"]
    assert shown["artifactLocation"] == {"uri": "%3Cstdin%3E"}
    assert shown["region"]["startLine"] == 11


def test_a_category_tells_runs_apart(dralint: Dralint) -> None:
    def category(*arguments: str) -> str:
        ran = dralint("check", *OWN, "--output-format", "sarif", *arguments, "good.yaml")
        return str(json.loads(ran.out)["runs"][0]["automationDetails"]["id"])

    assert category() == "dralint/"
    assert category("--sarif-category", "chart-a") == "dralint/chart-a/"


def test_a_name_may_be_absolute_or_lead_through_a_link(
    dralint: Dralint, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(folder)
    for name in (folder / "bad.yaml", tmp_path / "link" / "bad.yaml", Path("../deploy/bad.yaml")):
        ran = dralint("check", *OWN, "--output-format", "gitlab", name)
        assert json.loads(ran.out)[0]["location"]["path"] == "deploy/bad.yaml"


def test_statistics_stand_on_stderr(dralint: Dralint) -> None:
    ran = dralint(
        "check", *OWN, "--statistics", "--quiet", "--output-format", "concise", "bad.yaml", "good.yaml"
    )
    assert ran.code == 1
    assert ran.err == "1  DRA101  flat-request-in-v1  1 error in 1 file\n"
    assert ran.out.count("\n") == 1
    assert dralint("check", *OWN, "--statistics", "--quiet", "good.yaml").err == ""
