"""Configurations of the device plugin and MIG layouts for tests, and what files given by options say."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from dralint.convert.sharing.cluster import Cluster, read_cluster
from dralint.kube.read import parse
from dralint.source.file import SourceFile


def config(
    way: str = "timeSlicing",
    replicas: int = 4,
    name: str = "nvidia.com/gpu",
    *,
    renamed: bool | None = None,
    fails: bool | None = None,
    strategy: str | None = None,
) -> str:
    """A configuration that shares one resource."""
    lines = ["version: v1"]
    if strategy:
        lines += ["flags:", f"  migStrategy: {strategy}"]
    lines += ["sharing:", f"  {way}:"]
    if renamed is not None:
        lines.append(f"    renameByDefault: {str(renamed).lower()}")
    if fails is not None:
        lines.append(f"    failRequestsGreaterThanOne: {str(fails).lower()}")
    lines += ["    resources:", f"    - {{name: {name}, replicas: {replicas}}}"]
    return "\n".join(lines) + "\n"


PLAIN = "version: v1\n"
SINGLE = "version: v1\nflags:\n  migStrategy: single\n"


def layouts(**cut: Mapping[str, int] | None) -> str:
    """mig-parted layouts: by name (`_` for `-`) the devices of each card; None: it stays whole."""
    lines = ["version: v1", "mig-configs:"]
    for name, devices in cut.items():
        lines += [
            f"  {name.replace('_', '-')}:",
            "  - devices: all",
            f"    mig-enabled: {str(bool(devices)).lower()}",
        ]
        counts = ", ".join(f"{profile}: {number}" for profile, number in (devices or {}).items())
        lines.append(f"    mig-devices: {{{counts}}}")
    return "\n".join(lines) + "\n"


def config_map(**named: str) -> str:
    """A ConfigMap of configurations by name."""
    blocks = "".join(f"  {name}: |\n{textwrap.indent(text, '    ')}" for name, text in named.items())
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: plugin}}\ndata:\n{blocks}"


def cluster(plugin: str | None = None, mig: str | None = None) -> Cluster:
    """What a file plugin.yaml and a file mig.yaml say."""
    files = [
        [parse(SourceFile(name, None, text.encode()))] if text is not None else []
        for name, text in (("plugin.yaml", plugin), ("mig.yaml", mig))
    ]
    return read_cluster(*files)
