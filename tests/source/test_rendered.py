"""Chart and template of rendered documents."""

from __future__ import annotations

import pytest

from dralint.source.file import Origin
from dralint.source.rendered import origins
from dralint.yamltext.compose import compose
from dralint.yamltext.text import SourceText

POD = "kind: Pod\n"
A = "# Source: demo/templates/a.yaml\n"
B = "# Source: demo/templates/b.yaml\n"

CASES = {
    "not rendered": (POD, [None]),
    "one template": (f"---\n{A}{POD}", ["demo/templates/a.yaml"]),
    "without a marker at the start": (f"{A}{POD}", ["demo/templates/a.yaml"]),
    "two templates": (f"---\n{A}{POD}---\n{B}{POD}", ["demo/templates/a.yaml", "demo/templates/b.yaml"]),
    "carried forward": (f"---\n{A}{POD}---\n{POD}", ["demo/templates/a.yaml"] * 2),
    "before the template's own marker": (f"---\n{A}---\n{POD}", ["demo/templates/a.yaml"] * 2),
    "comments of the template before the object": (
        f"---\n{A}# licence\n\n{POD}",
        ["demo/templates/a.yaml"],
    ),
    "comment only, then the next": (
        f"---\n{A}# nothing\n---\n{B}{POD}",
        ["demo/templates/a.yaml", "demo/templates/b.yaml"],
    ),
    "CRLF": (f"---\n{A}{POD}".replace("\n", "\r\n"), ["demo/templates/a.yaml"]),
    "subchart": (
        f"---\n# Source: demo/charts/cache/templates/x.yaml\n{POD}",
        ["demo/charts/cache/templates/x.yaml"],
    ),
    "crds": (f"---\n# Source: demo/crds/x.yaml\n{POD}", ["demo/crds/x.yaml"]),
    "made by a post-renderer": (
        f"---\n{A}{POD}---\n# Source: generated-by-postrender-0.yaml\n{POD}",
        ["demo/templates/a.yaml", None],
    ),
    "a web address is no template": (f"# Source: https://example.com/templates/x.yaml\n{POD}", [None]),
    "prose is no template": (f"# Source: the manual, page 3\n{POD}", [None]),
    "inside a scalar is no template": (
        "kind: ConfigMap\ndata:\n  x: |\n    # Source: demo/templates/a.yaml\n---\n" + POD,
        [None, None],
    ),
    "after the object begins it counts for the next": (
        f"{POD}{A}---\n{POD}",
        [None, "demo/templates/a.yaml"],
    ),
    "annotation of Helm 4": (
        "kind: Pod\nmetadata:\n  annotations:\n    postrenderer.helm.sh/postrender-filename: demo/templates/a.yaml\n",
        ["demo/templates/a.yaml"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_origins(case):
    text, expected = CASES[case]
    found = origins(SourceText(text), compose(text))
    assert [origin and origin.template for origin in found] == expected
    assert all(origin == Origin("demo", origin.template) for origin in found if origin)


@pytest.mark.parametrize("wanted", [True, False])
def test_documents_that_were_not_parsed_keep_the_count(wanted):
    text = f"---\n{A}kind: Service\n---\n{B}{POD}---\n{POD}"
    documents = compose(text, None if wanted else lambda document: "Pod" in document)
    assert [origin.template[-6:] for origin in origins(SourceText(text), documents)] == [
        "a.yaml",
        "b.yaml",
        "b.yaml",
    ]


def test_recorded_input_of_a_post_renderer(shared):
    """Helm 3 gives comments, Helm 4 annotations."""
    for name in ("helm3-postrenderer-stdin.yaml", "helm4-postrenderer-stdin.yaml"):
        text = (shared / "facts" / "tooling" / name).read_text()
        found = origins(SourceText(text), compose(text))
        assert {origin.chart for origin in found if origin} == {"demo"}
        assert None not in found
