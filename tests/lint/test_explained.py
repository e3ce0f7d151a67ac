"""A document that cannot be read because of its separator: the finding counts, not the parser's error."""

from __future__ import annotations

import json

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: nvidia.com}\n"


def check(dralint, path, *arguments):
    ran = dralint("check", path, *arguments, "--output-format", "json")
    return ran, [each["name"] for each in json.loads(ran.out)["findings"]]


def test_the_finding_takes_the_place_of_the_error(dralint, tmp_path):
    path = tmp_path / "pods.yaml"
    path.write_text(f"{POD}-----\n{POD}")
    ran, found = check(dralint, path)
    assert (ran.code, found) == (1, ["separator-malformed"])
    assert "could not find" not in ran.err


def test_without_the_rule_the_error_stays(dralint, tmp_path):
    path = tmp_path / "pods.yaml"
    path.write_text(f"{POD}...\n{POD}")
    ran, found = check(dralint, path, "--ignore", "document-lost-after-dots")
    assert (ran.code, found) == (2, [])
    assert "pods.yaml:5:1" in ran.err


def test_another_document_s_error_stays(dralint, tmp_path):
    path = tmp_path / "pods.yaml"
    path.write_text(f"{POD}...\n{POD}---\nnvidia.com: [\n")
    ran, found = check(dralint, path)
    assert (ran.code, found) == (2, ["document-lost-after-dots"])
