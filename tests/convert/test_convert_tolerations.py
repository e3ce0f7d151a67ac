"""The toleration that is written unless one does its work already."""

from __future__ import annotations

import textwrap

import pytest

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: train:1
    resources: {limits: {cpu: 1, %s: %s}}
"""
ADDED = "key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n"


def pod(tolerations: str = "", name: str = "nvidia.com/gpu", count: int = 1) -> str:
    return POD % (name, count) + textwrap.indent(textwrap.dedent(tolerations), "  ")


@pytest.mark.parametrize(
    "toleration",
    [
        "{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}",
        "{key: nvidia.com/gpu, operator: Exists}",
        "{operator: Exists}",
        "{operator: Exists, effect: NoSchedule}",
        "{key: '', operator: Exists}",
    ],
)
def test_one_that_tolerates_every_value_is_enough(convert_text, toleration):
    text = pod(f"tolerations:\n- {toleration}\n")
    assert convert_text(text).text.count("operator: Exists") == 1


@pytest.mark.parametrize(
    "toleration",
    [
        # Which value the taint has is not known: GKE's is `present`, others have `true` or none.
        "{key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}",
        "{key: nvidia.com/gpu, value: 'true'}",
        "{key: nvidia.com/gpu, operator: Exists, effect: NoExecute}",
        "{key: nvidia.com/gpu.product, operator: Exists}",
        "{key: node.kubernetes.io/not-ready, operator: Exists}",
    ],
)
def test_one_that_does_not_is_joined(convert_text, toleration):
    text = pod(f"tolerations:\n- {toleration}\n")
    result = convert_text(text).text
    assert toleration in result
    assert result.endswith("  - " + ADDED)


@pytest.mark.parametrize("tolerations", ["", "tolerations: []\n", "tolerations:\n"])
def test_there_may_be_none_yet(convert_text, tolerations):
    result = convert_text(pod(tolerations)).text
    assert result.count("nvidia.com/gpu") == 1
    assert result.count("tolerations:") == 1


def test_it_can_be_left_out(convert_text):
    assert "tolerations" not in convert_text(pod(), toleration=False).text


def test_zero_needs_none(convert_text):
    assert "tolerations" not in convert_text(pod(count=0)).text


def test_mig_pods_get_it_with_a_note(convert_text):
    result = convert_text(pod(name="nvidia.com/mig-1g.10gb"))
    assert ADDED in result.text
    assert "toleration" in result.topics
