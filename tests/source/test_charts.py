"""Raw templates of charts are told by where they lie."""

from __future__ import annotations

import pytest

from dralint.source.charts import chart_template, shown_chart


@pytest.fixture
def tree(tmp_path):
    for path in (
        "demo/Chart.yaml",
        "demo/values.yaml",
        "demo/templates/a.yaml",
        "demo/templates/deep/b.yaml",
        "demo/charts/sub/Chart.yaml",
        "demo/charts/sub/templates/c.yaml",
        "plain/templates/d.yaml",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("path", "chart"),
    [
        ("demo/templates/a.yaml", "demo"),
        ("demo/templates/deep/b.yaml", "demo"),
        ("demo/charts/sub/templates/c.yaml", "demo/charts/sub"),
        ("demo/values.yaml", None),
        ("demo/Chart.yaml", None),
        ("plain/templates/d.yaml", None),
    ],
)
def test_chart_template(tree, path, chart):
    assert chart_template(tree / path) == (None if chart is None else str(tree / chart))


def test_relative_paths_and_standard_input(tree, monkeypatch):
    monkeypatch.chdir(tree / "demo")
    assert chart_template("templates/a.yaml") == str(tree / "demo")
    assert chart_template(None) is None


def test_a_chart_is_shown_as_its_file_is_named(tree, monkeypatch):
    chart = str(tree / "demo")
    monkeypatch.chdir(tree)
    assert shown_chart(chart, "demo/templates/a.yaml") == "demo"
    assert shown_chart(chart, f"{tree}/demo/templates/a.yaml") == chart
    monkeypatch.chdir(tree / "demo" / "templates")
    assert shown_chart(chart, "a.yaml") == ".."
