"""What cannot be judged before a renderer has run: one note per chart, and per file with template marks."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from dralint.errors import Place
from dralint.kube.objects import ParsedFile
from dralint.source.charts import chart_template, shown_chart


def template_notes(files: Iterable[ParsedFile]) -> Iterator[str]:
    """Lines without a line end: `place: note: what (what to do)`."""
    charts: dict[str, int] = {}
    for file in files:
        chart = chart_template(file.file.path)
        if chart is not None:
            shown = shown_chart(chart, file.file.name)
            charts[shown] = charts.get(shown, 0) + 1
            continue
        marked = next((document for document in file.documents if document.template), None)
        if marked is not None:
            yield (
                f"{file.place(marked.problem.offset if marked.problem else marked.start)}: note: a template, "
                "checked only as far as it is YAML (render it and check the result)"
            )
    for chart, count in sorted(charts.items()):
        files_of = "1 template" if count == 1 else f"{count} templates"
        are = "it is" if count == 1 else "they are"
        yield (
            f"{Place(chart)}: note: {files_of} of a Helm chart, checked only as far as {are} YAML "
            f"(render it: helm template {shlex.quote(chart)} | dralint check -)"
        )
