"""In which order the files that were made of a dump are applied, as commands that a person reads and runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from dralint.convert.dump.apart import Apart
from dralint.convert.dump.owners import data
from dralint.convert.model import Conversion
from dralint.kube.bundle import DRA_GROUP
from dralint.kube.dra import CLASS


def _apply(file: Apart) -> str:
    return f"kubectl apply -f {shlex.quote(file.path)}"


def _delete(file: Apart) -> list[str]:
    """The lines that delete what cannot be changed."""
    obj = file.object
    for entry in data()["immutable"]:
        if (entry["group"], entry["kind"]) == (obj.group, obj.ref.kind):
            namespace = f"-n {shlex.quote(obj.ref.namespace)} " if obj.ref.namespace else ""
            kind = entry["kind"].lower()
            name = shlex.quote(obj.ref.name or "")
            return [f"# {entry['why']}", f"kubectl delete {namespace}{kind} {name}"]
    return []


def _classes(conversion: Conversion) -> list[str]:
    """The device classes that the claims name."""
    waiting = [found.claim for found in conversion.occurrences if found.claim is not None]
    names: set[str] = set()
    while waiting:
        claim = waiting.pop()
        names.add(claim.device_class)
        waiting.extend(claim.others)
    return sorted(names)


def _by_name(conversion: Conversion, dra: Sequence[Apart]) -> list[str]:
    """The device classes that nothing is known to have installed."""
    there = {file.object.ref.name for file in dra if file.object.ref.kind == CLASS}
    return [need.name for need in conversion.classes if need.state != "served" and need.name not in there]


def order(
    name: str, files: Sequence[Apart], changed: Sequence[Apart], conversion: Conversion
) -> Iterator[str]:
    """The lines of the file that tells the order.

    name: of the dump; files: all that were written; changed: those that the conversion changed
    """
    beside = [file for file in changed if file.follows]
    moved = [file for file in changed if not file.follows]
    dra = [file for file in files if file.object.group == DRA_GROUP]
    dra.sort(key=lambda file: file.object.ref.kind != CLASS)
    done = {file.path for file in (*dra, *changed)}
    sections = [
        (
            "Device classes: the DRA driver's chart installs them. See that they are there.",
            [f"kubectl get deviceclass {shlex.quote(each)}" for each in _classes(conversion)],
        ),
        (
            "Device classes that requests by resource name stand on: --device-classes FILE writes them.",
            [f"kubectl get deviceclass {shlex.quote(each)}" for each in _by_name(conversion, dra)],
        ),
        ("Classes, claims and claim templates that the dump has.", list(map(_apply, dra))),
        ("Quotas and queues that limit claims, too.", list(map(_apply, beside))),
        (
            "Workloads that ask for claims now. Each file has the templates before their user.",
            [line for file in moved for line in (*_delete(file), _apply(file))],
        ),
        (
            "Workloads that are as they were: only for another cluster.",
            [_apply(file) for file in files if file.path not in done],
        ),
    ]
    namespaces = sorted({file.object.ref.namespace for file in files if file.object.ref.namespace})
    yield f"# What dralint convert made of {name}: commands for this directory, in this order."
    yield "# Read them first: each one changes what runs."
    if namespaces:
        yield f"# Namespaces that must exist: {', '.join(namespaces)}"
    for number, (title, commands) in enumerate((each for each in sections if each[1]), 1):
        yield ""
        yield f"# {number}. {title}"
        yield from commands
