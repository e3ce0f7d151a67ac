"""The DeviceClasses that requests by name need, and the file they are collected in."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
import yaml

from dralint.convert.class_file import complete, read_class_file
from dralint.convert.classes import extended_class, implicit_class, object_of
from dralint.convert.convert import convert
from dralint.convert.model import ClassNeed
from dralint.convert.options import Options
from dralint.convert.words import context_words
from dralint.errors import UsageError
from dralint.kube.bundle import Context
from dralint.kube.names import is_dns_label
from dralint.nvidia import resources
from dralint.nvidia.resources import classify
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile
from tests.convert.conftest import parsed

GPU, MIG, SMALL = "nvidia.com/gpu", "nvidia.com/mig-1g.24gb", "nvidia.com/mig-1g.5gb"


def pod(*names: str, name: str = "a") -> str:
    limits = ", ".join(f"{each}: 1" for each in names)
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\n"
        f"spec: {{containers: [{{name: m, image: x, resources: {{limits: {{{limits}}}}}}}]}}\n"
    )


def a_class(name: str, serves: str, device: str = "gpu", more: str = "") -> str:
    return (
        f"apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {name}}}\nspec:\n"
        f"  extendedResourceName: {serves}\n"
        "  selectors: [{cel: {expression: \"device.driver == 'gpu.nvidia.com' && "
        f"device.attributes['gpu.nvidia.com'].type == '{device}'{more}\"}}}}]\n"
    )


def needs(*texts: str, mode="extended-resource", stack="operator", context=None, **more) -> list[ClassNeed]:
    files = [parsed(text, f"{number}.yaml") for number, text in enumerate(texts)]
    options = Options(make_target(stack=stack, dra_driver=more.pop("dra_driver", None)), mode=mode, **more)
    return convert(files, context or Context.none(), options).classes


def shown(found: list[ClassNeed]) -> list[tuple[str, str]]:
    return [(need.name, need.state) for need in found]


def test_names_are_their_own():
    """Every profile of the data, and every suffix, has a class of its own."""
    names = [GPU, f"{GPU}.shared"]
    names += [
        f"nvidia.com/mig-1g.10gb{suffix}" for suffix in ("", ".me", ".me.all", ".gfx", "-me", ".shared")
    ]
    found = [resource for resource in map(classify, names) if resource is not None]
    assert len(found) == len(names)
    extended = [extended_class(each) for each in found]
    assert extended[:2] == ["nvidia-gpu-extended", "nvidia-gpu-shared-extended"]
    assert extended_class(classify(MIG)) == "nvidia-mig-1g-24gb-extended"
    assert len(set(extended)) == len(extended)
    assert all(map(is_dns_label, extended))
    implicit = {implicit_class(each) for each in found if each.base == "mig" and not each.shared}
    assert len(implicit) == 5


def test_a_teams_names_never_meet():
    names = ["a.b/gpu", "a-b/gpu", "a/b-gpu", "a/b.gpu", "nvidia.com.example/gpu"]
    resources.register([{"name": name, "base": "gpu"} for name in names])
    try:
        found = [extended_class(classify(name)) for name in names]
    finally:
        resources.register([])
    assert len(set(found)) == len(found)
    assert all(map(is_dns_label, found))


def test_each_serves_the_devices_that_the_name_meant():
    gpu, mig = needs(pod(GPU, MIG))
    assert object_of(gpu) == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": "nvidia-gpu-extended"},
        "spec": {
            "selectors": [
                {
                    "cel": {
                        "expression": "device.driver == 'gpu.nvidia.com' && "
                        "device.attributes['gpu.nvidia.com'].type == 'gpu'"
                    }
                }
            ],
            "extendedResourceName": "nvidia.com/gpu",
        },
    }
    assert mig.selectors[0].endswith("device.attributes['gpu.nvidia.com'].profile == '1g.24gb'")


def test_the_classes_pass_the_schema_of_kubernetes():
    import kubernetes_validate

    for need in [*needs(pod(GPU, MIG)), *needs(pod(MIG), mode="implicit")]:
        kubernetes_validate.validate(object_of(need), "1.36", strict=True)


def test_a_class_without_the_name_is_enough_for_an_implicit_one():
    (need,) = needs(pod(GPU, MIG), mode="implicit")
    assert (need.name, need.extended_resource) == ("nvidia-mig-1g-24gb", None)
    assert "extendedResourceName" not in object_of(need)["spec"]


def test_claims_need_none():
    assert needs(pod(GPU, MIG), mode="claims") == needs(pod(GPU, MIG), mode="auto") == []


@pytest.mark.parametrize(
    ("stack", "driver", "state"),
    [
        ("operator", None, "needed"),
        ("standalone", None, "served"),
        ("standalone", "25.12.0", "served"),
        # The chart sets the name since 25.12.
        ("standalone", "25.8.1", "needed"),
        ("unknown", None, "told"),
        (None, None, "told"),
    ],
)
def test_who_installs_the_driver_may_serve_the_name(stack, driver, state):
    assert shown(needs(pod(GPU), stack=stack, dra_driver=driver)) == [("nvidia-gpu-extended", state)]
    # No installation has a name for MIG devices.
    assert shown(needs(pod(MIG), stack=stack, dra_driver=driver)) == [
        ("nvidia-mig-1g-24gb-extended", "needed")
    ]


def test_a_name_that_a_named_file_maps_gets_no_second_class():
    for stack in ("operator", "unknown"):
        found = needs(pod(GPU), a_class("whole.example.com", GPU), stack=stack)
        assert shown(found) == [("whole.example.com", "served")]
    assert shown(needs(pod(GPU), a_class("other", "example.com/gpu"))) == [("nvidia-gpu-extended", "needed")]


def test_a_name_that_the_context_maps_gets_no_second_class(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "classes.yaml").write_text(a_class("whole.example.com", GPU))
    app = tmp_path / "app.yaml"
    app.write_text(pod(GPU))
    context = Context([str(app)], context_words())
    (need,) = needs(pod(GPU), context=context)
    assert (need.name, need.state) == ("whole.example.com", "served")
    assert "classes.yaml" in need.reason


@pytest.mark.parametrize(
    ("text", "resource", "says"),
    [
        (a_class("odd", GPU, "mig"), GPU, "type mig"),
        (a_class("odd", MIG), MIG, "type gpu"),
        (
            a_class("odd", MIG, "mig", " && device.attributes['gpu.nvidia.com'].profile == '1g.5gb'"),
            MIG,
            "profile 1g.5gb",
        ),
    ],
)
def test_a_class_that_serves_something_else_needs_a_person(convert_text, text, resource, says):
    result = convert_text({"app.yaml": pod(resource), "class.yaml": text}, mode="extended-resource")
    assert result.outcomes == ["needs-decision"]
    assert says in result.occurrences[0].reason


def test_a_class_in_the_context_that_serves_something_else_is_a_note(convert_text, tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "class.yaml").write_text(a_class("odd", GPU, "mig"))
    path = tmp_path / "app.yaml"
    path.write_text(pod(GPU))
    result = convert_text(
        {str(path): pod(GPU)},
        {str(path): path},
        Context([str(path)], context_words()),
        mode="extended-resource",
    )
    assert result.outcomes == ["kept"]
    assert [note.topic for note in result.notes if note.weight == "warning"] == ["classes"]


def test_two_classes_of_one_name_are_a_person_s_to_settle(convert_text):
    texts = {"app.yaml": pod(GPU), "class.yaml": a_class("mine", GPU)}
    chart = make_target(stack="standalone")
    assert convert_text(texts, mode="extended-resource", target=chart).outcomes == ["needs-decision"]
    assert convert_text(texts, mode="extended-resource").outcomes == ["kept"]


# The file.


def file(text: str | bytes) -> SourceFile:
    return SourceFile("classes.yaml", "classes.yaml", text.encode() if isinstance(text, str) else text)


def completed(text: str | bytes | None, *names: str, stack="operator") -> bytes | None:
    there = read_class_file(file(text)) if text is not None else None
    return complete(there, needs(pod(*names), stack=stack)).data


def test_one_run_or_many_give_the_same_file():
    names = (GPU, MIG, SMALL, f"{GPU}.shared")
    whole = complete(None, needs(pod(*names), sharing="exclusive")).data
    assert whole is not None
    for order in itertools.permutations(names):
        data: bytes | None = None
        for name in order:
            there = read_class_file(file(data)) if data is not None else None
            data = complete(there, needs(pod(name), sharing="exclusive")).data
        assert data == whole
    assert complete(read_class_file(file(whole)), needs(pod(*names), sharing="exclusive")).data is None


def test_what_is_there_stays_as_it_is():
    text = "# Ours.\n\n" + a_class("whole.example.com", GPU) + "# The end.\n"
    assert completed(text, GPU) is None
    data = completed(text, GPU, MIG)
    assert data is not None
    assert a_class("whole.example.com", GPU) in data.decode()
    assert data.decode().startswith("# Ours.\n\n")
    assert data.decode().endswith("# The end.\n")
    assert [each["metadata"]["name"] for each in yaml.safe_load_all(data)] == [
        "nvidia-mig-1g-24gb-extended",
        "whole.example.com",
    ]


@pytest.mark.parametrize(
    "text", ["", "# Nothing yet.\n", "---\n", a_class("a", "example.com/a").rstrip("\n")]
)
def test_a_file_may_hold_little(text):
    data = completed(text, GPU)
    assert data is not None
    assert data.startswith(text.encode())
    assert "nvidia-gpu-extended" in [each["metadata"]["name"] for each in yaml.safe_load_all(data) if each]


def test_line_ends_stay():
    text = a_class("a", "example.com/a").replace("\n", "\r\n")
    data = completed(text, GPU)
    assert data is not None
    assert data.count(b"\n") == data.count(b"\r\n")


def test_with_the_stack_unknown_a_class_of_the_file_counts_and_none_is_written():
    assert completed(None, GPU, stack="unknown") is None
    there = read_class_file(file(a_class("whole.example.com", GPU)))
    assert shown(complete(there, needs(pod(GPU), stack="unknown")).needs) == [("whole.example.com", "served")]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (pod(GPU), "Pod is no DeviceClass"),
        (a_class("a", "example.com/a") + "---\n" + pod(GPU), "Pod is no DeviceClass"),
        ("a: 1\n", "no DeviceClass"),
        ("- 1\n", "no DeviceClass"),
        ("text\n", "no DeviceClass"),
        ("a: [\n", "flow"),
        (json.dumps(yaml.safe_load(a_class("a", "example.com/a"))), "JSON"),
        ("{{ range }}\n" + a_class("a", "example.com/a"), "DeviceClass"),
    ],
)
def test_a_file_of_something_else_is_refused(text, says):
    with pytest.raises(UsageError, match=says):
        completed(text, GPU)


def test_a_class_that_only_has_the_name_is_refused():
    with pytest.raises(UsageError, match="nvidia-gpu-extended is there and is another one"):
        completed(a_class("nvidia-gpu-extended", "example.com/gpu"), GPU)


def test_a_name_that_no_class_can_serve_needs_a_person(convert_text):
    resources.register([{"name": "requests.nvidia.com/gpu", "base": "gpu"}])
    try:
        outcomes = {
            mode: convert_text(pod("requests.nvidia.com/gpu"), mode=mode).outcomes
            for mode in ("claims", "extended-resource", "implicit")
        }
    finally:
        resources.register([])
    assert outcomes == {
        "claims": ["converted"],
        "extended-resource": ["needs-decision"],
        "implicit": ["converted"],
    }
