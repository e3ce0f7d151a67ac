"""A directory that is in no git work tree is converted as it would be in one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
KUSTOMIZED = sorted({path.relative_to(EXAMPLES).parts[0] for path in EXAMPLES.rglob("kustomization.yaml")})


@pytest.fixture
def converted(tmp_path, monkeypatch, dralint):
    """The exit code and all that is shown of a copy of an example."""

    def shown(example, *, git):
        directory = tmp_path / ("with" if git else "without")
        shutil.copytree(EXAMPLES / example, directory)
        if git:
            (directory / ".git").mkdir()
        monkeypatch.chdir(directory)
        return dralint("convert", "-v", ".")

    return shown


def test_there_are_examples():
    assert len(KUSTOMIZED) > 2


@pytest.mark.parametrize("example", KUSTOMIZED)
def test_a_directory_with_kustomizations(converted, example):
    assert converted(example, git=False) == converted(example, git=True)
