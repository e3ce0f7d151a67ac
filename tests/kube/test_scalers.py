"""What an autoscaler scales, as its reference says it."""

from __future__ import annotations

import pytest

from dralint.kube.read import parse
from dralint.kube.scalers import scaled
from dralint.source.file import SourceFile


def _scaled(api_version: str, kind: str, spec: str):
    text = f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: it}}\nspec: {spec}\n"
    (obj,) = parse(SourceFile("a.yaml", None, text.encode())).objects
    return scaled(obj)


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "target", "least"),
    [
        (
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            "{scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: chat}, minReplicas: 2}",
            ("apps", "StatefulSet", "chat", "pods"),
            "2",
        ),
        (
            "keda.sh/v1alpha1",
            "ScaledObject",
            "{scaleTargetRef: {name: chat}, minReplicaCount: 0}",
            (None, "Deployment", "chat", "pods"),
            "0",
        ),
        (
            "autoscaling/v1",
            "HorizontalPodAutoscaler",
            "{scaleTargetRef: {apiVersion: v1, kind: ReplicationController, name: old}}",
            ("", "ReplicationController", "old", "pods"),
            None,
        ),
        (
            "autoscaling.k8s.io/v1",
            "VerticalPodAutoscaler",
            "{targetRef: {apiVersion: apps/v1, kind: Deployment, name: chat}, minReplicas: 2}",
            ("apps", "Deployment", "chat", "resources"),
            None,
        ),
    ],
    ids=["all said", "only a name", "core group", "no number of pods"],
)
def test_the_reference_is_read(api_version, kind, spec, target, least):
    found = _scaled(api_version, kind, spec)
    assert (found.group, found.kind, found.name, found.sets) == target
    assert (found.least.text if found.least is not None else None) == least


@pytest.mark.parametrize(
    ("api_version", "kind", "spec"),
    [
        ("example.org/v1", "HorizontalPodAutoscaler", "{scaleTargetRef: {name: chat}}"),
        ("autoscaling/v2", "HorizontalPodAutoscaler", "{minReplicas: 2}"),
        ("apps/v1", "Deployment", "{replicas: 2}"),
    ],
    ids=["another group", "no reference", "another kind"],
)
def test_nothing_is_scaled(api_version, kind, spec):
    assert _scaled(api_version, kind, spec) is None
