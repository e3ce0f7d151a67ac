"""Every GPU request once, wherever it stands."""

from __future__ import annotations

import pytest

from dralint.convert.occurrences import occurrences
from dralint.yamltext.view import field_path


def listed(file):
    """(line, place, resource, counts) of each request."""
    return [
        (
            file.place(found.offset).line,
            field_path(found.place),
            found.resource.name,
            [count.text for count in found.counts],
        )
        for found in occurrences(file)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            """\
            kind: Pod
            spec:
              containers:
              - resources:
                  requests: {cpu: 1, nvidia.com/gpu: 2}
                  limits: {nvidia.com/gpu: "2"}
            """,
            [(6, "spec.containers[0].resources", "nvidia.com/gpu", ["2", "2"])],
            id="the same name in limits and requests is one",
        ),
        pytest.param(
            """\
            kind: Pod
            spec:
              containers:
              - resources:
                  limits:
                    nvidia.com/gpu: 0
                    nvidia.com/mig-1g.10gb: 1
                    nvidia.com/gpumem: 3000
                    nvidia.com/gpu.shared: 1
                    nvidia.com/pgpu: 1
                    amd.com/gpu: 1
            """,
            [
                (6, "spec.containers[0].resources", "nvidia.com/gpu", ["0"]),
                (7, "spec.containers[0].resources", "nvidia.com/mig-1g.10gb", ["1"]),
                (8, "spec.containers[0].resources", "nvidia.com/gpumem", ["3000"]),
                (9, "spec.containers[0].resources", "nvidia.com/gpu.shared", ["1"]),
                (10, "spec.containers[0].resources", "nvidia.com/pgpu", ["1"]),
            ],
            id="all names",
        ),
        pytest.param(
            """\
            worker:
              resources:
                limits: {nvidia.com/gpu: 1}
            - no: yaml
            """,
            [],
            id="a document that does not parse",
        ),
        pytest.param(
            """\
            server:
              gpu: &gpu
                nvidia.com/gpu: 1
              resources:
                limits: *gpu
                requests: *gpu
            worker:
              resources:
                limits: *gpu
            """,
            [
                (5, "server.resources", "nvidia.com/gpu", ["1", "1"]),
                (9, "worker.resources", "nvidia.com/gpu", ["1"]),
            ],
            id="each use of an alias, in a values file",
        ),
        pytest.param(
            """\
            base: &base
              limits: {nvidia.com/gpu: 4}
            one:
              <<: *base
            two:
              <<: *base
              limits: {nvidia.com/gpu: 1}
            """,
            [
                (2, "base", "nvidia.com/gpu", ["4"]),
                (4, "one", "nvidia.com/gpu", ["4"]),
                (7, "two", "nvidia.com/gpu", ["1"]),
            ],
            id="a merged map, and one that is overwritten",
        ),
        pytest.param(
            """\
            resources:
              limits: {nvidia.com/gpu: 4}
            resources:
              limits:
                nvidia.com/gpu: 1
                nvidia.com/gpu: 2
            """,
            [(6, "resources", "nvidia.com/gpu", ["2"])],
            id="the last of duplicate keys",
        ),
        pytest.param(
            """\
            apiVersion: v1
            kind: ResourceQuota
            spec:
              hard: {requests.nvidia.com/gpu: 4}
            ---
            apiVersion: karpenter.sh/v1
            kind: NodePool
            spec:
              limits: {nvidia.com/gpu: 4}
            """,
            [],
            id="quota and inventory",
        ),
        pytest.param(
            """\
            hub:
              singleuser:
                extraResource:
                  limits: {nvidia.com/gpu: 1}
                profileList:
                - kubespawner_override:
                    extra_resource_guarantees: {nvidia.com/gpu: "1"}
                    extra_resource_limits: {nvidia.com/gpu: "1"}
            """,
            [
                (4, "hub.singleuser", "nvidia.com/gpu", ["1"]),
                (8, "hub.singleuser.profileList[0].kubespawner_override", "nvidia.com/gpu", ["1", "1"]),
            ],
            id="fields of JupyterHub",
        ),
        pytest.param(
            """\
            apiVersion: nvidia.com/v1alpha1
            kind: DynamoGraphDeployment
            spec:
              services:
                Worker:
                  resources:
                    limits: {gpu: "2", nvidia.com: x}
                    requests: {gpu: "2"}
            """,
            [(7, "spec.services.Worker.resources", "nvidia.com/gpu", ["2", "2"])],
            id="Dynamo's gpu",
        ),
        pytest.param(
            """\
            apiVersion: sparkoperator.k8s.io/v1beta2
            kind: SparkApplication
            spec:
              driver: {gpu: {name: amd.com/gpu, quantity: 1}}
              executor:
                gpu: {name: nvidia.com/gpu, quantity: 1}
            """,
            [(6, "spec.executor.gpu", "nvidia.com/gpu", ["1"])],
            id="SparkApplication's gpu",
        ),
        pytest.param(
            """\
            - op: add
              path: /spec/template/spec/containers/0/resources
              value:
                limits: {nvidia.com/gpu: 1}
            """,
            [(4, "[0].value", "nvidia.com/gpu", ["1"])],
            id="the value of a JSON patch",
        ),
        pytest.param(
            """\
            kind: ConfigMap
            data:
              pod.yaml: |
                limits: {nvidia.com/gpu: 1}
            """,
            [],
            id="text in a string",
        ),
        pytest.param(
            "kind: Pod\nspec:\n  limits:\n    nvidia.com/gpu: {a: 1}\n    ? nvidia.com/mig-1g.5gb\n    :\n",
            [
                (4, "spec", "nvidia.com/gpu", [""]),
                (5, "spec", "nvidia.com/mig-1g.5gb", [""]),
            ],
            id="counts of the wrong shape",
        ),
    ],
)
def test_occurrences(parse_text, text, expected):
    assert listed(parse_text(text)) == expected


def test_items_of_lists_and_held_objects_are_objects_of_their_own(parse_text):
    file = parse_text("""\
        apiVersion: v1
        kind: List
        items:
        - apiVersion: v1
          kind: Pod
          metadata: {name: a}
          spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}
        - apiVersion: workload.codeflare.dev/v1beta2
          kind: AppWrapper
          metadata: {name: w}
          spec:
            components:
            - template:
                apiVersion: batch/v1
                kind: Job
                metadata: {name: b}
                spec: {template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}}}
        """)
    assert [found.object.ref.name for found in occurrences(file)] == ["a", "b"]


def test_a_bomb_of_aliases_ends_in_time(parse_text):
    lines = ["a0: &a0 {resources: {limits: {nvidia.com/gpu: 1}}}"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    file = parse_text("\n".join(lines))
    assert occurrences(file) == []
    assert file.problems
