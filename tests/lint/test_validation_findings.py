"""What the rules about single fields say, and what they leave to others."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.fixture
def check(dralint, tmp_path):
    """Findings of manifests as (name, field, message)."""

    def checked(text, *arguments):
        path = tmp_path / "it.yaml"
        path.write_text(text)
        ran = dralint("check", "--context", "none", "--output-format", "json", *arguments, path)
        found = json.loads(ran.out)["findings"]
        return [(each["name"], each["field"], each["message"]) for each in found]

    return checked


CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: card}
spec:
  devices:
    requests:
    - name: nic
      exactly: {deviceClassName: nic.example.com%s}
"""
FLAT = "- {name: nic, count: 2, exactly: {deviceClassName: nic.example.com}}\n"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: serve}
spec:
  resourceClaims: [{name: card, resourceClaimTemplateName: "${TEMPLATE}"}]
  containers:
  - name: main
    image: registry.example/serve:1
    resources: {%s}
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (", cuont: 2", "ExactDeviceRequest has no field cuont; did you mean count?"),
        (
            ", capacity: {request: {bandwidth: 1G}}",
            "CapacityRequirements has no field request; did you mean requests?",
        ),
        (
            ", selectors: [{cel: {text: x}}]",
            "CELDeviceSelector has no field text; the fields there are expression",
        ),
        (", count: '2'", 'count is the text "2", but a whole number belongs there'),
        (", count: yes", "count is yes (true or false), but a whole number belongs there"),
        (", count: []", "count is a list, but a whole number belongs there"),
        (", adminAccess: 1", "adminAccess is the number 1, but true or false belongs there"),
        (
            ", capacity: {requests: {bandwidth: 10Gbit}}",
            'bandwidth is the text "10Gbit", but a quantity such as 10Gi or 500m belongs there',
        ),
        (", allocationMode: exact-count", "allocationMode cannot be exact-count; did you mean ExactCount?"),
        (", allocationMode: Some", "allocationMode cannot be Some; it can be ExactCount, All"),
    ],
)
def test_messages(check, more, message):
    assert [said for _, _, said in check(CLAIM % more)] == [message]


def test_a_field_of_a_later_release_is_said_to_be_one(check):
    text = (
        CLAIM.replace("/v1\n", "/v1beta1\n")
        .replace("exactly: {", "")
        .replace("%s}", "\n      tolerations: []")
    )
    ((name, field, message),) = check(text, "--target-kubernetes", "1.32")
    assert (name, field) == ("unknown-field", "spec.devices.requests[0].tolerations")
    assert message == "DeviceRequest has no field tolerations; it came with Kubernetes 1.33"


@pytest.mark.parametrize(
    "more",
    [
        ", count: '${COUNT}'",
        ", deviceClassName: '${CLASS}'",
        ", allocationMode: '${MODE}'",
        ", '${FIELD}': 1",
        ", tolerations: [{key: '${KEY}', operator: Exists}]",
        ", capacity: {requests: {bandwidth: '$(BANDWIDTH)'}}",
    ],
)
def test_what_is_filled_in_later_is_not_judged(check, more):
    assert check(CLAIM % more) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (CLAIM.partition("- name: nic")[0] + FLAT, "flat-request-in-v1"),
        ((CLAIM % "").replace("spec:\n", "spec:\n  controller: x\n"), "classic-dra-fields"),
        (CLAIM % ", selectors: [{expression: 'true'}]", "cel-selector-misnested"),
        (CLAIM % ", selectors: [{cel: 'true'}]", "cel-selector-misnested"),
        ((CLAIM % "").replace("spec:\n", "spec:\n  tolerations: []\n"), "device-toleration-misplaced"),
        (POD % "claims: [{name: card}], claims: [{name: card}, {name: card}]", "container-claim-repeated"),
    ],
)
def test_what_a_rule_of_its_own_speaks_of_is_told_once(check, text, name):
    assert [each[0] for each in check(text)] == [name]


