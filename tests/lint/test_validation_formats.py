"""Formats of names and keys, each beside the text that just is none."""

from __future__ import annotations

import pytest

from dralint.kube.fields import field_rules
from dralint.kube.formats import FORMATS

LABEL = "a" * 63
DOMAIN = "a" * 59 + ".com"  # 63 characters


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("annotation-key", ["example.com/Owner", "Owner"], ["a b", "a/b/c", ""]),
        (
            "attribute",
            ["gpu.nvidia.com/parentUUID", f"{DOMAIN}/{'x' * 32}", "a/_"],
            [
                "parentUUID",
                "gpu.nvidia.com/parent-uuid",
                f"a{DOMAIN}/x",
                f"a.com/{'x' * 33}",
                "a/b/c",
                "a/0",
                "/x",
            ],
        ),
        (
            "attribute-name",
            ["type", "resource.kubernetes.io/pcieRoot"],
            ["product-name", "a b", "", "a.b", "A/b"],
        ),
        ("device-class", ["gpu.nvidia.com", "a-b"], ["nvidia.com/gpu", "gpu_nvidia_com", "", "-a"]),
        ("driver", ["gpu.nvidia.com", "GPU.nvidia.com", DOMAIN], [f"a{DOMAIN}", "a_b", ""]),
        (
            "extended-resource",
            ["nvidia.com/gpu", "nvidia.com/mig-1g.24gb", f"nvidia.com/{LABEL}"],
            [
                "gpu",
                "kubernetes.io/gpu",
                "node.kubernetes.io/gpu",
                "deviceclass.resource.kubernetes.io/gpu.nvidia.com",
                "requests.nvidia.com/gpu",
                f"nvidia.com/{LABEL}a",
                "a/b/c",
                "NVIDIA.com/gpu",
            ],
        ),
        ("label", [LABEL, "a", "0-a"], [f"{LABEL}a", "a.b", "A", "a-", ""]),
        ("label-key", ["a", "A_b.c-d", f"a.b/{LABEL}"], ["a b", f"{LABEL}a", "/a", "A/b", "a-", ""]),
        ("label-value", ["", "a", "A_1.2", LABEL], ["a b", "-a", f"{LABEL}a"]),
        ("name-prefix", ["gpu-", "a", "a."], ["Gpu-", "", "a_"]),
        ("object-reference", ["my.template"], ["My_Template", "a/b"]),
        ("pool", ["node-1", "region/zone/node-1"], ["a//b", "/a", "A", "a" * 254]),
        ("semver", ["1.2.3", "580.95.5", "1.0.0-rc.1+x"], ["580.95.05", "1.2", "v1.2.3", "01.2.3", ""]),
        ("subdomain", ["two.cards", "a" * 253], ["a" * 254, "a..b", "foo%bar"]),
    ],
)
def test_a_format(name, good, bad):
    if name == "name-prefix":
        bad = [each for each in bad if each]  # an empty prefix is no prefix: nothing is generated
    assert [text for text in good if not FORMATS[name](text)] == []
    assert [text for text in bad if FORMATS[name](text)] == []


def test_every_format_has_a_name_for_messages_and_is_used():
    places = ("object", "claim", "ask", "device", "pod", "container")
    rules = [rule for place in places for rule in field_rules(place)]
    used = {rule.format for rule in rules if rule.format}
    assert used == set(FORMATS)
    assert all(rule.says for rule in rules if rule.format)
