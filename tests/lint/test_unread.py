"""Without the engine that reads selectors a check says so once, where there are selectors."""

from __future__ import annotations

import sys

import pytest

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: %s}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
"""
SELECTOR = """\
        selectors: [{cel: {expression: "device.attributes['gpu.nvidia.com'].productName == 'Tesla T4'"}}]
"""


@pytest.fixture
def told(tmp_path, monkeypatch, dralint):
    """How often a check of two files says that it lacks the engine."""

    def run(text, *options, installed=False):
        if not installed:
            monkeypatch.setitem(sys.modules, "cel_expr_python", None)
        for name in ("a", "b"):
            (tmp_path / f"{name}.yaml").write_text(text % name)
        return dralint("check", *options, str(tmp_path)).err.count("cel-expr-python is not installed")

    return run


@pytest.mark.parametrize(
    ("text", "options", "times"),
    [
        (CLAIM + SELECTOR, (), 1),
        (CLAIM, (), 0),
        (CLAIM + SELECTOR, ("-q",), 0),
        (CLAIM + SELECTOR, ("--select", "DRA401"), 0),
    ],
    ids=["selectors", "no selector", "quiet", "no rule about selectors"],
)
def test_without_the_engine(told, text, options, times):
    assert told(text, *options) == times


def test_with_it_nothing_is_said(told):
    assert told(CLAIM + SELECTOR, installed=True) == 0
