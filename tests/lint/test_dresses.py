"""The same manifests in another dress: what is found does not depend on how they are written."""

from __future__ import annotations

import json

import pytest

from dralint.kube.read import parse
from dralint.lint.rules import rule_files
from dralint.resources import directory
from dralint.source.file import SourceFile
from dralint.yamltext.load import load_data
from dralint.yamltext.view import plain

# They are about how a file is written, or what Helm writes into comments.
OF_TEXT = {
    "document-lost-after-dots",
    "document-lost-after-return",
    "separator-malformed",
    "separator-with-content",
    "template-after-workload",
}
# Of these the name or the place counts, and comments.
BY_NAME = ("kustomization", "values", "Chart", "templates/")


def manifests(text):
    """The documents of a file as plain data."""
    documents = parse(SourceFile("it.yaml", None, text.encode())).documents
    return [plain(each.root) for each in documents if each.root is not None]


def escaped(value):
    """JSON with every character of every text as an escape."""
    if isinstance(value, str):
        return '"' + "".join(f"\\u{ord(letter):04x}" for letter in value) + '"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{escaped(key)}: {escaped(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(escaped, value)) + "]"
    return json.dumps(value)


def as_json(value):
    return json.dumps(value, indent=2)


def dressed(text, write):
    """A file as JSON: one object, or a List."""
    objects = manifests(text)
    return write(objects[0] if len(objects) == 1 else {"apiVersion": "v1", "kind": "List", "items": objects})


def examples():
    """The examples that are nothing but manifests, with the rules that are found of them."""
    for path in rule_files(directory("rules")):
        rule = load_data(path)
        for kind in ("bad", "good") if rule["name"] not in OF_TEXT else ():
            for number, example in enumerate(rule["examples"][kind]):
                plainly = not any(word in name for name in example["files"] for word in BY_NAME)
                # A comment of dralint's own counts, and one with the word that makes a file worth reading.
                words = any(word in str(example["files"]) for word in ("dralint", "# nvidia.com"))
                if plainly and not words and "before" not in example:
                    expected = [rule["name"]] if kind == "bad" else []
                    yield pytest.param(example, expected, id=f"{rule['name']}-{kind}-{number}")


@pytest.mark.parametrize(("example", "expected"), [*examples()])
def test_what_is_written_with_escapes_is_found(dralint, tmp_path, monkeypatch, example, expected):
    monkeypatch.chdir(tmp_path)
    for name, text in example["files"].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(dressed(text, escaped))
    ran = dralint("check", *example.get("args", ()), "--output-format", "json", ".")
    assert [each["name"] for each in json.loads(ran.out)["findings"]] == expected
