"""New documents before others, items of lists, and the wrapper around a JSON object."""

from __future__ import annotations

import json

import pytest

from dralint.yamltext.operations import HOLE
from tests.yamltext.editing import changed, insert, new_document, patched, put, refused, remove, wrap

NEW = {"kind": "T", "spec": {"list": [{"name": "gpu"}]}}
BODY = "kind: T\nspec:\n  list:\n  - name: gpu\n"

BEFORE_FIRST = {
    "": ("", "---\n"),
    "---\n": ("---\n", "---\n"),
    "# licence\n\n": ("# licence\n\n", "---\n"),
    "# about the pod\n": ("", "---\n# about the pod\n"),
    "# licence\n\n# about the pod\n": ("# licence\n\n", "---\n# about the pod\n"),
    "# licence\n#\n\n# more\n\n\n": ("# licence\n#\n\n# more\n\n\n", "---\n"),
    "\n\n": ("", "---\n\n\n"),
    "--- # one\n# about\n": ("---\n", "--- # one\n# about\n"),
}


@pytest.mark.parametrize("head", BEFORE_FIRST)
def test_before_the_first_document(head):
    above, between = BEFORE_FIRST[head]
    assert changed(f"{head}kind: Pod\n", new_document(NEW)) == f"{above}{BODY}{between}kind: Pod\n"


def test_a_header_above_the_first_separator_stays_on_top():
    text = "# licence\n---\nkind: Pod\n"
    assert changed(text, new_document(NEW, document=1)) == f"# licence\n---\n{BODY}---\nkind: Pod\n"


def test_before_later_documents_with_comments():
    text = "a: 1\n# end of a\n---\n# Source: x.yaml\nb: 2\n"
    new = new_document(NEW, document=1, comments=("# Source: x.yaml",))
    assert (
        changed(text, new) == f"a: 1\n# end of a\n---\n# Source: x.yaml\n{BODY}---\n# Source: x.yaml\nb: 2\n"
    )


def test_blank_lines_around_separators_are_the_files():
    text = "a: 1\n\n---\n\nb: 2\n"
    assert changed(text, new_document(NEW, document=1)) == f"a: 1\n\n---\n\n{BODY}\n---\n\nb: 2\n"
    assert changed(text, new_document(NEW)) == f"{BODY}\n---\na: 1\n\n---\n\nb: 2\n"


def test_several_new_documents_keep_their_order_and_other_edits_go_on():
    text = "a: 1\nx: 2\n---\nb: 2"
    operations = [
        new_document({"one": 1}),
        new_document({"two": 2}),
        remove("x"),
        new_document({"three": 3}, document=1),
    ]
    assert changed(text, *operations) == "one: 1\n---\ntwo: 2\n---\na: 1\n---\nthree: 3\n---\nb: 2"


def test_the_style_is_that_of_the_document_below():
    text = "spec:\n    list:\n      -   a\n"
    assert changed(text, new_document(NEW)) == (
        f"kind: T\nspec:\n    list:\n      -   name: gpu\n---\n{text}"
    )
    kyaml = '---\n{\n  kind: "Pod",\n}\n'
    assert changed(kyaml, new_document(NEW)) == (
        f'---\n{{\n  kind: "T",\n  spec: {{\n    list: [{{\n      name: "gpu",\n    }}],\n  }},\n}}\n{kyaml}'
    )


def test_where_no_document_can_be_inserted():
    assert refused("%YAML 1.1\n---\na: 1\n", new_document(NEW))[0] == (
        "no document is inserted into a file with a `%` directive"
    )
    assert refused('{"a": 1}\n', new_document(NEW))[0] == (
        "a JSON file with one object cannot get a second one: wrap it in a List"
    )
    assert refused("# only a comment\n", new_document(NEW))[0] == "the document is empty or was not read"


def test_a_stream_of_json_objects_gets_one_more():
    assert (
        changed('{"a":1}\n{"b":2}\n', new_document({"c": [3]}, document=1)) == '{"a":1}\n{"c":[3]}\n{"b":2}\n'
    )


def test_items_of_a_list():
    text = "kind: List\nitems:\n- kind: A\n  spec: {}\n\n# about b\n- kind: B\n"
    assert changed(text, insert(("items",), 0, NEW), insert(("items",), 1, {"kind": "U"}), remove("items", 0, "spec")) == (
        """\
kind: List
items:
- kind: T
  spec:
    list:
    - name: gpu
- kind: A
- kind: U

# about b
- kind: B
"""
    )  # fmt: skip


LIST = {"apiVersion": "v1", "kind": "List", "items": [NEW, HOLE]}


def test_a_json_object_is_wrapped_by_two_insertions():
    text = '{\n    "kind": "Pod",\n    "x": 1\n}\n'
    result = patched(text, [wrap(LIST), remove("x")])
    assert result.text == """\
{
    "apiVersion": "v1",
    "kind": "List",
    "items": [
        {
            "kind": "T",
            "spec": {
                "list": [
                    {
                        "name": "gpu"
                    }
                ]
            }
        },
{
    "kind": "Pod"
}
    ]
}
"""  # fmt: skip
    assert json.loads(result.text)["items"][1] == {"kind": "Pod"}
    assert changed('{"kind":"Pod"}', wrap(LIST)) == (
        '{"apiVersion":"v1","kind":"List","items":[{"kind":"T","spec":{"list":[{"name":"gpu"}]}},{"kind":"Pod"}]}'
    )


@pytest.mark.parametrize(
    "text", ["kind: Pod\n", "{kind: Pod}\n", '{"a": 1}\n{"b": 2}\n', '---\n{"a": 1}\n', '# c\n{"a": 1}\n']
)
def test_only_one_json_object_can_be_wrapped(text):
    assert refused(text, wrap(LIST))[0] == "only a JSON file with one object can be wrapped"


def test_the_wrapper_holds_the_object_once():
    assert refused('{"a": 1}\n', wrap({"items": []}))[0] == "the wrapper must hold the object once"
    assert refused('{"a": 1}\n', wrap({"items": [HOLE, HOLE]}))[0] == "the wrapper must hold the object once"


def test_a_document_is_wrapped_once():
    result = patched('{"a": 1}\n', [wrap({"x": HOLE})], [wrap({"y": HOLE})])
    assert result.text == '{"x": {"a": 1}}\n'
    assert result.refusals == [(1, "one document is wrapped once", 0)]


def test_two_documents_are_two_places():
    text = "a: 1\n---\na: 1\n"
    assert changed(text, put((), "b", 2, document=1)) == "a: 1\n---\na: 1\nb: 2\n"
