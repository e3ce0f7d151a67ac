"""Suggestions for misspelt words."""

import pytest

from dralint.nvidia.nearest import did_you_mean, nearest

KNOWN = ["TimeSlicing", "MPS", "timeSlicingConfig", "mpsConfig"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("mps", "MPS"),
        ("time-slicing", "TimeSlicing"),
        ("TIME_SLICING", "TimeSlicing"),
        ("TimeSlcing", "TimeSlicing"),
        ("timeslicingconfig", "timeSlicingConfig"),
        ("exclusive", None),
        ("", None),
        ("x" * 200, None),
    ],
)
def test_the_nearest_word(word, expected):
    assert nearest(word, KNOWN) == expected


def test_lists_that_no_person_writes_are_not_searched():
    assert nearest("word-1", [f"word-{number}" for number in range(1000)]) is None


def test_the_question():
    assert did_you_mean("mps", KNOWN) == "did you mean MPS?"
    assert did_you_mean("exclusive", KNOWN) == ""
