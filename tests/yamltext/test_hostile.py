"""Texts that strangers may send: each is read, or refused with a reason, in bounded time and memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

from dralint.yamltext.compose import compose

# In a process of its own with 10 s of CPU and 1 GB, because some of these once ended the process.
_LIMITS = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
"""
_PROGRAM = """
from dralint.yamltext.compose import compose
from dralint.yamltext.view import plain
documents = compose({text})
for document in documents:
    if document.root is not None:
        plain(document.root)
problem = documents[-1].problem
print(problem.what if problem else "read")
"""
_DEEP = "nested more than 200 levels deep"
_LARGE = "the file is too large: more than 1,500,000 keys, values and ends of blocks"
_LARGE_EDIT = "the file is too large to be edited: more than 750,000 keys, values and ends of blocks"
_LARGE_MADE = (
    "the file would become too large to be edited: more than 1,000,000 keys, values and ends of blocks"
)
_ALIASES = "aliases multiply this document too much"
HOSTILE = {
    "brackets": ("'[' * 100_000", _DEEP),
    "closed brackets": ("'[' * 100_000 + ']' * 100_000", _DEEP),
    "braces": ("'{a: ' * 100_000", _DEEP),
    "dashes": ("'- ' * 20_000", _DEEP),
    "JSON objects": ("""'{"a":' * 100_000 + '1' + '}' * 100_000""", _DEEP),
    "alias bomb": (
        (
            "'a0: &a0 [x,x,x,x,x,x,x,x,x]\\n' + ''.join("
            "f'a{i}: &a{i} [' + ','.join([f'*a{i - 1}'] * 9) + ']\\n' for i in range(1, 11))"
        ),
        _ALIASES,
    ),
    "chain of aliases": (
        "'a0: &a0 [x]\\n' + ''.join(f'a{i}: &a{i} [*a{i - 1}]\\n' for i in range(1, 20_000))",
        "aliases nest more than 200 levels deep",
    ),
    "chain of merge keys": (
        "'m0: &m0 {k0: 1}\\n' + ''.join(f'm{i}: &m{i} {{<<: *m{i - 1}, k{i}: 1}}\\n' for i in range(1, 20_000))",
        "aliases nest more than 200 levels deep",
    ),
    "wide merge": (
        "'m: &m {' + ','.join(f'k{i}: 1' for i in range(10_000)) + '}\\nx: {<<: [' + ','.join(['*m'] * 20_000) + ']}'",
        _ALIASES,
    ),
    "long scalar": ("'a: ' + 'x' * 50_000_000", "read"),
    "million keys": ("''.join(f'k{i}: 1\\n' for i in range(1_000_000))", _LARGE),
    "as many keys as are read": ("''.join(f'k{i}: 1\\n' for i in range(749_000))", "read"),
    "million documents": ("'---\\n' * 1_000_000", _LARGE),
    "colons in flow": (
        "'[' + 'a:b, ' * 100_000 + ']'",
        "while scanning a plain scalar, found unexpected ':'",
    ),
    "unfinished": (
        "'- a\\n' * 100_000 + '- ['",
        "while parsing a flow node, did not find expected node content",
    ),
}


def bounded(program):
    """What a program prints that may take 1 GB and 10 s of CPU at rest, which are 20 where others share it."""
    run = subprocess.run(
        [sys.executable, "-c", _LIMITS + program], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_bounded(name):
    text, outcome = HOSTILE[name]
    assert bounded(_PROGRAM.replace("{text}", text)) == outcome


_EDIT = """
from dralint.yamltext.compose import compose
from dralint.yamltext.patch import Put, patch
from dralint.yamltext.text import SourceText
source = SourceText({text})
patched = patch(source, compose(source.text), [[Put(0, (), "x", {value})]])
print(patched.refusals[0].what if patched.refusals else patched.text.count("x:"))
"""
EDITED = {
    "as many keys as are edited": ("''.join(f'k{i}: 1\\n' for i in range(374_000))", "1", "1"),
    "more keys": ("''.join(f'k{i}: 1\\n' for i in range(376_000))", "1", _LARGE_EDIT),
    "as many keys as are read": ("''.join(f'k{i}: 1\\n' for i in range(749_000))", "1", _LARGE_EDIT),
    "documents": ("'k: 1\\n---\\n' * 80_000", "1", _LARGE_EDIT),
    "a large value": ("'k: 1\\n'", "[1] * 1_500_000", _LARGE_MADE),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are Linux's")
@pytest.mark.parametrize("name", EDITED)
def test_edits_are_bounded(name):
    text, value, outcome = EDITED[name]
    assert bounded(_EDIT.replace("{text}", text).replace("{value}", value)) == outcome


def test_depth_up_to_the_limit_is_read():
    (document,) = compose("[" * 200 + "]" * 200)
    assert document.problem is None
    (document,) = compose("[" * 201 + "]" * 201)
    assert document.problem == (_DEEP, 200)


def test_honest_aliases_are_read():
    text = "base: &b {" + ", ".join(f"k{i}: 1" for i in range(50)) + "}\nuses:\n" + "- *b\n" * 50
    (document,) = compose(text)
    assert document.problem is None
