"""Views of claims, requests and configs in every API version, and of shapes that are wrong."""

from __future__ import annotations

import pytest

from dralint.kube.dra import claim_spec, container_claims, pod_claims
from dralint.kube.places import containers, pod_specs
from dralint.yamltext.view import field_path, get
from tests.kube.reading import first


def claim(body, kind="ResourceClaim", version="v1"):
    return claim_spec(first(f"apiVersion: resource.k8s.io/{version}\nkind: {kind}\n{body}\n"))


def devices(body, **more):
    return claim(f"spec: {{devices: {body}}}", **more)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Pod\n",
        "apiVersion: example.com/v1\nkind: ResourceClaim\n",
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n",
        "kind: ResourceClaim\n",
    ],
)
def test_other_objects(text):
    assert claim_spec(first(text)) is None


CLASS = "deviceClassName: gpu.nvidia.com"
FORMS = {
    "exactly": (f"{{name: a, exactly: {{{CLASS}}}}}", "exactly", "gpu.nvidia.com", 0),
    "flat": (f"{{name: a, {CLASS}}}", "flat", "gpu.nvidia.com", 0),
    "flat without a class": ("{name: a, count: 1}", "flat", None, 0),
    "alternatives": (
        f"{{name: a, firstAvailable: [{{name: b, {CLASS}}}, {{name: c}}]}}",
        "firstAvailable",
        None,
        2,
    ),
    "exactly and alternatives": (
        f"{{name: a, exactly: {{{CLASS}}}, firstAvailable: [{{name: b}}]}}",
        "both",
        "gpu.nvidia.com",
        1,
    ),
    "flat and alternatives": (
        f"{{name: a, {CLASS}, firstAvailable: [{{name: b}}]}}",
        "both",
        "gpu.nvidia.com",
        1,
    ),
    "exactly and flat": (f"{{exactly: {{deviceClassName: x}}, {CLASS}}}", "both", "x", 0),
    "name alone": ("{name: a}", "none", None, 0),
    "empty": ("{}", "none", None, 0),
    "exactly of the wrong shape": ("{name: a, exactly: text}", "none", None, 0),
    "exactly empty": ("{name: a, exactly: {}}", "exactly", None, 0),
    "alternatives of the wrong shape": ("{name: a, firstAvailable: text}", "none", None, 0),
    "alternatives empty": ("{name: a, firstAvailable: []}", "none", None, 0),
}


@pytest.mark.parametrize("case", FORMS)
def test_forms_of_requests(case):
    body, form, device_class, alternatives = FORMS[case]
    [request] = devices(f"{{requests: [{body}]}}").requests
    assert (request.form, request.device_class, len(request.subrequests)) == (
        form,
        device_class,
        alternatives,
    )


REQUEST = """\
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        count: 2
        allocationMode: ExactCount
        adminAccess: true
        selectors:
        - cel: {expression: "true"}
        - cel: {}
        - text
    - name: any
      firstAvailable:
      - {name: big, deviceClassName: a, count: 1, selectors: [{cel: {expression: x}}]}
      - text
      - {name: small, deviceClassName: b, allocationMode: All}
    constraints:
    - {requests: [gpu, any/big], matchAttribute: a/b}
    - {distinctAttribute: c/d}
    config:
    - requests: [gpu]
      opaque: {driver: gpu.nvidia.com, parameters: {kind: GpuConfig}}
    - opaque: {driver: d}
    - {}
"""


