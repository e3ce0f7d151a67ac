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
        ran = dralint("check", "--output-format", "json", patch)
        return [each["name"] for each in json.loads(ran.out)["findings"]]

    return run


@pytest.mark.parametrize(
    ("text", "rule"),
    [(DOMAIN, "computedomain-invalid"), (CLUSTER, "gpucluster-invalid"), (CLASS, "missing-field")],
    ids=["ComputeDomain", "GPUCluster", "DRA"],
)
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
