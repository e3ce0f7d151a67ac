"""Rules on selectors: where findings stand, what they are judged on, and when nothing is said."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

import pytest

GPU = "device.attributes['gpu.nvidia.com']"
CAPACITY = "device.capacity['gpu.nvidia.com']"
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: {kind}
metadata: {{name: {name}}}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: {cls}
        selectors:
        - cel:
            expression: {expression}
"""
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
    attributes:
      type: {string: gpu}
      productName: {string: NVIDIA H200 NVL}
      architecture: {string: Hopper}
    capacity: {memory: {value: 143771Mi}}
"""


def claim(expression, *, cls="gpu.nvidia.com", name="card", kind="ResourceClaim"):
    return CLAIM.format(expression=expression, cls=cls, name=name, kind=kind)


def quoted(expression, **more):
    return claim(json.dumps(expression), **more)


@pytest.fixture
def check(dralint, tmp_path, monkeypatch):
    """Runs `check` on texts by file name; gives (name, severity, line, column) of each finding."""
    monkeypatch.chdir(tmp_path)

    def checked(files, *arguments, everything=False):
        if isinstance(files, str):
            files = {"x.yaml": files}
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        ran = dralint("check", *(arguments or files), "--output-format", "json")
        assert ran.code in (0, 1), ran.err
        findings = json.loads(ran.out)["findings"]
        if everything:
            return findings
        return [(each["name"], each["severity"], each["line"], each["column"]) for each in findings]

    return checked


def names(found):
    return [each[0] for each in found]


# Where a finding stands. `@` stands for the place; it is taken out of the text.
STYLES = {
    "plain": "device.driver == 'gpu.nvidia.com' && @device.attributes['productName'] == 'x'",
    "single": "'device.driver == ''gpu.nvidia.com'' && @device.attributes[''productName''] == ''x'''",
    "double": "\"device.driver == \\\"gpu.nvidia.com\\\" &&\\\n   \\x20@device.attributes['productName'] == 'x'\"",
    "several lines": "device.driver == 'gpu.nvidia.com'\n\n     &&\n     @device.attributes['productName'] == 'x'",
    "literal": "|\n     device.driver == 'gpu.nvidia.com'\n     && @device.attributes['productName'] == 'x'\n",
    "literal, kept": "|2+\n       device.driver == 'gpu.nvidia.com'\n       && @device.attributes['productName'] == 'x'\n\n",
    "folded": ">-\n     device.driver == 'gpu.nvidia.com'\n\n     && @device.attributes['productName'] == 'x'",
    "anchored": "&selector !!str \"device.driver != 'x' && @device.attributes['productName'] == 'x'\"",
    "not of this world": "\"device.driver == 'gpu.nvidia.com' && '\\U0001F600ä' != 'x' && @device.attributes['productName'] == 'x'\"",
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_finding_points_at_the_clause_whatever_scalar_holds_it(check, tmp_path, style, line_end):
    text = claim(
        textwrap.indent(STYLES[style], " " * 10).lstrip() if "\n" in STYLES[style] else STYLES[style]
    )
    text = text.replace("\n", line_end)
    offset = text.index("@")
    text = text.replace("@", "")
    (tmp_path / "x.yaml").write_bytes(text.encode())
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    assert check({}, "x.yaml") == [("cel-missing-domain", "error", line, column)]


def test_a_compile_error_stands_where_the_api_server_puts_it(check):
    text = claim(
        "|\n              device.driver == 'gpu.nvidia.com' &&\n              device.nodeName == 'x'"
    )
    (finding,) = check(text, everything=True)
    assert (finding["name"], finding["line"], finding["column"]) == ("cel-compile-error", 14, 21)
    assert "undefined field 'nodeName' (line 2, column 7 of the expression)" in finding["message"]


def test_json_is_as_good_as_yaml(check):
    selector = {"cel": {"expression": "device.attributes['productName'] == 'x'"}}
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "selectors": [selector]}}
    text = json.dumps(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceClaim",
            "metadata": {"name": "x"},
            "spec": {"devices": {"requests": [request]}},
        }
    )
    column = text.index("device.attributes") + 1
    assert check({"x.json": text}) == [("cel-missing-domain", "error", 1, column)]


@pytest.mark.parametrize(
    "expression",
    [
        "device.driver == 'dra.net' && device.attributes['dra.net'].rdma == true",
        "device.attributes['dra.net'].ifName in ['eth1', 'eth2']",
        "device.attributes['gpu.intel.com'].model == 'Data Center GPU Max 1550'",
        "device.capacity['gpu.intel.com'].memory.compareTo(quantity('32Gi')) >= 0",
        "device.attributes['gpu.intel.com'].driverVersion == '1.0'",
        "device.driver == 'gpu.amd.com' && device.attributes['gpu.amd.com'].productName == 'H200-NVL'",
        "device.attributes['gpu.amd.com'].architecture == 'ampere' && device.attributes['gpu.amd.com'].index == 0",
        "device.attributes['gpu.amd.com'].uuid == 'x' && semver('1.02.3').major() == 1",
        "device.attributes['neuron.amazonaws.com'].resourceType == 'neuron_node'",
        "device.capacity['gpu.amd.com'].memory == quantity('80Gi') || quantity('80GB').isInteger()",
        "false",
    ],
)
@pytest.mark.parametrize("cls", ["devices.example.com", "gpu.intel.com"])
def test_nothing_is_said_of_other_drivers_devices(check, expression, cls):
    assert check(quoted(expression, cls=cls)) == []
    vendors_class = f"""---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: {cls}}}
