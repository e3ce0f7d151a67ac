"""What a patch lacks stands in the object that it changes, wherever that is."""

from __future__ import annotations

import json

import pytest

DOMAIN = """\
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: domain}
spec: {channel: {allocationMode: All}}
"""
CLUSTER = """\
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
metadata: {name: gpu-cluster}
spec: {dcgm: {enabled: true}}
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: broken}
spec: {deviceSelector: {driver: gpu.nvidia.com}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: serve}
spec:
  containers: [{name: main, image: registry.example/serve:2, resources: {%s}}]
%s"""
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: card}
spec: {devices: {%s: [{requests: [card], %s}]}}
"""
SLICE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a}
spec: {driver: gpu.example.com, pool: {name: node-a, generation: 1, resourceSliceCount: 1}, devices: []}
"""
MACHINE = """\
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm}
spec: {domain: {devices: {gpus: [{name: gpu1, claimName: gpus, requestName: card}]}}}
"""
TAINT = """\
apiVersion: resource.k8s.io/v1beta2
kind: DeviceTaintRule
metadata: {name: broken}
spec: {%staint: {key: example.com/broken, effect: NoSchedule}}
"""
GATES = """\
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
metadata: {name: gpu-cluster}
spec: {draDriver: {version: v0.5.1, featureGates: {%s}}}
"""
OPAQUE = "opaque: {driver: nic.example.com, parameters: {kind: Nic}}"
LACKING = {
    "a domain": (DOMAIN, "computedomain-invalid"),
    "a cluster": (CLUSTER, "gpucluster-invalid"),
    "a field of DRA": (CLASS, "missing-field"),
    "the pod's claim": (POD % ("claims: [{name: card}]", ""), "container-claim-undeclared"),
    "the container's claim": (
        POD % ("", "  resourceClaims: [{name: card, resourceClaimTemplateName: '${CARD}'}]\n"),
        "claim-not-consumed",
    ),
    "the claim's reference": (
        POD % ("claims: [{name: card}]", "  resourceClaims: [{name: card}]\n"),
        "claim-ref-ambiguous",
    ),
    "the limit": (POD % ("requests: {nvidia.com/gpu: 1}", ""), "extended-resource-amounts"),
    "the request of a config": (CLAIM % ("config", OPAQUE), "config-request-unknown"),
    "the request of a constraint": (
        CLAIM % ("constraints", "matchAttribute: resource.kubernetes.io/pcieRoot"),
        "config-request-unknown",
    ),
    "the nodes of a slice": (SLICE, "slice-placement"),
    "the claim of a machine": (MACHINE, "vm-device-count"),
    "what a taint is for": (TAINT % "", "taint-rule-selects"),
    "how shares are given": (GATES % "ConsumableShares: true", "consumable-shares-setting"),
    "another gate": (GATES % "IMEXDaemonsWithDNSNames: false", "driver-gates-exclude"),
}
NAMED = {
    "path": "patches:\n- path: {}\n",
    "merged": "patchesStrategicMerge:\n- {}\n",
    "with its target": "patches:\n- target: {{kind: ComputeDomain}}\n  path: {}\n",
}


@pytest.fixture
def checked(tmp_path, monkeypatch, dralint):
    """The names of the rules that fire on a patch; `kustomization` is where the kustomization stands, and what it says."""

    def run(text, kustomization=None, patch="overlay/patch.yaml"):
        (tmp_path / ".git").mkdir(exist_ok=True)
        (tmp_path / patch).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / patch).write_text(text)
        if kustomization is not None:
            where, said = kustomization
            (tmp_path / where / "kustomization.yaml").write_text(f"resources: [github.com/acme/base]\n{said}")
        monkeypatch.chdir(tmp_path)
        ran = dralint("check", "--output-format", "json", "--ignore", "beta-dra-api-version", patch)
        return [each["name"] for each in json.loads(ran.out)["findings"]]

    return run


@pytest.mark.parametrize(("text", "rule"), LACKING.values(), ids=LACKING)
class TestWhatIsMissing:
    def test_is_told_of_an_object(self, checked, text, rule):
        assert checked(text) == [rule]

    @pytest.mark.parametrize("said", NAMED.values(), ids=NAMED)
    def test_is_not_told_of_a_patch_whose_base_is_nowhere(self, checked, text, rule, said):
        assert checked(text, ("overlay", said.format("patch.yaml"))) == [], rule

    def test_nor_of_one_below_its_kustomization(self, checked, text, rule):
        said = NAMED["path"].format("patches/patch.yaml")
        assert checked(text, ("overlay", said), "overlay/patches/patch.yaml") == [], rule

    def test_is_told_where_another_file_is_the_patch(self, checked, text, rule):
        assert checked(text, ("overlay", NAMED["path"].format("other.yaml"))) == [rule]


def test_a_list_of_dra_is_replaced_whole(checked):
    text = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: gpu}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {count: 2}}]}}}
"""
    found = checked(text, ("overlay", NAMED["path"].format("patch.yaml")))
    assert found == ["request-exactly-or-firstavailable"]


def test_what_a_patch_says_wrong_is_told(checked):
    wrong = DOMAIN.replace("All", "Some")
    assert checked(wrong, ("overlay", NAMED["path"].format("patch.yaml"))) == ["computedomain-invalid"]
