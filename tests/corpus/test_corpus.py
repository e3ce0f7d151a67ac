"""The promises of convert and check, kept on 313 public manifests that lie beside the project."""

import check_corpus
import pytest


@pytest.fixture(scope="module")
def corpus(shared, tmp_path_factory):
    assert (shared / "corpus").is_dir()
    return check_corpus.Corpus(tmp_path_factory.mktemp("corpus"))


@pytest.mark.parametrize("promise", check_corpus.CHECKS)
def test_corpus(corpus, promise):
    assert getattr(corpus, promise)() == []
