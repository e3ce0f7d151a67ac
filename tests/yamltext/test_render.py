"""New values as text: read back they are the same, and quotes stand only where they are needed."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dralint.yamltext.compose import compose
from dralint.yamltext.render import BlockStyle, FlowStyle, flow_value, is_plain, mapping_lines, scalar
from dralint.yamltext.verify import same
from dralint.yamltext.view import plain

UNQUOTED = [
    "gpu",
    "nvidia.com/gpu",
    "a b",
    "1.2.3",
    "500m",
    "1Gi",
    "x-y_z",
    "a,b",
    "ü",
    "it's",
    'say "x"',
    "a#b",
    "a:b",
]
QUOTED = [
    "", " a", "a ", "a: b", "a:", "a #b", "#a", "- a", "-", "?", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a", "[a", "{a", '"a"', "'a'",
    "1", "1.5", "1e3", "0x1", "010", "1_0", "yes", "No", "on", "y", "null", "~", "true", ".inf", "<<", "=", "a\nb", "a\tb", "\u2028",
    "2001-01-01", "1:30", "12:30:45", "...", "--- a",
]  # fmt: skip


@pytest.mark.parametrize("text", UNQUOTED)
def test_plain_where_everybody_reads_the_same(text):
    assert scalar(text) == text


@pytest.mark.parametrize("text", QUOTED)
def test_double_quotes_where_somebody_would_read_something_else(text):
    written = scalar(text)
    assert written[0] == written[-1] == '"'
    assert yaml.safe_load(f"v: {written}") == {"v": text}


@pytest.mark.parametrize("text", ["a,b", "a[0]", "{x", "a:b", "what?"])
def test_flow_style_quotes_more(text):
    assert not is_plain(text, flow=True)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
block = st.builds(BlockStyle, st.integers(1, 4), st.integers(0, 3), st.integers(1, 3))
flow = st.builds(
    FlowStyle,
    json=st.booleans(),
    kyaml=st.booleans(),
    lines=st.booleans(),
    step=st.sampled_from(["  ", "\t"]),
    colon=st.just(": "),
    comma=st.sampled_from([", ", ","]),
    line_break=st.sampled_from(["\n", "\r\n"]),
)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.text(max_size=5), values, min_size=1, max_size=3), block)
def test_block_style_reads_back(value, style):
    text = "\n".join(mapping_lines(value, 0, style)) + "\n"
    (document,) = compose(text)
    assert same(plain(document.root), value)


@settings(deadline=None, max_examples=300)
@given(st.dictionaries(st.text(max_size=5), values, max_size=3), flow)
def test_flow_style_reads_back(value, style):
    (document,) = compose(flow_value(value, style) + "\n")
    assert same(plain(document.root), value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a: 1\nb:\n  c\n\n# d", "k: |-\n  a: 1\n  b:\n    c\n\n  # d\n"),
        ("a\nb\n", "k: |\n  a\n  b\n"),
        (" a\nb", 'k: " a\\nb"\n'),
        ("a\n\n", 'k: "a\\n\\n"\n'),
        ("a\n ", 'k: "a\\n "\n'),
        ("\na", 'k: "\\na"\n'),
        ("a\tb\nc", 'k: "a\\tb\\nc"\n'),
    ],
)
def test_several_lines_are_a_literal_block(value, text):
    written = "".join(f"{line}\n" for line in mapping_lines({"k": value}, 0, BlockStyle()))
    assert written == text
    assert plain(compose(written)[0].root) == {"k": value}
