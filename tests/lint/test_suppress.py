"""Suppressions: what a comment or an annotation silences, and which of them are reported as idle."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.engine import Judged, judge
from dralint.lint.rules import load_rules
from dralint.lint.run import Run
from dralint.lint.select import select
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile
from dralint.yamltext.comments import comments
from dralint.yamltext.compose import compose

# Two claims; each has one finding of flat-request-in-v1, on the line of `deviceClassName`.
CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: one
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.nvidia.com
"""
LINE = 9
NAME = "flat-request-in-v1"
# Rules that are there for good; others may have something to say of these claims, too.
KNOWN = {"DRA101", "DRA102", "DRA106", "DRA107", "DRA109", "DRA302", "DRA402"}


def judged(*texts: str, only: Sequence[str] = (), ignore: Sequence[str] = (), name: str = "a.yaml") -> Judged:
    known = [rule for rule in load_rules() if rule.id in KNOWN]
    files = [
        parse(SourceFile(f"{index or ''}{name}", None, text.encode())) for index, text in enumerate(texts)
    ]
    run = Run(files, Bundle(files), Context.none(), make_target(), known=known)
    return judge(run, select(known, only, ignore, migration=False))


def found(*texts: str, **options: Sequence[str]) -> list[tuple[str, int]]:
    return [(each.rule, each.region.line) for each in judged(*texts, **options).findings]  # type: ignore[arg-type]


def after(text: str, line: int, addition: str) -> str:
    """The text with something added to the end of a line."""
    lines = text.splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].rstrip("\n") + addition + "\n"
    return "".join(lines)


def before(text: str, line: int, *added: str) -> str:
    """The text with lines put before a line, as deep as that line."""
    lines = text.splitlines(keepends=True)
    indent = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip(" -"))].replace("-", " ")
    return "".join([*lines[: line - 1], *(f"{indent}{each}\n" for each in added), *lines[line - 1 :]])


SILENCING = {
    "on the line": after(CLAIM, LINE, "  # dralint: ignore[DRA101] the old API server"),
    "by name": after(CLAIM, LINE, f" # dralint: ignore[{NAME}]"),
    "in small letters": after(CLAIM, LINE, " #dralint:ignore[dra101]"),
    "one of several": after(CLAIM, LINE, f" # dralint: ignore[ {NAME} ]"),
    "behind another comment": after(CLAIM, LINE, " # yamllint disable-line # dralint: ignore[DRA101]"),
    "two in one comment": after(CLAIM, LINE, " # dralint: ignore[DRA302] # dralint: ignore[DRA101]").replace("DRA302", "DRA101"),
    "above the line": before(CLAIM, LINE, "# dralint: ignore[DRA101] because"),
    "above the line, other comments between": before(CLAIM, LINE, "# dralint: ignore[DRA101]", "# more", "#"),
    "on the object's first line": after(CLAIM, 1, " # dralint: ignore[DRA101]"),
    "above the object": before(CLAIM, 1, "# dralint: ignore[DRA101]"),
    "above the object, after dashes": "---\n# dralint: ignore[DRA101]\n" + CLAIM,
    "on the dashes": "--- # dralint: ignore[DRA101]\n" + CLAIM,
    "in the head of the file": "# our claim\n# dralint: ignore[DRA101]\n---\n" + CLAIM,
    "for the file": "# dralint: ignore-file\n" + CLAIM,
    "for the file, at its end": CLAIM + "# dralint: ignore-file generated\n",
    "for the file, one rule": "# dralint: ignore-file[DRA101] generated\n" + CLAIM,
    "for the file, in a document of its own": CLAIM + "---\n# dralint: ignore-file\nkind: Service\n",
    "an annotation": after(CLAIM, 4, '\n  annotations: {dralint.io/ignore: "DRA101 -- because"}'),
    "an annotation without reason": after(CLAIM, 4, "\n  annotations: {dralint.io/ignore: DRA101}"),
    "an annotation for all": after(CLAIM, 4, '\n  annotations:\n    dralint.io/ignore: "* -- rendered"'),
    "CRLF": after(CLAIM, LINE, "  # dralint: ignore[DRA101]").replace("\n", "\r\n"),
    "flow style": "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: one}\n"
    "spec: {devices: {requests: [\n  # dralint: ignore[DRA101]\n"
    "  {name: gpu, deviceClassName: gpu.nvidia.com}\n]}}\n",
}  # fmt: skip


@pytest.mark.parametrize("case", SILENCING)
def test_a_suppression_silences_the_finding_and_nothing_is_said(case: str) -> None:
    assert judged(SILENCING[case])[:2] == ([], 1)


def test_without_it_the_finding_is_there() -> None:
    assert found(CLAIM) == [("DRA101", LINE)]
    assert judged(CLAIM).suppressed == 0


