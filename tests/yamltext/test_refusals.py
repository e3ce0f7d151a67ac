"""What is not edited, why, and that a refused group changes nothing while the others go on."""

from __future__ import annotations

import pytest

from dralint.errors import InternalError
from dralint.yamltext import patch as module
from dralint.yamltext.action import gather
from dralint.yamltext.compose import compose
from dralint.yamltext.operations import Edit, Remove
from dralint.yamltext.piece import Piece
from dralint.yamltext.text import decode
from dralint.yamltext.verify import same
from tests.yamltext.editing import (
    append,
    changed,
    insert,
    new_document,
    patched,
    put,
    refused,
    remove,
    rename,
    replace,
)

TEXT = "a: {k: 1}\nb: [1]\nc: x\nd: |\n  t\n"


@pytest.mark.parametrize(
    ("operation", "what", "where"),
    [
        (remove("no"), "there is no no", "a: {k: 1}"),
        (remove("a", "k", "deeper"), "there is no deeper", "1}"),
        (remove("b", 1), "there is no item 1", "[1]"),
        (remove("b", -1), "there is no item -1", "[1]"),
        (remove("b", "x"), "there is no x", "[1]"),
        (remove("a", 0), "there is no item 0", "{k: 1}"),
        (remove(), "the whole document cannot be removed or replaced", "a: {k: 1}"),
        (put(("a",), "k", 2), "the key k exists already", "k: 1}"),
        (put(("b",), "k", 2), "a mapping is needed", "[1]"),
        (append(("a",), 2), "a sequence is needed", "{k: 1}"),
        (insert(("b",), 2, 2), "there is no item 2", "[1]"),
        (replace(("b",), 2), "only a scalar can be replaced", "[1]"),
        (replace(("d",), 2), "a block scalar cannot be replaced", "|"),
        (rename(("c",), "a"), "the key a exists already", "c: x"),
        (rename(("b", 0), "a"), "only the key of a mapping can be renamed", "[1]"),
        (remove("a", document=1), "there is no document 1", "a: {k: 1}"),
    ],
)
def test_what_cannot_be_found_or_done(operation, what, where):
    assert refused(TEXT, operation) == (what, where)


def test_documents_that_are_not_edited_at_all():
    assert refused("a: {{ x }}\n", remove("a"))[0] == "a template is never edited"
    assert refused("a: [\n", remove("a"))[0].startswith("while parsing a flow node")
    assert refused("\n", remove("a"))[0] == "the document is empty or was not read"
    inner = patched("a: 1\n---\n\ufeffb: 1\n", [remove("a")], [remove("b", document=1)])
    assert inner.text == "{}\n---\n\ufeffb: 1\n"
    assert inner.refusals == [(1, "a byte order mark stands inside the document", 9)]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\r"])
def test_files_with_odd_line_breaks_are_not_edited(mark):
    text = f'a: 1\nb: "x{mark}y"\n'
    result = patched(text, [remove("a")])
    assert result.text == text
    assert result.refusals == [
        (0, f"line 2, column 6 holds a line break U+{ord(mark):04X} that editors show differently", 10)
    ]


def test_files_in_utf_16_are_not_edited():
    source = decode("a: 1\n".encode("utf-16"), "x.yaml")
    result = module.patch(source, compose(source.text), [[Remove(0, ("a",))]])
    assert result.refusals[0].what == "the file is UTF-16-LE"


def test_a_group_is_atomic_and_the_others_go_on():
    result = patched(TEXT, [remove("c"), remove("no")], [remove("b")], [])
    assert result.text == TEXT.replace("b: [1]\n", "")
    assert [each.group for each in result.refusals] == [0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (remove("a"), remove("a")),
        (remove("a"), remove("a", "k")),
        (remove("a", "k"), remove("a")),
        (remove("a"), put(("a",), "l", 1)),
        (remove("a"), rename(("a",), "z")),
        (replace(("c",), 1), remove("c")),
        (replace(("c",), 1), replace(("c",), 1)),
        (rename(("c",), "y"), rename(("c",), "z")),
        (put(("a",), "l", 1), put(("a",), "l", 1)),
        (put((), "new", 1), rename(("c",), "new")),
        (rename(("b",), "new"), rename(("c",), "new")),
    ],
)
def test_of_two_groups_that_clash_the_first_goes_on(one, other):
    result = patched(TEXT, [one], [other])
    assert [each.group for each in result.refusals] == [1]
    assert result.text == changed(TEXT, one)
    assert patched(TEXT, [one, other]).edits == []


