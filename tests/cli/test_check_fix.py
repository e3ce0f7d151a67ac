"""`dralint check --fix` and `--diff`: what is changed, what is told, and what stays as it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

Dralint = Callable[..., Any]

# Three findings; the fix of one loses the comment of its line.
TWO = """\
# claims of the lab
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: big
      deviceClassName: gpu.nvidia.com   # the H100
    - {name: Small, deviceClassName: mig.nvidia.com}
---
apiVersion: v1
kind: Service  # nothing to do with it
metadata: {name:   odd}
"""
FIXED = TWO.replace(
    "{name: Small, deviceClassName: mig.nvidia.com}",
    "{name: small, exactly: {deviceClassName: mig.nvidia.com}}",
)
ALL_FIXED = FIXED.replace(
    "      deviceClassName: gpu.nvidia.com   # the H100\n",
    "      exactly:\n        deviceClassName: gpu.nvidia.com\n",
)
FINE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: fine}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # Other rules may have something to say of these claims, too.
    (tmp_path / ".dralint.yaml").write_text("select: [DRA101, DRA102, DRA106, DRA112]\n")
    (tmp_path / "two.yaml").write_text(TWO)
    (tmp_path / "fine.yaml").write_text(FINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(err: str) -> list[str]:
    """The summary without the lines on requests and assumptions."""
    return [line for line in err.splitlines() if not re.match(r"assumed:|\d+ GPU request", line)]


def test_the_hint_counts_fixes(dralint: Dralint) -> None:
    ran = dralint("check", ".")
    assert ran.code == 1
    assert told(ran.err) == [
        "3 errors in 1 of 2 files",
        "2 fixes available with --fix (1 more with --unsafe-fixes)",
    ]
    assert dralint("check", "-q", ".").err == ""


def test_fix_makes_the_safe_ones_and_reports_the_rest(dralint: Dralint, folder: Path) -> None:
    ran = dralint("check", "--fix", "--output-format", "concise", ".")
    assert ran.code == 1
    assert (folder / "two.yaml").read_text() == FIXED
    assert (folder / "fine.yaml").read_text() == FINE
    assert [line.split(": ")[0] for line in ran.out.splitlines()] == ["two.yaml:10:7"]
    assert told(ran.err) == [
        "fixed 2 findings in 1 file; left: 1 error in 1 of 2 files",
        "1 more fix available with --unsafe-fixes",
    ]


def test_unsafe_fixes_are_made_when_they_are_asked_for(dralint: Dralint, folder: Path) -> None:
    ran = dralint("check", "--fix", "--unsafe-fixes", ".")
    assert (ran.code, ran.out) == (0, "")
    assert (folder / "two.yaml").read_text() == ALL_FIXED
    assert told(ran.err) == ["fixed 3 findings in 1 file; left: no findings in 2 files"]


def test_a_second_run_changes_nothing(dralint: Dralint, folder: Path) -> None:
    dralint("check", "--fix", ".")
    before = os.stat(folder / "two.yaml")
    ran = dralint("check", "--fix", ".")
    assert told(ran.err)[0] == "nothing to fix; left: 1 error in 1 of 2 files"
    after = os.stat(folder / "two.yaml")
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("unsafe", [False, True])
def test_diff_shows_what_fix_does(
    dralint: Dralint, folder: Path, unsafe: bool, snapshot: SnapshotAssertion
) -> None:
    options = ["--unsafe-fixes"] if unsafe else []
    shown = dralint("check", "--diff", *options, ".")
    assert (folder / "two.yaml").read_text() == TWO
    assert shown.code == 1
    assert shown.out == snapshot
    made = dralint("check", "--fix", *options, "--output-format", "json=out.json", ".")
    assert [line.replace("would fix", "fixed") for line in told(shown.err)] == told(made.err)
    after = (folder / "two.yaml").read_text()
    (folder / "two.yaml").write_text(TWO)
    subprocess.run(["git", "apply"], input=shown.out, text=True, check=True, cwd=folder)
    assert (folder / "two.yaml").read_text() == after


def test_diff_without_fixes_is_empty(dralint: Dralint) -> None:
    ran = dralint("check", "--diff", "fine.yaml")
    assert (ran.code, ran.out) == (0, "")
    assert told(ran.err) == ["nothing to fix; left: no findings in 1 file"]


def test_fix_and_diff_together_write_nothing(dralint: Dralint, folder: Path) -> None:
    ran = dralint("check", "--fix", "--diff", ".")
    assert (folder / "two.yaml").read_text() == TWO
    assert "would fix 2 findings" in ran.err


def test_a_report_beside_the_diff_holds_what_is_left(dralint: Dralint, folder: Path) -> None:
    dralint("check", "--diff", "--output-format", "json=out.json", ".")
    data = json.loads((folder / "out.json").read_text())
    assert [each["rule"] for each in data["findings"]] == ["DRA101"]


def test_standard_input_can_be_shown_but_not_changed(
    dralint: Dralint, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Piped:
        def __init__(self) -> None:
            import io

            self.buffer = io.BytesIO(TWO.encode())

    monkeypatch.setattr("sys.stdin", Piped())
    ran = dralint("check", "--diff", "--stdin-filename", "lab/two.yaml", "-")
    assert ran.code == 1
    assert ran.out.startswith("--- a/lab/two.yaml\n+++ b/lab/two.yaml\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--fix", "-"), "--fix cannot change standard input (--diff shows what it would change)"),
        (("--unsafe-fixes", "."), "--unsafe-fixes does nothing alone (add --fix, or --diff to see them)"),
        (
            ("--diff", "--output-format", "json", "."),
            "--diff and a format both go to stdout (write the format to a file: --output-format json=FILE)",
        ),
    ],
)
def test_options_that_cannot_go_together(dralint: Dralint, arguments: tuple[str, ...], message: str) -> None:
    ran = dralint("check", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", f"dralint: error: {message}\n")


def test_what_is_suppressed_or_not_selected_is_not_fixed(dralint: Dralint, folder: Path) -> None:
    text = TWO.replace("com}", "com}  # dralint: ignore[DRA101]")
    (folder / "two.yaml").write_text(text)
    ran = dralint("check", "--fix", "two.yaml")
    assert told(ran.err)[0] == "fixed 1 finding in 1 file; left: 1 error in 1 of 1 file, 1 suppressed"
    assert (folder / "two.yaml").read_text() == text.replace("Small", "small")
    (folder / "two.yaml").write_text(TWO)
    dralint("check", "--fix", "--select", "DRA106", "two.yaml")
    assert (folder / "two.yaml").read_text() == TWO.replace("Small", "small")


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (TWO.replace("\n", "\r\n").encode(), FIXED.replace("\n", "\r\n").encode()),
        (b"\xef\xbb\xbf" + TWO.encode(), b"\xef\xbb\xbf" + FIXED.encode()),
        (TWO.rstrip("\n").encode(), FIXED.rstrip("\n").encode()),
        (TWO.encode("utf-16"), TWO.encode("utf-16")),
    ],
    ids=["CRLF", "byte order mark", "no final line break", "UTF-16"],
)
def test_bytes_that_no_fix_means_stay(dralint: Dralint, folder: Path, data: bytes, after: bytes) -> None:
    (folder / "two.yaml").write_bytes(data)
    dralint("check", "--fix", "two.yaml")
    assert (folder / "two.yaml").read_bytes() == after


def test_a_file_that_cannot_be_written_is_an_error(dralint: Dralint, folder: Path) -> None:
    (folder / "other.yaml").write_text(TWO.replace("one", "other"))
    (folder / "link.yaml").symlink_to("fine.yaml")
    (folder / "two.yaml").chmod(0o444)
    ran = dralint("check", "--fix", "two.yaml", "other.yaml")
    assert ran.code == 2
    assert (folder / "two.yaml").read_text() == TWO
    assert "Small" not in (folder / "other.yaml").read_text()
    assert "two.yaml: error: is read-only and was not written" in ran.err
    assert "fixed 2 findings in 1 file" in ran.err


def test_templates_are_not_edited(dralint: Dralint, folder: Path) -> None:
    chart = folder / "chart" / "templates"
    chart.mkdir(parents=True)
    (chart.parent / "Chart.yaml").write_text("name: demo\n")
    (chart / "two.yaml").write_text(TWO)
    ran = dralint("check", "--fix", "--unsafe-fixes", "chart")
    assert (chart / "two.yaml").read_text() == TWO
    assert told(ran.err)[-1] == "nothing to fix; left: 3 errors in 1 of 1 file"


def test_every_document_and_list_item_is_fixed_at_once(dralint: Dralint, folder: Path) -> None:
    request = "    - {name: a, deviceClassName: gpu.nvidia.com}\n"
    one = TWO.partition("---")[0].partition("    - name")[0].replace("# claims of the lab\n", "") + request
    items = "".join("  " + line + "\n" for line in one.splitlines()).replace(
        "  apiVersion", "- apiVersion", 1
    )
    many = "---\n".join(one for _ in range(30)) + "---\napiVersion: v1\nkind: List\nitems:\n" + items * 30
    (folder / "many.yaml").write_text(many)
    ran = dralint("check", "--fix", "many.yaml")
    assert told(ran.err) == ["fixed 60 findings in 1 file; left: no findings in 1 file"]
    assert (folder / "many.yaml").read_text() == many.replace(
        "deviceClassName: gpu.nvidia.com", "exactly: {deviceClassName: gpu.nvidia.com}"
    )


def test_two_findings_with_one_cause_are_both_counted(dralint: Dralint, folder: Path) -> None:
    text = (
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: x}\n"
        "spec:\n  devices:\n    requests:\n    - {name: b, exactly: {deviceClassName: mig.nvidia.com}}\n"
    )
    (folder / "x.yaml").write_text(text)
    assert told(dralint("check", "x.yaml").err)[-1] == "2 fixes available with --fix"
    ran = dralint("check", "--fix", "x.yaml")
    assert told(ran.err) == ["fixed 2 findings in 1 file; left: no findings in 1 file"]
    assert (folder / "x.yaml").read_text() == text.replace("v1beta1", "v1")


SPELT = """{name: %s, deviceClassName: gpu.nvidia.com,
      selectors: [{cel: {expression: 'device.attributes["gpu.nvidia.com"].productName == "NVIDIA-H200-NVL"'}}]}"""
FLAT = "{name: %s, deviceClassName: gpu.nvidia.com}"


@pytest.mark.parametrize(
    "requests", [[SPELT], [FLAT], [SPELT, FLAT], [SPELT, SPELT], [FLAT, SPELT, SPELT, SPELT]], ids=len
)
def test_a_finding_that_another_fix_moves_is_counted_once(
    dralint: Dralint, folder: Path, requests: list[str]
) -> None:
    listed = "".join(f"    - {each % f'r{number}'}\n" for number, each in enumerate(requests))
    (folder / "moved.yaml").write_text(TWO.partition("    - name: big")[0] + listed)
    shown = json.loads(
        dralint(
            "check", "--no-config", "--select", "DRA101,DRA212", "--output-format", "json", "moved.yaml"
        ).out
    )
    found = len(shown["findings"])
    assert found == len(requests) + requests.count(SPELT)
    ran = dralint("check", "--no-config", "--select", "DRA101,DRA212", "--fix", "moved.yaml")
    assert ran.err.startswith(f"fixed {found} finding{'s' if found > 1 else ''} in 1 file; left: no findings")


def test_an_anchor_that_serves_something_else_keeps_its_text(dralint: Dralint, folder: Path) -> None:
    text = TWO.replace(
        "- name: big\n      deviceClassName: gpu.nvidia.com   # the H100",
        "- &big {name: big, deviceClassName: gpu.nvidia.com}",
    ).replace("{name: Small, deviceClassName: mig.nvidia.com}", "*big")
    (folder / "two.yaml").write_text(text)
    ran = dralint("check", "--fix", "two.yaml")
    assert (folder / "two.yaml").read_text() == text
    assert told(ran.err) == ["nothing to fix; left: 1 error in 1 of 1 file"]
