"""Kubernetes' schemas: unknown fields, wrong types, and which release knows what."""

from __future__ import annotations

import pytest

from dralint.kube import schemas
from dralint.kube.schemas import definition_of, fields_of, known_since, problems, schema_version, versions
from dralint.kube.versions import Version, newest
from dralint.lint.rules import load_rules
from dralint.lint.shapes import specific

CLAIM = "io.k8s.api.resource.v1.ResourceClaim"
POD_CLAIM = "io.k8s.api.core.v1.PodResourceClaim"


def claim(**exactly):
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", **exactly}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "spec": {"devices": {"requests": [request]}},
    }


def found(value, definition=CLAIM, version="1.36"):
    return [
        (each.what, ".".join(map(str, each.path))) for each in problems(value, definition, Version(version))
    ]


def test_there_is_a_schema_for_the_newest_release():
    assert versions()[-1] == newest()


@pytest.mark.parametrize(
    ("release", "expected"), [("1.30", None), ("1.31", "1.31"), ("1.36", "1.36"), ("1.99", "1.37")]
)
def test_the_schema_of_a_release_is_the_newest_that_is_no_newer(release, expected):
    assert schema_version(Version(release)) == (expected and Version(expected))


def test_a_kind_that_came_or_went_is_read_by_a_release_that_has_it():
    v1alpha3 = definition_of("resource.k8s.io/v1alpha3", "ResourceClaim", Version("1.36"))
    assert v1alpha3 == "io.k8s.api.resource.v1alpha3.ResourceClaim"
    assert definition_of("resource.k8s.io/v1", "ResourceClaim", Version("1.31")) == CLAIM
    assert definition_of("resource.k8s.io/v9", "ResourceClaim", Version("1.36")) is None
    assert definition_of("resource.k8s.io/v1", "ResourceClaim", Version("1.30")) is None


def test_what_is_right_is_right():
    tolerations = [{"operator": "Exists"}]
    capacity = {"requests": {"memory": "10Gi", "shares": 2, "half": 0.5}}
    assert found(claim(count=2, tolerations=tolerations, capacity=capacity)) == []


def test_a_null_is_absent_and_a_status_is_not_looked_at():
    value = {
        **claim(count=None, unknown=None),
        "status": {"anything": 1},
        "metadata": {"creationTimestamp": None},
    }
    assert found(value) == []


@pytest.mark.parametrize(
    ("exactly", "what"),
    [
        ({"amount": 2}, "unknown"),
        ({"amount": {"deep": {}}}, "unknown"),
        ({"count": "2"}, "type"),
        ({"count": 2.5}, "type"),
        ({"count": True}, "type"),
        ({"adminAccess": "yes"}, "type"),
        ({"selectors": {}}, "type"),
        ({"selectors": ["x"]}, "type"),
        ({"capacity": {"requests": {"memory": "10GB"}}}, "quantity"),
        ({"capacity": {"requests": {"memory": ["10Gi"]}}}, "type"),
    ],
)
def test_what_is_wrong_is_found_once(exactly, what):
    ((kind, path),) = found(claim(**exactly))
    assert kind == what
    assert path.startswith("spec.devices.requests.0.exactly.")


def test_a_whole_number_may_be_written_as_a_fraction():
    assert found(claim(count=2.0)) == []


def test_problems_name_the_definition_and_what_may_stand_there():
    (problem,) = problems({"name": "x", "claimName": "y"}, POD_CLAIM, Version("1.36"))
    assert problem.definition == "v1.PodResourceClaim"
    assert problem.expected == ("name", "resourceClaimName", "resourceClaimTemplateName")


def test_which_release_brings_a_field():
    value = claim(capacity={"requests": {}}, tolerations=[], nonsense=1)
    old = {
        "apiVersion": "resource.k8s.io/v1beta1",
        "kind": "ResourceClaim",
        "spec": {
            "devices": {"requests": [{"name": "gpu", "tolerations": [], "capacity": {}, "nonsense": 1}]}
        },
    }
    definition = "io.k8s.api.resource.v1beta1.ResourceClaim"
    place = ("spec", "devices", "requests", 0)
    assert known_since(old, definition, Version("1.32")) == {
        (*place, "tolerations"): Version("1.33"),
        (*place, "capacity"): Version("1.34"),
    }
    assert known_since(value, CLAIM, Version("1.36")) == {}


def test_of_what_is_too_long_the_beginning_is_read():
    labels = {f"label{number}": number for number in range(schemas._LOOKED_AT + 10)}
    assert len(found({"metadata": {"labels": labels}})) == schemas._LOOKED_AT


def test_fields_of_a_definition():
    assert "finalizers" in fields_of("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", Version("1.36"))
    assert fields_of("io.k8s.api.resource.v9.Nothing", Version("1.36")) == frozenset()


def test_what_is_left_to_a_rule_of_its_own_names_a_rule_and_a_definition():
    names = {rule.name for rule in load_rules()}
    known = {name.rpartition(".")[2] for version in versions() for name in schemas._file(version)["$defs"]}
    for entry in specific():
        assert entry["rule"] in names
        assert entry["definition"] in known
