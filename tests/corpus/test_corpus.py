"""The promises of convert and check, kept on 313 public manifests that lie beside the project."""

import check_corpus
import clothes
import pytest

pytestmark = pytest.mark.slow
# For the same manifests written in another way; the others need a command for each file or say nothing new.
WRITTEN_ANYHOW = [
    "no_crash",
    "outside_bytes_equal",
    "second_run_changes_nothing",
    "the_diff_applies",
    "every_occurrence_once",
    "what_is_left_is_what_was_not_converted",
    "same_devices_held_and_seen",
    "templates_pass_the_schema",
    "nearly_all_whole_requests_are_converted",
]


@pytest.fixture(scope="module")
def manifests(shared):
    assert (shared / "corpus").is_dir()
    return check_corpus.corpus()


@pytest.fixture(scope="module")
def corpora(manifests, tmp_path_factory):
    return check_corpus.corpora(tmp_path_factory.mktemp("corpus"), manifests)


@pytest.mark.parametrize("promise", check_corpus.CHECKS)
def test_corpus(corpora, promise):
    assert getattr(corpora["auto"], promise)() == []


@pytest.mark.parametrize("mode", check_corpus.MODES[1:])
@pytest.mark.parametrize("promise", check_corpus.EACH_MODE)
def test_corpus_in_other_modes(corpora, mode, promise):
    assert getattr(corpora[mode], promise)() == []


def test_auto_and_claims_give_the_same_bytes(corpora):
    assert corpora["auto"].exclusive.after == corpora["claims"].exclusive.after


@pytest.mark.parametrize("dress", [clothes.windows, clothes.kyaml, clothes.flow, clothes.json_list])
def test_corpus_in_other_clothes(dress, manifests, tmp_path):
    dressed = {name: dress(data) for name, data in manifests.items()}
    corpus = check_corpus.Corpus(tmp_path, dressed, block=dress is clothes.windows, refuse=False)
    wrong = {promise: getattr(corpus, promise)() for promise in WRITTEN_ANYHOW}
    assert {promise: found for promise, found in wrong.items() if found} == {}
