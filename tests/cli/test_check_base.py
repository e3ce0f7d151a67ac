"""`dralint check --base REV`: only what a branch brings in."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Dralint = Callable[..., Any]

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}}}
spec:
  devices:
    requests:
    - {{name: gpu, deviceClassName: gpu.nvidia.com}}
"""
FINE = CLAIM.replace("deviceClassName: gpu.nvidia.com", "exactly: {{deviceClassName: gpu.nvidia.com}}")
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  resourceClaims: [{name: c, resourceClaimName: fine}]
  containers:
  - {name: main, image: x, resources: {claims: [{name: c}]}}
"""


def git(*words: str, cwd: Path | None = None) -> str:
    done = subprocess.run(["git", *words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository with a branch main (old.yaml has a finding, fine.yaml none), and on top the branch work."""
    for name in [each for each in os.environ if each.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "a")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "a@example.com")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.chdir(root)
    git("init", "-q", "-b", "main")
    (root / "lab").mkdir()
    (root / "lab" / "old.yaml").write_text(CLAIM.format(name="old"))
    (root / "lab" / "fine.yaml").write_text(FINE.format(name="fine"))
    (root / "pod.yaml").write_text(POD)
    commit("first")
    git("checkout", "-q", "-b", "work")
    yield root
    # git makes some files read-only.
    shutil.rmtree(root, ignore_errors=True)


def commit(message: str) -> None:
    git("add", "-A")
    git("commit", "-q", "-m", message)


@pytest.fixture
def found(dralint: Dralint) -> Callable[..., list[str]]:
    def checked(*arguments: str) -> list[str]:
        only = ("--select", "DRA101,DRA402,DRA403")
        ran = dralint(
            "check", "--base", "main", *only, "--output-format", "concise", "-q", *(arguments or ["."])
        )
        assert ran.code == int(bool(ran.out)), ran.err
        return [f"{line.partition(':')[0]} {line.partition('[')[2][:6]}" for line in ran.out.splitlines()]

    return checked


def test_what_was_there_is_not_reported(dralint: Dralint, found: Callable[..., list[str]]) -> None:
    assert found() == []
    ran = dralint("check", "--base", "main", "--select", "DRA101", ".")
    assert ran.err.startswith("no findings in 3 files, 1 there before main\n")


@pytest.mark.parametrize("committed", [True, False])
def test_what_is_new_is_reported(repository: Path, found: Callable[..., list[str]], committed: bool) -> None:
    (repository / "lab" / "new.yaml").write_text(CLAIM.format(name="new"))
    (repository / "lab" / "fine.yaml").write_text(CLAIM.format(name="fine"))
    (repository / "lab" / "old.yaml").write_text("# moved\n" + CLAIM.format(name="old"))
    if committed:
        commit("second")
    assert found() == ["lab/fine.yaml DRA101", "lab/new.yaml DRA101"]
    assert found("lab/new.yaml") == ["lab/new.yaml DRA101"]
    assert found("lab/old.yaml") == []


def test_the_merge_base_counts_not_the_tip(repository: Path, found: Callable[..., list[str]]) -> None:
    git("checkout", "-q", "main")
    (repository / "lab" / "old.yaml").write_text(FINE.format(name="old"))
    (repository / "lab" / "new.yaml").write_text(CLAIM.format(name="new"))
    commit("on main")
    git("checkout", "-q", "work")
    (repository / "lab" / "other.yaml").write_text(CLAIM.format(name="other"))
    commit("on work")
    assert found() == ["lab/other.yaml DRA101"]


def test_a_file_that_was_moved_keeps_its_findings(repository: Path, found: Callable[..., list[str]]) -> None:
    git("mv", "lab/old.yaml", "moved.yaml")
    assert found() == []
    commit("moved")
    assert found("moved.yaml") == []
    text = (repository / "moved.yaml").read_text()
    (repository / "moved.yaml").write_text(text + "    - {name: b, deviceClassName: gpu.nvidia.com}\n")
    assert found("moved.yaml") == ["moved.yaml DRA101"]


def test_of_two_alike_the_new_one_is_told(repository: Path, dralint: Dralint) -> None:
    container = "  - {name: %s, image: x, resources: {claims: [{name: c, request: nope}]}}\n"
    pod = POD.partition("  - {name: main")[0] + container % "main"
    (repository / "pod.yaml").write_text(pod)
    git("checkout", "-q", "main")
    commit("bad")
    git("checkout", "-q", "work")
    git("merge", "-q", "main")
    (repository / "pod.yaml").write_text(
        pod.replace(container % "main", container % "added" + container % "main")
    )
    ran = dralint("check", "--base", "main", "--select", "DRA403", "--output-format", "concise", "-q", ".")
    assert [line.partition(" ")[0] for line in ran.out.splitlines()] == ["pod.yaml:7:60:"], ran.out


def test_references_resolve_as_they_did(repository: Path, found: Callable[..., list[str]]) -> None:
    """The claim is deleted on the branch: that the pod does not find it is new."""
    (repository / "lab" / "fine.yaml").unlink()
    for more in ([], ["--context", "none"], ["--complete"]):
        assert found(".", *more) == ["pod.yaml DRA402"], more
    assert found("pod.yaml") == ["pod.yaml DRA402"]
    commit("deleted")
    assert found() == ["pod.yaml DRA402"]
    assert found("pod.yaml", "--context", "none") == []


