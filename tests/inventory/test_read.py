"""Files to an inventory: JSON and YAML alike, slices before Nodes, what is no inventory."""

from __future__ import annotations

import json

import pytest
import yaml

from dralint.errors import InputError
from dralint.inventory.manifests import manifests
from dralint.inventory.read import inventory_of, read_inventory
from dralint.kube.read import parse
from dralint.nvidia.target import make_target
from tests.inventory.inventories import files, notes, read

SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.nvidia.com
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {type: {string: gpu}}
"""
NODE = """\
apiVersion: v1
kind: Node
metadata:
  name: node-b
  labels:
    nvidia.com/gpu.product: NVIDIA-L4
"""


def test_json_and_yaml_are_read_alike() -> None:
    data = list(yaml.safe_load_all(f"{SLICE}---\n{NODE}"))
    listed = {"apiVersion": "v1", "kind": "List", "items": data}
    spellings = [
        json.dumps(listed),
        yaml.safe_dump(listed),
        yaml.safe_dump_all(data),
        f"\ufeff{json.dumps(listed)}",
    ]
    found = [[each.data for each in manifests(file, [])] for file in files(*spellings)]
    assert found == [data] * len(spellings)


def test_json_documents_one_after_the_other() -> None:
    inventory, problems = read("\n".join(json.dumps(yaml.safe_load(text)) for text in (NODE, SLICE)))
    assert problems == []
    assert [each.name for each in inventory.devices] == ["gpu-0"]
    assert len(inventory.notes) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"kind": "NodeList", "items": [' * 5000, "nested more than 200 levels deep"),
        ('{"kind": "NodeList", "items": [NaN', "while parsing a flow sequence"),
        ('{"kind": "NodeList", "items": [' + "9" * 5000, "while parsing a flow sequence"),
    ],
    ids=["deep", "cut off", "a long number"],
)
def test_what_is_no_json_is_told_with_its_place(text: str, told: str) -> None:
    _, (problem,) = read(text)
    assert problem.startswith("0.yaml:1:")
    assert told in problem


def test_slices_count_before_nodes() -> None:
    inventory, _ = read(NODE, SLICE)
    assert [each.name for each in inventory.devices] == ["gpu-0"]
    assert notes(inventory) == ["0.yaml:1:1: there are ResourceSlices, so the Nodes are not read"]


def test_nodes_alone_are_an_inventory() -> None:
    inventory, _ = read(NODE)
    assert [(each.pool, each.name) for each in inventory.devices] == [("node-b", "gpu-0")]


def test_files_without_either_are_a_problem() -> None:
    inventory, problems = read("apiVersion: v1\nkind: Service\nmetadata: {name: a}\n", "{}")
    assert inventory.devices == []
    assert problems == [
        "no ResourceSlice and no Node in 0.yaml, 1.yaml (make it with: kubectl get resourceslices -o json)"
    ]


def test_a_document_that_cannot_be_read_costs_only_itself() -> None:
    inventory, problems = read(f"{SLICE}---\nkind: ResourceSlice\na: [\n")
    assert len(inventory.devices) == 1
    (problem,) = problems
    assert problem.startswith("0.yaml:1")
    assert "this document was skipped" in problem


def test_a_file_that_cannot_be_read_is_a_problem() -> None:
    problems: list[InputError] = []
    read_inventory([InputError("no such file")], make_target(), problems)
    assert [each.what for each in problems] == ["no such file"]


def test_an_alias_bomb_is_a_problem() -> None:
    bomb = "kind: Node\na: &a0 [x]\n" + "".join(
        f"b{number}: &a{number} [{', '.join([f'*a{number - 1}'] * 10)}]\n" for number in range(1, 9)
    )
    _, problems = read(bomb)
    assert ["aliases multiply this document too much" in each for each in problems] == [True]


def test_the_inventory_among_checked_files() -> None:
    objects = [obj for file in files(NODE, SLICE) for obj in parse(file).objects]
    found = inventory_of(objects, make_target())
    assert found is not None
    assert [each.name for each in found.devices] == ["gpu-0"]
    assert inventory_of([], make_target()) is None
