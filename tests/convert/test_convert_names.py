"""Names of templates and claims."""

from __future__ import annotations

import hashlib

import pytest

from dralint.convert.names import FreeNames, label, template_name, with_hash, workload_name
from dralint.kube.names import is_dns_label, is_dns_subdomain


@pytest.mark.parametrize(
    ("metadata", "name"),
    [
        ("name: train", "train"),
        ("generateName: train-", "train"),
        ("{name: train, generateName: other-}", "train"),
        ("name: model.v1", "model.v1"),
        ("name: '{{ .Release.Name }}-train'", None),
        ("name: ${NAME}", None),
        ("name: <your-name>", None),
        ("name: 7", None),
        ("{}", None),
    ],
)
def test_name_of_a_workload(parse_text, metadata, name):
    (obj,) = parse_text(f"kind: Pod\nmetadata:\n  {metadata}\nspec: {{x: nvidia.com/gpu}}\n").objects
    assert workload_name(obj) == name


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("train", None, None), "train-gpu"),
        (("train", "workers", None), "train-workers-gpu"),
        (("train", "workers", "main"), "train-workers-gpu-main"),
        (("a" * 60, None, None), "a" * 54 + "-"),
    ],
)
def test_name_of_a_template(parts, name):
    made = template_name(*parts)
    assert made.startswith(name)
    assert len(made) == (len(name) if len(name) < 55 else 63)


@pytest.mark.parametrize("length", range(55, 75))
@pytest.mark.parametrize("sign", ["x", "-", "--", ".", "x."])
def test_the_form_of_a_long_name(length, sign):
    workload = ("a" * 53 + sign + "b" * 30)[:length]
    whole = f"{workload}-gpu"
    made = template_name(workload, None, None)
    if len(whole) <= 63:
        assert made == whole
        return
    # The contract's form; only a dot cannot stay, since `.-` is in no valid name.
    first = whole[:54].removesuffix(".")
    assert made == f"{first}-{hashlib.sha256(whole.encode()).hexdigest()[:8]}"
    assert is_dns_subdomain(made)


@pytest.mark.parametrize("text", ["GPU_workers", "gpu.workers", "-gpu-workers-"])
def test_a_part_becomes_a_label(text):
    assert label(text) == "gpu-workers"


@pytest.mark.parametrize("text", ["${GROUP}", "{{ .Values.group }}", "$(GROUP)", "<group>", "$GROUP", "___"])
def test_a_templated_part_is_no_label(text):
    assert label(text) is None


def test_a_taken_name_gets_a_hash_of_the_spec():
    one, other = with_hash("a" * 63, {"x": 1}), with_hash("a" * 63, {"x": 2})
    assert one != other
    assert one == with_hash("a" * 63, {"x": 1})
    assert len(one) == 63
    assert is_dns_subdomain(with_hash("a" * 53 + ".model", None))


def test_a_free_name_is_a_label_of_its_own():
    assert FreeNames().take("gpu") == "gpu"
    assert FreeNames(["gpu", "gpu-2"]).take("gpu") == "gpu-3"
    names = FreeNames(["gpu-3"])
    assert [names.take("gpu") for _ in range(4)] == ["gpu", "gpu-2", "gpu-4", "gpu-5"]
    assert names.take("gpu-2") == "gpu-2-2"
    long = [names.take("gpu-" + "c" * 63) for _ in range(3)]
    assert all(map(is_dns_label, long))
    assert len(set(long)) == 3
