"""What installs NVIDIA's software, told by kinds, releases of charts, and the keys of values."""

from __future__ import annotations

from pathlib import Path

import pytest

from dralint.kube.read import parse
from dralint.nvidia.installs import installs
from dralint.source.file import SourceFile

RELEASE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: dra}
spec:
  chart: {spec: {chart: nvidia-dra-driver-gpu, version: 25.12.0}}
  values: {featureGates: {MPSSupport: true}}
"""
BY_REFERENCE = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: operator}
spec: {chartRef: {kind: OCIRepository, name: gpu-operator}}
"""
APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
spec:
  sources:
  - {chart: something}
  - chart: gpu-operator
    targetRevision: v26.7.0
    helm: {valuesObject: {gpuCluster: {deployCR: true}}}
"""
KUSTOMIZATION = """
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
helmCharts:
- {name: dra-driver-nvidia-gpu, version: 0.5.0, valuesInline: {gpuResourcesEnabledOverride: true}}
"""
CLUSTER = """
apiVersion: nvidia.com/v1alpha1
kind: GPUCluster
spec: {draDriver: {version: v0.5.0, featureGates: {DynamicMIG: true, MPSSupport: "yes please"}}}
"""


def found(text: str, path: Path | None = None) -> list:
    file = parse(SourceFile("it.yaml", path, text.encode()))
    return [install for obj in file.objects for install in installs(obj)]


@pytest.mark.parametrize(
    ("text", "what", "stack", "version"),
    [
        pytest.param(RELEASE, "standalone-chart", "standalone", "25.12.0", id="a release"),
        pytest.param(BY_REFERENCE, "operator-chart", None, None, id="a release by reference"),
        pytest.param(APPLICATION, "operator-chart", "operator", None, id="one of an application's sources"),
        pytest.param(KUSTOMIZATION, "standalone-chart", "standalone", "0.5.0", id="a kustomization"),
        pytest.param(CLUSTER, "GPUCluster", "operator", "v0.5.0", id="a GPUCluster"),
        pytest.param("gpuCluster: {deployCR: true}", "operator-chart", "operator", None, id="values"),
        pytest.param(
            "nvidia-dra-driver-gpu: {nvidiaDriverRoot: /}",
            "standalone-chart",
            "standalone",
            None,
            id="a subchart",
        ),
        pytest.param(
            "{nvidiaDriverRoot: /, kubeletPlugin: {}}", "standalone-chart", "standalone", None, id="two keys"
        ),
        pytest.param("{toolkit: {}, driver: {version: '580'}}", "operator-chart", None, None, id="two more"),
    ],
)
def test_what_installs(text: str, what: str, stack: str | None, version: str | None) -> None:
    (install,) = found(text)
    assert (install.kind.what, install.stack, install.dra_driver) == (what, stack, version)


@pytest.mark.parametrize(
    "text",
    [
        "{webhook: {}, controller: {}, featureGates: {A: true}}",
        "{nvidiaDriverRoot: /, migStrategy: mixed}",
        "{driver: csi, controller: {}}",
        "{apiVersion: v1, gpuCluster: {deployCR: true}}",
        "{apiVersion: v1, kind: ConfigMap, data: {gpuResourcesEnabledOverride: 'true'}}",
        "[gpuResourcesEnabledOverride]",
    ],
)
def test_what_installs_nothing(text: str) -> None:
    assert found(text) == []


def test_a_chart_s_own_defaults_install_nothing(tmp_path: Path) -> None:
    (tmp_path / "Chart.yaml").write_text("name: x")
    text = "gpuResourcesEnabledOverride: false\ngpu-operator: {driver: {version: '580'}}\n"
    assert [each.kind.what for each in found(text, tmp_path / "values.yaml")] == ["operator-chart"]
    other = tmp_path / "other"
    assert len(found(text, other / "values.yaml")) == 2


def test_settings_gates_and_variables() -> None:
    (cluster,) = found(CLUSTER)
    assert [(gate.name, gate.value) for gate in cluster.gates] == [("DynamicMIG", True), ("MPSSupport", None)]
    assert cluster.value("spec.draDriver.computeDomains.enabled") is True
    assert not cluster.given("spec.draDriver.computeDomains.enabled")
    assert cluster.variable("CONSUMABLE_SHARES") is None
    (values,) = found("{gpuResourcesEnabledOverride: true, resources: {gpus: {enabled: false}}}")
    assert values.partial
    assert values.value("resources.gpus.enabled") is False
    assert values.value("nvidiaDriverRoot") == "/"
