"""git takes the diff where dralint ran, or where the message says, and git alone decides in these tests."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

BEFORE = """\
apiVersion: v1
kind: Pod
metadata:
  name: chat
spec:
  containers:
    - name: main
      image: example
      resources:
        limits:
          nvidia.com/gpu: 1
"""
HINT = re.compile(r"^names in the diff count from (.*): apply it by (git -C .* apply)$", re.MULTILINE)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory outside of every git work tree, with a work tree `repo` in it and one `other`."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for name in ("repo", "other"):
        (tmp_path / name / "sub" / "deep").mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet"], check=True, cwd=tmp_path / name)
    (tmp_path / "loose").mkdir()
    return tmp_path


@pytest.fixture
def applied(place: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes the files, runs dralint in a directory, gives its diff to git; the directory it named, if any."""

    def run(where: str, files: list[str], *arguments: str) -> str | None:
        for name in files:
            (place / name).write_text(BEFORE)
        here = place / where
        monkeypatch.chdir(here)
        ran = dralint("convert", *arguments)
        assert ran.code == 1
        assert all((place / name).read_text() == BEFORE for name in files)
        hint = HINT.search(ran.err)
        command = shlex.split(hint[2]) if hint else ["git", "apply"]
        subprocess.run([*command, "-"], input=ran.out.encode(), check=True, cwd=here)
        for name in files:
            assert "ResourceClaimTemplate" in (place / name).read_text()
        assert dralint("convert", *arguments).code == 0
        return hint[1] if hint else None

    return run


@pytest.mark.parametrize(
    ("where", "file"),
    [
        ("repo", "repo/a.yaml"),
        ("repo", "repo/sub/a.yaml"),
        ("repo/sub", "repo/sub/a.yaml"),
        ("repo/sub", "repo/sub/deep/a b.yaml"),
        ("loose", "loose/a.yaml"),
        (".", "repo/sub/a.yaml"),
        (".", "loose/a.yaml"),
    ],
)
@pytest.mark.parametrize("absolute", [False, True])
def test_below_the_current_directory(
    applied: Any, place: Path, where: str, file: str, *, absolute: bool
) -> None:
    path = place / file
    name = str(path) if absolute else path.relative_to(place / where).as_posix()
    assert applied(where, [file], name) is None


@pytest.mark.parametrize(
    ("where", "names", "base"),
    [
        ("repo/sub/deep", ["../a.yaml"], "../.."),
        ("repo/sub/deep", ["../../a.yaml", "a.yaml"], "../.."),
        ("repo/sub", ["../a.yaml", "../sub/b.yaml", "deep/it's.yaml"], ".."),
        ("repo", ["../other/sub/a.yaml"], "{}/other"),
        ("repo", ["../other/sub/a.yaml", "b.yaml"], ".."),
        ("repo/sub", ["../../loose/a.yaml", "b.yaml"], "../.."),
        ("loose", ["../repo/sub/a.yaml", "../repo/b.yaml"], "{}/repo"),
        ("loose", ["../a.yaml"], ".."),
    ],
)
@pytest.mark.parametrize("absolute", [False, True])
def test_above_or_elsewhere(
    applied: Any, place: Path, where: str, names: list[str], base: str, *, absolute: bool
) -> None:
    paths = [(place / where / name).resolve() for name in names]
    files = [path.relative_to(place).as_posix() for path in paths]
    assert applied(where, files, *(map(str, paths) if absolute else names)) == base.format(place)


def test_the_hint_names_the_directory(place: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "repo" / "a.yaml").write_text(BEFORE)
    monkeypatch.chdir(place / "repo" / "sub" / "deep")
    for arguments in (("../..",), ("-q", "../../a.yaml"), (str(place / "repo" / "a.yaml"),)):
        ran = dralint("convert", *arguments)
        assert ran.out.startswith("--- a/a.yaml\n+++ b/a.yaml\n")
        assert "names in the diff count from ../..: apply it by git -C ../.. apply\n" in ran.err
    monkeypatch.chdir(place / "loose")
    assert f"git -C {place}/repo apply\n" in dralint("convert", "../repo").err


def test_links_are_followed_since_git_does_not(applied: Any, place: Path) -> None:
    (place / "repo" / "link.yaml").symlink_to("sub/a.yaml")
    (place / "repo" / "directory").symlink_to("sub")
    assert applied("repo", ["repo/sub/a.yaml"], "link.yaml") is None
    assert applied("repo", ["repo/sub/a.yaml"], "directory/a.yaml") is None
    (place / "linked").symlink_to("repo")
    assert applied("linked/sub", ["repo/sub/a.yaml"], "a.yaml") is None


def test_fixes_are_shown_in_the_same_way(place: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n"
    claim += "  devices:\n    requests:\n      - name: gpu\n        deviceClassName: gpu.nvidia.com\n"
    (place / "repo" / "a.yaml").write_text(claim)
    monkeypatch.chdir(place / "repo" / "sub")
    ran = dralint("check", "--diff", "../a.yaml")
    assert "git -C .. apply\n" in ran.err
    subprocess.run(["git", "-C", "..", "apply", "-"], input=ran.out.encode(), check=True)
    assert "exactly:" in (place / "repo" / "a.yaml").read_text()
