"""Diffs are taken by git and give exactly the bytes that a conversion would write."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dralint.report.diff import new_file_diff, unified_diff
from dralint.yamltext.operations import Edit
from dralint.yamltext.text import SourceText, decode


def spliced(text: str, edits: list[Edit]) -> str:
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def git_apply(folder: Path, diff: str) -> None:
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        input=diff.encode("utf-8", "surrogateescape"),
        cwd=folder,
        check=True,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": str(folder.parent)},
    )


def assert_applies(folder: Path, name: str, data: bytes, edits: list[Edit]) -> None:
    source = decode(data, name)
    diff = unified_diff(name, source, edits)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if diff:
        git_apply(folder, diff)
    assert path.read_bytes() == source.encode(spliced(source.text, edits))


def test_a_diff_as_a_person_sees_it() -> None:
    text = "a: 1\nb:\n  c: 2\n  d: 3\ne: 4\nf: 5\ng: 6\nh: 7\ni: 8\n"
    start = text.index("  d: 3\n")
    edits = [Edit(0, 0, "---\n"), Edit(start, start + 7, "")]
    assert unified_diff("x/y.yaml", SourceText(text), edits) == (
        "--- a/x/y.yaml\n+++ b/x/y.yaml\n@@ -1,7 +1,7 @@\n"
        "+---\n a: 1\n b:\n   c: 2\n-  d: 3\n e: 4\n f: 5\n g: 6\n"
    )


def test_far_changes_stand_in_hunks_of_their_own() -> None:
    text = "".join(f"line {number}\n" for number in range(30))
    last = text.index("line 29")
    diff = unified_diff("a.yaml", SourceText(text), [Edit(0, 0, "new\n"), Edit(last, last + 7, "end")])
    assert [line for line in diff.splitlines() if line.startswith("@@")] == [
        "@@ -1,3 +1,4 @@",
        "@@ -27,4 +28,4 @@",
    ]


def test_no_change_is_no_diff() -> None:
    assert unified_diff("a.yaml", SourceText("a: 1\n"), []) == ""
    assert unified_diff("a.yaml", SourceText("a: 1\n"), [Edit(0, 1, "a")]) == ""


def test_a_missing_last_line_end_is_told() -> None:
    diff = unified_diff("a.yaml", SourceText("a: 1\nb: 2"), [Edit(8, 9, "3")])
    assert diff.endswith(" a: 1\n-b: 2\n\\ No newline at end of file\n+b: 3\n\\ No newline at end of file\n")


@pytest.mark.parametrize(
    ("data", "edits"),
    [
        pytest.param(b"a: 1\r\nb: 2\r\n", [Edit(6, 10, "b: 3")], id="CRLF"),
        pytest.param(
            b"\xef\xbb\xbfa: 1\n", [Edit(0, 0, "x: 1\n")], id="byte order mark, insertion at the top"
        ),
        pytest.param(b"\xef\xbb\xbfa: 1\n", [Edit(3, 4, "2")], id="byte order mark, first line edited"),
        pytest.param(b"a: 1", [Edit(4, 4, "\nb: 2\n")], id="a last line end is added"),
        pytest.param(b"a: 1\nb: 2\n", [Edit(4, 10, "")], id="the last line end is removed"),
        pytest.param(b"a: 1\n", [Edit(5, 5, "b: 2\n")], id="at the end"),
        pytest.param(
            b"a: 1\nb: 2\nc: 3\n", [Edit(0, 5, ""), Edit(5, 5, "x\n"), Edit(10, 15, "")], id="touching"
        ),
        pytest.param("é: ü\nb: \x0c\n".encode(), [Edit(3, 4, "ö")], id="form feed is no line end"),
        pytest.param(b"a: 1\n\n\nb: 2\n", [Edit(5, 6, "")], id="blank lines"),
    ],
)
def test_git_applies_it(tmp_path: Path, data: bytes, edits: list[Edit]) -> None:
    assert_applies(tmp_path, "dir/file.yaml", data, edits)


@pytest.mark.parametrize(
    "name", ["with space.yaml", "ünïcode.yaml", 'quote".yaml', "back\\slash.yaml", "tab\t.yaml", "a\x1b[31m.yaml",
             "new\nline.yaml", "\u202edirection.yaml", "not-utf8-\udcff.yaml"],
)  # fmt: skip
def test_names_that_need_quoting(tmp_path: Path, name: str) -> None:
    diff = unified_diff(name, SourceText("a: 1\n"), [Edit(3, 4, "2")])
    header = "".join(diff.splitlines()[:2])
    assert header.replace("\t", "").isprintable()
    assert_applies(tmp_path, name, b"a: 1\n", [Edit(3, 4, "2")])


@pytest.mark.parametrize("text", ["a: 1\nb: 2\n", "a: 1"])
def test_a_new_file(tmp_path: Path, text: str) -> None:
    git_apply(tmp_path, new_file_diff("classes/new.yaml", text))
    assert (tmp_path / "classes/new.yaml").read_text() == text


@st.composite
def text_and_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    line = st.sampled_from(["a", "b", "", "  c: 1", "- d"])
    text = "\n".join(draw(st.lists(line, max_size=40))) + draw(st.sampled_from(["", "\n"]))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    replacement = st.sampled_from(["", "x", "x\n", "\nx", "x\ny\n", "a\n"])
    edits = [Edit(start, end, draw(replacement)) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]
    return text, edits


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text_and_edits())
def test_git_applies_any_edit(tmp_path: Path, case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    assert_applies(tmp_path, "a.yaml", text.encode(), edits)