FAILING = {
    "another line": after(CLAIM, LINE - 1, " # dralint: ignore[DRA101]"),
    "below the line": CLAIM + "      # dralint: ignore[DRA101]\n",
    "a blank line between": before(CLAIM, LINE, "# dralint: ignore[DRA101]", ""),
    "after the dashes' document": CLAIM + "# dralint: ignore[DRA101]\n---\n" + CLAIM.replace("one", "two"),
}


@pytest.mark.parametrize("case", FAILING)
def test_elsewhere_it_silences_nothing_and_is_reported(case: str) -> None:
    rules = [rule for rule, _ in found(FAILING[case])]
    assert rules.count("DRA003") == 1
    assert rules.count("DRA101") == FAILING[case].count("kind: ResourceClaim")


NO_COMMENTS = {
    "a quoted string": after(CLAIM, 4, '\n  labels: {a: "x # dralint: ignore-file"}'),
    "a plain word": after(CLAIM, 4, "\n  labels: {a: x#dralint: ignore-file}".replace(": ig", ":ig")),
    "a block scalar": after(
        CLAIM, 4, "\n  annotations:\n    a: |\n      # dralint: ignore-file\n      text\n      # dralint: ignore[DRA101]"
    ),
    "a folded scalar": after(CLAIM, 4, "\n  annotations:\n    a: >-\n      text\n      # dralint: ignore-file"),
    "a quoted string over lines": after(CLAIM, 4, '\n  annotations:\n    a: "b\n      # dralint: ignore-file\n      c"'),
    "another document's block scalar": CLAIM + "---\nkind: Note\ndata: |\n  # dralint: ignore-file\n",
    "another annotation": after(CLAIM, 4, '\n  annotations: {dralint.io/ignored: "*"}'),
    "prose": "# dralint: this claim is for v1\n" + CLAIM,
    "a comment about it": "# see dralint: ignore-file\n" + CLAIM,
}  # fmt: skip


@pytest.mark.parametrize("case", NO_COMMENTS)
def test_what_is_no_comment_of_ours_does_not_count(case: str) -> None:
    (finding,) = judged(NO_COMMENTS[case]).findings
    assert finding.rule == "DRA101"


def test_a_block_scalar_s_first_line_may_end_in_a_comment() -> None:
    text = "a: | # one\n  # two\nb: >- # three\n  x\n  # four\n# five\nc: 'x # six' # seven\n"
    (document,) = compose(text)
    said = [text[each.start : each.end] for each in comments(text, document)]
    assert said == ["# one", "# three", "# five", "# seven"]


def test_a_comment_less_deep_than_a_block_scalar_ends_it() -> None:
    text = "a:\n  b: |\n      text\n      # inside\n    # outside\n  c: 1\n"
    (document,) = compose(text)
    assert [text[each.start : each.end] for each in comments(text, document)] == ["# outside"]


def test_one_object_only() -> None:
    two = CLAIM + "---\n" + CLAIM.replace("one", "two")
    assert found(before(two, 1, "# dralint: ignore[DRA101]")) == [("DRA101", LINE + 11)]
    assert found(after(two, 14, "\n  annotations: {dralint.io/ignore: DRA101}")) == [("DRA101", LINE)]


def test_one_file_only() -> None:
    assert [
        (each.region.path, each.rule) for each in judged("# dralint: ignore-file\n" + CLAIM, CLAIM).findings
    ] == [("1a.yaml", "DRA101")]


def test_an_item_of_a_list_is_an_object() -> None:
    item = "".join(f"  {line}\n" for line in CLAIM.splitlines())
    text = f"apiVersion: v1\nkind: List\nitems:\n{item.replace('  api', '- api', 1)}"
    two = f"{text}# dralint: ignore[DRA101]\n{item.replace('  api', '- api', 1)}"
    assert found(two) == [("DRA101", 12)]
    assert found("# dralint: ignore[DRA101]\n" + text) == []


POD = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: x
spec:
  template:
    metadata:
      annotations:
        %s
    spec:
      resourceClaims:
      - name: gpu
        source: {resourceClaimName: gpu}
      containers:
      - name: main
        image: x
        resources: {claims: [{name: gpu}]}
