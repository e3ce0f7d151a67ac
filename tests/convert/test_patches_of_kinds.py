"""Patches over every kind that can hold claims, wherever it has them, and over objects that hold others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.convert.test_convert_kinds import HOLDING, manifest
from tests.convert.test_name_configuration import HOLDERS

GPU = "nvidia.com/gpu"


def places(item, path=()):
    """Where a mapping with GPU limits stands."""
    if isinstance(item, dict):
        if GPU in (item.get("limits") or {}):
            yield path
        pairs = item.items()
    else:
        pairs = enumerate(item) if isinstance(item, list) else ()
    for key, value in pairs:
        yield from places(value, (*path, key))


def claims_path(obj, place):
    """Where the object's claims go: beside the resources' pod, as its kind's data says."""
    (resources,) = places(obj)
    return (*resources[: len(place.path)], *place.claims.path)


def pointer(path):
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def nested(path, value):
    for step in reversed(path):
        value = [value] if isinstance(step, int) else {step: value}
    return value


def outcomes(tmp_path, monkeypatch, dralint, patches):
    """What becomes of a base for each patch: the objects and their patch by the name of a directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for name, (obj, patch) in patches.items():
        base, overlay = Path(name, "base"), Path(name, "overlay")
        base.mkdir(parents=True)
        overlay.mkdir()
        (base / "work.yaml").write_text(yaml.safe_dump(obj, sort_keys=False))
        (base / "kustomization.yaml").write_text("resources: [work.yaml]\n")
        entry = {"patch": json.dumps(patch)}
        if isinstance(patch, list):
            entry["target"] = {"kind": obj["kind"]}
        text = yaml.safe_dump({"resources": ["../base"], "patches": [entry]})
        (overlay / "kustomization.yaml").write_text(text)
    dralint("convert", "--write", "--report", "report.json", ".")
    found = json.loads(Path("report.json").read_bytes())["occurrences"]
    return {each["path"].split("/")[0]: each["outcome"] for each in found if "base" in each["path"]}


def head(obj):
    return {key: obj[key] for key in ("apiVersion", "kind")} | {"metadata": {"name": obj["metadata"]["name"]}}


def cases():
    for number, param in enumerate(HOLDING):
        kind, place = param.values
        obj = manifest(kind, place)
        yield str(number), obj, claims_path(obj, place)


def test_what_a_patch_says_of_claims_holds_its_workload(tmp_path, monkeypatch, dralint):
    patches = {}
    for name, obj, claims in cases():
        claim = [{"name": "nic", "resourceClaimName": "nic"}]
        patches[f"{name}-merge"] = obj, {**head(obj), **nested(claims, claim)}
        patches[f"{name}-pointer"] = obj, [{"op": "add", "path": pointer(claims), "value": claim}]
    found = outcomes(tmp_path, monkeypatch, dralint, patches)
    assert {name: found[name] for name in patches} == dict.fromkeys(patches, "needs-decision")


def test_what_a_patch_says_of_limits_holds_its_workload(tmp_path, monkeypatch, dralint):
    patches = {}
    for name, obj, _ in cases():
        (resources,) = places(obj)
        patches[name] = obj, [{"op": "remove", "path": pointer((*resources, "limits", GPU))}]
    found = outcomes(tmp_path, monkeypatch, dralint, patches)
    assert {name: found[name] for name in patches} == dict.fromkeys(patches, "needs-decision")


def test_other_patches_go_together_with_the_conversion(tmp_path, monkeypatch, dralint, kustomize):
    patches = {}
    for name, obj, _ in cases():
        (resources,) = places(obj)
        patches[f"{name}-merge"] = obj, {**head(obj), "metadata": {"name": "work", "labels": {"a": "b"}}}
        patches[f"{name}-pointer"] = (
            obj,
            [{"op": "add", "path": pointer((*resources, "limits", "x")), "value": 1}],
        )
    found = outcomes(tmp_path, monkeypatch, dralint, patches)
    assert {name: found[name] for name in patches} == dict.fromkeys(patches, "converted")
    # One build of all, with names that differ: kubectl is slow to start.
    overlays = [f"{name}/overlay" for name in patches if name.endswith("-pointer")]
    for each in overlays:
        text = yaml.safe_load(Path(each, "kustomization.yaml").read_text())
        Path(each, "kustomization.yaml").write_text(
            yaml.safe_dump({**text, "namePrefix": f"{each.split('-')[0]}-"})
        )
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump({"resources": overlays}))
    built = kustomize.build(tmp_path)
    assert len(built) == 2 * len(overlays)
    assert not [path for each in built for path in places(each)]


@pytest.mark.parametrize(("holder", "path"), HOLDERS)
@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({"metadata": {"labels": {"a": "b"}}}, "converted"),
        ("limits", "needs-decision"),
        ("inner", "converted"),
    ],
)
def test_what_stands_in_another_object(tmp_path, monkeypatch, dralint, holder, path, patch, outcome):
    """A patch is for the object that kustomize knows, not for those in it."""
    obj = {"apiVersion": holder["apiVersion"], "metadata": {"name": "outer"}, **holder}
    (resources,) = places(obj)
    if patch == "limits":
        patch = [{"op": "remove", "path": pointer((*resources, "limits", GPU))}]
    elif patch == "inner":
        patch = {
            "apiVersion": "batch/v1",
            "kind": "Job",
            "metadata": {"name": "train"},
            "spec": {"template": {"spec": {"resourceClaims": []}}},
        }
    else:
        patch = {**head(obj), "metadata": {"name": "outer", **patch["metadata"]}}
    found = outcomes(tmp_path, monkeypatch, dralint, {"one": (obj, patch)})
    assert found == {"one": outcome}