spec:
  selectors:
  - cel: {{expression: "device.driver == 'gpu.intel.com'"}}
"""
    assert check(quoted(expression, cls=cls) + vendors_class) == []
    slices = SLICE.replace("gpu.nvidia.com", "gpu.intel.com")
    assert check({"x.yaml": quoted(expression, cls=cls) + vendors_class, "slices.yaml": slices}) == []


def test_but_what_does_not_compile_is_wrong_whoever_drives_it(check):
    assert names(check(quoted("device.attributes['dra.net'].rdma = true", cls="dra.net"))) == [
        "cel-compile-error"
    ]
    assert names(check(quoted("device.attributes['ifName'] == 'eth0'", cls="dra.net"))) == [
        "cel-missing-domain"
    ]
    dear = "device.attributes['dra.net'].?ifName.orValue('').contains('eth')"
    assert names(check(quoted(dear, cls="dra.net"))) == ["cel-cost-limit"]


@pytest.mark.parametrize(
    "expression",
    [
        "device.attributes['gpu.nvidia.com'].productName == '{{ .Values.card }}'",
        "device.attributes['gpu.nvidia.com'].productName == '${CARD}'",
        "{{ .Values.selector }}",
        "device.attributes['gpu.nvidia.com'].productName == '<product name>'",
        "device.attributes['gpu.nvidia.com'].uuid == '<uuid>'",
    ],
)
def test_what_is_filled_in_later_is_left_alone(check, expression):
    assert check(quoted(expression)) == []


def test_a_class_that_nobody_knows_may_keep_devices_away(check):
    assert check(quoted(f"{GPU}.profile == '1g.24gb'", cls="slices.example.com")) == []
    assert check(quoted(f"{GPU}.addressingMode == 'HMM'", cls="slices.example.com")) == []
    # What no device at all has stays wrong.
    found = check(quoted(f"{GPU}.productName == 'H200-NVL'", cls="slices.example.com"))
    assert names(found) == ["productname-no-match"]


CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: {name}}}
spec:
  selectors:
  - cel: {{expression: "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == '{type}'"}}
"""


def test_a_class_of_ones_own_is_read_where_it_is_defined(check, tmp_path):
    (tmp_path / ".git").mkdir()
    files = {"x.yaml": quoted(f"{GPU}.profile == '1g.24gb'", cls="own")}
    for kind, expected in (("mig", []), ("gpu", ["mig-profile-on-gpu-class"])):
        assert names(check({**files, "class.yaml": CLASS.format(name="own", type=kind)})) == expected
    # In the rest of the git root as well.
    assert names(check(files, "x.yaml")) == ["mig-profile-on-gpu-class"]


def test_devices_beside_and_above_a_file_are_its_inventory(check):
    text = quoted(f"{GPU}.productName == 'NVIDIA B200'")
    wrong = [("productname-no-match", "error", 12, 26)]
    assert check(text) == []
    assert check({"x.yaml": text, "slices.yaml": SLICE}) == wrong
    assert check({"x.yaml": f"{text}---\n{SLICE}"}) == wrong
    assert check({"slices.yaml": SLICE, "team/app/x.yaml": text}, "slices.yaml", "team/app/x.yaml") == wrong
    # A sample elsewhere in the repository says nothing about it.
    assert check({"samples/slices.yaml": SLICE, "team/y.yaml": text}, "samples", "team") == []


