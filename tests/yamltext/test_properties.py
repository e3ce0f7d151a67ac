"""Random documents, random operations: the text means what the model says, and nothing else moves."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from random import Random

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dralint.yamltext.compose import compose
from dralint.yamltext.operations import Append, Insert, InsertDocument, Put, Remove, Replace
from dralint.yamltext.patch import patch
from dralint.yamltext.text import SourceText
from dralint.yamltext.view import plain
from tests.yamltext.random_yaml import Operations, expected, places, random_file

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


def shared_object(random, numbers, pool, depth):
    """An object in which some collections and strings stand several times as the same Python object."""
    kind = random.random()
    if pool and kind < 0.25:
        return random.choice(pool)
    if depth and kind < 0.7:
        value = {}
        for _ in range(random.choice([1, 2, 3])):
            name = f"{random.choice(['k', 'k', 'k', 'k', 'MERGE', 'DUP'])}{next(numbers)}"
            value[name] = shared_object(random, numbers, pool, depth - 1)
    elif depth and kind < 0.85:
        value = [shared_object(random, numbers, pool, depth - 1) for _ in range(random.choice([1, 2, 3]))]
    else:
        return random.choice([f"v{next(numbers)}", f"v{next(numbers)}", next(numbers), None, True])
    pool.append(value)
    return value


def text_with_anchors(random):
    """A document with anchors, aliases, merge keys, duplicate keys, tags and `? key` entries."""
    numbers = itertools.count()
    pool = []
    objects = {
        f"k{next(numbers)}": shared_object(random, numbers, pool, 4) for _ in range(random.choice([2, 3, 4]))
    }
    text = yaml.dump(
        objects, Dumper=yaml.SafeDumper, default_flow_style=random.choice([False, False, None, True]),
        sort_keys=False, width=random.choice([40, 1000]), indent=random.choice([2, 4]),
    )  # fmt: skip
    if random.random() < 0.5:
        text = re.sub(r"MERGE\d+:(?= \*| &)", "<<:", text)
    if random.random() < 0.3:
        text = re.sub(r"DUP\d+", "dup", text)
    if random.random() < 0.3:
        text = re.sub(r"(?<=[:-] )v(?=\d)", lambda _: random.choice(["v", "v", "!!str v", "!own v"]), text)
    if random.random() < 0.2:
        text = re.sub(
            r"(?m)^( *)(k\d+): (?=v|\*)", lambda m: random.choice([m[0], f"{m[1]}? {m[2]}\n{m[1]}: "]), text
        )
    if random.random() < 0.3:
        text = re.sub(
            r"(?m)^( *)(?=k\d+:)",
            lambda m: m[1] + random.choice(["", f"# note {next(numbers)}\n{m[1]}"]),
            text,
        )
    return text


def dressed(random, text):
    """A random file with anchors nobody uses, tags, and blanks before colons."""
    numbers = itertools.count()

    def dress(*choices):
        return lambda found: random.choice(choices).replace("&", f"&a{next(numbers)}") + found[0]

    def undress(*choices):
        return lambda found: found[0] + random.choice(choices).replace("&", f"&a{next(numbers)}")

    changes = [
        (
            r"(?m)(?<=: |- )(v\d+|\"v\d+\"|true|null)(?=[ ,\]}\r]|$)",
            dress("", "", "& ", "!t ", "!t & ", "& !!str "),
        ),
        (r"(?m)^ *(?:- +)*k\d+:(?=( +# end \d+)?\r?$)", undress("", "", " &", " !t", " !t &")),
        (r"(?m)^ *-(?=( +# end \d+)?\r?$)", undress("", " &", " !t")),
        (r"(?<=[:,\-] )[\[{]", dress("", "", "& ", "!t ")),
        (r"(?m)(?<=^)( *(?:- +)*)(?=k\d+ ?:)", undress("", "", "", "& ", "!t ")),
        (r"\bk\d+(?=:[ \r\n])", undress("", "", " ")),
    ]
    for pattern, change in changes:
        if random.random() < 0.4:
            text = re.sub(pattern, change, text)
    return text


def everywhere(objects, group):
    """The operations, and the same ones wherever else the same text is read through an alias."""
    for operation in group:
        yield operation
        if isinstance(operation, InsertDocument):
            continue
        path = operation.path
        around = path if isinstance(operation, (Put, Append, Insert)) else path[:-1]
        found = list(places(objects[operation.document]))
        value = dict(found)[around]
        for other, equal in found:
            if other != around and equal == value and strings(value):
                yield operation._replace(path=(*other, *path[len(around) :]))


def run_with_anchors(random):
    """Refusals are free here, a wrong result is not allowed."""
    text = text_with_anchors(random) if random.random() < 0.6 else dressed(random, random_file(random)[0])
    documents = compose(text)
    good = [index for index, each in enumerate(documents) if each.root is not None]
    objects = [plain(documents[index].root) for index in good]
    if not objects or not all(isinstance(each, dict) for each in objects):
        return 0, 0
    groups = Operations(random, objects, json=text.lstrip().startswith("{")).groups()
    if random.random() < 0.5:
        groups = [list(everywhere(objects, group)) for group in groups]
    shifted = [[each._replace(document=good[each.document]) for each in group] for group in groups]
    result = patch(SourceText(text), documents, shifted)
    refused = {each.group for each in result.refusals}
    done = [each for number, group in enumerate(groups) if number not in refused for each in group]
    context = f"{text}\n{groups}\n{result}"
    found = [plain(each.root) for each in compose(result.text) if each.root is not None]
    assert found == expected(objects, done), context
    return len(groups), len(refused)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_documents_with_anchors(seed):
    run_with_anchors(Random(seed))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64))
def test_documents_without_anchors(seed):
    run(Random(seed))


def test_at_most_five_percent_are_refused():
    total = refusals = 0
    for seed in range(EXAMPLES):
        result = run(Random(seed))
        if result:
            total += result[0]
            refusals += len(result[1])
    assert refusals <= total * 0.05, f"{refusals} of {total}"
