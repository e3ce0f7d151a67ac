"""SARIF: whole outputs as snapshots, valid against dralint's own schema of the part of SARIF it writes."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource
from syrupy.assertion import SnapshotAssertion

from dralint import __version__
from dralint.lint.finding import Severity
from dralint.lint.rule import OWN, Case, FixSpec, Rule
from dralint.lint.rules import load_rules
from dralint.nvidia.target import Target, make_target
from dralint.report.fingerprint import fingerprints
from dralint.report.sarif import report
from dralint.report.sarif_help import markdown
from dralint.resources import directory
from tests.report.findings import FILES, FINDINGS
from tests.report.hostile import EVIL, HOSTILE, NAMES, PROBLEMS, TEXTS

RULE = """\
id: ACME001
name: acme-rule
layer: advice
severity: [{if: object.name == "a", is: error}, {is: info}]
summary: A rule of the team's own
why: "Because a fence such as ```` in an example must not end the code block."
subject: object
when: object.name == "bad"
message: m
fix: {applicability: safe, title: Call it otherwise, operations: [{remove: metadata.name}]}
words: [apiVersion]
since: 1.0.0
sources: [a page, "https://example.com/page"]
examples:
  bad:
  - {files: {a.yaml: "name: bad\\n", b.yaml: "# ````\\n"}, args: [--migration], line: 1}
  good: [{files: {a.yaml: "name: good\\n"}}]
