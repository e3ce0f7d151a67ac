"""Fixes: several rounds of edits as one, and rounds that come to an end."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as some

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse
from dralint.lint.finding import Finding, Fix, TextEdit
from dralint.lint.fixes import text_edits
from dralint.lint.fixing import MAX_ROUNDS, fix
from dralint.lint.places import region
from dralint.lint.rewritten import Rewritten
from dralint.source.file import SourceFile
from dralint.yamltext.operations import Edit, Operation, Put, Remove, Replace


def spliced(text: str, edits: Sequence[Edit]) -> str:
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


@some.composite
def edits_of(draw: some.DrawFn, length: int) -> list[Edit]:
    points = sorted(draw(some.lists(some.integers(0, length), max_size=6)))
    pairs = list(zip(points[::2], points[1::2], strict=False))
    return [Edit(start, end, draw(some.text("xyz", max_size=3))) for start, end in pairs]


@given(some.data())
def test_edits_of_several_rounds_are_one_list(data: some.DataObject) -> None:
    first = data.draw(some.text("abcdef", max_size=20))
    now, whole = first, Rewritten(len(first))
    for _ in range(data.draw(some.integers(0, 4))):
        edits = data.draw(edits_of(len(now)))
        whole.apply(edits)
        now = spliced(now, edits)
    found = whole.edits()
    assert spliced(first, found) == now
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))


TEXT = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  # kept\nspec: {x: 1}\n"


def file_of(text: str) -> ParsedFile:
    return parse(SourceFile("a.yaml", None, text.encode()))


def finding(obj: KubeObject, *operations: Operation, field: str = "x") -> Finding:
    edits, _ = text_edits(obj, operations)
    return Finding(
        "ACME001",
        "a",
        "advice",
        "warning",
        "m",
        region(obj, ()),
        obj.ref,
        field,
        fix=Fix("safe", edits, operations),
    )


def test_fixes_that_undo_each_other_come_to_an_end() -> None:
    rounds = []

    def check(files: Sequence[ParsedFile]) -> list[Finding]:
        rounds.append(files[0].text.text)
        (obj,) = files[0].objects
        other = "b" if obj.ref.name == "a" else "a"
        return [finding(obj, Replace(0, ("metadata", "name"), other))]

    file = file_of(TEXT)
    done = fix([file], check([file]), check, parse, unsafe=False)
    assert not done.settled
    assert len(rounds) == MAX_ROUNDS + 1


def test_fixes_of_one_place_take_their_turns() -> None:
    # Both add a key to metadata; only one can.
    def both(files: Sequence[ParsedFile]) -> list[Finding]:
        (obj,) = files[0].objects
        text = files[0].text.text
        return [
            finding(obj, Put(0, ("metadata",), "same", key), Put(0, (), key, 2), field=key)
            for key in ("b", "c")
            if "same" not in text
        ]

    file = file_of(TEXT)
    done = fix([file], both([file]), both, parse, unsafe=False)
    assert done.settled
    assert done.files[0].text.text == TEXT.replace("  # kept", "  same: b\n  # kept") + "b: 2\n"
    assert done.counts == {"a.yaml": 2}
    assert done.findings == []


def test_unsafe_fixes_wait_to_be_asked_for() -> None:
    def check(files: Sequence[ParsedFile]) -> list[Finding]:
        (obj,) = files[0].objects
        if "spec" not in files[0].text.text:
            return []
        found = finding(obj, Remove(0, ("spec",)))
        assert found.fix
        return [Finding(**{**vars(found), "fix": Fix("unsafe", found.fix.edits, found.fix.operations)})]

    file = file_of(TEXT)
    assert fix([file], check([file]), check, parse, unsafe=False).changes == {}
    done = fix([file], check([file]), check, parse, unsafe=True)
    assert done.changes == {"a.yaml": [Edit(TEXT.index("spec"), len(TEXT), "")]}
    assert file.text.text == TEXT


def test_a_fix_that_loses_a_comment_says_so() -> None:
    text = "kind: A\nspec:\n  a: 1  # one\n  # own line\n  b: '#'\n  c: 1 # one\n"
    (obj,) = file_of(text).objects
    assert text_edits(obj, [Remove(0, ("spec", "a"))]).loses_comment
    assert text_edits(obj, [Remove(0, ("spec",))]).loses_comment
    assert not text_edits(obj, [Remove(0, ("spec", "b"))]).loses_comment
    assert not text_edits(obj, [Replace(0, ("spec", "a"), 2)]).loses_comment
    edits, loses = text_edits(obj, [Replace(0, ("spec", "b"), "x")])
    assert edits == (TextEdit(text.index("'#'"), text.index("'#'") + 3, "'x'"),)
    assert not loses
