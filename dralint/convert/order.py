"""In which order the files that were made of a dump are applied, as commands that a person reads and runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from dralint.convert.apart import Apart
from dralint.convert.live import data
from dralint.convert.model import Conversion
from dralint.kube.bundle import DRA_GROUP


def _apply(file: Apart) -> str:
    return f"kubectl apply -f {shlex.quote(file.path)}"


def _delete(file: Apart) -> str | None:
    """The line that deletes what cannot be changed."""
    obj = file.object
    for entry in data()["immutable"]:
        if (entry["group"], entry["kind"]) == (obj.group, obj.ref.kind):
            namespace = f"-n {shlex.quote(obj.ref.namespace)} " if obj.ref.namespace else ""
            kind = entry["kind"].lower()
            return f"kubectl delete {namespace}{kind} {shlex.quote(obj.ref.name or '')}  # {entry['why']}"
    return None


def _classes(conversion: Conversion) -> list[str]:
    """The device classes that the claims name."""
    waiting = [found.claim for found in conversion.occurrences if found.claim is not None]
    names: set[str] = set()
    while waiting:
        claim = waiting.pop()
        names.add(claim.device_class)
        waiting.extend(claim.others)
    return sorted(names)


def order(
    name: str, files: Sequence[Apart], changed: Sequence[Apart], conversion: Conversion
) -> Iterator[str]:
    """The lines of the file that tells the order.

    name: of the dump; files: all that were written; changed: those whose pods ask for claims now
    """
    dra = [file for file in files if file.object.group == DRA_GROUP]
    classes = _classes(conversion)
    namespaces = sorted({file.object.ref.namespace for file in files if file.object.ref.namespace})
    yield f"# What dralint convert made of {name!r}: commands for this directory, in this order."
    yield "# Read them first: each one changes what runs."
    if namespaces:
        yield f"# Namespaces that must exist: {', '.join(map(repr, namespaces)).replace(chr(39), '')}"
    if classes:
        yield "\n# 1. Device classes: the DRA driver's chart installs them. See that they are there."
        yield from (f"kubectl get deviceclass {shlex.quote(each)}" for each in classes)
    if dra:
        yield "\n# 2. Classes and claim templates that the dump has."
        yield from map(
            _apply, sorted(dra, key=lambda file: (file.object.ref.kind != "DeviceClass", file.path))
        )
    if changed:
        yield "\n# 3. Workloads that ask for claims now. Each file has the templates before their user."
        for file in changed:
            delete = _delete(file)
            if delete is not None:
                yield delete
            yield _apply(file)
    done = {file.path for file in (*dra, *changed)}
    rest = [file for file in files if file.path not in done]
    if rest:
        yield "\n# 4. Workloads that are as they were: only for another cluster."
        yield from map(_apply, rest)