def test_a_whole_claim():
    spec = claim(REQUEST)
    gpu, alternatives = spec.requests
    assert (gpu.name, gpu.count, gpu.mode, gpu.ask.admin_access) == ("gpu", 2, "ExactCount", True)
    assert [(selector.expression, field_path(selector.path)) for selector in gpu.selectors] == [
        ("true", "spec.devices.requests[0].exactly.selectors[0].cel.expression"),
        (None, "spec.devices.requests[0].exactly.selectors[1]"),
    ]
    assert gpu.asks == [gpu.ask]
    assert alternatives.ask is None
    assert [(ask.name, ask.device_class, ask.count, ask.mode) for ask in alternatives.asks] == [
        ("big", "a", 1, None),
        ("small", "b", None, "All"),
    ]
    assert field_path(alternatives.subrequests[1].path) == "spec.devices.requests[1].firstAvailable[2]"
    assert [(each.requests, each.match_attribute, each.distinct_attribute) for each in spec.constraints] == [
        (["gpu", "any/big"], "a/b", None),
        (None, None, "c/d"),
    ]
    assert [(each.driver, each.requests, each.parameters is not None) for each in spec.configs] == [
        ("gpu.nvidia.com", ["gpu"], True),
        ("d", None, False),
        (None, None, False),
    ]
    for part in (*spec.requests, *alternatives.subrequests, *spec.constraints, *spec.configs):
        assert get(spec.object.node, *part.path) is part.node


@pytest.mark.parametrize(
    ("kind", "body", "path", "wrapped", "requests"),
    [
        ("ResourceClaim", "spec: {devices: {requests: [{name: a}]}}", "spec", False, 1),
        ("ResourceClaimTemplate", "spec: {spec: {devices: {requests: [{name: a}]}}}", "spec.spec", True, 1),
        ("ResourceClaimTemplate", "spec: {devices: {requests: [{name: a}]}}", "spec", False, 1),
        ("ResourceClaim", "spec: {spec: {devices: {requests: [{name: a}]}}}", "spec.spec", True, 1),
        ("ResourceClaim", "spec: {}", "spec", False, 0),
        ("ResourceClaim", "metadata: {}", "spec", False, 0),
        ("ResourceClaimTemplate", "spec: {spec: null}", "spec.spec", True, 0),
        ("ResourceClaimTemplate", "spec: {spec: text}", "spec.spec", True, 0),
        ("ResourceClaim", "spec: text", "spec", False, 0),
    ],
)
def test_the_wrapper_of_templates(kind, body, path, wrapped, requests):
    spec = claim(body, kind=kind)
    assert (field_path(spec.path), spec.wrapped, len(spec.requests)) == (path, wrapped, requests)
    assert spec.template == (kind == "ResourceClaimTemplate")


def test_paths_in_a_template_and_in_a_list():
    obj = first(
        "kind: List\nitems:\n- apiVersion: resource.k8s.io/v1\n  kind: ResourceClaimTemplate\n"
        "  spec: {spec: {devices: {requests: [{name: a, exactly: {count: 1}}]}}}\n"
    )
    request = claim_spec(obj).requests[0]
    assert field_path(request.ask.path) == "items[0].spec.spec.devices.requests[0].exactly"
    assert field_path(claim_spec(obj).outer) == "items[0].spec"


def test_a_device_class():
    spec = claim(
        "spec:\n  selectors: [{cel: {expression: x}}]\n  extendedResourceName: nvidia.com/gpu\n"
        "  config: [{opaque: {driver: d, parameters: {}}}]\n  requests: [{name: a}]",
        kind="DeviceClass",
    )
    assert spec.selectors[0].expression == "x"
    assert field_path(spec.selectors[0].path) == "spec.selectors[0].cel.expression"
    assert spec.extended_resource_name == "nvidia.com/gpu"
    assert field_path(spec.configs[0].path) == "spec.config[0]"
    assert spec.requests == []


def classic(version, body, kind="ResourceClaim"):
    return [(name, field_path(path)) for name, path in claim(body, kind=kind, version=version).classic]


