"""Which cluster a file is for, in the layouts that repositories have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dralint.kube.objects import ParsedFile
from dralint.kube.reach import Reach
from dralint.kube.read import parse
from dralint.source.file import SourceFile

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: sliced}
spec:
  devices:
    requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]
    config:
    - opaque:
        driver: gpu.nvidia.com
        parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, sharing: {strategy: MPS}}
"""
CLUSTER = """\
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
metadata: {name: gpu-cluster}
spec: {draDriver: {featureGates: {MPSSupport: true}}}
"""
VALUES = "gpuResourcesEnabledOverride: true\nfeatureGates: {MPSSupport: false}\n"
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: app}
spec: {containers: [{name: app, image: registry.example/app:1, resources: {limits: {nvidia.com/gpu: %s}}}]}
"""
PLUGIN = """\
version: v1
sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""


@pytest.fixture
def parsed(tmp_path: Path):
    def of(name: str) -> ParsedFile:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a: 1\n")
        return parse(SourceFile(str(path), str(path), b"a: 1\n"))

    return of


def _names(found: list[ParsedFile], root: Path) -> list[str]:
    return [str(Path(each.file.name).relative_to(root)) for each in found]


@pytest.mark.parametrize(
    ("here", "said", "counting", "surely"),
    [
        pytest.param("a.yaml", ["v.yaml"], [["v.yaml"]], ["v.yaml"], id="beside"),
        pytest.param(
            "apps/a.yaml", ["infra/gpu/v.yaml"], [["infra/gpu/v.yaml"]], ["infra/gpu/v.yaml"], id="one cluster"
        ),
        pytest.param("clusters/a/apps/x.yaml", ["clusters/b/v.yaml"], [], [], id="another cluster"),
        pytest.param("prod/apps/x.yaml", ["staging/v.yaml"], [], [], id="another stage"),
        pytest.param("prod/apps/x.yaml", ["infra/v.yaml"], [["infra/v.yaml"]], ["infra/v.yaml"], id="no stage"),
        pytest.param(
            "clusters/a/apps/x.yaml",
            ["base/v.yaml", "clusters/a/gpu/v.yaml", "clusters/b/gpu/v.yaml"],
            [["base/v.yaml"], ["clusters/a/gpu/v.yaml"]],
            ["clusters/a/gpu/v.yaml"],
            id="what all have, and its own",
        ),
        pytest.param(
            "overlays/a/x.yaml", ["overlays/common/v.yaml"], [["overlays/common/v.yaml"]], ["overlays/common/v.yaml"],
            id="what overlays share",
        ),
        pytest.param(
            "apps/x.yaml",
            ["clusters/a/v.yaml", "clusters/b/v.yaml"],
            [["clusters/a/v.yaml", "clusters/b/v.yaml"]],
            ["clusters/a/v.yaml", "clusters/b/v.yaml"],
            id="for all clusters",
        ),
        pytest.param(
            "acme/x.yaml", ["home/v.yaml", "lab/v.yaml"], [["home/v.yaml", "lab/v.yaml"]], [], id="side by side"
        ),
        pytest.param("apps/x.yaml", ["test/e2e/v.yaml", "examples/v.yaml"], [], [], id="samples"),
        pytest.param(
            "examples/mps/x.yaml", ["examples/mps/v.yaml", "v.yaml"],
            [["v.yaml"], ["examples/mps/v.yaml"]], ["examples/mps/v.yaml"], id="in the sample",
        ),
        pytest.param("a/b/c/x.yaml", ["a/v.yaml", "d/v.yaml"], [["d/v.yaml"], ["a/v.yaml"]], ["a/v.yaml"], id="above"),
    ],
)  # fmt: skip
def test_which_statements_count_for_a_file(parsed, tmp_path, here, said, counting, surely):
    file, others = parsed(here), [parsed(each) for each in said]
    reach = Reach(others, lambda each: each)
    assert [_names(tier, tmp_path) for tier in reach.tiers(file)] == counting
    assert _names(reach.sure(file), tmp_path) == surely


def test_nothing_counts_across_git_work_trees(parsed, tmp_path):
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
    assert Reach([parsed("two/v.yaml")], lambda each: each).tiers(parsed("one/x.yaml")) == []


@pytest.fixture
def check(dralint, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()

    def checked(files: dict[str, str], *arguments: str):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        ran = dralint("check", ".", *arguments, "--output-format", "json")
        data = json.loads(ran.out)
        return (
            {(each["path"], each["name"], each["severity"]) for each in data["findings"]},
            data["target"],
            ran.err,
        )

    return checked


def test_two_clusters_of_a_repository_have_a_target_each(check):
    found, target, said = check(
        {
            "clusters/a/gpu.yaml": CLUSTER,
            "clusters/a/apps/claim.yaml": CLAIM,
            "clusters/a/apps/pod.yaml": POD % 1,
            "clusters/b/values.yaml": VALUES,
            "clusters/b/apps/claim.yaml": CLAIM,
            "clusters/b/apps/pod.yaml": POD % 1,
            "clusters/c/apps/claim.yaml": CLAIM,
            "clusters/c/apps/pod.yaml": POD % 1,
        }
    )
    assert found == {
        # Only where the operator runs the driver nobody serves the name.
        ("clusters/a/apps/pod.yaml", "extended-resource-not-mapped", "warning"),
        ("clusters/b/apps/claim.yaml", "sharing-gate-off", "error"),
        ("clusters/c/apps/claim.yaml", "sharing-gate-off", "warning"),
    }
    assert target["stack"] == "unknown"
    assert "clusters/a/gpu.yaml" in said
    assert "clusters/b/values.yaml" in said


def test_a_base_counts_and_the_cluster_s_own_values_count_more(check):
    found, *_ = check(
        {
            "base/values.yaml": VALUES,
            "clusters/a/values.yaml": VALUES.replace("false", "true"),
            "clusters/a/apps/claim.yaml": CLAIM,
            "clusters/b/apps/claim.yaml": CLAIM,
        }
    )
    assert found == {("clusters/b/apps/claim.yaml", "sharing-gate-off", "error")}


def test_many_clusters_are_told_of_shortly(check):
    files = {f"clusters/c{number}/{name}": text for number in range(6) for name, text in
             (("gpu.yaml", CLUSTER), ("claim.yaml", CLAIM))}  # fmt: skip
    found, _, said = check(files)
    assert found == set()
    assert "3 more clusters" in said


def test_sharing_of_one_cluster_is_not_said_of_another(check):
    found, *_ = check(
        {
            "clusters/a/plugin.yaml": PLUGIN,
            "clusters/a/apps/pod.yaml": POD % 2,
            "clusters/b/apps/pod.yaml": POD % 2,
        },
        "--migration",
    )
    assert ("clusters/a/apps/pod.yaml", "shared-count-is-not-gpus", "warning") in found
    assert not any(path.startswith("clusters/b") for path, *_ in found)


def test_gates_of_installations_side_by_side_are_no_proof_of_an_error(check):
    found, *_ = check(
        {
            "clusters/a/values.yaml": VALUES.replace("false", "true"),
            "clusters/b/values.yaml": "gpuResourcesEnabledOverride: true\nfeatureGates: {DynamicMIG: true}\n",
            "apps/claim.yaml": CLAIM,
        }
    )
    assert found == set()