def test_a_pod_is_looked_at_where_claims_are(check):
    claims = "claims: [{name: card}], limit: {cpu: 1}"
    assert [each[:2] for each in check(POD % claims)] == [
        ("unknown-field", "spec.containers[0].resources.limit")
    ]
    claim = next(line for line in POD.splitlines(keepends=True) if "resourceClaims" in line)
    assert check((POD % "limit: {cpu: 1}").replace(claim, "")) == []


def test_a_gate_is_told_once_per_file_with_where_and_since_when(check):
    text = (CLAIM % ", tolerations: [{operator: Exists}]") + "---\n" + (CLAIM % ", tolerations: []")
    ((name, field, message),) = check(text, "--target-kubernetes", "1.35")
    assert (name, field) == ("kubernetes-gate-off", "spec.devices.requests[0].exactly.tolerations")
    assert message == (
        "tolerations needs Kubernetes' gate DRADeviceTaints, alpha and off in 1.35: it has no effect, so "
        "neither taints nor tolerations of devices count (and in 1 more place of this file)"
    )
    assert check(text, "--target-kubernetes", "1.35", "--gate", "kubernetes:DRADeviceTaints=true") == []
    assert check(text, "--target-kubernetes", "1.36") == []


def test_a_gate_that_a_release_does_not_have_is_a_matter_of_fields(check):
    text = (
        CLAIM.replace("/v1\n", "/v1beta1\n")
        .replace("exactly: {", "")
        .replace("%s}", "\n      tolerations: []")
    )
    assert [each[0] for each in check(text, "--target-kubernetes", "1.32")] == ["unknown-field"]


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("{}", True),
        ("{resource.kubernetes.io/admin-access: 'true'}", False),
        ("{resource.kubernetes.io/admin-access: 'True'}", True),
        ("{resource.kubernetes.io/admin-access: '${ADMIN}'}", False),
        ("{resource.k8s.io/admin-access: 'true'}", True),
    ],
)
def test_the_label_for_admin_access(check, labels, found):
    namespace = f"""\
---
apiVersion: v1
kind: Namespace
metadata: {{name: lab, labels: {labels}, annotations: {{for: resource.k8s.io}}}}
"""
    text = (CLAIM % ", adminAccess: true").replace("{name: card}", "{name: card, namespace: lab}") + namespace
    assert (["admin-access-namespace-label"] if found else []) == [each[0] for each in check(text)]
    # In 1.33 with the gate off, the field is dropped; nobody asks for a label.
    assert "admin-access-namespace-label" not in {
        each[0]
        for each in check(text, "--gate", "kubernetes:DRAAdminAccess=false", "--target-kubernetes", "1.34")
    }


def test_plain_manifests_of_the_device_plugin_load_no_schemas(tmp_path):
    path = tmp_path / "pod.yaml"
    claims = next(line for line in POD.splitlines(keepends=True) if "resourceClaims" in line)
    path.write_text((POD % "limits: {nvidia.com/gpu: 1}").replace(claims, ""))
    program = (
        "import sys; from dralint.cli.main import run; run(['check', '--context', 'none', '-q', sys.argv[1]]);"
        "print([each for each in ('jsonschema', 'dralint.kube.schemas', 'dralint.lint.facts.fields',"
        " 'dralint.lint.facts.typed') if each in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_what_a_cluster_has_kept_needs_no_gate(check):
    text = (CLAIM % ", tolerations: [{operator: Exists}]").replace("{name: card}", "{name: card, uid: 1-2-3}")
    assert check(text, "--target-kubernetes", "1.35") == []


def test_an_entry_of_a_patch_has_its_reference_elsewhere(check):
    entry = "resourceClaims: [{name: card}]"
    text = (POD % "claims: [{name: card}]").replace(
        'resourceClaims: [{name: card, resourceClaimTemplateName: "${TEMPLATE}"}]', entry
    )
    assert [each[0] for each in check(text)] == ["claim-ref-ambiguous"]
    assert check(text.replace("    image: registry.example/serve:1\n", "")) == []
