"""What is asked for elsewhere than in claims: by NIM services, by annotations of KServe, by taint rules."""

from __future__ import annotations

import pytest

from dralint.inventory.asks import Ask, class_finder
from dralint.inventory.asks_elsewhere import every_ask
from dralint.inventory.device import Note
from dralint.kube.bundle import Bundle
from dralint.kube.read import parse
from dralint.kube.versions import Version
from tests.inventory.inventories import files
from tests.inventory.test_asks import CLASS, GPU, MIG, OLD_CLAIM, rows

DEVICES = """\
- name: gpu
  attributeSelectors: [{key: architecture, op: NotEqual, value: {stringValue: Ampere}}]
  capacitySelectors: [{key: memory, op: GreaterThan, value: 100Gi}]
- name: slice
  deviceClassName: mig.nvidia.com
  celExpressions: [one, two]
"""
SERVICE = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMService
metadata: {name: llm}
spec:
  draResources:
  - claimCreationSpec:
      devices:
"""
PIPELINE = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMPipeline
metadata: {name: llm}
spec:
  services:
  - name: one
    spec:
      draResources:
      - claimCreationSpec:
          devices:
"""
KSERVE = """\
apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata:
  name: llm
  annotations:
    serving.kserve.io/exp-dra-device-class: mig.nvidia.com
    serving.kserve.io/exp-dra-cel-selector: |
      one

      two
"""
TAINT = """\
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceTaintRule
metadata: {name: out}
spec:
  deviceSelector:
    driver: gpu.nvidia.com
    pool: node-a
    deviceClassName: mine
    selectors: [{cel: {expression: one}}]
  taint: {key: example.com/out, effect: NoSchedule}
"""
ARCHITECTURE = 'device.attributes["gpu.nvidia.com"].architecture != "Ampere"'
MEMORY = 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("100Gi")) > 0'


def asked(*texts: str, version: str = "1.34") -> tuple[list[Ask], list[Note]]:
    bundle = Bundle([parse(file) for file in files(*texts)])
    notes: list[Note] = []
    find_class = class_finder(bundle, lambda: Bundle([]))
    return list(every_ask(bundle.objects, find_class, notes, Version(version))), notes


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize(("head", "by"), [(SERVICE, 6), (PIPELINE, 10)], ids=["NIMService", "NIMPipeline"])
def test_devices_of_nim(head: str, by: int) -> None:
    asks, notes = asked(head + indented(DEVICES, by))
    assert rows(asks) == [("gpu", [GPU, ARCHITECTURE, MEMORY]), ("slice", [MIG, "one", "two"])]
    assert notes == []
    line = head.count("\n") + 2
    assert str(asks[0].source and asks[0].source.place).startswith(f"0.yaml:{line}:")


def test_each_line_of_the_annotation_of_kserve() -> None:
    asks, notes = asked(KSERVE)
    assert rows(asks) == [(None, [MIG, "one", "two"])]
    assert [each.offset for each in asks[0].selectors] == [0, 5]
    assert notes == []


def test_kserve_by_its_class_alone() -> None:
    asks, _ = asked("".join(KSERVE.splitlines(keepends=True)[:6]))
    assert rows(asks) == [(None, [MIG])]
    assert asked("".join(KSERVE.splitlines(keepends=True)[:5])) == ([], [])


@pytest.mark.parametrize("version", ["1.33", "1.34"])
def test_a_taint_rule(version: str) -> None:
    asks, notes = asked(TAINT, CLASS, version=version)
    assert rows(asks)[0] == (None, ["of the class", 'device.driver == "gpu.nvidia.com"', "one"])
    assert [note.what for note in notes] == ["pool narrows this further, and is not looked at"]
    assert str(notes[0].place).startswith("0.yaml:9:")


def test_a_taint_rule_of_a_release_without_selectors() -> None:
    assert asked(TAINT, version="1.35") == ([], [])


def test_a_class_that_nobody_knows() -> None:
    asks, notes = asked(TAINT)
    assert rows(asks) == [(None, ['device.driver == "gpu.nvidia.com"', "one"])]
    assert notes[0].what == "DeviceClass mine is not known, so only the object's own selectors count"


def test_all_that_files_ask_for_in_order() -> None:
    asks, _ = asked(KSERVE, OLD_CLAIM, TAINT)
    assert [each.source and each.source.object.kind for each in asks] == [
        "LLMInferenceService", "ResourceClaim", "DeviceTaintRule",
    ]  # fmt: skip


def test_what_is_no_selection_asks_for_nothing() -> None:
    assert asked(
        SERVICE + "        none\n", KSERVE.replace("serving.kserve.io/v1alpha2", "example.com/v1")
    ) == ([], [])
