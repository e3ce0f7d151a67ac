"""The files that --device-plugin-config and --mig-config take."""

from __future__ import annotations

import textwrap

import pytest

from dralint.convert.sharing.cluster import read_cluster
from dralint.errors import InputError
from tests.convert.clusters import PLAIN, SINGLE, cluster, config, config_map, layouts


def shared(found):
    return [
        (each.name, [(s.said.advertised, s.said.replicas) for s in each.shares]) for each in found.configs
    ]


VALUES = (
    "config:\n  default: any\n  map:\n    any: |\n"
    + textwrap.indent(config(), "      ")
    + "    plain: |\n      version: v1\n"
)
TWO = [("any", [("nvidia.com/gpu", 4)]), ("plain", [])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(config(), [(None, [("nvidia.com/gpu", 4)])], id="plain"),
        pytest.param(config(name="gpu"), [(None, [("nvidia.com/gpu", 4)])], id="name without its domain"),
        pytest.param(PLAIN, [(None, [])], id="no sharing"),
        pytest.param(SINGLE, [(None, [])], id="flags"),
        pytest.param(config_map(any=config(), plain=PLAIN), TWO, id="ConfigMap"),
        pytest.param(
            "kind: List\napiVersion: v1\nitems:\n- "
            + textwrap.indent(config_map(any=config(), plain=PLAIN), "  ").lstrip(),
            TWO,
            id="List",
        ),
        pytest.param(
            config_map(any=config()) + '  empty: ""\n',
            [("any", [("nvidia.com/gpu", 4)]), ("empty", [])],
            id="an empty one",
        ),
        pytest.param(VALUES, TWO, id="values of the plugin's chart"),
        pytest.param(
            "nvidia-device-plugin:\n" + textwrap.indent(VALUES, "  "), TWO, id="values of a chart round it"
        ),
        pytest.param(
            "devicePlugin:\n  config:\n    create: true\n    data:\n      any: |\n"
            + textwrap.indent(config(), "        ")
            + "      plain: |\n        version: v1\n",
            TWO,
            id="values of the GPU operator",
        ),
        pytest.param("resources: {}\n" + VALUES, TWO, id="values with other keys of a configuration"),
        pytest.param(
            '{"version": "v1", "sharing": {"timeSlicing": {"resources": [{"name": "gpu", "replicas": 4}]}}}',
            [(None, [("nvidia.com/gpu", 4)])],
            id="JSON",
        ),
    ],
)
def test_the_forms_of_a_configuration(text, expected):
    assert shared(cluster(text)) == expected


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        (config(replicas=1), "plugin.yaml:5:40", "no whole number from 2 up"),
        (config().replace("replicas: 4", "replicas: '4'"), "plugin.yaml:5:40", "no whole number from 2 up"),
        (config().replace(", replicas: 4", ""), "plugin.yaml:5:7", "no whole number from 2 up"),
        (config().replace("name: nvidia.com/gpu, ", ""), "plugin.yaml:5:7", "has no name"),
        ("version: v2\n", "plugin.yaml:1:10", "the version is not v1"),
        ("version: 1\n", "plugin.yaml:1:10", "the version is not v1"),
        ("sharing: {timeSlicing: {}}\n", "plugin.yaml:1:11", "no resources"),
        ("sharing: {mps: {resources: []}}\n", "plugin.yaml:1:11", "no resources"),
        ("sharing: yes please\n", "plugin.yaml:1:10", "no mapping"),
        ("flags: {migStrategy: double}\n", "plugin.yaml:1:22", "none of none, single, mixed"),
        (config(renamed=True).replace("true", "maybe"), "plugin.yaml:4:22", "neither true nor false"),
        (config_map(any=config(replicas=1)), "plugin.yaml:10:44", "no whole number from 2 up"),
        (config_map(any="version: [\n"), "plugin.yaml:5:3", "any is no YAML"),
        ("apiVersion: v1\nkind: ConfigMap\ndata: {any: 'a: b'}\n", "plugin.yaml", "no configuration"),
        ("config: {map: {}}\nresources: {}\n", "plugin.yaml", "no configuration"),
        (layouts(a={"1g.5gb": 7}), "plugin.yaml", "no configuration"),
        ("a: [\n", "plugin.yaml:2:1", ""),
        ("", "plugin.yaml", "no configuration"),
    ],
)
def test_what_the_plugin_refuses_is_an_error_with_its_place(text, place, what):
    with pytest.raises(InputError) as error:
        cluster(text)
    assert str(error.value.place) == place
    assert what in error.value.what


def test_a_file_without_layouts():
    with pytest.raises(InputError, match="no MIG layout"):
        cluster(mig=PLAIN)


def test_layouts_and_labels_are_read_from_both():
    node = "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {nvidia.com/mig.config: small}}\n"
    found = cluster(PLAIN + "---\n" + layouts(small={"1g.5gb": 7}), node)
    assert [(each.layout.name, str(each.place)) for each in found.layouts] == [("small", "plugin.yaml:5:3")]
    assert [(each.layout, str(each.place)) for each in found.labels] == [("small", "mig.yaml:3:53")]


def test_nothing_given():
    assert read_cluster([], []).configs == ()
