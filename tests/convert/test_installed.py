"""Who installs the driver is read from the files: classes, notes and steps follow it, and no workload's bytes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from dralint.convert.convert import convert
from dralint.convert.model import Conversion
from dralint.convert.options import Mode, Options
from dralint.convert.words import context_words
from dralint.kube.bundle import Context
from dralint.nvidia.target import make_target
from tests.convert.conftest import parsed

CLUSTER = """\
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
metadata: {name: gpu-cluster}
spec: {draDriver: {featureGates: {TimeSlicingSettings: true, MPSSupport: true, DynamicMIG: true}}}
"""
OPERATOR_VALUES = "gpuCluster: {deployCR: true}\nclusterPolicy: {deployCR: false}\n"
POLICY_VALUES = "clusterPolicy: {deployCR: true}\ngpuCluster: {deployCR: false}\n"
VALUES = "gpuResourcesEnabledOverride: true\nfeatureGates: {TimeSlicingSettings: true}\n"
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: dra}
spec: {chart: {spec: {chart: dra-driver-nvidia-gpu, version: %s}}, values: {gpuResourcesEnabledOverride: true}}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: app}
spec:
  runtimeClassName: nvidia
  containers: [{name: app, image: registry.example/app:1, resources: {limits: {nvidia.com/gpu: 2}}}]
"""
# A place where no claim fits: `auto` leaves the name.
SERVICE = """\
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: chat}
spec: {template: {spec: {containers: [{name: c, image: registry.example/c:1, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
"""
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: gpus}
spec: {hard: {requests.nvidia.com/gpu: "8"}}
"""
INSTALLATIONS = {
    "cluster": CLUSTER,
    "operator values": OPERATOR_VALUES,
    "policy values": POLICY_VALUES,
    "chart values": VALUES,
    "release": RELEASE % "25.12.0",
    "old release": RELEASE % "0.1.0",
    "both": CLUSTER + "---\n" + VALUES,
    "class": (
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: own}\n"
        "spec: {selectors: [{cel: {expression: \"device.driver == 'gpu.nvidia.com'\"}}]}\n"
    ),
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch):
    """Converts files of a git work tree by their names; those in `around` are there and not named."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    def converted(
        named: dict[str, str],
        mode: Mode = "extended-resource",
        *,
        stack: str | None = None,
        around: dict[str, str] | None = None,
        **options,
    ) -> Conversion:
        for name, text in {**named, **(around or {})}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        files = [parsed(text, name, tmp_path / name) for name, text in named.items()]
        context = Context([*named], context_words())
        return convert(files, context, Options(make_target(stack=stack), mode=mode, **options))

    return converted


def _states(conversion: Conversion) -> list[tuple[str, str]]:
    return [(need.resource, need.state) for need in conversion.classes]


def _stack(conversion: Conversion) -> Sequence[str]:
    return [each for each in conversion.assumptions if "stack" in each or "driver is unknown" in each]


@pytest.mark.parametrize(
    ("name", "text", "state", "stack"),
    [
        ("gpu.yaml", CLUSTER, "needed", "stack operator, as in the GPUCluster in gpu.yaml"),
        ("v.yaml", OPERATOR_VALUES, "needed", "stack operator, as in the GPU operator's chart in v.yaml"),
        ("v.yaml", VALUES, "served", "stack standalone, as in the DRA driver's own chart in v.yaml"),
        (
            "r.yaml",
            RELEASE % "25.12.0",
            "served",
            "stack standalone, as in the DRA driver's own chart in r.yaml",
        ),
        ("v.yaml", POLICY_VALUES, "told", "who installs the driver is unknown"),
        ("pod2.yaml", POD, "told", "who installs the driver is unknown"),
    ],
)
def test_an_installation_among_the_files_decides_on_the_class(tree, name, text, state, stack):
    conversion = tree({"app.yaml": POD, name: text})
    assert _states(conversion) == [("nvidia.com/gpu", state)]
    assert _stack(conversion) == [stack]


def test_what_a_person_says_comes_first(tree):
    files = {"app.yaml": POD, "gpu.yaml": CLUSTER}
    assert _states(tree(files, stack="standalone")) == [("nvidia.com/gpu", "served")]
    assert _stack(tree(files, stack="standalone")) == []


def test_a_release_of_the_chart_without_the_name_needs_a_class(tree):
    conversion = tree({"app.yaml": POD, "r.yaml": RELEASE % "0.1.0"})
    assert _states(conversion) == [("nvidia.com/gpu", "needed")]


