"""The public manifests: what a conversion edits is edited everywhere, and random edits break nothing."""

from __future__ import annotations

import random

import yaml

from dralint.yamltext.compose import compose
from dralint.yamltext.operations import (
    HOLE,
    Append,
    Insert,
    InsertDocument,
    Put,
    Remove,
    Rename,
    Replace,
    Wrap,
)
from dralint.yamltext.patch import patch
from dralint.yamltext.text import decode
from dralint.yamltext.view import plain
from tests.yamltext.random_yaml import places

TEMPLATE = {"kind": "ResourceClaimTemplate", "spec": {"spec": {"devices": {"requests": [{"name": "gpu"}]}}}}


def files(shared):
    for path in sorted((shared / "corpus").rglob("*")):
        if path.suffix in (".yaml", ".yml", ".json"):
            source = decode(path.read_bytes(), str(path))
            yield path, source, compose(source.text)


def resources_operations(index, path, resources):
    """Remove the requests for NVIDIA's resources, parents that become empty as a whole."""
    found = []
    for part in ("limits", "requests"):
        names = resources.get(part) if isinstance(resources.get(part), dict) else {}
        gone = [name for name in names if name.startswith("nvidia.com/")]
        if gone and len(gone) == len(names):
            found.append(Remove(index, (*path, part)))
        else:
            found += [Remove(index, (*path, part, name)) for name in gone]
    if found and "claims" not in resources:
        found.append(Put(index, path, "claims", [{"name": "gpu"}]))
    return found


def pod_operations(index, path, pod, text):
    operations = []
    for group in ("initContainers", "containers"):
        for number, container in enumerate(pod.get(group) or []):
            resources = container.get("resources") if isinstance(container, dict) else None
            if isinstance(resources, dict):
                operations += resources_operations(index, (*path, group, number, "resources"), resources)
    if operations and "resourceClaims" not in pod:
        operations.append(Put(index, path, "resourceClaims", [{"name": "gpu"}], after="containers"))
    if operations and path[:1] == ("items",):
        operations.append(Insert(index, ("items",), path[1], TEMPLATE))
    elif operations and text.lstrip().startswith("{"):
        operations.append(Wrap(index, {"kind": "List", "items": [TEMPLATE, HOLE]}))
    elif operations:
        operations.append(InsertDocument(index, TEMPLATE))
    return operations


def test_what_a_conversion_does_is_never_refused(shared):
    pods = 0
    for path, source, documents in files(shared):
        groups = [
            operations
            for index, document in enumerate(documents)
            for place, value in places(plain(document.root))
            if isinstance(value, dict) and isinstance(value.get("containers"), list)
            for operations in [pod_operations(index, place, value, source.text)]
            if operations
        ]
        result = patch(source, documents, groups)
        assert result.refusals == [], path
        pods += len(groups)
        if groups:
            list(yaml.compose_all(result.text, Loader=yaml.CSafeLoader))
    assert pods > 200


def random_operation(chosen, index, path, value):
    if isinstance(value, dict):
        return Put(index, path, "new-key", [{"a": 1, "b": ["yes"]}], after=chosen.choice([None, *value]))
    if isinstance(value, list):
        return Append(index, path, {"a": 1, "b": ["yes"]})
    if not path or chosen.random() < 0.5:
        return Replace(index, path, "new value")
    return Rename(index, path, "renamed") if isinstance(path[-1], str) else Remove(index, path)


def test_random_edits(shared):
    total = refusals = 0
    for path, source, documents in files(shared):
        chosen = random.Random(path.name)
        groups = []
        for index, document in enumerate(documents):
            found = [each for each in places(plain(document.root)) if each[0]]
            for _ in range(min(4, len(found))):
                place, value = chosen.choice(found)
                groups.append(
                    [chosen.choice([Remove(index, place), random_operation(chosen, index, place, value)])]
                )
        result = patch(source, documents, groups)
        total += len(groups)
        clashes = ("an operation works on", "two operations", "the key new-key is added twice")
        refusals += sum(1 for each in result.refusals if not each.what.startswith(clashes))
    assert refusals <= total * 0.01, f"{refusals} of {total}"