def test_a_clash_with_a_refused_group_is_none():
    result = patched(TEXT, [remove("a"), remove("no")], [remove("a", "k")])
    assert result.text == TEXT.replace("{k: 1}", "{}")
    assert [each.group for each in result.refusals] == [0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (put(("null here",), "k", 1), append(("null here",), 1)),
        (replace(("null here",), 1), append(("null here",), 1)),
    ],
)
def test_a_null_is_filled_in_one_way(one, other):
    result = patched("null here:\n", [one], [other])
    assert [(each.group, each.what) for each in result.refusals] == [
        (1, "two operations want the same entry")
    ]


@pytest.mark.parametrize(
    ("text", "operation", "what"),
    [
        ("&k a: 1\nb: *k\n", rename(("a",), "c"), "a key with an anchor, alias or tag cannot be renamed"),
        ("&k a: 1\nb: *k\n", remove("a"), "the anchor &k is used elsewhere"),
        ("x: &k a\n*k : 1\n", replace(("x",), "b"), "the anchor &k is used elsewhere"),
        ("a: &n\nb: *n\n", put(("b",), "k", 1), "an empty document or an alias of null cannot be filled"),
        ("a: &n\nb: *n\n", put(("a",), "k", 1), "the anchor &n is used elsewhere"),
        ("a: &l [1]\nb: [*l, 2]\n", append(("a",), 2), "b[0] has the same text through an alias"),
        ("a: &l [1]\nb: [*l, 2]\n", append(("b", 0), 2), "a has the same text through an alias"),
        ("a: &m {k: 1}\nb: {<<: [*m]}\n", put(("a",), "l", 1), "a merge key `<<` uses this"),
        ("a: &m {k: 1}\nb: {<<: *m}\n", put(("b",), "k", 1), "k comes in through a merge key"),
        ("a: &m {k: {l: 1}}\nb: {<<: *m}\n", remove("b", "k", "l"), "k comes in through a merge key"),
        ("a: !t x\n", replace(("a",), "y"), "a value with a tag cannot be replaced"),
    ],
)  # fmt: skip
def test_anchors_aliases_merge_keys_and_tags(text, operation, what):
    assert refused(text, operation)[0] == what


def test_uses_that_the_same_call_removes_do_not_count():
    text = "a: &l [1, 2]\nb: *l\n"
    assert changed(text, append(("a",), 3), remove("b")) == "a: &l [1, 2, 3]\n"
    assert changed(text, append(("a",), 3), append(("b",), 3)) == "a: &l [1, 2, 3]\nb: *l\n"
    assert refused(text, append(("a",), 3), append(("b",), 4))[0] == "b has the same text through an alias"


# The check after every edit.


def damage(monkeypatch, pieces):
    monkeypatch.setattr(module, "plan_block", lambda _sheet, _change: pieces)


@pytest.mark.parametrize(
    ("pieces", "what"),
    [
        ([(5, 10, "")], "an edit made a document that says something else than was meant"),
        ([(0, 5, ""), (10, 10, "x: 1\n")], "an edit made a document that says something else than was meant"),
        ([(0, 5, "[ ")], "an edit made a document that cannot be read"),
        ([(0, 5, "---\n---\n")], "an edit made 2 documents where 1 were meant"),
        ([(0, 5, ""), (10, 14, "")], "an edit lost the comment '# c'"),
    ],
)
def test_a_wrong_edit_is_never_returned(monkeypatch, pieces, what):
    damage(monkeypatch, [Piece(*each, (0, 0), 0) for each in pieces])
    with pytest.raises(InternalError, match=what.replace("(", r"\(")):
        patched("a: 1\nb: 2\n# c\n", remove("a"))


