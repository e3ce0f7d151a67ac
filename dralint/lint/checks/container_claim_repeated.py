"""container-claim-repeated: a container lists each claim, or each request of it, once."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import container_claims
from dralint.kube.places import containers
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import pod_of
from dralint.yamltext.operations import Operation, Remove


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for an entry that is there already, and for a whole claim after one of its requests."""
    for container in containers(pod_of(subject)):
        whole: set[str] = set()
        seen: set[tuple[str, str | None]] = set()
        for claim in container_claims(container):
            if claim.name is None:
                continue
            same = (claim.name, claim.request) in seen
            if same or (claim.request is None and claim.name in whole):
                what = claim.name if claim.request is None else f"{claim.name} with request {claim.request}"
                advice = (
                    "take the second away" if same else f"after one of its requests; list {claim.name} only"
                )
                operations: tuple[Operation, ...] = ()
                if same:
                    operations = (Remove(subject.object.document, claim.path),)
                values = {"container": container.name or "", "what": what, "advice": advice}
                yield Hit((*claim.path, "name"), values, operations=operations)
            whole.add(claim.name)
            seen.add((claim.name, claim.request))
