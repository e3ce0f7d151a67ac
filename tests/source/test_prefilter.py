"""The prefilter never throws out what holds a word, however it is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dralint.source.prefilter import document_filter, relevant
from dralint.yamltext.compose import compose

WORDS = (b"nvidia.com", b"resource.k8s.io", b"resourceClaim")

HOLDING = {
    "plain": b"limits: {nvidia.com/gpu: 1}",
    "second word": b"apiVersion: resource.k8s.io/v1",
    "field": b"resourceClaims: []",
    "JSON with an escaped slash": rb'{"nvidia.com\/gpu": 1}',
    "JSON pointer": b"path: /spec/limits/nvidia.com~1gpu",
    "hexadecimal escape": rb'"\x6evidia.com/gpu": 1',
    "short Unicode escape": rb'"\u006Evidia.com/gpu": 1',
    "long Unicode escape": rb'"\U0000006evidia.com/gpu": 1',
    "every letter escaped": (
        '"' + "".join(f"\\x{ord(letter):02x}" for letter in "nvidia.com") + '"'
    ).encode(),
    "folded in a quoted scalar": b'"nvi\\\n    dia.com/gpu": 1',
    "folded with CRLF": b'"nvi\\\r\n    dia.com/gpu": 1',
    "UTF-16, little": "nvidia.com/gpu: 1".encode("utf-16"),
    "UTF-16, big": b"\xfe\xff" + "nvidia.com/gpu: 1".encode("utf-16-be"),
    "UTF-16 without a mark": "nvidia.com/gpu: 1".encode("utf-16-le"),
    "UTF-16 with an escape": '"\\x6evidia.com/gpu": 1'.encode("utf-16"),
}
FREE = {
    "empty": b"",
    "another GPU": b"limits: {amd.com/gpu: 1}",
    "backslashes": rb'command: "echo \u00e9 \x41 \/ \n"',
    "UTF-16": "kind: Service".encode("utf-16"),
    "zero bytes": b"\0\0\0",
}


@pytest.mark.parametrize("case", HOLDING)
def test_holding(case):
    assert relevant(HOLDING[case], WORDS)


@pytest.mark.parametrize("case", FREE)
def test_free(case):
    assert not relevant(FREE[case], WORDS)


def test_words_are_the_callers():
    assert relevant(b"amd.com/gpu: 1", (*WORDS, b"amd.com"))
    assert not relevant(b"nvidia.com/gpu: 1", ())


WANTED = {
    "word": "kind: Pod\nnvidia.com/gpu: 1\n",
    "escaped word": 'kind: Pod\n"\\u006evidia.com/gpu": 1\n',
    "definition inside a list": "kind: List\nitems:\n- kind: CustomResourceDefinition\n  a: nvidia.com\n",
    "definition as a value": "kind: Policy\nkinds: CustomResourceDefinition nvidia.com\n",
    "several documents that could not be cut": "kind: CustomResourceDefinition\n%x\n---\nx: nvidia.com\n",
    "zero byte, so that it is reported": "kind: Pod\0\n",
}
UNWANTED = {
    "no word": "kind: Service\n",
    "definition": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nname: x.nvidia.com\n",
    "quoted definition": 'kind: "CustomResourceDefinition"\nname: x.nvidia.com\n',
    "definition with a comment": "kind: CustomResourceDefinition  # nvidia.com\n",
    "definition with CRLF": "kind: CustomResourceDefinition\r\nname: x.nvidia.com\r\n",
}


@pytest.mark.parametrize("case", WANTED)
def test_wanted_documents(case):
    assert document_filter(WORDS)(WANTED[case])


@pytest.mark.parametrize("case", UNWANTED)
def test_unwanted_documents(case):
    assert not document_filter(WORDS)(UNWANTED[case])


SPELLINGS = (
    lambda letter: letter,
    lambda letter: f"\\x{ord(letter):02x}",
    lambda letter: f"\\u{ord(letter):04X}",
    lambda letter: f"\\U{ord(letter):08x}",
    lambda letter: f"\\\n  \t {letter}",
    lambda letter: f"\\\r\n{letter}",
)


@given(st.lists(st.sampled_from(SPELLINGS), min_size=10, max_size=10), st.sampled_from(["utf-8", "utf-16"]))
def test_every_spelling_that_the_parser_reads_as_the_word_is_relevant(spellings, encoding):
    word = "".join(spell(letter) for spell, letter in zip(spellings, "nvidia.com", strict=True))
    text = f'a: "{word}/gpu"\n'
    assert compose(text)[0].root.items[1].text == "nvidia.com/gpu"
    assert relevant(text.encode(encoding), WORDS)
    assert document_filter(WORDS)(text)
