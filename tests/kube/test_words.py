"""The words of the prefilter."""

from __future__ import annotations

from dralint.kube.words import joined_words, prefilter_words


def test_words():
    assert all(b"/" not in word for word in prefilter_words())
    assert joined_words() == tuple(sorted(prefilter_words(), key=lambda word: (len(word), word)))
    # A word that holds another one finds nothing more.
    assert joined_words([b"resourceClaimTemplateName", b"amd.com"]) == joined_words([b"amd.com"])
    assert joined_words([b"com"]) == joined_words([b"com", b"nvidia.com"])
