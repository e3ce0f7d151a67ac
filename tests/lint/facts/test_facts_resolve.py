"""What the names in a pod's resourceClaims mean."""

from __future__ import annotations

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.facts import subjects
from dralint.lint.facts.placeholders import may_become, templated
from dralint.lint.run import Run
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile


def pod(reference, namespace=None, name="serve"):
    space = f', namespace: "{namespace}"' if namespace else ""
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}{space}}}
spec:
  containers: [{{name: main, image: x, resources: {{claims: [{{name: card}}]}}}}]
  resourceClaims: [{{name: card, resourceClaimTemplateName: "{reference}"}}]
"""


def template(name, namespace=None, device_class="gpu.nvidia.com", count=1):
    space = f', namespace: "{namespace}"' if namespace else ""
    return f"""
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: "{name}"{space}}}
spec: {{spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: {device_class}, count: {count}}}}}]}}}}}}
"""


DOMAIN = """
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: domain, namespace: lab}
spec: {numNodes: 0, channel: {resourceClaimTemplate: {name: channel}}}
"""


@pytest.mark.parametrize(
    ("user", "other", "state"),
    [
        (pod("card"), template("card"), "found"),
        (pod("card", "lab"), template("card"), "found"),
        (pod("card"), template("card", "lab"), "found"),
        (pod("card", "lab"), template("card", "lab"), "found"),
        (pod("card", "lab"), template("card", "ops"), "elsewhere"),
        (pod("card", "lab"), template("card", "${NAMESPACE}"), "unknown"),
        (pod("card"), template("cards"), "missing"),
        (pod("${CARD}"), template("card"), "unknown"),
        (pod("{{ .Values.card }}"), template("card"), "unknown"),
        (pod("plex-gpu"), template("${APP}-gpu"), "unknown"),
        (pod("plex-cpu"), template("${APP}-gpu"), "missing"),
        (pod("channel", "lab"), DOMAIN, "managed"),
        (pod("channel"), DOMAIN, "managed"),
        (pod("channel", "ops"), DOMAIN, "elsewhere"),
    ],
)
@pytest.mark.parametrize("of_context", [False, True], ids=["named", "context"])
def test_where_a_template_is(facts, user, other, state, of_context):
    (claim,) = facts("pod_claim", user, context=[other]) if of_context else facts("pod_claim", user, other)
    assert claim.facts["claim"]["state"] == state


def test_the_named_files_come_before_the_context(facts):
    (claim,) = facts("pod_claim", pod("card"), template("card"), context=[template("card", count=4)])
    assert [need["count"] for (need,) in claim.facts["claim"]["candidates"]] == [1]


def test_the_file_itself_comes_before_the_others(facts):
    both = pod("card") + "---" + template("card", "test")
    (claim,) = facts("pod_claim", both, template("card", "live", count=4))
    assert [need["count"] for (need,) in claim.facts["claim"]["candidates"]] == [1]


def test_where_namespaces_are_absent_every_definition_is_a_candidate(facts):
    (claim,) = facts(
        "pod_claim", pod("card"), template("card", "a"), template("card", "b", "mig.nvidia.com", 2)
    )
    assert [need["type"] for (need,) in claim.facts["claim"]["candidates"]] == ["gpu", "mig"]


def test_a_claim_is_no_template(facts):
    claim = template("card").replace("ResourceClaimTemplate", "ResourceClaim")
    assert facts("pod_claim", pod("card"), claim)[0].facts["claim"]["state"] == "missing"


def test_how_many_files_were_read_is_told_for_what_is_missing(facts):
    (claim,) = facts("pod_claim", pod("card"), DOMAIN, context=[template("x"), template("y")])
    assert claim.facts["files_read"] == 4
    (claim,) = facts("pod_claim", pod("card"), template("card"), context=[template("x")])
    assert claim.facts["files_read"] == 0


def test_what_a_chart_template_refers_to_may_be_in_another_one(facts, tmp_path):
    (tmp_path / "Chart.yaml").write_text("name: demo")
    (tmp_path / "templates").mkdir()
    file = SourceFile("pod.yaml", tmp_path / "templates" / "pod.yaml", pod("card").encode())
    files = [parse(file)]
    run = Run(files, Bundle(files), Context.none(), make_target())
    (claim,) = subjects(run, frozenset({"pod_claim"}))
    assert claim.facts["claim"]["state"] == "unknown"


@pytest.mark.parametrize(
    ("device_class", "selectors", "expected"),
    [
        ("gpu.nvidia.com", [], ("gpu.nvidia.com", True, True)),
        ("mig.nvidia.com", [], ("gpu.nvidia.com", True, True)),
        ("compute-domain-default-channel.nvidia.com", [], ("compute-domain.nvidia.com", True, False)),
        ("own", ["device.driver == 'gpu.nvidia.com'"], ("gpu.nvidia.com", True, True)),
        ("own", ["device.driver == 'dra.net'"], ("dra.net", False, False)),
        ("own", ["device.attributes['gpu.nvidia.com'].type == 'mig'"], ("gpu.nvidia.com", True, True)),
        ("own", ["device.allowMultipleAllocations"], (None, None, None)),
        ("unknown", [], (None, None, None)),
    ],
)
def test_whose_devices_a_claim_takes(facts, device_class, selectors, expected):
    own = f"""
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: own}}
spec:
  selectors: {[{"cel": {"expression": each}} for each in selectors]}
"""
    (claim,) = facts("pod_claim", pod("card"), template("card", device_class=device_class), context=[own])
    found = claim.facts["claim"]
    driver = found["drivers"][0] if found["drivers"] else None
    assert (driver, found["nvidia"], found["gpu"]) == expected


def test_a_claim_with_admin_access_takes_nothing(facts):
    watch = template("card").replace("count: 1", "allocationMode: All, adminAccess: true")
    (claim,) = facts("pod_claim", pod("card"), watch)
    assert (claim.facts["claim"]["admin"], claim.facts["claim"]["gpu"]) == (True, False)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("${APP}-gpu", "plex-gpu", True),
        ("${APP}-gpu", "-gpu", False),
        ("{{ .Release.Name }}-gpu-{{ .Values.n }}", "demo-gpu-2", True),
        ("$(APP)-gpu", "plex-cpu", False),
        ("${APP}", "plex", False),
        ("plex", "plex", False),
    ],
)
def test_what_a_name_with_placeholders_can_become(text, name, expected):
    assert may_become(text, name) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("card", False), (None, False), ("${A}", True), ("a-{{ b }}", True), ("$(A)", True), ("<name>", True)],
)
def test_placeholders(text, expected):
    assert templated(text) is expected
