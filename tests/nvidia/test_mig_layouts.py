"""Layouts of mig-parted."""

from __future__ import annotations

import pytest

from dralint.nvidia.mig_layouts import Layout, layouts, named_layout, offered
from dralint.yamltext.compose import compose

TEXT = """\
version: v1
mig-configs:
  all-disabled:
  - {devices: all, mig-enabled: false}
  custom:
  - {devices: [0], mig-enabled: false}
  - devices: [1, 2]
    mig-enabled: true
    mig-devices: {1g.10gb: 2, 1g.10gb+me: 1, 2g.20gb: 1}
  - {device-filter: "0x1", devices: all, mig-enabled: true, mig-devices: {1g.10gb: 7}}
  cut-off:
  - {devices: all, mig-enabled: false, mig-devices: {1g.5gb: 7}}
"""


def test_what_layouts_make():
    (document,) = compose(TEXT)
    found = layouts(document.root)
    assert [each._replace(node=None) for each in found] == [
        Layout("all-disabled", (), whole=True),
        Layout("custom", ("1g.10gb", "1g.10gb+me", "2g.20gb"), whole=True),
        Layout("cut-off", (), whole=True),
    ]
    assert offered(found) == ["1g.10gb", "1g.10gb+me", "2g.20gb"]


@pytest.mark.parametrize("text", ["mig-configs: []", "mig-configs: {a: {b: c}}", "a: b", "[]"])
def test_what_is_no_layout(text):
    (document,) = compose(text)
    assert offered(layouts(document.root)) == []


@pytest.mark.parametrize(
    ("name", "profiles"),
    [
        ("all-disabled", ()),
        ("all-1g.10gb", ("1g.10gb",)),
        ("all-1g.10gb.me", ("1g.10gb+me",)),
        ("all-balanced", None),
        ("all-enabled", None),
        ("1g.10gb", None),
    ],
)
def test_what_a_name_tells(name, profiles):
    found = named_layout(name)
    assert (found and found.profiles) == profiles
    assert found is None or found.whole == (not profiles)
