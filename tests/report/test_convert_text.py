"""The summary of a conversion on stderr."""

from __future__ import annotations

from dralint.convert.assumed import WHOLE_GPUS
from dralint.convert.model import Conversion, Note, Occurrence, Outcome
from dralint.kube.objects import ObjectRef
from dralint.nvidia.target import make_target
from dralint.report.convert_text import details, for_terminal, summary
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


def conversion(kubernetes: str | None = None) -> Conversion:
    rendered = occurrence(7, Outcome.UNSUPPORTED, path="b.yaml", container=None)
    rendered.object = None
    rendered.source = Origin("demo", "demo/templates/x.yaml")
    return Conversion(
        make_target(kubernetes),
        assumptions=[WHOLE_GPUS, *make_target().assumptions(), "so it is"],
        occurrences=[
            rendered,
            occurrence(30, Outcome.NEEDS_DECISION),
            occurrence(4, Outcome.CONVERTED),
            occurrence(12, Outcome.KEPT),
        ],
        notes=[
            Note("c.yaml", 3, 1, "quota", "a quota\x1b[31m"),
            Note("a.yaml", None, None, "x", "a file"),
            Note("b.yaml", 9, 1, "names", "look here\x1b[31m", weight="warning"),
        ],
    )


def test_what_is_open_stands_first_in_the_order_of_the_files() -> None:
    assert list(details(conversion(), verbose=False)) == [
        "a.yaml:30:9: needs-decision: nvidia.com/gpu in container main of Deployment llm/chat: because; do this",
        "b.yaml:7:9: unsupported: nvidia.com/gpu from demo/templates/x.yaml: because",
        "b.yaml:9:1: warning: look here\\x1b[31m",
    ]


def test_verbose_shows_every_request_and_note() -> None:
    lines = list(details(conversion(), verbose=True))
    assert [line.partition(":")[0] for line in lines[:4]] == ["a.yaml"] * 3 + ["b.yaml"]
    assert lines[4:] == [
        "a.yaml: note: a file",
        "b.yaml:9:1: warning: look here\\x1b[31m",
        "c.yaml:3:1: note: a quota\\x1b[31m",
    ]


def test_the_summary_counts_and_says_what_was_assumed_in_short() -> None:
    assert list(summary(conversion("1.36"), files=3, verbose=False)) == [
        "4 GPU requests: 1 converted, 1 kept, 1 needs-decision, 1 unsupported",
        f"assumed: {WHOLE_GPUS}; DRA driver 0.5.1, driver install unknown (-v says more)",
        "2 notes: shown with -v, and in the file of --report",
    ]


def test_verbose_says_every_assumption() -> None:
    lines = list(summary(conversion(), files=3, verbose=True))
    assert lines[1:] == [f"assumed: {each}" for each in conversion().assumptions]


def test_nothing_found() -> None:
    nothing = Conversion(make_target(), assumptions=["a unit is a card"])
    assert list(summary(nothing, files=2, verbose=False)) == ["no GPU requests in 2 files"]
    (line,) = summary(nothing, files=0, verbose=False)
    assert line.startswith("no manifest was read")


def test_what_a_template_asks_for_is_not_said_to_be_nothing() -> None:
    unread = Conversion(
        make_target(),
        notes=[Note("pod.yaml", 1, 1, "template", "the document is a template", weight="warning")],
    )
    (line,) = summary(unread, files=1, verbose=False)
    assert line == "no GPU requests in 1 file; what templates ask for shows only when they are rendered"


def test_a_diff_on_a_terminal_is_escaped() -> None:
    diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\x1b[2J\n-b\r\n+\tc\r\n"
    assert for_terminal(diff, colored=False) == "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\\x1b[2J\n-b\n+\tc\n"
    colored = for_terminal(diff, colored=True).split("\n")
    assert colored[0] == "\033[1m--- a/x\033[0m"
    assert colored[4] == "\033[31m-b\033[0m"
