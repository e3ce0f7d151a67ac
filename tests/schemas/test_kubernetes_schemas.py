"""The shipped Kubernetes schemas are what the script extracts, complete in themselves, and strict."""

import importlib.util
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "schemas" / "kubernetes"
VERSIONS = [f"1.{minor}" for minor in range(31, 38)]


def load(version):
    return json.loads((FOLDER / f"{version}.json").read_text(encoding="utf-8"))


def validator(version, kind):
    schema = load(version)
    return Draft202012Validator({"$defs": schema["$defs"], "$ref": schema["kinds"][kind]})


def claim(*requests, version="v1"):
    return {
        "apiVersion": f"resource.k8s.io/{version}",
        "kind": "ResourceClaim",
        "metadata": {"name": "one"},
        "spec": {"devices": {"requests": list(requests)}},
    }


NESTED = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 2}}
FLAT = {"name": "gpu", "deviceClassName": "gpu.nvidia.com", "count": 2}


@pytest.mark.parametrize("version", VERSIONS)
def test_file_is_what_the_script_makes(version):
    pytest.importorskip("kubernetes_validate")
    spec = importlib.util.spec_from_file_location("extract_schemas", ROOT / "tools" / "extract_schemas.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (FOLDER / f"{version}.json").read_text(encoding="utf-8") == script.render(script.extract(version))


@pytest.mark.parametrize("version", VERSIONS)
def test_references_resolve_and_nothing_else_is_shipped(version):
    schema = load(version)
    reached, queue = set(), [*schema["kinds"].values()]
    queue += [
        f"#/$defs/io.k8s.api.core.v1.{name}"
        for name in ("PodResourceClaim", "ResourceRequirements", "Toleration")
    ]
    while queue:
        name = queue.pop().removeprefix("#/$defs/")
        if name not in reached:
            reached.add(name)
            text = json.dumps(schema["$defs"][name])
            queue += [part.split('"')[0] for part in text.split('"$ref": "')[1:]]
    assert reached == set(schema["$defs"])
    assert "Apache License" in schema["$comment"]
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize(
    ("version", "api_versions"),
    [
        ("1.31", {"v1alpha3"}),
        ("1.32", {"v1alpha3", "v1beta1"}),
        ("1.33", {"v1alpha3", "v1beta1", "v1beta2"}),
        ("1.34", {"v1alpha3", "v1beta1", "v1beta2", "v1"}),
        ("1.37", {"v1alpha3", "v1beta1", "v1beta2", "v1"}),
    ],
)
def test_api_versions_of_a_release(version, api_versions):
    assert {kind.split("/")[1] for kind in load(version)["kinds"]} == api_versions


def test_v1_takes_nested_requests_and_refuses_flat_ones():
    checker = validator("1.36", "resource.k8s.io/v1/ResourceClaim")
    assert checker.is_valid(claim(NESTED))
    assert not checker.is_valid(claim(FLAT))


def test_v1beta1_takes_flat_requests_and_refuses_nested_ones():
    checker = validator("1.36", "resource.k8s.io/v1beta1/ResourceClaim")
    assert checker.is_valid(claim(FLAT, version="v1beta1"))
    assert not checker.is_valid(claim(NESTED, version="v1beta1"))


def test_claims_left_v1alpha3_in_1_34():
    assert "resource.k8s.io/v1alpha3/ResourceClaim" in load("1.33")["kinds"]
    assert "resource.k8s.io/v1alpha3/ResourceClaim" not in load("1.34")["kinds"]
