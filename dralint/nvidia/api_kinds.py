"""Which API version the kinds of NVIDIA's have."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from dralint.nvidia.resources import domain
from dralint.yamltext.load import load_data

_DATA = os.path.join(os.path.dirname(__file__), "data", "api_kinds.yaml")


@cache
def api_versions() -> Mapping[str, str]:
    """The apiVersion of each kind."""
    data: Any = load_data(_DATA)
    return {entry["kind"]: entry["api_version"] for entry in data["kinds"]}


def is_group(group: str) -> bool:
    """Whether an API group is one of NVIDIA's, or looks like it."""
    return group == domain() or group.endswith(f".{domain()}")
