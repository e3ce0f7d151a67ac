"""What the command line says of the cluster: --device-plugin-config and --mig-config."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dralint.cli.options import packed
from dralint.errors import InputError, UsageError

if TYPE_CHECKING:
    from dralint.convert.sharing.cluster import Cluster
    from dralint.kube.objects import ParsedFile

_Function = TypeVar("_Function", bound=Callable[..., Any])

sharing_option = click.option(
    "--sharing",
    type=click.Choice(["refuse", "exclusive", "shared-claim", "consumable"]),
    default="refuse",
    show_default=True,
    help="Where the cluster shares its GPUs. refuse: leave its requests to a person; exclusive: a whole GPU for each; "
    "shared-claim: one claim for all pods of a workload; consumable: a share of a GPU for each.",
)
_OPTIONS = (
    click.option("--device-plugin-config", "plugin", metavar="FILE", multiple=True,
                 help="The device plugin's configuration, which says what is shared: as it is, in a ConfigMap or in "
                      "Helm values. May be repeated."),
    click.option("--mig-config", "mig", metavar="FILE", multiple=True,
                 help="MIG layouts of mig-parted, or Nodes with the label nvidia.com/mig.config. May be repeated."),
)  # fmt: skip


def _read(paths: Sequence[str], option: str) -> list[ParsedFile]:
    """The files of an option. Raises UsageError for what is no file, InputError for what cannot be read."""
    from dralint.kube.read import parse
    from dralint.source.find import STDIN, find

    if STDIN in paths or "" in paths:
        raise UsageError(f"{option} takes files", advice="name a file or a directory")
    files = []
    for path in paths:
        found = list(find([path], words=[b""], stdin_name=path))
        if not found:
            raise UsageError(f"{option} {path}: no YAML or JSON file is there", advice="name a file")
        for each in found:
            if isinstance(each, InputError):
                raise each
            files.append(parse(each))
    return files


def given_cluster(plugin: Sequence[str], mig: Sequence[str]) -> Cluster:
    """What files of device plugin configurations and of MIG layouts say.

    Raises UsageError and InputError: a conversion decides by all of them or not at all.
    """
    from dralint.convert.sharing.cluster import UNKNOWN, read_cluster

    if not plugin and not mig:
        return UNKNOWN
    return read_cluster(_read(plugin, "--device-plugin-config"), _read(mig, "--mig-config"))


def cluster_options(function: _Function) -> _Function:
    """Adds the two options; the command gets what their files say as `cluster: dralint.convert.sharing.cluster.Cluster`."""
    return packed(function, _OPTIONS, "cluster", given_cluster)  # type: ignore[return-value]
