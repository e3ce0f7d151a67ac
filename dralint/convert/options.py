"""What a person decides about a conversion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dralint.convert.sharing.cluster import UNKNOWN, Cluster
from dralint.nvidia.target import Target

Mode = Literal["auto", "claims", "extended-resource", "implicit"]
Sharing = Literal["refuse", "exclusive", "shared-claim", "consumable"]
NodeLabels = Literal["translate", "keep", "both"]
# The annotation by which a person keeps an object, or its pods, on the device plugin.
KEEP = "dralint.io/keep"


@dataclass(frozen=True)
class Options:
    """What a person decides about a conversion.

    mode        how requests move to DRA; auto: claims, and an extended resource where a kind has no place for them
    sharing     of GPUs that are shared today: leave the request (refuse), a whole GPU each (exclusive), one claim
                for the pods of a workload (shared-claim), or a share of a GPU each (consumable)
    toleration  write the toleration of the taint nvidia.com/gpu that an admission plugin may have added
    node_labels  labels of nodes that tell their GPUs: selectors of the claim take their place (translate),
                or stand beside them (both), or nothing is done (keep)
    overlay     the directory of the kustomize Component that is made in the place of changes to the files, which
                makes references to templates follow new names
    suffix_hash  the names of templates end in a hash of what they ask for
    companions  edit what stands beside the workloads, too, where it is certain
    first_available  what a pod prefers of a node's GPUs becomes alternatives of its requests
    cluster     what files given for it say of the device plugin and of MIG layouts
    """

    target: Target
    mode: Mode = "auto"
    sharing: Sharing = "refuse"
    toleration: bool = True
    node_labels: NodeLabels = "translate"
    first_available: bool = False
    overlay: str | None = None
    suffix_hash: bool = False
    cluster: Cluster = UNKNOWN
    companions: bool = False