"""


def validator() -> Draft202012Validator:
    schemas = [json.loads(Path(directory("schemas"), f"{name}.schema.json").read_text(encoding="utf-8"))
               for name in ("sarif", "check")]  # fmt: skip
    for schema in schemas:
        Draft202012Validator.check_schema(schema)
    registry: Any = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas
    )
    return Draft202012Validator(schemas[0], registry=registry)


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The root of the work tree; the current directory lies in it."""
    (tmp_path / "tree" / "sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "tree" / "sub")
    return str(tmp_path / "tree")


def ran(id_: str, layer: str, severity: Severity = "error", fix: FixSpec | None = None) -> Rule:
    cases = (Case("object.name == 'a'", "info"), Case(None, severity))
    why = "Why it matters,\n  in two lines."
    return Rule(id_, f"name-of-{id_.lower()}", layer, cases, "A summary", why, "object", "true", None, "m",
                fix=fix, since="0.1.0")  # fmt: skip


RULES = [
    ran("DRA102", "api"),
    ran("DRA105", "runtime", "warning"),
    ran("DRA107", "api", fix=FixSpec("unsafe", "Call it otherwise")),
    ran("DRA401", "advice", "info"),
]


def target() -> Target:
    return make_target("1.36", "0.5.1", "580", "standalone", ["driver:MPSSupport=true"])


def made(findings: list[Any], texts: Any, problems: list[Any], root: str, category: str = "") -> Any:
    """The log, without what changes with a release."""
    log = json.loads(report(findings, texts, target(), RULES, problems, root, category))
    validator().validate(log)
    driver = log["runs"][0]["tool"]["driver"]
    assert driver.pop("version") == driver.pop("semanticVersion") == __version__
    return log


def test_sarif(root: str, snapshot: SnapshotAssertion) -> None:
    own = [finding for finding in FINDINGS if finding.rule != "DRA002"]
    assert json.dumps(made(own, FILES, PROBLEMS[:1], root), indent=2) == snapshot


def test_hostile_names(root: str, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(made(HOSTILE, TEXTS, PROBLEMS, root, "chart a"), indent=2) == snapshot


def test_nothing_found(root: str) -> None:
    (run,) = made([], {}, [], root)["runs"]
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"]
    assert len(run["tool"]["driver"]["rules"]) == 4


def test_an_index_leads_to_the_rule(root: str) -> None:
    (run,) = made([*HOSTILE, *FINDINGS], TEXTS | FILES, [], root)["runs"]
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_uris_lead_to_the_files(root: str) -> None:
    (run,) = made(HOSTILE, TEXTS, [], root)["runs"]
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"] for each in run["results"]]
    found = [os.fsdecode(unquote_to_bytes(place["uri"])) for place in places]
    assert found == [
        f"sub/{NAMES[0]}", f"sub/{NAMES[1]}", f"sub/{NAMES[1]}",
        f"demo/templates/{EVIL}.yaml", "file:///outside/rules [1]/mine.yaml",
    ]  # fmt: skip
    assert [place.get("uriBaseId") for place in places] == ["%SRCROOT%"] * 4 + [None]


def test_edits_are_places_in_the_text(root: str) -> None:
    (run,) = made(HOSTILE[:1], TEXTS, [], root)["runs"]
    (fix,) = run["results"][0]["fixes"]
    (edit,) = fix["artifactChanges"][0]["replacements"]
    region = edit["deletedRegion"]
    line = TEXTS[NAMES[0]].text.split("\n")[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "🚀 x"
    assert edit["insertedContent"]["text"] == "a\r\n"
    assert fix["description"]["text"].endswith("(unsafe: look at it first)")


def test_names_make_no_links(root: str) -> None:
    (run,) = made(HOSTILE, TEXTS, PROBLEMS, root)["runs"]
    for result in run["results"]:
        for place in [result, *result.get("relatedLocations", [])]:
            assert "](" not in place["message"]["text"]


def test_help_comes_from_the_rule_file(root: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ACME001.yaml").write_text(RULE)
    (rule,) = [each for each in load_rules([str(tmp_path / "rules")]) if each.id == "ACME001"]
    log = json.loads(report([], {}, target(), [rule], [], root))
    validator().validate(log)
    (descriptor,) = log["runs"][0]["tool"]["driver"]["rules"]
    assert descriptor == snapshot


def test_every_rule_has_help(root: str) -> None:
    rules = load_rules()
    log = json.loads(report([], {}, target(), rules, [], root))
    validator().validate(log)
    descriptors = log["runs"][0]["tool"]["driver"]["rules"]
    assert [each["id"] for each in descriptors] == [rule.id for rule in rules]
    for each in descriptors:
        assert "### Bad" in each["help"]["markdown"]
        assert "### Good" in each["help"]["markdown"]


def test_a_rule_of_the_engine_has_no_examples() -> None:
    assert markdown(OWN[0], {}) == OWN[0].why


@pytest.mark.parametrize("key", ["message", "locations", "partialFingerprints", "ruleIndex"])
def test_the_schema_would_notice_a_key_that_is_missing(key: str, root: str) -> None:
    log = json.loads(report(HOSTILE[4:], {}, target(), [], [], root))
    validator().validate(log)
    del log["runs"][0]["results"][0][key]
    with pytest.raises(ValidationError):
        validator().validate(log)


def test_fingerprints_do_not_know_lines_but_all_else(root: str) -> None:
    def one(**changes: Any) -> str:
        (found,) = fingerprints([dataclasses.replace(HOSTILE[0], **changes)], root)
        return found

    known, region, ref = one(), HOSTILE[0].region, HOSTILE[0].object
    assert ref is not None
    same = [
        {"region": region._replace(line=90, column=1, end_line=91)},
        {"message": "said otherwise"},
        {"severity": "info"},
        {"object": ref._replace(api_version="v1beta1")},
    ]
    other = [
        {"rule": "DRA999"},
        {"region": region._replace(path="elsewhere.yaml")},
        {"object": ref._replace(name="b")},
        {"object": ref._replace(namespace=None)},
        {"object": ref._replace(kind="Job")},
        {"object": None},
        {"field": "spec"},
        {"field": None},
        {"source": HOSTILE[3].source},
    ]
    assert {one(**changes) for changes in same} == {known}
    assert len({known, *(one(**changes) for changes in other)}) == 1 + len(other)
    twins = fingerprints(HOSTILE[1:3], root)
    assert twins[0] != twins[1]
