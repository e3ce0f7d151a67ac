"""Random documents, random operations: the text means what the model says, and nothing else moves."""

from __future__ import annotations

import os
import re
from collections import Counter
from random import Random

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_yaml import Operations, expected, places, random_file

from dralint.yamltext.compose import compose
from dralint.yamltext.operations import Remove, Replace
from dralint.yamltext.patch import patch
from dralint.yamltext.text import SourceText

EXAMPLES = int(os.environ.get("DRALINT_EXAMPLES", "400"))


def read(text):
    """The objects of a file as PyYAML reads it, comment-only documents left out."""
    return [each for each in yaml.load_all(text, Loader=yaml.CSafeLoader) if each is not None]


def strings(value):
    return {each for _, each in places(value) if isinstance(each, str) and re.fullmatch(r"v\d+", each)}


def touched_strings(objects, operations):
    """The unique strings that the operations take away."""
    gone = set()
    for operation in operations:
        if isinstance(operation, (Remove, Replace)):
            gone |= strings(dict(places(objects[operation.document]))[operation.path])
    return gone


def comments(text):
    """The comments that the random writer made; no other text looks like them."""
    return re.findall(r"(?m)^[ \t]*(# (?:note|header) \d+ ?[^\r\n]*?)[ \t]*\r?$", text)


def run(random):
    """One random file with random operations; the number of groups and of refusals."""
    text, objects, kind = random_file(random)
    documents = compose(text)
    if read(text) != objects:
        return None  # a random comment came to stand inside a block scalar
    first = sum(1 for each in documents if each.root is None)
    groups = Operations(random, objects, json=kind == "json").groups()
    shifted = [[each._replace(document=each.document + first) for each in group] for group in groups]
    result = patch(SourceText(text), documents, shifted)
    refused = {each.group for each in result.refusals}
    done = [each for number, group in enumerate(groups) if number not in refused for each in group]
    context = f"{text}\n{groups}\n{result}"

    assert read(result.text) == expected(objects, done), context
    position, rebuilt = 0, ""
    gone = touched_strings(objects, done)
    for edit in result.edits:
        assert position <= edit.start <= edit.end, context
        rebuilt += text[position : edit.start] + edit.text
        position = edit.end
        assert set(re.findall(r"\bv\d+\b", text[edit.start : edit.end])) <= gone, context
    assert rebuilt + text[position:] == result.text, context
    assert not Counter(comments(text)) - Counter(comments(result.text)), context
    if "\r\n" in text:
        assert not re.search(r"(?<!\r)\n", result.text), context
    elif "\n" in text:
        assert "\r" not in result.text, context
    return len(groups), refused, context, result


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_documents_without_anchors(seed):
    run(Random(seed))


def test_at_most_five_percent_are_refused():
    total = refusals = 0
    for seed in range(EXAMPLES):
        count, refused, _, _ = run(Random(seed))
        total += count
        refusals += len(refused)
    assert refusals <= total * 0.05, f"{refusals} of {total}"


if __name__ == "__main__":
    pytest.main([__file__])