def test_an_edit_in_another_document_is_never_returned(monkeypatch):
    damage(monkeypatch, [Piece(0, 5, "", (0, 0), 0), Piece(15, 15, "# x\n", (0, 0), 0)])
    with pytest.raises(InternalError, match="a document that it was not meant to change"):
        patched("a: 1\nb: 2\n---\n\nc: 3\n", remove("a"))


def test_text_outside_the_edits_must_be_the_same(monkeypatch):
    monkeypatch.setattr(module, "splice", lambda text, _edits: text.replace("a: 1\n", "").replace("  ", " "))
    with pytest.raises(InternalError, match="the text after the last edit changed"):
        patched("a: 1\nb:  2\n", remove("a"))
    monkeypatch.setattr(module, "to_edits", lambda *_: [Edit(0, 5, "")])
    monkeypatch.setattr(module, "splice", lambda text, _edits: f"# {text}")
    with pytest.raises(InternalError):
        patched("a: 1\nb:  2\n", remove("a"))


def test_same_tells_types_apart():
    assert same({"a": [1, "x", None]}, {"a": [1, "x", None]})
    for one, other in [
        (1, True),
        (1, 1.0),
        (1, "1"),
        (None, False),
        ([1], [1, 1]),
        ({"a": 1}, {"b": 1}),
        ({}, []),
    ]:
        assert not same({"v": one}, {"v": other})


def test_a_new_document_does_not_hide_what_was_meant():
    text = "a: 1\nb: 2\n---\nb: 2\n"
    assert changed(text, remove("a")) == "b: 2\n---\nb: 2\n"
    assert changed(text, new_document({"b": 2}, document=1), remove("a")) == "b: 2\n---\nb: 2\n---\nb: 2\n"


_ITEMS = "items:\n" + "- a: 1\n  b: 2\n" * 41


@pytest.mark.parametrize(
    "operations",
    [
        lambda item: [put(("items", item), "a", 2)],
        lambda item: [rename(("items", item, "a"), "z"), rename(("items", item, "b"), "z")],
        lambda item: [put(("items", item), "z", 1), put(("items", item), "a", 1)],
    ],
    ids=["a key that is there", "one name for two", "after another of the group"],
)
def test_many_refused_groups_of_one_document_cost_no_plan_each(operations, monkeypatch):
    plans = []
    monkeypatch.setattr(module, "gather", lambda *given: plans.append(given) or gather(*given))
    found = patched(_ITEMS, *map(operations, range(40)), [put(("items", 40), "c", 3)])
    assert [each.group for each in found.refusals] == [*range(40)]
    assert found.text == _ITEMS + "  c: 3\n"
    assert len(plans) == 2


def test_a_group_that_only_a_refused_one_stands_in_the_way_of_is_carried_out():
    found = patched("a: 1\nb:\n  x: 1\n", [put((), "c", 1), put(("b",), "x", 2)], [put((), "c", 2)])
    assert [each.group for each in found.refusals] == [0]
    assert found.text == "a: 1\nb:\n  x: 1\nc: 2\n"


def test_all_or_none_checks_no_text_that_is_not_wanted(monkeypatch):
    checked = []
    monkeypatch.setattr(module, "check", lambda *given: checked.append(given))
    documents = compose(TEXT)
    groups = [[put((), "e", 1)], [put((), "c", 2)]]
    found = module.patch(decode(TEXT.encode(), "x"), documents, groups, all_or_none=True)
    assert (found.text, found.edits, [each.group for each in found.refusals]) == (TEXT, [], [1])
    assert not checked
    assert module.patch(decode(TEXT.encode(), "x"), documents, groups).text == TEXT + "e: 1\n"
    assert len(checked) == 1
