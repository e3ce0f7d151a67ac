"""Evidence of sharing among the named files holds requests back; in the context it is a note."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace

import pytest

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: train}
spec:
  containers:
  - name: main
    image: train:1
    resources: {limits: {%s: 1}}
"""
CONFIG = """\
version: v1
sharing:
  timeSlicing:
    renameByDefault: false
    resources:
    - {name: nvidia.com/gpu, replicas: 4}
"""
SINGLE = "flags:\n  migStrategy: single\n"
LAYOUT = (
    "mig-configs:\n  all-1g.5gb:\n  - devices: all\n    mig-enabled: true\n    mig-devices: {1g.5gb: 7}\n"
)


def config_map(value: str) -> str:
    return (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nvidia.com}\ndata:\n  any: |\n"
        + textwrap.indent(value, "    ")
    )


SHARED = [
    pytest.param({"config.yaml": CONFIG}, id="plain file"),
    pytest.param({"config.yaml": config_map(CONFIG)}, id="ConfigMap"),
    pytest.param(
        {"values.yaml": "config:\n  map:\n    default: |\n" + textwrap.indent(CONFIG, "      ")}, id="values"
    ),
    pytest.param(
        {"values.yaml": "data:\n  default:\n" + textwrap.indent(CONFIG, "    ")}, id="values, as a map"
    ),
    pytest.param(
        {
            "app.yaml": "kind: Application\nspec:\n  values: |\n"
            + textwrap.indent(
                "config:\n  map:\n    default: |-\n" + textwrap.indent(CONFIG, "      "), "    "
            )
        },
        id="values in a string, with the configuration in a string",
    ),
    pytest.param({"config.yaml": CONFIG.replace("timeSlicing", "mps")}, id="mps"),
    pytest.param({"config.yaml": CONFIG.replace("nvidia.com/gpu", "gpu")}, id="name without its domain"),
    pytest.param({"a.yaml": SINGLE, "b.yaml": LAYOUT}, id="MIG strategy single beside a layout"),
    pytest.param(
        {
            "policy.yaml": "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec: {mig: {strategy: single}}\n",
            "node.yaml": "kind: Node\nmetadata: {labels: {nvidia.com/mig.config: all-1g.5gb}}\n",
        },
        id="ClusterPolicy and a node's layout",
    ),
    pytest.param(
        {
            "config.yaml": config_map(SINGLE),
            "node.yaml": "kind: Node\nmetadata: {labels: {nvidia.com/gpu.product: A100-SXM4-40GB-MIG-1g.5gb}}\n",
        },
        id="product label of a cut card",
    ),
]
NOT_SHARED = [
    pytest.param({"config.yaml": SINGLE}, id="MIG strategy single alone"),
    pytest.param({"layout.yaml": LAYOUT}, id="a layout alone"),
    pytest.param(
        {
            "config.yaml": SINGLE,
            "node.yaml": "kind: Node\nmetadata: {labels: {nvidia.com/mig.config: all-disabled}}\n",
        },
        id="cards that are not cut",
    ),
    pytest.param(
        {
            "a.yaml": SINGLE,
            "b.yaml": "mig-configs:\n  all-disabled:\n  - {devices: all, mig-enabled: false}\n",
        },
        id="a layout that cuts nothing",
    ),
    pytest.param(
        {"config.yaml": CONFIG.replace("nvidia.com/gpu", "nvidia.com/mig-1g.5gb")}, id="another resource"
    ),
    pytest.param(
        {"config.yaml": CONFIG.replace("false", "true")}, id="renamed, so the plain name is not shared"
    ),
    pytest.param(
        {"x.yaml": "sharing: {timeSlicing: nvidia.com/gpu}\n"}, id="not the form of a configuration"
    ),
    pytest.param(
        {
            "rule.yaml": "id: ACME1\nname: a\nseverity: error\nsummary: b\nsubject: pod\nmessage: c\nwhen: 'true'\n"
            "examples:\n  bad:\n  - |\n" + textwrap.indent(config_map(CONFIG), "    ")
        },
        id="an example in a rule",
    ),
]


@pytest.mark.parametrize("files", SHARED)
def test_evidence_holds_back(convert_text, files):
    result = convert_text({"pod.yaml": POD % "nvidia.com/gpu", **files})
    assert result.outcomes == ["needs-decision"]
    assert "--sharing exclusive" in result.occurrences[0].next
    assert any(name in result.occurrences[0].reason for name in files)


@pytest.mark.parametrize("files", SHARED)
def test_the_advice_is_for_what_the_evidence_says(convert_text, files):
    """A MIG device is not shared: what decides is which one it is."""
    advice = convert_text({"pod.yaml": POD % "nvidia.com/gpu", **files}).occurrences[0].next
    cut = any("single" in text for text in files.values())
    assert ("--mig-config" in advice, "shared-claim" in advice) == (cut, not cut)


@pytest.mark.parametrize("files", SHARED)
def test_exclusive_decides(convert_text, files):
    assert convert_text({"pod.yaml": POD % "nvidia.com/gpu", **files}, sharing="exclusive").outcomes == [
        "converted"
    ]


@pytest.mark.parametrize("files", NOT_SHARED)
def test_no_evidence(convert_text, files):
    assert convert_text({"pod.yaml": POD % "nvidia.com/gpu", **files}).outcomes == ["converted"]


def test_only_the_named_resources_are_held_back(convert_text):
    files = {"pod.yaml": POD % "nvidia.com/mig-1g.5gb", "config.yaml": CONFIG}
    assert convert_text(files).outcomes == ["converted"]
    files["config.yaml"] = CONFIG.replace("nvidia.com/gpu", "nvidia.com/mig-1g.5gb")
    assert convert_text(files).outcomes == ["needs-decision"]


def test_in_the_context_it_is_a_note(convert_text, parse_text):
    from dralint.kube.bundle import Bundle

    context = SimpleNamespace(bundle=Bundle([parse_text(CONFIG, "cluster/config.yaml")]))
    result = convert_text(POD % "nvidia.com/gpu", context=context)
    assert result.outcomes == ["converted"]
    (note,) = [note for note in result.notes if note.topic == "sharing"]
    assert (note.path, note.line) == ("cluster/config.yaml", 1)
    assert "name it as well" in note.message


@pytest.mark.parametrize("where", [".", "cluster", ".."])
def test_a_file_of_the_context_is_named_as_from_here(dralint, tmp_path, monkeypatch, where):
    (tmp_path / ".git").mkdir()
    (tmp_path / "cluster").mkdir()
    (tmp_path / "below").mkdir()
    (tmp_path / "cluster/config.yaml").write_text(CONFIG)
    (tmp_path / "pod.yaml").write_text(POD % "nvidia.com/gpu")
    here = tmp_path / ("below" if where == ".." else where)
    monkeypatch.chdir(here)
    pod = "pod.yaml" if where == "." else "../pod.yaml"
    shown = {".": "cluster/config.yaml", "cluster": "../cluster/config.yaml", "..": "../cluster/config.yaml"}
    told = dralint("convert", pod).err.splitlines()
    assert any(line.startswith(f"{shown[where]}:1:1: warning: ") for line in told), told