"""


def test_an_annotation_of_a_pod_template_is_for_the_pod() -> None:
    usual = {rule for rule, _ in found(POD % "a: b")}
    assert {"DRA107", "DRA402"} <= usual
    assert {rule for rule, _ in found(POD % 'dralint.io/ignore: "DRA107,claim-ref-not-found"')} == usual - {
        "DRA107",
        "DRA402",
    }
    assert found(POD % 'dralint.io/ignore: "*"') == []


IDLE = {
    "unused": ("# dralint: ignore[DRA109] gone", "this suppression silences no finding of DRA109"),
    "one of two": (
        "# dralint: ignore[DRA101,config-request-unknown]",
        "this suppression silences no finding of config-request-unknown",
    ),
    "unknown": (
        "# dralint: ignore[flat-request-v1]",
        "there is no rule 'flat-request-v1' to suppress; did you mean flat-request-in-v1?",
    ),
    "empty": ("# dralint: ignore[]", "this suppression names no rule; write # dralint: ignore[RULE] reason"),
    "bare": ("# dralint: ignore", "this suppression names no rule; write # dralint: ignore[RULE] reason"),
    "no rule for the file": (
        "# dralint: ignore-file[]",
        "this suppression names no rule; write # dralint: ignore-file[RULE] reason",
    ),
    "open": ("# dralint: ignore[DRA101", "this suppression lacks its closing bracket"),
    "misspelt": ("# dralint: ingore[DRA101]", "'ingore' is no word of a suppression; did you mean ignore?"),
    "the engine's": (
        "# dralint: ignore[rule-failed]",
        "rule-failed cannot be suppressed here; --ignore leaves it out",
    ),
}


@pytest.mark.parametrize("case", IDLE)
def test_an_idle_suppression_is_an_info(case: str) -> None:
    comment, message = IDLE[case]
    marker = comment.removesuffix(" gone")
    text = before(CLAIM, LINE, comment)
    (own,) = (each for each in judged(text).findings if each.rule == "DRA003")
    assert (own.severity, own.message) == ("info", message)
    written_right = case in ("unused", "one of two", "the engine's")
    assert own.help.startswith("Remove it" if written_right else "Name rules")
    assert (own.region.line, own.region.column, own.region.end_column) == (LINE, 7, 7 + len(marker))
    assert own.object is not None
    assert own.object.name == "one"


def test_an_idle_suppression_names_the_line_it_was_meant_for() -> None:
    own = judged(after(CLAIM, LINE - 1, " # dralint: ignore[DRA101]")).findings[0]
    assert own.message == f"this suppression silences no finding of DRA101; the nearest is on line {LINE}"


def test_an_idle_annotation_has_its_field() -> None:
    text = after(CLAIM, 4, '\n  annotations:\n    dralint.io/ignore: "DRA109 -- gone"')
    (own,) = (each for each in judged(text).findings if each.rule == "DRA003")
    assert own.field == "metadata.annotations[dralint.io/ignore]"
    assert tuple(own.region[1:]) == (6, 5, 6, 40)


@pytest.mark.parametrize(
    "text",
    [
        before(CLAIM, LINE, "# dralint: ignore[DRA101]"),
        "# dralint: ignore-file\n" + CLAIM,
        after(CLAIM, 4, "\n  annotations: {dralint.io/ignore: '*'}"),
    ],
)
def test_only_for_rules_that_ran(text: str) -> None:
    assert found(text, only=["DRA102"]) == []
    assert found(text, ignore=["DRA101"]) == []
    assert found(text, only=["DRA101"]) == []


def test_for_a_rule_that_did_not_run_nothing_is_said() -> None:
    text = after(CLAIM, LINE, " # dralint: ignore[DRA101, DRA109]")
    assert found(text, only=["DRA101"]) == []
    assert found(text, ignore=["DRA109"]) == []
    assert found(text, ignore=["DRA101"]) == [("DRA003", LINE)]


def test_a_file_that_no_rule_is_interested_in_may_hold_an_idle_one() -> None:
    assert found("# dralint: ignore[DRA101]\nkind: Service\n") == [("DRA003", 1)]


def test_what_is_suppressed_for_all_rules_is_told_when_there_is_nothing() -> None:
    fine = CLAIM.replace("deviceClassName: gpu.nvidia.com", "exactly: {deviceClassName: gpu.nvidia.com}")
    assert found("# dralint: ignore-file\n" + fine) == [("DRA003", 1)]
    assert found("# dralint: ignore-file\n" + fine, ignore=["DRA109"]) == []


def test_an_unreadable_document_does_not_stop_it() -> None:
    assert found("# dralint: ignore-file\n" + CLAIM + "---\nnvidia.com: [\n") == []


def test_nothing_is_imported_for_files_without() -> None:
    code = (
        "import sys; from dralint.cli.main import run; run(['check', '-q', '--context', 'none', '-']);"
        "print([m for m in sys.modules if 'suppress' in m])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=CLAIM, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("[]\n")


def test_the_summary_counts_what_is_suppressed(dralint, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text("# dralint: ignore[DRA101]\n" + CLAIM)
    ran = dralint("check", "a.yaml", "--output-format", "json")
    assert ran.code == 0
    assert "no findings in 1 file, 1 suppressed" in ran.err
    assert json.loads(ran.out)["summary"]["suppressed"] == 1


def test_of_two_findings_the_one_below_was_meant() -> None:
    text = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec:
  devices:
    requests:
    - {name: first, deviceClassName: gpu.nvidia.com}
    # dralint: ignore[DRA101] known
    - name: second
      deviceClassName: gpu.nvidia.com
"""
    own = next(each for each in judged(text).findings if each.rule == "DRA003")
    assert own.message.endswith("; the nearest is on line 10")
