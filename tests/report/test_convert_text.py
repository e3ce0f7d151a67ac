"""The summary of a conversion on stderr."""

from __future__ import annotations

from dralint.convert.model import Conversion, Note, Occurrence, Outcome
from dralint.kube.objects import ObjectRef
from dralint.report.convert_text import for_terminal, summary
from dralint.source.file import Origin


def occurrence(
    line: int, outcome: Outcome, *, path: str = "a.yaml", container: str | None = "main"
) -> Occurrence:
    return Occurrence(
        path=path,
        line=line,
        column=9,
        object=ObjectRef("apps/v1", "Deployment", "llm", "chat"),
        field="spec",
        container=container,
        resource="nvidia.com/gpu",
        quantity="1",
        outcome=outcome,
        mode="claims" if outcome is Outcome.CONVERTED else None,
        reason="because",
        next="do this" if outcome is Outcome.NEEDS_DECISION else "",
    )


def conversion() -> Conversion:
    rendered = occurrence(7, Outcome.UNSUPPORTED, path="b.yaml", container=None)
    rendered.object = None
    rendered.source = Origin("demo", "demo/templates/x.yaml")
    return Conversion(
        assumptions=["a unit is a card", "so it is"],
        occurrences=[
            rendered,
            occurrence(30, Outcome.NEEDS_DECISION),
            occurrence(4, Outcome.CONVERTED),
            occurrence(12, Outcome.KEPT),
        ],
        notes=[Note("c.yaml", 3, 1, "quota", "a quota\x1b[31m"), Note("a.yaml", None, None, "x", "a file")],
    )


def test_open_requests_stand_first_in_the_order_of_the_files() -> None:
    assert list(summary(conversion(), verbose=False)) == [
        "a.yaml:30:9: needs-decision: nvidia.com/gpu in container main of Deployment llm/chat: because; do this",
        "b.yaml:7:9: unsupported: nvidia.com/gpu from demo/templates/x.yaml: because",
        "4 GPU requests: 1 converted, 1 kept, 1 needs-decision, 1 unsupported",
        "assumed: a unit is a card; so it is",
        "2 notes: shown with -v, and in the file of --report",
    ]


def test_verbose_shows_every_request_and_note() -> None:
    lines = list(summary(conversion(), verbose=True))
    assert [line.partition(":")[0] for line in lines[:6]] == ["a.yaml"] * 3 + ["b.yaml", "a.yaml", "c.yaml"]
    assert lines[4:6] == ["a.yaml: note: a file", "c.yaml:3:1: note: a quota\\x1b[31m"]


def test_nothing_found() -> None:
    assert list(summary(Conversion(assumptions=["a unit is a card"]), verbose=False)) == ["no GPU requests"]


def test_a_diff_on_a_terminal_is_escaped() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\x1b[2J\n-b\r\n+\tc\r\n"
    assert for_terminal(diff, colored=False) == "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\\x1b[2J\n-b\n+\tc\n"
    colored = for_terminal(diff, colored=True).split("\n")
    assert colored[0] == "\033[1m--- a/x\033[0m"
    assert colored[4] == "\033[31m-b\033[0m"
