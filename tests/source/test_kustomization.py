"""Tests of dralint/source/kustomization.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from dralint.source.kustomization import NAMES, kustomization_file


@pytest.mark.parametrize("name", NAMES)
def test_each_name_that_kustomize_reads_is_found(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("resources: []\n")
    assert kustomization_file(str(tmp_path)) == str(tmp_path / name)


def test_a_directory_without_one_has_none(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").mkdir()
    (tmp_path / "deployment.yaml").write_text("kind: Deployment\n")
    assert kustomization_file(str(tmp_path)) is None
