"""The prefilter never throws out what holds a word, however it is written."""

from __future__ import annotations

import pytest

from dralint.source.prefilter import document_filter, relevant

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
