"""Reports are written as the standard library would."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from dralint.report.indented import indented

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner)
)


@given(VALUES)
def test_as_the_standard_library_writes_it(value):
    assert indented(value) == json.dumps(value, indent=2) + "\n"