def test_a_claim_that_was_renamed_in_its_file(repository: Path, found: Callable[..., list[str]]) -> None:
    (repository / "lab" / "fine.yaml").write_text(FINE.format(name="other"))
    assert found() == ["pod.yaml DRA402"]
    (repository / "lab" / "fine.yaml").write_text("kind: Service\n")
    assert found() == ["pod.yaml DRA402"]


def test_from_a_directory_below(
    repository: Path, found: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "lab" / "new.yaml").write_text(CLAIM.format(name="new"))
    monkeypatch.chdir(repository / "lab")
    assert found() == ["new.yaml DRA101"]
    assert found("../lab") == ["../lab/new.yaml DRA101"]
    assert found(str(repository)) == [f"{repository}/lab/new.yaml DRA101"]


def test_the_options_of_now_count(
    repository: Path, found: Callable[..., list[str]], dralint: Dralint
) -> None:
    (repository / ".dralint.yaml").write_text("paths: {lab/: {ignore: [DRA101]}}\n")
    (repository / "lab" / "new.yaml").write_text(CLAIM.format(name="new"))
    assert found() == []
    assert found("--no-config", ".") == ["lab/new.yaml DRA101"]


def test_a_suppression_that_is_removed_brings_its_finding(
    repository: Path, found: Callable[..., list[str]]
) -> None:
    git("checkout", "-q", "main")
    (repository / "lab" / "old.yaml").write_text("# dralint: ignore-file\n" + CLAIM.format(name="old"))
    commit("suppressed")
    git("checkout", "-q", "work")
    git("merge", "-q", "main")
    (repository / "lab" / "old.yaml").write_text(CLAIM.format(name="old"))
    assert found() == ["lab/old.yaml DRA101"]


def test_an_odd_file_name(repository: Path, found: Callable[..., list[str]]) -> None:
    name = 'lab/a "b"\tc\nü.yaml'
    (repository / name).write_text(CLAIM.format(name="odd"))
    git("checkout", "-q", "main")
    commit("odd")
    git("checkout", "-q", "work")
    git("merge", "-q", "main")
    assert found() == []
    (repository / name).write_text("# changed\n" + CLAIM.format(name="odd"))
    assert found() == []


def test_fixes_leave_what_was_there_alone(repository: Path, dralint: Dralint) -> None:
    (repository / "lab" / "new.yaml").write_text(CLAIM.format(name="new"))
    assert dralint("check", "--base", "main", "--select", "DRA101", "--fix", ".").code == 0
    assert git("status", "--porcelain").split() == ["??", "lab/new.yaml"]
    assert (repository / "lab" / "new.yaml").read_text() == FINE.format(name="new")


def error(dralint: Dralint, *arguments: str) -> str:
    ran = dralint("check", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    err: str = ran.err
    return err


def test_a_revision_that_is_not_there(dralint: Dralint) -> None:
    assert error(dralint, "--base", "origin/main", ".") == (
        "dralint: error: --base: git knows no revision 'origin/main' (check the name, or run git fetch origin main)\n"
    )
    assert "git knows no revision '--help'" in error(dralint, "--base=--help", ".")


def test_a_shallow_clone(
    repository: Path, dralint: Dralint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "lab" / "new.yaml").write_text(CLAIM.format(name="new"))
    commit("second")
    git("clone", "-q", "--depth", "1", "-b", "work", f"file://{repository}", str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    told = error(dralint, "--base", "origin/main", ".")
    assert "this clone is shallow; run git fetch --unshallow" in told
    assert "fetch-depth: 0" in told
    git("fetch", "-q", "--depth", "1", "origin", "main:refs/remotes/origin/main")
    assert "origin/main and HEAD have no commit in common (this clone is shallow" in error(
        dralint, "--base", "origin/main", "."
    )
    git("fetch", "-q", "--unshallow")
    ran = dralint("check", "--base", "origin/main", "--select", "DRA101", "--output-format", "concise", ".")
    assert [line.partition(":")[0] for line in ran.out.splitlines()] == ["lab/new.yaml"]


def test_no_history_at_all(dralint: Dralint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert "plain is in no git work tree" in error(dralint, "--base", "main", ".")
    assert "standard input has no history" in error(dralint, "--base", "main", "-")
    (tmp_path / "new").mkdir()
    monkeypatch.chdir(tmp_path / "new")
    git("init", "-q")
    assert "this branch has no commit yet" in error(dralint, "--base", "main", ".")


def test_unrelated_histories(repository: Path, dralint: Dralint) -> None:
    git("checkout", "-q", "--orphan", "other")
    commit("other")
    assert "main and HEAD have no commit in common (check the name" in error(dralint, "--base", "main", ".")


def test_settings_of_the_repository_run_nothing(repository: Path, found: Callable[..., list[str]]) -> None:
    (repository / ".gitattributes").write_text("*.yaml diff=evil\n")
    for key in ("diff.evil.textconv", "diff.evil.command", "diff.external", "core.fsmonitor", "core.pager"):
        git("config", key, f"touch {repository}/{key}; false")
    (repository / "lab" / "old.yaml").write_text("# moved\n" + CLAIM.format(name="old"))
    assert found() == []
    assert not [path for path in repository.iterdir() if path.name.startswith(("diff.", "core."))]