@pytest.mark.parametrize(
    ("files", "around", "hint"),
    [
        (
            {"gpu.yaml": CLUSTER, "v.yaml": VALUES},
            {},
            "the GPUCluster at gpu.yaml:1:1 means operator and the DRA driver's own chart at v.yaml:1:1 means standalone",
        ),
        ({}, {"infra/gpu.yaml": CLUSTER}, "the GPUCluster at infra/gpu.yaml:1:1 means operator"),
        ({}, {"infra/v.yaml": VALUES}, "the DRA driver's own chart at infra/v.yaml:1:1 means standalone"),
        ({}, {"infra/gpu.yaml": CLUSTER, "more/v.yaml": VALUES}, ""),
        ({}, {"examples/gpu.yaml": CLUSTER}, ""),
    ],
    ids=["two that differ", "around: operator", "around: standalone", "around: two", "a sample"],
)
def test_what_does_not_decide_it_is_told_with_its_place(tree, files, around, hint):
    """No class is written on it, and the stack stays unknown."""
    conversion = tree({"app.yaml": POD, **files}, around=around)
    assert _states(conversion) == [("nvidia.com/gpu", "told")]
    (need,) = conversion.classes
    assert need.reason.endswith(f"say which by --stack; {hint}" if hint else "say which by --stack")
    assert _stack(conversion) == ["who installs the driver is unknown"]


def test_each_cluster_has_its_own_and_a_joint_file_gets_no_second_class(tree):
    a, b = (
        {"clusters/a/app.yaml": POD, "clusters/a/gpu.yaml": CLUSTER},
        {
            "clusters/b/app.yaml": POD,
            "clusters/b/v.yaml": VALUES,
        },
    )
    assert _states(tree(a)) == [("nvidia.com/gpu", "needed")]
    assert _states(tree(b)) == [("nvidia.com/gpu", "served")]
    both = tree({**a, **b})
    assert _states(both) == [("nvidia.com/gpu", "told")]
    assert "each cluster by themselves" in both.classes[0].reason
    steps = {each.path: each.next for each in both.occurrences}
    assert steps == {
        "clusters/a/app.yaml": "apply the DeviceClass nvidia-gpu-extended",
        "clusters/b/app.yaml": "",
    }
    assert len(_stack(both)) == 2


def test_steps_and_notes_follow(tree):
    found = {
        name: tree({"app.yaml": POD, "install.yaml": text}, "claims")
        for name, text in INSTALLATIONS.items()
        if name in ("cluster", "release", "both")
    }
    titles = {name: [step.title for step in each.steps] for name, each in found.items()}
    assert "Install the GPU operator with GPUCluster" in titles["cluster"]
    assert "Install the DRA driver's chart" in titles["release"]
    warned = {
        name: [note.weight for note in each.notes if note.topic == "runtime-class"]
        for name, each in found.items()
    }
    assert warned == {"cluster": ["warning"], "release": ["info"], "both": ["info"]}


@pytest.mark.parametrize("install", INSTALLATIONS)
@pytest.mark.parametrize("mode", ["auto", "claims", "extended-resource", "implicit"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"companions": True},
        {"sharing": "exclusive"},
        {"sharing": "shared-claim"},
        {"sharing": "consumable"},
        {"stack": "operator"},
        {"stack": "standalone"},
    ],
    ids=lambda options: "-".join(f"{key} {value}" for key, value in options.items()) or "defaults",
)
def test_the_bytes_of_a_file_are_the_same_alone_and_beside_an_installation(tree, install, mode, options):
    files = {"app.yaml": POD, "service.yaml": SERVICE, "quota.yaml": QUOTA}
    beside = tree({**files, "install.yaml": INSTALLATIONS[install]}, mode, **options)
    without = tree(files, mode, **options)
    texts = [{each.file.file.name: each.after for each in one.files} for one in (beside, without)]
    assert {**texts[0], "install.yaml": b""} == {**texts[1], "install.yaml": b""}
    outcomes = [[(each.path, each.outcome) for each in one.occurrences] for one in (beside, without)]
    assert outcomes[0] == outcomes[1]


def test_the_order_of_the_files_does_not_matter(tree):
    files = {"app.yaml": POD, "gpu.yaml": CLUSTER, "clusters/b/v.yaml": VALUES}
    found = [tree(dict(order)).classes for order in itertools.permutations(files.items())]
    assert all(each == found[0] for each in found)
