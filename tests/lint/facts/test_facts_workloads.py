"""Facts of workloads: parallelism, sharing by the device plugin, separators, and who uses a claim."""

from __future__ import annotations

import pytest

GPUS = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpus}
spec: {spec: {devices: {requests: [{name: gpus, exactly: {deviceClassName: gpu.nvidia.com, count: 4}}]}}}
"""


def pod(container, kind="Pod", more=""):
    return f"""
apiVersion: v1
kind: {kind}
metadata: {{name: x}}
spec:
  resourceClaims: [{{name: gpus, resourceClaimTemplateName: gpus}}]
  containers: [{{name: c, image: i, resources: {{claims: [{{name: gpus}}]}}, {container}}}]
{more}"""


@pytest.mark.parametrize(
    ("container", "ranks"),
    [
        pytest.param("args: [--tensor-parallel-size=4]", 4, id="an option with an equals sign"),
        pytest.param("args: [serve, -tp, '2', -pp, '2']", 4, id="two that are multiplied"),
        pytest.param(
            "command: [sh, -c, 'exec vllm serve m --tensor-parallel-size 8']", 8, id="in a shell line"
        ),
        pytest.param("command: [torchrun, --nproc_per_node=2, train.py]", 2, id="torchrun"),
        pytest.param("args: [--tensor-parallel-size, $(TP)]", None, id="a variable"),
        pytest.param("args: [--tensor-parallel-size, '2', --data-parallel-size, '2']", None, id="copies"),
        pytest.param("args: [--tensor-parallel-size, '2', --data-parallel-size, '1']", 2, id="one copy"),
        pytest.param("args: ['vllm --tp 2 & vllm --tp 2']", None, id="two engines"),
        pytest.param("args: [--tp, '8', --nnodes, '2']", None, id="two nodes"),
        pytest.param("command: [ray, start, --tp, '8']", None, id="ray"),
        pytest.param(
            "args: [--tp, '8'], env: [{name: MASTER_ADDR, value: x}]", None, id="a variable of groups"
        ),
        pytest.param("args: [--tp, '2', --nproc-per-node, '2']", None, id="a launcher and an engine"),
        pytest.param("args: [--model, m]", None, id="nothing said"),
    ],
)
def test_how_many_gpus_a_command_line_is_about(facts, container, ranks):
    (subject,) = facts("gpu_container", pod(container), GPUS)
    assert subject.facts["ranks"] == ranks
    assert subject.facts["devices"] == 4


def test_a_group_of_pods_says_nothing(facts):
    text = """
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
spec:
  leaderWorkerTemplate:
    size: 2
    workerTemplate:
      spec:
        containers: [{name: c, image: i, args: [--tp, '8'], resources: {claims: [{name: gpus}]}}]
        resourceClaims: [{name: gpus, resourceClaimTemplateName: gpus}]
"""
    (subject,) = facts("gpu_container", text, GPUS)
    assert subject.facts["ranks"] is None


@pytest.mark.parametrize(
    ("tolerations", "expected"),
    [
        ("[]", False),
        ("[{operator: Exists}]", True),
        ("[{key: nvidia.com/gpu, operator: Equal, value: present}]", True),
        ("[{key: nvidia.com/gpu, operator: Exists, effect: NoExecute}]", False),
        ("[{key: other, operator: Exists}]", False),
    ],
)
def test_what_tolerates_the_taint(facts, tolerations, expected):
    (subject,) = facts("workload", pod("args: []", more=f"  tolerations: {tolerations}"), GPUS)
    assert subject.facts["tolerates"] is expected


def test_a_pod_without_gpus_is_no_workload(facts):
    assert facts("workload", "{apiVersion: v1, kind: Pod, spec: {containers: [{name: c, image: i}]}}") == []


BLOCK = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data:
  one: |
    # comment
    sharing:
      mps:
        renameByDefault: true
        resources:
        - {name: nvidia.com/gpu, replicas: 4}
  folded: >
    sharing: {timeSlicing: {failRequestsGreaterThanOne: true, resources: [{name: nvidia.com/gpu, replicas: 3}]}}

    more: 1
  other: "replicas, sharing: {"
"""


def test_a_configuration_in_a_literal_block_is_read_where_it_stands(facts):
    one, folded = facts("shared_resource", BLOCK)
    assert one.facts | {"target": 0, "object": 0} == {
        "resource": "nvidia.com/gpu",
        "advertised": "nvidia.com/gpu.shared",
        "way": "mps",
        "replicas": 4,
        "fails_above_one": True,
        "both_ways": False,
        "target": 0,
        "complete": False,
        "object": 0,
    }
    start, end = one.span
    assert BLOCK[start:end] == "replicas: 4"
    assert one.path == ("data", "one")
    assert (folded.span, folded.facts["replicas"], folded.facts["fails_above_one"]) == (None, 3, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n---\nb: 2\n", []),
        ("a: 1\n--- # comment\nb: 2\n...\n", []),
        ("a: 1\n----\nb: 2\n", ["dashes"]),
        ("--- {a: 1}\n", ["content"]),
        ("--- |\n  text\n", ["content"]),
        ("a: 1\n...\n\n# comment\nb: 2\n", ["dots"]),
        ("a: 1\n...\n# comment\n", []),
        ("a: 1\n...\n---\nb: 2\n", []),
        ("a: 1\r\n---\r\nb: 2\r\n", []),
        ("a: 1\r---\rb: 2\r", ["return"]),
        ("a: |\n  ---- text\n  ...\n  more\n", []),
        ("a: {{ .Values.a }}\n----\nb: 1\n", []),
    ],
)
def test_separators(facts, text, expected):
    assert [each.facts["what"] for each in facts("separator", text)] == expected


