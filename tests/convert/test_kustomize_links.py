"""Links within a directory of a kustomization: kustomize follows them, so what stands there is seen."""

from __future__ import annotations

import os

import pytest

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: 2}}}]
"""
COUNT = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec: {template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 4}}}]}}}
"""
FILES = {
    "base/kustomization.yaml": "resources: [job.yaml]\n",
    "base/job.yaml": JOB,
    "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: a-\npatches: [{path: count.yaml}]\n",
    "prod/count.yaml": COUNT,
}


@pytest.mark.parametrize("linked", FILES)
def test_each_container_asks_in_one_way(tmp_path, monkeypatch, dralint, kustomize, linked):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        written = path.with_name(f"real-{path.name}") if name == linked else path
        written.write_text(text)
        if name == linked:
            path.symlink_to(written.name)
    assert dralint("convert", "--write", ".").code in (0, 1, 2)
    assert os.path.islink(linked)
    built = kustomize.build(tmp_path / "prod")
    templates = {each["metadata"]["name"]: each for each in built if each["kind"] == "ResourceClaimTemplate"}
    (pod,) = (each["spec"]["template"]["spec"] for each in built if each["kind"] == "Job")
    resources = pod["containers"][0]["resources"]
    if "claims" not in resources:
        assert resources == {"limits": {"nvidia.com/gpu": 4}}
        assert "resourceClaims" not in pod
        return
    assert not resources.get("limits")
    name = pod["resourceClaims"][0]["resourceClaimTemplateName"]
    (request,) = templates[name]["spec"]["spec"]["devices"]["requests"]
    assert request["exactly"]["count"] == 4


def test_a_link_out_of_the_directory_is_not_followed(tmp_path, dralint):
    (tmp_path / "outside.yaml").write_text("resources: [job.yaml]\nsecret: nvidia.com/gpu\n")
    below = tmp_path / "tree"
    below.mkdir()
    (below / "job.yaml").write_text(JOB)
    (below / "kustomization.yaml").symlink_to("../outside.yaml")
    ran = dralint("convert", str(below))
    assert "secret" not in ran.out + ran.err
