"""What --companions does to public manifests: it is stable, it touches what it says, and no request fares otherwise."""

from __future__ import annotations

import check_corpus
import pytest

from tests.convert.conftest import converted

pytestmark = pytest.mark.slow


def test_companions_in_the_corpus(shared):
    assert (shared / "corpus").is_dir()
    edited = 0
    for name, data in check_corpus.corpus().items():
        plain, asked = converted({name: data}), converted({name: data}, companions=True)
        assert asked.outcomes == plain.outcomes, name
        made = [note for note in asked.notes if note.edited]
        assert not [note for note in plain.notes if note.edited], name
        assert bool(made) == (asked.texts != plain.texts), name
        assert {(note.line, note.topic) for note in asked.notes} <= {
            (note.line, note.topic) for note in plain.notes
        }, name
        edited += len(made)
    assert edited
