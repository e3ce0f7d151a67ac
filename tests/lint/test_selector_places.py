"""Selectors elsewhere than in claims: judged by the same rules, each finding at its own place."""

from __future__ import annotations

import json

import pytest

NIM = """\
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMService
metadata: {{name: llm}}
spec:
  draResources:
  - claimCreationSpec:
      devices:
      - name: gpu
{device}
"""
TAINT = """\
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceTaintRule
metadata: {{name: out}}
spec:
  deviceSelector:
    deviceClassName: {cls}
    selectors:
    - cel:
        expression: {expression}
  taint: {{key: example.com/out, effect: NoSchedule}}
"""


@pytest.fixture
def check(dralint, tmp_path, monkeypatch):
    """Runs `check`; gives (name, line, column) of each finding of a rule for selectors."""
    monkeypatch.chdir(tmp_path)

    def checked(text, *arguments):
        (tmp_path / "x.yaml").write_text(text)
        ran = dralint("check", "x.yaml", "--context", "none", "--output-format", "json", *arguments)
        findings = json.loads(ran.out)["findings"]
        return [
            (each["name"], each["line"], each["column"])
            for each in findings
            if each["rule"].startswith("DRA2")
        ]

    return checked


def nim(*lines):
    return NIM.format(device="\n".join(f"        {line}" for line in lines))


def field(key, op, value, which="attributeSelectors"):
    return nim(f"{which}:", f"- {{key: {key}, op: {op}, value: {value}}}")


# One line of celExpressions, and what is said of it at which column after `- `.
@pytest.mark.parametrize(
    ("expression", "name", "column"),
    [
        ("device.attributes['productName'] == 'x'", "cel-missing-domain", 0),
        ("device.driver == 'gpu.nvidia.com' && device.pool == 'x'", "cel-compile-error", 43),
        ("device.attributes['gpu.nvidia.com'].architecture == 'hopper'", "cel-gfd-spelling", 0),
        ("device.capacity['gpu.nvidia.com'].memory > 80", "cel-capacity-plain-number", 0),
        ("device.attributes['gpu.nvidia.com'].profile == '1g.10gb'", "mig-profile-on-gpu-class", 0),
    ],
)
def test_expressions_of_a_nim_service(check, expression, name, column):
    text = nim("celExpressions:", "- device.driver == 'gpu.nvidia.com'", f"- {expression}")
    assert check(text) == [(name, 11, 11 + column)]


@pytest.mark.parametrize("quoted", [json.dumps, lambda text: f"|\n            {text}"])
def test_the_place_is_exact_in_every_kind_of_scalar(check, quoted):
    expression = "device.driver == 'gpu.nvidia.com' && device.attributes['productName'] == 'x'"
    text = nim("celExpressions:", f"- {quoted(expression)}")
    offset = text.index("device.attributes")
    place = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    assert check(text) == [("cel-missing-domain", *place)]


@pytest.mark.parametrize(
    ("key", "op", "value", "name"),
    [
        ("architectur", "Equal", "{stringValue: Hopper}", "cel-unknown-attribute"),
        ("gpu.nvidia.com/architectur", "Equal", "{stringValue: Hopper}", "cel-unknown-attribute"),
        ("architecture", "Equal", "{intValue: 9}", "cel-attribute-type-mismatch"),
        ("architecture", "Equal", "{stringValue: hopper}", "cel-gfd-spelling"),
        ("architecture", "Equal", "{stringValue: Hoper}", "cel-value-unknown"),
        ("driverVersion", "GreaterThan", "{stringValue: 580.95.5}", "cel-version-as-string"),
        ("productName", "Equal", "{stringValue: NVIDIA H100 PCIe 80}", "productname-no-match"),
        ("profile", "Equal", "{stringValue: 1g.10gb}", "mig-profile-on-gpu-class"),
    ],
)
def test_keys_and_values_of_attributes(check, key, op, value, name):
    assert check(field(key, op, value)) == [(name, 10, 11)]


@pytest.mark.parametrize(
    ("key", "op", "value", "name"),
    [
        ("mem", "GreaterThan", "80Gi", "cel-unknown-attribute"),
        ("memory", "GreaterThan", "5000Gi", "selector-matches-nothing"),
        ("memory", "GreaterThanOrEqual", "80GB", "cel-quantity-literal"),
    ],
)
def test_keys_and_values_of_capacities(check, tmp_path, key, op, value, name):
    (tmp_path / "slices.yaml").write_text(SLICE)
    found = check(field(key, op, value, "capacitySelectors"), "--inventory", "slices.yaml")
    assert [each[:2] for each in found] == [(name, 10)]


SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec:
  driver: gpu.nvidia.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {type: {string: gpu}, productName: {string: NVIDIA H200 NVL}, architecture: {string: Hopper}}
    capacity: {memory: {value: 143771Mi}}
"""


@pytest.mark.parametrize(
    ("key", "op", "value", "which"),
    [
        ("architecture", "Equal", "{stringValue: Hopper}", "attributeSelectors"),
        ("architecture", "NotEqual", "{stringValue: Hopper}", "attributeSelectors"),
        ("driverVersion", "GreaterThanOrEqual", "{versionValue: 570.0.0}", "attributeSelectors"),
        ("cudaComputeCapability", "LessThan", "{versionValue: 10.0.0}", "attributeSelectors"),
        ("memory", "GreaterThanOrEqual", "70Gi", "capacitySelectors"),
        # The webhook and the schema refuse these; the rules for selectors say nothing.
        ("driverVersion", "Equal", "{versionValue: 580.95.05}", "attributeSelectors"),
        ("architecture", "Is", "{stringValue: hopper}", "attributeSelectors"),
        ("architecture", "Equal", "{stringValue: hopper, intValue: 3}", "attributeSelectors"),
        ("[a]", "Equal", "{stringValue: hopper}", "attributeSelectors"),
        ("architecture", "Equal", "{{ .Values.card }}", "attributeSelectors"),
    ],
)
def test_nothing_is_said_of_these(check, key, op, value, which):
    assert check(field(key, op, value, which)) == []


def test_nothing_is_known_of_another_driver(check):
    fields = ("attributeSelectors:", "- {key: x, op: Equal, value: {intValue: 3}}")
    own = ("deviceClassName: nic.example.com", "driverName: nic.example.com")
    assert check(nim(*fields)) == [("cel-unknown-attribute", 10, 11)]
    assert check(nim(*own, *fields)) == []


def test_a_pipeline_has_several_services(check):
    service = nim("celExpressions:", "- device.attributes['productName'] == 'x'").partition("spec:\n")[2]
    inner = "".join(f"    {line}\n" for line in service.splitlines() if line)
    text = (
        "apiVersion: apps.nvidia.com/v1alpha1\nkind: NIMPipeline\nmetadata: {name: all}\nspec:\n  services:\n"
        f"  - name: a\n    spec:\n{inner}  - name: b\n    spec:\n{inner}"
    )
    assert check(text) == [("cel-missing-domain", 13, 15), ("cel-missing-domain", 21, 15)]


def test_a_fix_changes_the_item_of_the_list(dralint, tmp_path, check):
    text = nim("celExpressions:", "- |", "  device.attributes['productName'] == 'x'", "- 'true'")
    assert check(text)
    dralint("check", "x.yaml", "--context", "none", "--fix", "--unsafe-fixes")
    fixed = (tmp_path / "x.yaml").read_text()
    assert "device.attributes['gpu.nvidia.com'].productName == 'x'" in fixed
    assert fixed.replace("['gpu.nvidia.com'].productName", "['productName']") == text


@pytest.mark.parametrize(
    ("kubernetes", "found"),
    [
        ("1.33", [("cel-missing-domain", 9, 58)]),
        ("1.34", [("cel-missing-domain", 9, 58)]),
        # unknown-field says there that the field is gone.
        ("1.35", []),
    ],
)
def test_taint_rules_selected_by_expressions_up_to_1_34(check, kubernetes, found):
    expression = "device.driver == 'gpu.nvidia.com' && device.attributes['productName'] == 'x'"
    text = TAINT.format(cls="gpu.nvidia.com", expression=expression)
    assert check(text, "--target-kubernetes", kubernetes) == found


def test_a_taint_rule_may_name_no_class(check):
    expression = "device.attributes['gpu.nvidia.com'].profile == '1g.5gb'"
    text = TAINT.format(cls="gpu.nvidia.com", expression=expression)
    assert [each[0] for each in check(text, "--target-kubernetes", "1.34")] == ["mig-profile-on-gpu-class"]
    without = text.replace("    deviceClassName: gpu.nvidia.com\n", "")
    names = [each[0] for each in check(without, "--target-kubernetes", "1.34")]
    assert "mig-profile-on-gpu-class" not in names