def test_devices_from_the_command_line_come_first(check, tmp_path):
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "slices.json").write_text(
        json.dumps({"items": [], "kind": "List", "apiVersion": "v1"})
    )
    (tmp_path / "cluster" / "slices.yaml").write_text(SLICE.replace("NVIDIA H200 NVL", "NVIDIA B200"))
    text = {"x.yaml": quoted(f"{GPU}.productName == 'NVIDIA B200'"), "slices.yaml": SLICE}
    assert names(check(text)) == ["productname-no-match"]
    assert check(text, "x.yaml", "slices.yaml", "--inventory", "cluster/slices.yaml") == []


def test_an_inventory_that_cannot_be_read_is_told(dralint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.yaml").write_text(quoted("true"))
    ran = dralint("check", "x.yaml", "--inventory", "nowhere.yaml")
    assert (ran.code, "nowhere.yaml" in ran.err) == (2, True)
    ran = dralint("check", "-", "--inventory", "-")
    assert (ran.code, "only once" in ran.err) == (2, True)


NODE = """\
apiVersion: v1
kind: Node
metadata:
  name: a
  labels: {nvidia.com/gpu.product: %s, nvidia.com/gpu.count: "8"}
status: {capacity: {nvidia.com/gpu: "8"}}
"""


def test_nodes_promise_devices_and_leave_a_doubt(check):
    files = {"node.yaml": NODE % "NVIDIA-H200", "x.yaml": quoted(f"{GPU}.productName == 'NVIDIA B200'")}
    assert [each[:2] for each in check(files)] == [("productname-no-match", "warning")]
    files["x.yaml"] = quoted(f"{GPU}.productName == 'NVIDIA H200'")
    assert check(files) == []


def test_a_card_that_nobody_knows_is_a_doubt(check):
    for name in ("NVIDIA H900 NVL", "NVIDIA GeForce RTX 4070", "NVIDIA A10-12Q", "GRID T4-2Q"):
        found = check(quoted(f"{GPU}.productName == '{name}'"))
        assert [each[:2] for each in found] == [("productname-no-match", "info")], name
    found = check(quoted(f"{GPU}.architecture == 'Feynman'"))
    assert [each[:2] for each in found] == [("cel-value-unknown", "info")]
    # A node with a card of an unknown name can have anything.
    node = NODE % "NVIDIA-H900"
    assert (
        check({"node.yaml": node, "x.yaml": quoted(f"{CAPACITY}.memory.isGreaterThan(quantity('190Gi'))")})
        == []
    )


@pytest.mark.parametrize(
    ("expression", "cls", "expected"),
    [
        (f"{GPU}.productName == 'NVIDIA-H200-NVL' && {GPU}.index == 0", "gpu.nvidia.com",
         {"cel-gfd-spelling", "cel-unknown-attribute"}),
        (f"{GPU}.profile == '9g.999gb'", "gpu.nvidia.com", {"mig-profile-on-gpu-class"}),
        (f"{GPU}.profile == '9g.999gb' && {CAPACITY}.memory >= 5", "mig.nvidia.com",
         {"mig-profile-unknown", "cel-capacity-plain-number"}),
        (f"{GPU}.memory >= 40", "gpu.nvidia.com", {"cel-unknown-attribute"}),
        (f"{GPU}.driverVersion >= '575.57.08'", "gpu.nvidia.com", {"cel-version-as-string"}),
        (f"{GPU}.driverVersion > semver('575.57.08')", "gpu.nvidia.com", {"cel-version-as-string"}),
        (f"{CAPACITY}.memory == quantity('80GB')", "gpu.nvidia.com", {"cel-quantity-literal"}),
        (f"{GPU}.type == 'A100' && {GPU}.addressingMode == 'HMM'", "gpu.nvidia.com", {"cel-value-unknown"}),
        (f"{GPU}.type.string == 'gpu'", "gpu.nvidia.com", {"cel-unknown-attribute"}),
        (f"{GPU}.productName", "gpu.nvidia.com", {"cel-attribute-type-mismatch"}),
        ("device.attributes['nvidia.com'].product == 'A100'", "gpu.nvidia.com", {"cel-unknown-attribute"}),
    ],
)  # fmt: skip
def test_the_most_exact_rule_speaks_alone(check, expression, cls, expected):
    found = names(check(quoted(expression, cls=cls)))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_a_mistake_of_a_class_is_told_at_the_class(check):
    broken = CLASS.format(name="own", type="gpu").replace("'gpu'", "'card'")
    found = check(broken + "---\n" + quoted(f"{GPU}.architecture == 'Hopper'", cls="own"))
    assert [each[0::2] for each in found] == [("cel-value-unknown", 6)]


def test_alternatives_and_flat_requests_are_judged_as_well(check):
    flat = f"""\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {{name: x}}
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.nvidia.com
      selectors: [{{cel: {{expression: "{GPU}.index == 0"}}}}]
"""
    arguments = (
        "x.yaml",
        "--target-kubernetes",
        "1.33",
        "--dra-driver",
        "0.4.1",
        "--select",
        "cel-unknown-attribute",
    )
    assert names(check(flat, *arguments)) == ["cel-unknown-attribute"]
    either = f"""\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: x}}
spec:
  devices:
    requests:
    - name: gpu
      firstAvailable:
      - name: a
        deviceClassName: gpu.nvidia.com
        selectors: [{{cel: {{expression: "{GPU}.architecture == 'Hopper'"}}}}]
      - name: b
        deviceClassName: mig.nvidia.com
        selectors: [{{cel: {{expression: "{GPU}.profile == '1g.24GB'"}}}}]
"""
    assert [each[0::2] for each in check(either)] == [("mig-profile-unknown", 14)]


def test_what_a_gate_may_bring_is_no_mistake(check):
    assert check(quoted("device.allowMultipleAllocations")) == []
    assert check(quoted(f"has({GPU}.partition2) && {GPU}.partition2 == 1")) == []
    passthrough = quoted("true", cls="vfio.gpu.nvidia.com")
    assert check(passthrough, "x.yaml", "--select", "selector-matches-nothing") == []


@pytest.mark.parametrize("where", ["above the key", "above the object"])
def test_a_finding_inside_a_block_can_be_suppressed(check, where):
    text = claim(f"|\n              {GPU}.architecture == 'Hopper' &&\n              {GPU}.index == 0")
    comment = "# dralint: ignore[cel-unknown-attribute] for old drivers\n"
    if where == "above the key":
        text = text.replace("            expression:", f"            {comment}            expression:")
    else:
        text = comment + text
    assert check(text) == []


def test_what_is_nested_too_deeply_is_not_judged(check):
    found = check(quoted("(" * 60 + "true" + ")" * 60), everything=True)
    assert [(each["name"], each["severity"]) for each in found] == [("not-judged", "info")]
    assert "cel-compile-error" in found[0]["message"]


def test_hostile_numbers_of_selectors_are_bounded_and_told(check, monkeypatch):
    from dralint.lint.selectors import bench

    monkeypatch.setattr(bench, "_MOST_SELECTORS", 5)
    text = "---\n".join(quoted(f"{GPU}.index == {number}", name=f"c{number}") for number in range(20))
    found = names(check(text))
    assert "not-judged" in found
    assert found.count("cel-unknown-attribute") >= 3


SELECTORS = [
    "device.attributes['productName'] == 'x'",
    f"{CAPACITY}.memory >= 100",
    f"{GPU}.index == 0",
    f"{GPU}.productName == 'H200-NVL'",
    f"{GPU}.architecture == 'Hopper' && {CAPACITY}.memory.isGreaterThan(quantity('200Gi'))",
]


@pytest.mark.parametrize("expression", SELECTORS)
def test_the_other_engine_finds_the_same(check, expression):
    found = check(quoted(expression))
    assert check(quoted(expression), "x.yaml", "--engine", "cel-python") == found
    assert len(found) == 1


def test_what_needs_no_selectors_does_not_load_their_engine(tmp_path):
    (tmp_path / "pod.yaml").write_text(
        "{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: "
        "[{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}"
    )
    (tmp_path / "claim.yaml").write_text(quoted(f"{GPU}.productName == 'NVIDIA H200 NVL'"))
    script = (
        "import sys\nfrom dralint.cli.main import run\n"
        "code = run(['check', '-q', sys.argv[1]])\n"
        "print(code, 'dralint.cel.device' in sys.modules, 'google.protobuf' in sys.modules)"
    )
    for name, loaded in (("pod.yaml", "False"), ("claim.yaml", "True")):
        ran = subprocess.run(
            [sys.executable, "-c", script, name], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert ran.stdout.split() == ["0", loaded, "False"]