def test_overlays_of_one_workload_are_one_user(facts):
    claims = facts("claim_use", pod("args: []"), pod("args: [a]"), GPUS)
    assert [each.facts["users"] for each in claims] == [1, 1]
    assert [each.facts["others"] for each in claims] == [[], []]
    claims = facts("claim_use", pod("args: []"), pod("args: []").replace("name: x", "name: other"), GPUS)
    assert [each.facts["others"] for each in claims] == [["Pod other"], ["Pod x"]]


def test_what_a_migration_looks_for_costs_others_nothing(facts):
    text = """
apiVersion: v1
kind: Pod
spec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu.shared: 2}}}]}
"""
    (subject,) = facts("workload", text, BLOCK)
    assert subject.facts["shared"] == []
    assert subject.facts["device_plugin"] == ["nvidia.com/gpu.shared"]


@pytest.mark.parametrize(
    ("picks", "apart"),
    [
        (["one", "two"], True),
        (["one", "one"], False),
        (["one", None], False),
        ([None, "one"], False),
        (["one", "two", None], False),
        (["one"], False),
        (["one", "two", "three"], True),
        (["one", "two", "one"], False),
    ],
)
def test_containers_that_have_no_request_in_common(facts, picks, apart):
    text = "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n"
    text += "  resourceClaims: [{name: gpus, resourceClaimTemplateName: gpus}]\n  containers:\n"
    for number, pick in enumerate(picks):
        request = "" if pick is None else f", request: {pick}"
        text += f"  - {{name: c{number}, image: i, resources: {{claims: [{{name: gpus{request}}}]}}}}\n"
    (use,) = facts("claim_use", text, GPUS)
    assert use.facts["requests_apart"] is apart


def test_another_workload_with_fewer_claims(facts):
    def of(name, count):
        more = "".join(f", {{name: c{number}, resourceClaimName: d{number}}}" for number in range(count))
        return (
            f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n"
            f"  resourceClaims: [{{name: gpu, resourceClaimName: shared}}{more}]\n"
            "  containers: [{name: c, image: i, resources: {claims: [{name: gpu}]}}]\n"
        )

    uses = facts("claim_use", of("few", 0), of("some", 1), of("many", 2))
    shared = [use for use in uses if use.facts["reference"] == "shared"]
    assert [use.facts["more_claims"] for use in shared] == [False, True, True]
    assert [use.facts["others"][0] for use in shared] == ["Pod some", "Pod few", "Pod few"]
    (alone, _) = facts("claim_use", of("many", 1))
    assert alone.facts["more_claims"] is False


SPEC = "{resourceClaims: [{name: g, resourceClaimTemplateName: gpus}], containers: [{name: c, image: i}]}"
TEMPLATE = f"template: {{spec: {SPEC}}}"


@pytest.mark.parametrize(
    ("user", "after"),
    [
        (("v1", "Pod", "", SPEC), True),
        (("apps/v1", "Deployment", "", f"{{replicas: 2, {TEMPLATE}}}"), True),
        (("apps/v1", "Deployment", "", f"{{{TEMPLATE}}}"), True),
        (("apps/v1", "Deployment", "", f"{{replicas: 0, {TEMPLATE}}}"), False),
        (("batch/v1", "Job", "", f"{{{TEMPLATE}}}"), True),
        (("batch/v1", "Job", "", f"{{suspend: false, {TEMPLATE}}}"), True),
        (("batch/v1", "Job", "", f"{{suspend: true, {TEMPLATE}}}"), False),
        (("batch/v1", "CronJob", "", f"{{jobTemplate: {{spec: {{{TEMPLATE}}}}}}}"), False),
        (("serving.kserve.io/v1alpha1", "ServingRuntime", "", SPEC), False),
        (("v1", "Pod", ", uid: 1-2", SPEC), False),
        (("apps/v1", "Deployment", ", uid: 1-2", f"{{{TEMPLATE}}}"), False),
    ],
)
def test_a_template_behind_its_user(facts, user, after):
    version, kind, more, spec = user
    text = f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: x{more}}}\nspec: {spec}\n---\n{GPUS}"
    (use,) = facts("claim_use", text)
    assert use.facts["after_user"] is after
