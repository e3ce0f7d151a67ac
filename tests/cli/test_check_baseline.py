"""`dralint check --baseline` and `--write-baseline`: what is known is not reported again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dralint.lint.valid import schema

Dralint = Callable[..., Any]

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one, namespace: lab}
spec:
  devices:
    requests:
    - {name: a, deviceClassName: gpu.nvidia.com}
"""
SECOND = "    - {name: b, deviceClassName: gpu.nvidia.com}\n"
FINE = CLAIM.replace("deviceClassName: gpu.nvidia.com", "exactly: {deviceClassName: gpu.nvidia.com}")
KNOWN = ("--baseline", "known.json")
ONLY = "select: [DRA101, DRA102]\n"  # others may have something to say of these claims, too


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lab").mkdir()
    (tmp_path / ".dralint.yaml").write_text(ONLY)
    (tmp_path / "lab" / ".dralint.yaml").write_text(ONLY)
    (tmp_path / "lab" / "a.yaml").write_text(CLAIM)
    (tmp_path / "lab" / "b.yaml").write_text(CLAIM.replace("one", "two"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def found(dralint: Dralint) -> Callable[..., list[str]]:
    def checked(*arguments: str) -> list[str]:
        ran = dralint("check", *KNOWN, "--output-format", "concise", *arguments)
        assert ran.code == int(bool(ran.out)), ran.err
        return [line.partition(":")[0] for line in ran.out.splitlines()]

    return checked


def entries(folder: Path) -> list[dict[str, Any]]:
    data = json.loads((folder / "known.json").read_text())
    Draft202012Validator(dict(schema("baseline.schema.json"))).validate(data)
    found: list[dict[str, Any]] = data["findings"]
    return found


def test_what_is_written_is_known(dralint: Dralint, folder: Path, found: Callable[..., list[str]]) -> None:
    ran = dralint("check", *KNOWN, "--write-baseline", ".")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("2 findings written to known.json\nno findings in 2 files, 2 known\n")
    assert entries(folder)[0] == {
        "rule": "DRA101",
        "path": "lab/a.yaml",
        "object": "ResourceClaim lab/one",
        "field": "spec.devices.requests[0].deviceClassName",
        "count": 1,
    }
    assert found(".") == []
    ran = dralint("check", *KNOWN, "--output-format", "json", ".")
    assert json.loads(ran.out)["summary"]["known"] == 2
    before = (folder / "known.json").read_bytes()
    dralint("check", *KNOWN, "--write-baseline", ".")
    assert (folder / "known.json").read_bytes() == before


def test_lines_apiversions_and_the_current_directory_do_not_matter(
    dralint: Dralint, folder: Path, found: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dralint("check", *KNOWN, "--write-baseline", ".")
    (folder / "lab" / "a.yaml").write_text("# moved\n\n" + CLAIM.replace("/v1\n", "/v1beta2\n"))
    assert "DRA101" not in dralint("check", *KNOWN, "--target-kubernetes", "1.33", ".").out
    (folder / "lab" / "a.yaml").write_text("# moved\n\n" + CLAIM)
    assert found(str(folder)) == []
    monkeypatch.chdir(folder / "lab")
    ran = dralint("check", "--baseline", "../known.json", "./a.yaml", "../lab/b.yaml")
    assert (ran.code, ran.out) == (0, "")


def test_what_is_new_is_reported(dralint: Dralint, folder: Path, found: Callable[..., list[str]]) -> None:
    dralint("check", *KNOWN, "--write-baseline", ".")
    for text in (
        CLAIM + SECOND,
        CLAIM.replace("name: one", "name: other"),
        CLAIM.replace("namespace: lab", "namespace: prod"),
    ):
        (folder / "lab" / "a.yaml").write_text(text)
        assert found("lab") == ["lab/a.yaml"], text
    (folder / "lab" / "a.yaml").write_text(CLAIM)
    (folder / "lab" / "c.yaml").write_text(CLAIM)
    assert found("lab") == ["lab/c.yaml"]


def test_findings_with_one_fingerprint_are_counted(
    dralint: Dralint, folder: Path, found: Callable[..., list[str]]
) -> None:
    (folder / "lab" / "a.yaml").write_text(CLAIM + "---\n" + CLAIM)
    dralint("check", *KNOWN, "--write-baseline", ".")
    assert [each["count"] for each in entries(folder)] == [2, 1]
    assert found(".") == []
    (folder / "lab" / "a.yaml").write_text(CLAIM + "---\n" + CLAIM + "---\n" + CLAIM)
    assert found(".") == ["lab/a.yaml"]


def stale(dralint: Dralint, *arguments: str) -> list[str]:
    err: str = dralint("check", *KNOWN, *arguments).err
    return [line.partition("note: ")[2] for line in err.splitlines() if line.startswith("known.json: note")]


def test_entries_that_are_no_longer_found_are_told(dralint: Dralint, folder: Path) -> None:
    dralint("check", *KNOWN, "--write-baseline", ".")
    assert stale(dralint, ".") == []
    (folder / "lab" / "a.yaml").write_text(FINE)
    mended = "DRA101 in lab/a.yaml (ResourceClaim lab/one, spec.devices.requests[0].deviceClassName) is no longer found"
    assert stale(dralint, ".") == [mended, "--write-baseline writes it anew"]
    assert stale(dralint, "lab/b.yaml") == []
    assert stale(dralint, ".", "--select", "DRA102") == []
    assert dralint("check", *KNOWN, ".").code == 0
    (folder / "lab" / "b.yaml").write_text("kind: Service\n")
    assert len(stale(dralint, ".")) == 3
    (folder / "lab" / "a.yaml").unlink()
    assert stale(dralint, "lab/b.yaml")[0] == mended
    (folder / "lab" / "b.yaml").write_text("nvidia.com: [\n")
    assert stale(dralint, ".") == [mended, "--write-baseline writes it anew"]


def test_many_stale_entries_are_a_few_lines(dralint: Dralint, folder: Path) -> None:
    (folder / "lab" / "b.yaml").unlink()
    (folder / "lab" / "a.yaml").write_text("---\n".join(CLAIM.replace("one", f"c{n}") for n in range(9)))
    dralint("check", *KNOWN, "--write-baseline", ".")
    (folder / "lab" / "a.yaml").write_text(FINE)
    assert len(stale(dralint, ".")) == 6
    assert stale(dralint, ".")[-1] == "4 more are no longer found; --write-baseline writes it anew"
    assert len(stale(dralint, "-v", ".")) == 10


def test_what_a_run_does_not_judge_stays_known(dralint: Dralint, folder: Path) -> None:
    dralint("check", *KNOWN, "--write-baseline", ".")
    (folder / "lab" / "a.yaml").write_text(FINE)
    dralint("check", *KNOWN, "--write-baseline", "lab/b.yaml")
    assert len(entries(folder)) == 2
    dralint("check", *KNOWN, "--write-baseline", "--select", "DRA102", ".")
    assert len(entries(folder)) == 2
    dralint("check", *KNOWN, "--write-baseline", "lab/a.yaml")
    assert [each["path"] for each in entries(folder)] == ["lab/b.yaml"]


def test_a_rule_that_fails_is_never_known(dralint: Dralint, folder: Path) -> None:
    (folder / "ci").mkdir()
    (folder / "ci" / "a.yaml").write_text(
        "id: ACME001\nname: a\nseverity: info\nsummary: s\nsubject: claim\nwhen: nothing\nmessage: m\n"
    )
    ran = dralint("check", *KNOWN, "--write-baseline", "--rules", "ci", "--select", "ACME001", "lab")
    assert ran.code == 1
    assert "rule-failed" in ran.out
    assert entries(folder) == []


def test_suppressed_findings_are_not_written(dralint: Dralint, folder: Path) -> None:
    (folder / "lab" / "a.yaml").write_text("# dralint: ignore-file\n" + CLAIM)
    dralint("check", *KNOWN, "--write-baseline", ".")
    assert [each["path"] for each in entries(folder)] == ["lab/b.yaml"]


def test_fixes_leave_known_findings_alone(dralint: Dralint, folder: Path) -> None:
    dralint("check", *KNOWN, "--write-baseline", ".")
    (folder / "lab" / "c.yaml").write_text(CLAIM)
    ran = dralint("check", *KNOWN, "--fix", ".")
    assert ran.err.startswith("fixed 1 finding in 1 file; left: no findings in 3 files, 2 known\n")
    assert (folder / "lab" / "a.yaml").read_text() == CLAIM
    assert (folder / "lab" / "c.yaml").read_text() == FINE


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (None, "there is no baseline (make it with --write-baseline)"),
        ("[]", "is no baseline of this version of dralint (write it anew with --write-baseline)"),
        ('{"version": 2, "findings": []}', "is no baseline of this version of dralint"),
        ('{"version": 1, "findings": [{"rule": "x"}]}', "is no baseline of this version of dralint"),
        ("{", "is no baseline of dralint: not valid JSON"),
    ],
)
def test_a_file_that_is_no_baseline(dralint: Dralint, folder: Path, text: str | None, what: str) -> None:
    if text is not None:
        (folder / "known.json").write_text(text)
    ran = dralint("check", *KNOWN, ".")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"known.json: error: {what}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--write-baseline",), "--write-baseline: no file is named (add --baseline FILE)"),
        ((*KNOWN, "--write-baseline", "--fix"), "--write-baseline and --fix cannot be combined"),
        ((*KNOWN, "--write-baseline", "--base", "main"), "--write-baseline and --base cannot be combined"),
    ],
)
def test_options_that_cannot_go_together(dralint: Dralint, arguments: tuple[str, ...], message: str) -> None:
    ran = dralint("check", *arguments, ".")
    assert ran.code == 2
    assert ran.err.startswith(f"dralint: error: {message}")
