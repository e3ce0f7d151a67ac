"""A text made of ranges of another: positions and edits are those of the other."""

from __future__ import annotations

import pytest

from dralint.errors import InternalError
from dralint.yamltext.excerpt import Excerpt
from dralint.yamltext.operations import Edit
from dralint.yamltext.text import SourceText

WHOLE = SourceText("one\ntwo\nthree\nfour\n")


@pytest.fixture
def excerpt() -> Excerpt:
    """The first and the third line, with a line of its own before them."""
    return Excerpt(WHOLE, ("own\n", (0, 4), (8, 14)))


def test_the_text(excerpt):
    assert excerpt.text == "own\none\nthree\n"


def test_positions_are_those_of_the_whole(excerpt):
    assert excerpt.position(excerpt.text.index("one")) == (1, 1)
    assert excerpt.position(excerpt.text.index("three") + 2) == (3, 3)


def test_edits_are_moved(excerpt):
    at = excerpt.text.index("three")
    assert excerpt.in_whole(Edit(at, at + 5, "3")) == Edit(8, 13, "3")
    assert excerpt.in_whole(Edit(4, 4, "zero\n")) == Edit(0, 0, "zero\n")


@pytest.mark.parametrize("edit", [Edit(6, 10, ""), Edit(8, 8, "new"), Edit(0, 6, "")])
def test_an_edit_that_would_touch_what_is_left_out_is_refused(excerpt, edit):
    with pytest.raises(InternalError):
        excerpt.in_whole(edit)


def test_what_makes_the_whole_uneditable():
    text = SourceText("a: 1\nb: \u2028\n")
    assert Excerpt(text, ((0, 5),)).uneditable == text.uneditable is not None
