"""The pre-commit hooks, run by pre-commit itself on a scratch repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent

TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: chat-gpu
spec:
  spec:
    devices:
      requests:
        - name: gpu
          exactly:
            deviceClassName: gpu.nvidia.com
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: chat
spec:
  resourceClaims:
    - name: gpu
      resourceClaimTemplateName: chat-gpu
  containers:
    - name: chat
      image: example
      resources:
        claims:
          - name: {claim}
"""
DEVICE_PLUGIN = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    - name: train
      image: example
      resources:
        limits:
          nvidia.com/gpu: 2
"""


def hooks() -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return loaded


def test_the_hook_file_is_valid() -> None:
    from pre_commit.clientlib import load_manifest

    assert [hook["id"] for hook in load_manifest(ROOT / ".pre-commit-hooks.yaml")] == [
        "dralint",
        "dralint-convert",
    ]


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook["id"])
def test_an_entry_is_a_command_that_exists(hook: dict[str, Any], dralint: Any) -> None:
    program, *arguments = hook["entry"].split()
    assert program == "dralint"
    assert dralint(*arguments, "--help").code == 0


class Scratch:
    """A git repository with the hooks of this checkout installed."""

    def __init__(self, folder: Path, home: Path, source: Path, revision: str, hook: str) -> None:
        self.folder = folder
        name = "scratch <scratch@example.com>"
        self.environment = {
            **os.environ,
            "PRE_COMMIT_HOME": str(home),
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": name,
            "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": name,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        folder.mkdir()
        self.git("init", "--quiet")
        config = {"repos": [{"repo": source.as_uri(), "rev": revision, "hooks": [{"id": hook}]}]}
        (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
        self.git("add", ".")
        self.run(sys.executable, "-m", "pre_commit", "install")

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def commit(self, **files: str) -> subprocess.CompletedProcess[str]:
        """Commit files, named without their .yaml; the hooks decide whether that works."""
        for name, text in files.items():
            (self.folder / f"{name}.yaml").write_text(text)
            self.git("add", f"{name}.yaml")
        return self.run("git", "commit", "--quiet", "-m", "a commit")


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, Path]:
    """This checkout as it is now, committed to a repository of its own: where, its revision, pre-commit's home."""
    folder = tmp_path_factory.mktemp("published")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if not (ROOT / name).is_file():
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    git = ["git", "-c", "user.name=scratch", "-c", "user.email=scratch@example.com", "-C", str(folder)]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "--no-verify", "-m", "as it is"]):
        subprocess.run([*git, *command], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
    revision = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    return folder, revision.stdout.strip(), tmp_path_factory.mktemp("pre-commit-home")


@pytest.mark.slow
def test_commits_are_stopped_and_let_through(published: tuple[Path, str, Path], tmp_path: Path) -> None:
    source, revision, home = published
    check = Scratch(tmp_path / "check", home, source, revision, "dralint")
    passed = check.commit(template=TEMPLATE, unrelated="a: 1\n")
    assert passed.returncode == 0, passed.stdout + passed.stderr

    # The template is in the work tree but not in this commit: it must be found there.
    passed = check.commit(pod=POD.format(claim="gpu"))
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "dralint check" in passed.stderr

    stopped = check.commit(pod=POD.format(claim="gpus"))
    assert stopped.returncode == 1
    assert "pod.yaml:14:" in stopped.stderr
    assert "container-claim-undeclared" in stopped.stderr

    # A cluster that has not moved gets a quiet hook.
    check.commit(pod=POD.format(claim="gpu"))
    assert check.commit(train=DEVICE_PLUGIN).returncode == 0

    convert = Scratch(tmp_path / "convert", home, source, revision, "dralint-convert")
    stopped = convert.commit(train=DEVICE_PLUGIN)
    assert stopped.returncode == 1
    assert "files were modified by this hook" in stopped.stderr
    assert (convert.folder / "train.yaml").read_text().count("kind: ResourceClaimTemplate") == 1
    convert.git("add", "train.yaml")
    assert convert.commit().returncode == 0
