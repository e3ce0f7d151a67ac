"""A claim that is found only after `kustomize build` is there; one that no build brings there is not."""

from __future__ import annotations

import json

import pytest

TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: card, namespace: NAMESPACE}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: serve, namespace: lab}
spec:
  containers: [{name: main, image: "registry.example/app:1", resources: {claims: [{name: card}]}}]
  resourceClaims: [{name: card, resourceClaimTemplateName: REFERENCE}]
"""
THERE = {
    "a prefix": ("lab", "prod-card", {"base": "namePrefix: prod-\nresources: [card.yaml]\n"}),
    "a suffix": ("lab", "card-v2", {"base": "nameSuffix: -v2\nresources: [card.yaml]\n"}),
    "two prefixes": (
        "lab",
        "eu-prod-card",
        {
            "base": "namePrefix: prod-\nresources: [card.yaml]\n",
            "eu": "namePrefix: eu-\nresources: [../base]\n",
        },
    ),
    "a component": (
        "platform",
        "card",
        {"base": "resources: [card.yaml]\n", "eu": "namespace: lab\ncomponents: [../base]\n"},
    ),
    "one of many prefixes": (
        "lab",
        "o39-card",
        {
            "base": "resources: [card.yaml]\n",
            **{f"o{i}": f"namePrefix: o{i}-\nresources: [../base]\n" for i in range(60)},
        },
    ),
    "both are moved": (
        "platform",
        "card",
        {"base": "resources: [card.yaml]\n", "eu": "namespace: eu\nresources: [../base, ../pod.yaml]\n"},
    ),
}
NOT_THERE = {
    "only the pod is moved": ("platform", "card", {"app": "namespace: lab\nresources: [../pod.yaml]\n"}),
    "another prefix": ("lab", "prod-card", {"base": "namePrefix: test-\nresources: [card.yaml]\n"}),
    "the prefix of other resources": (
        "lab",
        "prod-card",
        {"app": "namePrefix: prod-\nresources: [../pod.yaml]\n"},
    ),
    "a circle": (
        "lab",
        "prod-card",
        {
            "base": "namePrefix: x\nresources: [., ., ../eu, ../eu]\n",
            "eu": "resources: [../base, ../base, ..]\n",
        },
    ),
    "no kustomization at all": ("platform", "card", {"base": "[1, 2"}),
    "entries that are no paths": (
        "platform",
        "card",
        {"base": 'namespace: [lab]\nresources: [1, null, {a: b}, "https://a.example/b", "\\0"]\nbases: x\n'},
    ),
}


@pytest.fixture
def found(dralint, tmp_path, monkeypatch):
    """Checks a template in base/ and a pod beside kustomizations; gives the names of the rules that found something."""

    def checked(namespace, reference, kustomizations):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "base").mkdir()
        (tmp_path / "base" / "card.yaml").write_text(TEMPLATE.replace("NAMESPACE", namespace))
        (tmp_path / "pod.yaml").write_text(POD.replace("REFERENCE", reference))
        for directory, text in kustomizations.items():
            (tmp_path / directory).mkdir(exist_ok=True)
            (tmp_path / directory / "kustomization.yaml").write_text(text)
        ran = dralint("check", "pod.yaml", "base/card.yaml", "--output-format", "json")
        return [each["name"] for each in json.loads(ran.out)["findings"]]

    return checked


@pytest.mark.parametrize("case", THERE.values(), ids=THERE.keys())
def test_what_a_build_brings_there_is_there(found, case):
    assert found(*case) == []


@pytest.mark.parametrize("case", NOT_THERE.values(), ids=NOT_THERE.keys())
def test_what_no_build_brings_there_is_missing(found, case):
    assert found(*case) == ["claim-ref-not-found"]
