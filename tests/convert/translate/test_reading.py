"""A pod's demands as they stand in a manifest, and taking them out of it."""

from __future__ import annotations

import textwrap

import pytest

from dralint.convert.translate.demands import Demand, Term
from dralint.convert.translate.judge import Asked
from dralint.convert.translate.read import constraints_of
from dralint.convert.translate.removals import removals
from dralint.convert.translate.translate import translate
from dralint.kube.places import pod_specs
from dralint.yamltext.operations import Remove
from dralint.yamltext.patch import patch
from tests.convert.translate.asking import GPU
from tests.convert.translate.gfd import TARGET

POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: main
    image: train:1
    resources: {limits: {nvidia.com/gpu: 1}}
"""
AFFINITY = """\
affinity:
  nodeAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      nodeSelectorTerms:
"""


@pytest.fixture
def pod(parse_text):
    def read(spec: str, text: str = POD):
        (obj,) = parse_text(text + textwrap.indent(textwrap.dedent(spec), "  ")).objects
        (found,) = pod_specs(obj)
        return found

    return read


@pytest.fixture
def moved(pod):
    """The pod spec behind its containers once all that can move has moved."""

    def move(spec: str) -> str:
        found = pod(spec)
        file, root = found.object.file, found.object.file.documents[0].root
        before = constraints_of(found)
        after = translate(before, [Asked(GPU)], TARGET).left
        operations = [Remove(0, path) for path in removals(found.path, root, before, after)]
        patched = patch(file.text, file.documents, [operations])
        assert patched.refusals == []
        return textwrap.dedent(patched.text.removeprefix(POD))

    return move


def meanings(demands):
    return [(each.key, each.operator, each.values) for each in demands]


def test_node_selector(pod):
    found = constraints_of(pod("nodeSelector:\n  zone: a\n  nvidia.com/gpu.memory: '81559'\n"))
    assert meanings(found.selector) == [("zone", "In", ("a",)), ("nvidia.com/gpu.memory", "In", ("81559",))]
    assert found.selector[1].path == ("spec", "nodeSelector", "nvidia.com/gpu.memory")
    assert [each.held for each in found.selector] == ["", ""]
    assert found.terms is None


def test_a_value_that_is_no_text(pod):
    (found,) = constraints_of(pod("nodeSelector:\n  nvidia.com/gpu.compute.major: 8\n")).selector
    assert "no text" in found.held


def test_terms(pod):
    found = constraints_of(
        pod(
            AFFINITY
            + """\
      - matchExpressions:
        - {key: zone, operator: In, values: [a, b]}
        - {key: zone, operator: Exists}
        matchFields:
        - {key: metadata.name, operator: In, values: [node-a]}
      - {}
      -
"""
        )
    )
    path = (
        "spec",
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
    )
    first, second, third = found.terms
    assert meanings(first.demands) == [("zone", "In", ("a", "b")), ("zone", "Exists", ())]
    assert first.demands[1].path == (*path, 0, "matchExpressions", 1)
    assert first.others == (
        {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]},
    )
    assert second.empty
    assert third.empty


@pytest.mark.parametrize(
    "expression",
    [
        "{key: a, operator: in, values: [b]}",
        "{key: a, operator: In}",
        "{key: a, operator: In, values: []}",
        "{key: a, operator: In, values: [1]}",
        "{key: a, operator: Exists, values: [b]}",
        "{key: a, operator: Gt, values: ['1', '2']}",
        "{operator: Exists}",
        "{key: a, operator: Exists, more: b}",
        "text",
        "",
    ],
)
def test_expressions_that_the_api_server_refuses(pod, expression):
    spec = f"{AFFINITY}      - matchExpressions:\n        - {expression}\n        - {{key: b, operator: Exists}}\n"
    (term,) = constraints_of(pod(spec)).terms
    assert meanings(term.demands) == [("b", "Exists", ())]
    assert len(term.others) == 1


def test_preferences(pod):
    found = constraints_of(
        pod(
            """\
            affinity:
              nodeAffinity:
                preferredDuringSchedulingIgnoredDuringExecution:
                - weight: 7
                  preference:
                    matchExpressions:
                    - {key: zone, operator: Exists}
            """
        )
    )
    ((weight, term, path),) = found.preferred
    assert path[-2:] == ("preferredDuringSchedulingIgnoredDuringExecution", 0)
    assert weight == 7
    assert meanings(term.demands) == [("zone", "Exists", ())]


def test_what_is_taken_from_the_object(pod):
    text = """\
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: train
spec:
  nodeSelector:
    nvidia.com/gpu.product: NVIDIA-L4
  templates:
  - name: main
    container:
      image: train:1
      resources: {limits: {nvidia.com/gpu: 1}}
"""
    (found,) = constraints_of(pod("", text)).selector
    assert "other pods" in found.held


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("nodeSelector:\n  nvidia.com/gpu.product: NVIDIA-L4\n", ""),
        ("nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4, zone: a}\n", "nodeSelector: {zone: a}\n"),
        (
            "nodeSelector:\n  nvidia.com/gpu.product: NVIDIA-L4 # fast\n  # where\n  zone: a\n",
            "nodeSelector:\n  # where\n  zone: a\n",
        ),
        (
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.present, operator: Exists}\n",
            "",
        ),
        (
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.present, operator: Exists}\n"
            + "  podAffinity: {}\n",
            "affinity:\n  podAffinity: {}\n",
        ),
        (
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.present, operator: Exists}\n"
            + "        - {key: zone, operator: Exists}\n",
            AFFINITY + "      - matchExpressions:\n        - {key: zone, operator: Exists}\n",
        ),
        (
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.present, operator: Exists}\n"
            + "        matchFields:\n        - {key: metadata.name, operator: In, values: [node-a]}\n",
            AFFINITY
            + "      - matchFields:\n        - {key: metadata.name, operator: In, values: [node-a]}\n",
        ),
        (
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.family, operator: In, values: [volta]}\n"
            + "        - {key: zone, operator: Exists}\n"
            + "      - matchExpressions:\n        - {key: zone, operator: Exists}\n"
            + "        - {key: nvidia.com/gpu.family, operator: In, values: [turing]}\n",
            AFFINITY + "      - matchExpressions:\n        - {key: zone, operator: Exists}\n",
        ),
        (
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.family, operator: In, values: [volta]}\n"
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.count, operator: In, values: ['8']}\n",
            AFFINITY
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.family, operator: In, values: [volta]}\n"
            + "      - matchExpressions:\n        - {key: nvidia.com/gpu.count, operator: In, values: ['8']}\n",
        ),
    ],
)
def test_taking_out(moved, spec, expected):
    assert moved(spec) == expected


def test_an_odd_expression_beside_one_that_moves(moved):
    odd = "        - {key: a, operator: in, values: [b]}\n"
    text = (
        AFFINITY
        + "      - matchExpressions:\n        - {key: nvidia.com/gpu.present, operator: Exists}\n"
        + odd
    )
    assert moved(text) == AFFINITY + "      - matchExpressions:\n" + odd


def test_a_demand_in_words():
    assert str(Demand("a", "In", ("b",))) == "a: b"
    assert str(Demand("a", "NotIn", ("b", "c"))) == "a NotIn b, c"
    assert str(Demand("a", "Exists")) == "a Exists"
    assert Term((Demand("a", "Exists"),)).empty is False
