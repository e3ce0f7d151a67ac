"""Texts to documents: where each begins and ends, what is wrong with one, what its nodes span."""

from __future__ import annotations

import gc

import pytest

from dralint.yamltext.compose import compose
from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, pairs
from dralint.yamltext.view import plain


def pieces(text):
    return [text[each.start : each.end] for each in compose(text)]


def test_documents_cover_the_text_from_end_to_end():
    text = "# head\n\n--- # one\na: 1\n...\n---\n---\nb: 2\n--- {c: 3}\n"
    assert pieces(text) == ["# head\n\n", "--- # one\na: 1\n...\n", "---\n", "---\nb: 2\n", "--- {c: 3}\n"]
    assert [plain(each.root) for each in compose(text)] == [None, {"a": 1}, None, {"b": 2}, {"c": 3}]


def test_blank_lines_before_the_first_separator_are_no_document():
    assert pieces("\n \n---\na: 1\n") == ["\n \n---\na: 1\n"]
    assert pieces("") == [""]


def test_what_looks_like_a_separator_and_is_none():
    text = 'a: "x\n  --- y"\nb: |\n  ---\n  c\nd: --- e\n'
    assert pieces(text) == [text]
    (document,) = compose("a: 1\n-----\nb: 1\n")
    assert document.problem is not None


def test_a_bad_document_costs_only_itself():
    documents = compose("a: 1\n---\nb: [1\n---\nc: 3\n")
    assert [plain(each.root) for each in documents] == [{"a": 1}, None, {"c": 3}]
    assert documents[1].problem == ("while parsing a flow sequence, did not find expected ',' or ']'", 12)


def test_directives_keep_the_text_in_one_piece():
    documents = compose("%YAML 1.1\n---\na: 1\n---\nb: 2\n")
    assert [plain(each.root) for each in documents] == [{"a": 1}, {"b": 2}]
    assert documents[0].end == documents[1].start == 19


@pytest.mark.parametrize("separator", ["", "\n", " \r\n\t"])
def test_json_objects_may_follow_each_other(separator):
    text = '{"a": 1}' + separator + '{"b": {"c": "}{"}}' + "\n"
    assert [plain(each.root) for each in compose(text)] == [{"a": 1}, {"b": {"c": "}{"}}]
    # After a `---` kubectl reads the first object and loses the others.
    assert compose(f"---\n{text}")[0].problem is not None


def test_json_objects_with_something_else_between_do_not_parse():
    (document,) = compose('{"a": 1} x {"b": 2}')
    assert document.problem is not None
    (document,) = compose('{"a": 1}{"b": tru}')
    assert document.problem is not None


def test_byte_order_marks_where_documents_begin():
    text = "a: 1\n---\n\ufeffb: 2\nc: 3\n"
    documents = compose(text)
    assert [plain(each.root) for each in documents] == [{"a": 1}, {"b": 2, "c": 3}]
    key = documents[1].root.items[2]
    assert text[key.start : key.end] == "c"


def test_wanted_chooses_the_documents_to_parse():
    documents = compose("a: 1\n---\nb: [\n---\nc: 3\n", wanted=lambda text: "b" not in text)
    assert [plain(each.root) for each in documents] == [{"a": 1}, None, {"c": 3}]
    assert documents[1].problem is None


TEMPLATES = [
    "a: {{ .Values.x }}\n",
    "{{ .Values.x }}\n",
    "{{- if .Values.x }}\na: 1\n{{- end }}\n",
    "a: 1\nb: {{ include . | nindent 4 }}\n",
]


@pytest.mark.parametrize("text", TEMPLATES)
def test_templates(text):
    (document,) = compose(text)
    assert document.template


@pytest.mark.parametrize("text", ['a: "{{ x }}"\n', "# {{ x }}\na: 1\n", "a: '{{x}}'\nb: |\n  {{ y }}\n"])
def test_braces_in_strings_and_comments_make_no_template(text):
    (document,) = compose(text)
    assert not document.template
    assert document.problem is None


def spans(text):
    """Every node's kind and text, depth first."""
    waiting = [compose(text)[0].root]
    while waiting:
        node = waiting.pop(0)
        yield node.kind, text[node.start : node.end]
        if node.kind in (MAP, SEQ):
            waiting[:0] = node.items


def test_spans_count_characters():
    text = "ü: é\r\n'😀': [b, \"c d\"]\r\ne: &x !!str f\r\n*x : {g: , h}\r\n"
    assert list(spans(text)) == [
        (MAP, text),
        (SCALAR, "ü"),
        (SCALAR, "é"),
        (SCALAR, "'😀'"),
        (SEQ, '[b, "c d"]'),
        (SCALAR, "b"),
        (SCALAR, '"c d"'),
        (SCALAR, "e"),
        (SCALAR, "&x !!str f"),
        (ALIAS, "*x"),
        (MAP, "{g: , h}"),
        (SCALAR, "g"),
        (SCALAR, ""),
        (SCALAR, "h"),
        (SCALAR, ""),
    ]


def test_nodes_keep_style_anchor_and_tag():
    text = "a: &x !own 'b'\nc: |\n  d\ne: [f]\ng: {h: *x}\n"
    (document,) = compose(text)
    found = {key.text: value for key, value in pairs(document.root)}
    assert (found["a"].style, found["a"].anchor, found["a"].tag, found["a"].text) == ("'", "x", "!own", "b")
    assert found["c"].style == "|"
    assert (found["e"].style, found["g"].style, document.root.style) == ("[", "{", "")
    assert found["g"].items[1].items == (found["a"],)


@pytest.mark.parametrize(
    ("text", "what", "offset"),
    [
        ("a: *x\n", "alias *x has no anchor before it", 3),
        ("a: &x [*x]\n", "alias *x stands inside its own anchor", 7),
        ("a: \0\n", "control characters are not allowed", 3),
        ("a:\n\tb: 1\n", "while scanning for the next token, found character that cannot start any token", 3),
    ],
)
def test_problems_have_their_place(text, what, offset):
    (document,) = compose(f"x: ü\n---\n{text}")[1:]
    assert document.problem == (what, offset + 9)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        compose("a: 1\n---\nb: [\n")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_empty_documents_have_no_root():
    assert [each.root for each in compose("# c\n---\n---\n# d\n--- # e\n...\n---\n")] == [None] * 5
    (document,) = compose("~\n")
    assert document.root is not None