@pytest.mark.parametrize(
    ("version", "kind", "body", "expected"),
    [
        (
            "v1alpha2",
            "ResourceClaim",
            "spec: {resourceClassName: c, parametersRef: {name: p}, allocationMode: Immediate}",
            [
                ("resourceClassName", "spec.resourceClassName"),
                ("parametersRef", "spec.parametersRef"),
                ("allocationMode", "spec.allocationMode"),
            ],
        ),
        (
            "v1alpha2",
            "ResourceClaimTemplate",
            "spec: {spec: {resourceClassName: c}}",
            [("resourceClassName", "spec.spec.resourceClassName")],
        ),
        ("v1alpha3", "ResourceClaim", "spec: {controller: c}", [("controller", "spec.controller")]),
        ("v1alpha3", "DeviceClass", "spec: {suitableNodes: {}}", [("suitableNodes", "spec.suitableNodes")]),
        ("v1", "ResourceClaim", "spec: {devices: {}}", []),
    ],
)
def test_classic_fields(version, kind, body, expected):
    assert classic(version, body, kind) == expected


@pytest.mark.parametrize("wrong", ["text", "null", "1", "[]", "[text]", "[[a]]", "{}", "{a: 1}", "[null]"])
@pytest.mark.parametrize(
    "holder",
    [
        "spec: %s",
        "spec: {spec: %s}",
        "spec: {devices: %s}",
        "spec: {devices: {requests: %s, constraints: %s, config: %s}}",
        "spec: {devices: {requests: [{name: %s, exactly: %s, firstAvailable: %s}]}}",
        "spec: {devices: {requests: [{exactly: {selectors: %s, count: %s, deviceClassName: %s}}]}}",
        "spec: {devices: {requests: [{exactly: {selectors: [{cel: %s}]}, adminAccess: %s}]}}",
        "spec: {devices: {constraints: [{requests: %s, matchAttribute: %s}]}}",
        "spec: {devices: {config: [{requests: %s, opaque: %s}]}}",
        "spec: {devices: {config: [{opaque: {driver: %s, parameters: %s}}]}}",
        "spec: {selectors: %s, config: %s, extendedResourceName: %s}",
    ],
)
@pytest.mark.parametrize("kind", ["ResourceClaim", "ResourceClaimTemplate", "DeviceClass"])
def test_wrong_shapes_never_raise(kind, holder, wrong):
    spec = claim(holder.replace("%s", wrong), kind=kind)
    for request in spec.requests:
        assert request.form
        assert request.count is None or isinstance(request.count, int)
    assert all(config.driver is None or isinstance(config.driver, str) for config in spec.configs)


POD = """\
apiVersion: v1
kind: Pod
spec:
  resourceClaims:
  - {name: a, resourceClaimName: one}
  - {name: b, resourceClaimTemplateName: two}
  - {name: c, source: {resourceClaimTemplateName: three}}
  - {name: d, source: {}, resourceClaimName: four}
  - {name: e}
  - {name: f, source: text}
  - text
  containers:
  - name: x
    resources:
      claims: [{name: a}, {name: b, request: r}, text, {}]
  - {name: y, resources: {claims: text}}
  - {name: z}
"""


def test_claims_of_a_pod():
    [pod] = pod_specs(first(POD))
    assert [
        (each.name, each.claim_name, each.template_name, each.legacy_source) for each in pod_claims(pod)
    ] == [
        ("a", "one", None, False),
        ("b", None, "two", False),
        ("c", None, "three", True),
        ("d", "four", None, True),
        ("e", None, None, False),
        ("f", None, None, True),
    ]
    assert field_path(pod_claims(pod)[2].path) == "spec.resourceClaims[2]"


def test_claims_of_containers():
    x, y, z = containers(pod_specs(first(POD))[0])
    assert [(each.name, each.request, field_path(each.path)) for each in container_claims(x)] == [
        ("a", None, "spec.containers[0].resources.claims[0]"),
        ("b", "r", "spec.containers[0].resources.claims[1]"),
        (None, None, "spec.containers[0].resources.claims[3]"),
    ]
    assert container_claims(y) == container_claims(z) == []
