"""A team's rule files: valid ones load, others are refused with file, line, column and what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from dralint.errors import Place, RuleError
from dralint.lint.rule import OWN, Case, FixSpec, RelatedSpec
from dralint.lint.rule_file import examples, place, read_rule
from dralint.lint.rules import load_rules, rule_files
from dralint.resources import directory
from dralint.yamltext.load import load_data

RULE = """\
id: ACME001
name: image-from-registry
layer: advice
severity:
  - if: object.namespace == "prod"
    is: error
  - is: warning
summary: The image does not come from our registry
why: Other registries are not scanned.
subject: object
when: |
  object.kind == "Pod" &&
    object.name != null
message: "{object.name} uses another registry"
hint: use registry.example
at: spec.containers
related:
  - {at: metadata.name, message: this pod}
needs: [context]
words: [image]
fix:
  applicability: unsafe
  title: Remove it
  operations:
    - {remove: spec.containers}
since: 1.0.0
sources: [our handbook]
examples:
  bad:
    - files: {a.yaml: "kind: Pod"}
      line: 1
  good:
    - files: {a.yaml: "kind: Job"}
"""


def written(folder: Path, text: str, name: str = "rule.yaml") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_a_valid_rule(tmp_path: Path) -> None:
    rule = read_rule(written(tmp_path, RULE))
    assert (rule.id, rule.name, rule.layer, rule.subjects) == (
        "ACME001",
        "image-from-registry",
        "advice",
        ("object",),
    )
    assert rule.severity == (Case('object.namespace == "prod"', "error"), Case(None, "warning"))
    assert rule.related == (RelatedSpec("metadata.name", "this pod"),)
    assert rule.fix == FixSpec("unsafe", "Remove it", ({"remove": "spec.containers"},))
    assert rule.words == ("image",)


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "what"),
    [
        (
            "layer: advice",
            "layer: advise",
            3,
            1,
            "'advise' is not one of ['api', 'runtime', 'migration', 'advice']",
        ),
        ("name: image-from-registry", "name: Image", 2, 1, "'Image' does not match"),
        ("is: error", "is: fatal", 6, 5, "'fatal' is not one of ['error', 'warning', 'info']"),
        ("subject: object\n", "", 1, 1, "the key subject is missing"),
        ("since: 1.0.0", "since: 1.0", 26, 1, "1.0 is no text; put it in quotes"),
        ("hint: use", "hints: use", 15, 1, "unknown key hints; did you mean hint?"),
        ('message: "', 'check: other\nmessage: "', 1, 1, "a rule has either `when` or `check`"),
        ("{remove: spec.containers}", "{delete: spec}", 25, 8, "unknown key delete; known are"),
        ("hint: use", "zzz: use", 15, 1, "unknown key zzz; known are at, check, examples, fix, hint, id"),
        ("subject: object", "subject: objects", 10, 1, "there is no subject 'objects'"),
        ("id: ACME001", "id: DRA901", 1, 1, "the id DRA901 is one of dralint's own"),
        ("line: 1", "line: 0", 31, 7, "0 is less than the minimum of 1"),
        ("why:", "id: ACME002\nwhy:", 1, 1, "the key 'id' stands twice in one mapping"),
        ("why:", "why: [", 10, 8, "not valid YAML"),
        (RULE, "", 1, 1, "null is no mapping"),
        (RULE, "- a\n", 1, 1, "['a'] is no mapping"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, old: str, new: str, line: int, column: int, what: str
) -> None:
    file = written(tmp_path, RULE.replace(old, new, 1))
    with pytest.raises(RuleError) as raised:
        read_rule(file)
    assert what in raised.value.what
    assert raised.value.place == Place(file, line, column)


@pytest.mark.parametrize(
    ("when", "position"),
    [
        ("when: a && b", (1, 12)),
        ('when: "a && b"', (1, 13)),
        ("when: 'a && b'", (1, 13)),
        ("when: |\n  a && b", (2, 8)),
        ("when: |-\n\n    a && b", (3, 10)),
        ("when: >-\n  a &&\n  b", (1, 7)),
        ("when: a &&\n  b", (1, 7)),
    ],
)
def test_a_place_inside_an_expression(tmp_path: Path, when: str, position: tuple[int, int]) -> None:
    file = written(tmp_path, when)
    line, column = (2, 6) if "\n\n" in when else (1, 6)
    assert place(file, ("when",), line, column) == Place(file, *position)


def test_what_may_be_left_out(tmp_path: Path) -> None:
    """What says nothing in a team's rule; dralint's own have it all."""
    least = (
        "id: ACME001\nname: a\nseverity: info\nsummary: s\nsubject: [pod, claim]\nwhen: 'true'\nmessage: m\n"
    )
    rule = read_rule(written(tmp_path, least))
    assert (rule.layer, rule.why, rule.words, rule.since, rule.sources) == ("advice", "", (), "", ())
    assert rule.subjects == ("pod", "claim")
    assert examples(rule) == {}
    for data in (load_data(file) for file in rule_files(directory("rules"))):
        assert {"layer", "why", "since", "sources", "examples"} <= set(data)  # type: ignore[arg-type]
        assert {"words", "marks"} & set(data)  # type: ignore[arg-type]


def test_a_broken_file_costs_only_itself(tmp_path: Path) -> None:
    written(tmp_path, RULE.replace("layer: advice", "layer: other"), "a.yaml")
    written(tmp_path, RULE, "b.yml")
    written(tmp_path, RULE.replace("image-from-registry", "again"), "c.yaml")
    written(tmp_path, "not a rule", "README.md")
    problems: list[RuleError] = []
    names = [rule.name for rule in load_rules([str(tmp_path)], problems)]
    assert "image-from-registry" in names
    assert "again" not in names
    assert [str(problem.place).rpartition("/")[2] for problem in problems] == ["a.yaml:3:1", "c.yaml:1:1"]
    assert problems[1].what == f"the id ACME001 is taken by {tmp_path / 'b.yml'}"
    with pytest.raises(RuleError):
        load_rules([str(tmp_path)])


def test_a_name_of_dralint_is_taken(tmp_path: Path) -> None:
    file = written(tmp_path, RULE.replace("image-from-registry", "rule-failed"))
    with pytest.raises(RuleError, match="the name rule-failed is taken by dralint itself") as raised:
        load_rules([str(tmp_path)])
    assert raised.value.place == Place(file, 2, 1)


def test_a_directory_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="No such file or directory"):
        load_rules([str(tmp_path / "none")])


def schema() -> Any:
    with open(f"{directory('schemas')}/rule.schema.json", encoding="utf-8") as file:
        return json.load(file)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("file", rule_files(directory("rules")), ids=lambda file: Path(file).stem)
def test_rules_that_come_with_dralint(file: str) -> None:
    data: Any = load_data(file)
    Draft202012Validator(schema()).validate(data)
    assert Path(file).stem == data["id"]
    assert list(data)[-1] == "examples", "checking stops reading a rule file at its examples"
    if "check" in data:
        assert data["check"] == data["name"].replace("-", "_")


def test_the_fast_way_reads_what_the_schema_has_validated() -> None:
    from dralint.lint.rule import from_data

    for rule in load_rules():
        data: Any = load_data(rule.file)
        assert rule == from_data(data, rule.file)


def test_ids_and_names_are_taken_once() -> None:
    rules = [*OWN, *load_rules()]
    assert len({rule.id for rule in rules} | {rule.name for rule in rules}) == 2 * len(rules)
    assert [rule.id for rule in rules] == sorted(rule.id for rule in rules)


def test_checking_needs_no_json_schema() -> None:
    program = "import sys; from dralint.lint.rules import load_rules; load_rules(); print('jsonschema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
