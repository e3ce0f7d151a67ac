"""Fixes that are only shown are not made without end in a large document; --fix makes all of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: hopper}
spec:
  selectors:
  - cel: {expression: 'device.driver = "gpu.nvidia.com"'}
  - cel: {expression: 'device.driver = "gpu.nvidia.com" && true'}
"""


def test_many_fixes_of_a_large_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dralint: Callable[..., Any]
) -> None:
    for name in ("MOST_CHARACTERS", "_MOST_SHOWN"):
        monkeypatch.setattr(f"dralint.lint.run.{name}", len(CLASS))
    path = tmp_path / "class.yaml"
    path.write_text(CLASS)
    ran = dralint(
        "check", path, "--output-format", "json", "--context", "none", "--quiet", "--select", "DRA201"
    )
    fixes = [each["fix"] is not None for each in json.loads(ran.out)["findings"]]
    assert fixes == [True, False]
    ran = dralint("check", path, "--fix", "--context", "none", "--quiet", "--select", "DRA201")
    assert ran.code == 0
    assert path.read_text() == CLASS.replace(" = ", " == ")
