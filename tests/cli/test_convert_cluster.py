"""--device-plugin-config and --mig-config as a person gives them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.test_convert import BEFORE, SCHEMA
from tests.convert.clusters import PLAIN, SINGLE, config, layouts


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "chat.yaml").write_text(BEFORE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_both_options_decide_and_the_report_says_so(folder: Path, dralint: Any) -> None:
    (folder / "plugin.yaml").write_text(SINGLE)
    (folder / "mig.yaml").write_text(layouts(all_1g_10gb={"1g.10gb": 7}))
    options = ["--device-plugin-config", "plugin.yaml", "--mig-config", "mig.yaml", "--report", "report.json"]
    assert dralint("convert", "--write", *options, "chat.yaml").code == 0
    report = json.loads((folder / "report.json").read_text())
    jsonschema.validate(report, SCHEMA)
    claim = report["occurrences"][0]["claim"]
    assert (claim["deviceClass"], claim["profile"]) == ("mig.nvidia.com", "1g.10gb")
    assert "the device plugin runs with plugin.yaml" in report["assumptions"]


def test_several_files_count_together(folder: Path, dralint: Any) -> None:
    (folder / "a.yaml").write_text(PLAIN)
    (folder / "b.yaml").write_text(config())
    options = ["--device-plugin-config", "a.yaml", "--device-plugin-config", "b.yaml"]
    ran = dralint("convert", "--check", *options, "chat.yaml")
    assert (ran.code, "disagree" in ran.err) == (1, True)


def test_a_file_that_is_converted_too(folder: Path, dralint: Any) -> None:
    (folder / "plugin.yaml").write_text(PLAIN)
    assert dralint("convert", "--write", "--device-plugin-config", "plugin.yaml", ".").code == 0
    assert (folder / "plugin.yaml").read_text() == PLAIN


@pytest.mark.parametrize("option", ["--device-plugin-config", "--mig-config"])
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("missing.yaml", None, "missing.yaml: error: cannot be read"),
        ("-", None, "takes files"),
        ("", None, "takes files"),
        ("broken.yaml", "a: [\n", "broken.yaml:2:1: error"),
        ("empty.yaml", "", "empty.yaml: error: it holds no"),
        ("other.yaml", "a: b\n", "other.yaml: error: it holds no"),
        ("binary.yaml", "\0\0", "binary.yaml"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    folder: Path, dralint: Any, option: str, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (folder / name).write_text(text)
    ran = dralint("convert", "--write", option, name, "chat.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert (folder / "chat.yaml").read_text() == BEFORE
