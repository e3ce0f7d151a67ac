"""One ResourceClaim for all pods of a workload, with the driver's setting for sharing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from dralint.convert.around import namespace_of
from dralint.convert.claims import Wanted
from dralint.convert.model import Note
from dralint.convert.notes.pod_notes import note_at, with_claims
from dralint.convert.sharing.consumers import most_consumers
from dralint.convert.templates import Template
from dralint.convert.work import Ground, PodWork, SharedClaim
from dralint.kube.dra import CLAIM
from dralint.nvidia.published import gpu_driver_name
from dralint.nvidia.sharing import gpu_config
from dralint.yamltext.view import Plain


def together(template: Template, request: Wanted, shared: SharedClaim) -> Template:
    """The claim in the place of a template of the same request."""
    opaque: Plain = {
        "driver": gpu_driver_name(),
        "parameters": gpu_config(shared.strategy, shared.replicas),
    }
    # The driver compares names with those of alternatives, so that it would not find theirs by the request's.
    named: dict[str, Plain] = {} if request.choice.alternatives else {"requests": [request.name]}
    spec = cast(dict[str, dict[str, dict[str, Plain]]], template.spec)["spec"]
    devices: dict[str, Plain] = {**spec["devices"], "config": [{**named, "opaque": opaque}]}
    return template._replace(spec={"devices": devices}, kind=CLAIM)


def shared_claim_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """What a claim for several pods means for them, and claims of one name in different files."""
    seen: dict[tuple[object, str], PodWork] = {}
    for work in works:
        for found in with_claims(work) if work.shared is not None else ():
            assert found.verdict is not None
            assert found.verdict.claim is not None
            assert work.shared is not None
            name, node = found.verdict.claim.template, work.pod.object.node
            message = (
                f"all pods share the ResourceClaim {name}: it pins them to one node, and at most "
                f"{most_consumers()} pods can use it"
            )
            yield note_at(work, node, "sharing", message)
            if work.shared.strategy == "MPS":
                message = (
                    "the device plugin gave each container an equal part of the GPU's memory, and the claim sets no limit: "
                    "write mpsConfig.defaultPinnedDeviceMemoryLimit, if one is needed"
                )
                yield note_at(work, node, "sharing", message)
            first = seen.setdefault((namespace_of(work.pod.object), name), work)
            others = [] if first.pod.object is work.pod.object else [first.pod.object]
            for bundle in (ground.bundle, ground.context.bundle):
                claims = bundle.find(CLAIM, work.pod.object.ref.namespace, name)
                others += [each for each in claims if each.file is not work.file]
            for other in others[:1]:
                place = other.file.place(other.node.start)
                message = f"{other.ref.kind} {other.ref.name} has a ResourceClaim {name}, too ({place}): apply both to one namespace only if they may share the GPU"
                yield note_at(work, node, "names", message)
            break
