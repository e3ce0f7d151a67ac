"""What dralint wrote itself is told from what it must not replace."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dralint.cli.formats import FORMATS
from dralint.report.ours import is_report

FLAWED = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: card
spec:
  devices:
    requests:
      - name: gpu
        deviceClassName: gpu.nvidia.com
"""
CLEAN = FLAWED.replace("deviceClassName", "exactly:\n          deviceClassName")
BROKEN = "resource.k8s.io: ["


@pytest.mark.parametrize("text", [FLAWED, CLEAN, BROKEN, FLAWED + "---\n" + BROKEN])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_known_again(
    form: str, text: str, dralint: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a claim: of mine.yaml").write_text(text)
    ran = dralint("check", "--output-format", form, "a claim: of mine.yaml")
    assert ran.code == (2 if BROKEN in text else int(text == FLAWED))
    assert is_report(ran.out.encode())


def test_a_conversion_report_is_known_again(dralint: Any, tmp_path: Any) -> None:
    report = tmp_path / "report.json"
    assert dralint("convert", "--report", report, tmp_path).code == 0
    assert is_report(report.read_bytes())
    # As a person may have stored it.
    assert is_report(json.dumps(json.loads(report.read_bytes())).encode())


def test_an_empty_file_is_nothing_to_lose() -> None:
    assert is_report(b"")
    assert is_report(b"\n")


@pytest.mark.parametrize(
    "data",
    [
        FLAWED.encode(),
        b"# a note\n",
        b"a.yaml:1:1: error: no finding has this form\n",
        b'{"version": 1}',
        b'{"version": 1, "findings": []}',
        b'{"apiVersion": "v1", "kind": "List", "items": []}',
        b'{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "another"}}}]}',
        b'{"version": "2.1.0", "runs": []}',
        b'[{"kind": "Pod"}]',
        b"[1]",
        b'<?xml version="1.0"?>\n<testsuites name="another"/>',
        b"{" * 10_000,
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b"::group::a\n",
    ],
)
def test_what_others_wrote_is_not(data: bytes) -> None:
    assert not is_report(data)
