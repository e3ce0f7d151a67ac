"""The engine: facts in, findings out; a rule that fails, however it fails, costs only itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from dralint.cel import engines, predicates
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import KubeObject
from dralint.kube.read import parse
from dralint.lint import engine, facts
from dralint.lint.finding import Finding, Fix, Related, TextEdit
from dralint.lint.rule import Rule
from dralint.lint.rule_file import read_rule
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile
from dralint.yamltext.operations import Remove
from dralint.yamltext.view import get, plain

TWO = """\
apiVersion: v1
kind: Pod
metadata:
  name: first
spec:
  containers:
  - name: main
    image: a
---
apiVersion: v1
kind: Pod
metadata:
  name: second
  namespace: lab
spec:
  containers: []
"""


def facts_of_objects(run: Run, kinds: frozenset[str]) -> Iterator[Subject]:
    """Subjects for the tests of this file: objects with their name, home (a namespace) and containers."""
    for obj in run.bundle.objects:
        if "object" in kinds:
            known = {
                "name": obj.ref.name,
                "home": obj.ref.namespace,
                "containers": plain(get(obj.node, "spec", "containers")),
            }
            yield Subject("object", known, obj, obj.path, {"metadata": (obj, (*obj.path, "metadata"))})


@pytest.fixture(autouse=True)
def _facts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "subjects", facts_of_objects)


def rule(folder: Path, id_: str = "ACME001", *, drop: Sequence[str] = (), **keys: str) -> Rule:
    """A rule read from a file; keys are its YAML texts."""
    values = {
        "id": id_,
        "name": f"rule-{id_[-1]}",
        "layer": "advice",
        "severity": "warning",
        "summary": "Something",
        "why": "Because.",
        "subject": "object",
        "when": 'name == "first"',
        "message": '"{name} is wrong"',
        "at": "metadata.name",
        "words": "[kind]",
        "since": "1.0.0",
        "sources": "[x]",
        "examples": "{bad: [{files: {a: a}, line: 1}], good: [{files: {a: a}}]}",
        **keys,
    }
    path = folder / f"{id_}.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in values.items() if key not in drop))
    return read_rule(str(path))


def linted(
    rules: Iterable[Rule], *texts: str, fixes: bool = False, cel: str | None = None, stack: str | None = None
) -> list[Finding]:
    files = [
        parse(SourceFile(f"{name}.yaml", None, text.encode()))
        for name, text in zip("abc", texts or (TWO,), strict=False)
    ]
    run = Run(files, Bundle(files), Context.none(), make_target(stack=stack), fixes=fixes, engine=cel)
    return engine.lint(run, list(rules))


def short(findings: Iterable[Finding]) -> list[str]:
    return [
        f"{each.region.path}:{each.region.line}:{each.region.column}: {each.severity} {each.rule} {each.message}"
        for each in findings
    ]


def test_a_finding_has_all_that_reports_need(tmp_path: Path) -> None:
    (found,) = linted(
        [
            rule(
                tmp_path,
                hint="call {name} otherwise",
                related='[{at: "@metadata", message: "here is {name}"}]',
            )
        ]
    )
    assert (found.rule, found.name, found.layer, found.severity) == ("ACME001", "rule-1", "advice", "warning")
    assert found.message == "first is wrong"
    assert tuple(found.region) == ("a.yaml", 4, 3, 4, 14)
    assert found.object is not None
    assert found.object.name == "first"
    assert found.field == "metadata.name"
    assert found.related == (Related(found.related[0].region, "here is first"),)
    assert found.related[0].region.line == 3
    assert found.help == "call first otherwise"
    assert found.fix is None


def test_findings_are_sorted_by_path_line_column_and_rule(tmp_path: Path) -> None:
    rules = [
        rule(tmp_path, "ACME003", when='"true"', at="kind"),
        rule(tmp_path, "ACME002", when='"true"', at="kind"),
        rule(tmp_path, "ACME001", when='"true"', at="metadata"),
    ]
    places = [(*each.region[:3], each.rule) for each in linted(rules, TWO, TWO)]
    assert places == sorted(places)
    assert len(places) == 12


@pytest.mark.parametrize("cel", engines.NAMES)
def test_the_first_case_that_is_true_gives_the_severity(tmp_path: Path, cel: str) -> None:
    severity = "\n- {if: 'containers.size() == 0', is: info}\n- {if: home != null, is: error}\n- is: warning"
    found = linted([rule(tmp_path, when='"true"', severity=severity)], cel=cel)
    assert [each.severity for each in found] == ["warning", "info"]


def test_the_cases_are_judged_only_where_the_rule_fires(tmp_path: Path) -> None:
    severity = "\n- {if: 'containers[0].image == \"a\"', is: error}\n- is: info"
    assert [each.severity for each in linted([rule(tmp_path, severity=severity)])] == ["error"]


def test_a_case_that_fails_still_reports_the_finding(tmp_path: Path) -> None:
    severity = "\n- {if: 'containers[7].image == \"a\"', is: error}\n- is: info"
    found = linted([rule(tmp_path, severity=severity)])
    assert {each.name: each.severity for each in found} == {"rule-failed": "error", "rule-1": "info"}


FAILED = "the rule rule-1 (ACME001) failed"
FAILING = {
    "evaluation": {"when": "home.size() > 100"},
    "not a boolean": {"when": "name"},
    "unknown name": {"when": "nmae == 'first'"},
    "syntax": {"when": "name =="},
    "a hidden second": {"when": "true, false"},
    "type": {"when": "name + 1 == name"},
    "anchor": {"at": '"@nowhere"'},
    "no such check": {"check": "not_there"},
    "raises": {"check": "raises"},
    "no iterable": {"check": "nothing"},
    "no hit": {"check": "text"},
}


@pytest.fixture
def _checks(monkeypatch: pytest.MonkeyPatch) -> None:
    def raises(subject: Subject, run: Run) -> list[Hit]:
        raise ValueError("on\x1b[31m purpose\nsecond line")

    for name, function in {"raises": raises, "nothing": lambda *_: None, "text": lambda *_: ["x"]}.items():
        module = ModuleType(name)
        module.check = function  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, f"dralint.lint.checks.{name}", module)


@pytest.mark.usefixtures("_checks")
@pytest.mark.parametrize("case", FAILING)
@pytest.mark.parametrize("cel", engines.NAMES)
def test_a_rule_that_fails_is_named_and_the_others_report(tmp_path: Path, case: str, cel: str) -> None:
    keys = FAILING[case]
    bad = rule(tmp_path, "ACME002", drop=["when"] if "check" in keys else [], **keys)
    others = [rule(tmp_path, "ACME001"), rule(tmp_path, "ACME003", when='name == "second"')]
    alone = short(linted(others))
    found = linted([others[0], bad, others[1]], cel=cel)
    failed = [each for each in found if each.name == "rule-failed"]
    assert short(each for each in found if each.name != "rule-failed") == alone
    assert failed
    assert all("rule-2 (ACME002)" in each.message and each.severity == "error" for each in failed)
    assert all("\n" not in each.message for each in failed)


def test_a_rule_that_does_not_compile_is_reported_once_in_its_own_file(tmp_path: Path) -> None:
    found = linted([rule(tmp_path, when="|\n  name == 'first' &&\n    nmae != ''")], TWO, TWO)
    assert short(found) == [
        f"{tmp_path}/ACME001.yaml:10:5: error DRA001 {FAILED}: undeclared reference to 'nmae'",
    ]
    assert found[0].object is None


def test_a_case_that_does_not_compile_is_reported_where_it_stands(tmp_path: Path) -> None:
    severity = "\n- {if: 'nmae == 1', is: error}\n- is: info"
    found = linted([rule(tmp_path, severity=severity)])
    where = f"{tmp_path}/ACME001.yaml:5:9"
    assert short(found)[0] == f"{where}: error DRA001 {FAILED}: undeclared reference to 'nmae'"
    assert [each.name for each in found[1:]] == ["rule-1"]


def test_a_case_that_is_neither_true_nor_false_is_reported_too(tmp_path: Path) -> None:
    severity = "\n- {if: '1', is: error}\n- is: info"
    found = linted([rule(tmp_path, severity=severity)])
    assert {each.name for each in found} == {"rule-failed", "rule-1"}
    said = next(each.message for each in found if each.name == "rule-failed")
    assert said.endswith(f"it gives a int, not true or false [{tmp_path}/ACME001.yaml:5:4]")


def test_a_case_is_compiled_where_a_rule_fires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    severity = "\n- {if: 'home == null', is: error}\n- is: info"
    check(monkeypatch, [])
    monkeypatch.setattr(predicates, "Predicates", None)
    assert linted([rule(tmp_path, severity=severity, drop=["when"], check="hits")]) == []


def test_a_rule_for_a_stack_counts_only_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standalone = rule(tmp_path, stack="standalone")
    monkeypatch.setattr(facts, "subjects", None)
    assert linted([standalone]) == []
    monkeypatch.undo()
    monkeypatch.setattr(facts, "subjects", facts_of_objects)
    assert len(linted([standalone], stack="standalone")) == 1


@pytest.mark.parametrize("cel", engines.NAMES)
def test_syntax_that_only_one_engine_knows_is_reported(tmp_path: Path, cel: str) -> None:
    severity = "\n- {if: 'containers.reduce(a, b, 0, a + b) == 1', is: error}\n- is: info"
    found = linted([rule(tmp_path, severity=severity)], cel=cel)
    assert [each.name for each in found] == ["rule-failed", "rule-1"]


def test_a_rule_that_fails_on_many_objects_is_reported_once_per_file(tmp_path: Path) -> None:
    found = linted([rule(tmp_path, when="containers[0].zone == 1")], TWO.replace("[]", "[{}]"), TWO)
    what = f'{FAILED} here: Key not found in map : "zone"; and in 1 more place of this file'
    where = f"[{tmp_path}/ACME001.yaml:8:1]"
    assert short(found) == [f"{name}:1:1: error DRA001 {what} {where}" for name in ("a.yaml", "b.yaml")]


@pytest.mark.parametrize("cel", engines.NAMES)
def test_a_rule_over_the_budget_is_not_judged(tmp_path: Path, cel: str) -> None:
    loop = "containers.all(a, containers.all(b, containers.all(c, true)))"
    many = TWO.replace("containers: []", f"containers: [{', '.join(['{name: x}'] * 40)}]")
    found = linted([rule(tmp_path, when=loop), rule(tmp_path, "ACME002")], many, cel=cel)
    assert [(each.name, each.severity, each.region.line) for each in found] == [
        ("rule-1", "warning", 4),
        ("rule-2", "warning", 4),
        ("not-judged", "info", 10),
    ]
    assert found[-1].message == (
        "the rule rule-1 (ACME001) was not judged here: it takes more than 10,000 loop steps"
    )


def check(monkeypatch: pytest.MonkeyPatch, hits: Iterable[Hit]) -> None:
    module = ModuleType("hits")
    module.check = lambda subject, run: hits if subject.facts["name"] == "first" else ()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "dralint.lint.checks.hits", module)


def test_a_check_gives_hits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hits = [
        Hit(),
        Hit("spec.containers[0].image", {"name": "image"}, "info"),
        Hit(("spec", "containers", 0), {"name": "path"}),
        Hit("@metadata.name", {"name": "anchor"}, "error"),
        Hit("spec.nothing.here", {"name": "absent"}),
    ]
    check(monkeypatch, hits)
    found = linted([rule(tmp_path, drop=["when"], check="hits")])
    assert [(each.message, each.severity, each.region.line, each.field) for each in found] == [
        ("anchor is wrong", "error", 4, "metadata.name"),
        ("first is wrong", "warning", 4, "metadata.name"),
        ("absent is wrong", "warning", 5, "spec.nothing.here"),
        ("path is wrong", "warning", 7, "spec.containers[0]"),
        ("image is wrong", "info", 8, "spec.containers[0].image"),
    ]


def test_related_places_may_lie_in_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = parse(SourceFile("context.yaml", None, TWO.encode())).objects[1]
    check(monkeypatch, [Hit(related=((other, ("metadata", "name"), "there"),))])
    (found,) = linted([rule(tmp_path, drop=["when"], check="hits")])
    assert found.related[0].message == "there"
    assert tuple(found.related[0].region) == ("context.yaml", 13, 3, 13, 15)


def test_nothing_is_reported_in_a_file_that_was_not_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other: KubeObject = parse(SourceFile("context.yaml", None, TWO.encode())).objects[1]

    def subjects(run: Run, kinds: frozenset[str]) -> Iterator[Subject]:
        for subject in facts_of_objects(run, kinds):
            subject.anchors["claim"] = (other, ("metadata",))
            yield subject

    monkeypatch.setattr(facts, "subjects", subjects)
    (found,) = linted([rule(tmp_path, at='"@claim.name"')])
    assert tuple(found.region)[:2] == ("a.yaml", 1)


def test_the_same_finding_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(monkeypatch, [Hit(), Hit(), Hit(values={"name": "other"})])
    found = linted([rule(tmp_path, drop=["when"], check="hits")])
    assert [each.message for each in found] == ["first is wrong", "other is wrong"]


FIXES = {
    "rename": ("{rename: metadata.name, to: 'x-{name}'}", "name: first", "x-first: first"),
    "replace": ("{replace: metadata.name, value: 'new-{name}'}", "name: first", "name: new-first"),
    "remove": ("{remove: 'spec.containers[0].image'}", "    image: a\n", ""),
    "put": (
        "{put: metadata, key: namespace, value: lab}",
        "name: first\n",
        "name: first\n  namespace: lab\n",
    ),
}


@pytest.mark.parametrize("case", FIXES)
def test_operations_of_a_rule_file_become_text_edits(tmp_path: Path, case: str) -> None:
    operation, old, new = FIXES[case]
    fixed = rule(tmp_path, fix=f"{{applicability: safe, title: do it, operations: [{operation}]}}")
    text = "# a comment\n---\n" + TWO
    (found,) = linted([fixed], text, fixes=True)
    assert found.fix is not None
    assert found.fix.applicability == "safe"
    assert found.help == "do it"
    for edit in reversed(found.fix.edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert text == "# a comment\n---\n" + TWO.replace(old, new, 1)


def test_operations_of_a_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    operation = Remove(0, ("spec", "containers", 0, "image"))
    check(monkeypatch, [Hit(operations=(operation,), applicability="unsafe")])
    start = TWO.index("    image: a\n")
    bad = rule(tmp_path, drop=["when"], check="hits", fix="{applicability: safe, title: do it}")
    (found,) = linted([bad], fixes=True)
    assert found.fix == Fix("unsafe", (TextEdit(start, start + len("    image: a\n"), ""),))


def test_a_fix_that_cannot_be_made_safely_is_none(tmp_path: Path) -> None:
    text = TWO.replace("metadata:\n  name: first", "metadata: &m\n  name: first\nother: *m")
    fix = "{applicability: safe, title: do it, operations: [{remove: metadata.name}]}"
    (found,) = linted([rule(tmp_path, fix=fix)], text, fixes=True)
    assert found.fix is None


def test_edits_are_made_only_when_asked_for(tmp_path: Path) -> None:
    fix = "{applicability: safe, title: do it, operations: [{remove: metadata.name}]}"
    (found,) = linted([rule(tmp_path, fix=fix)])
    assert found.fix is None


def test_only_the_kinds_of_the_rules_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[frozenset[str]] = []

    def subjects(run: Run, kinds: frozenset[str]) -> Iterator[Subject]:
        asked.append(kinds)
        yield from ()

    monkeypatch.setattr(facts, "subjects", subjects)
    assert linted([rule(tmp_path), rule(tmp_path, "ACME002", subject="claim")]) == []
    assert asked == [{"object", "claim"}]


def test_without_subjects_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predicates, "Predicates", None)
    assert linted([rule(tmp_path, subject="claim")]) == []


def test_a_rule_whose_words_stand_nowhere_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "[nowhere, elsewhere]"
    assert linted([rule(tmp_path, words=words)]) == []
    assert len(linted([rule(tmp_path, words=words), rule(tmp_path, "ACME002")])) == 1
    assert len(linted([rule(tmp_path, words=words)], TWO, TWO + "# elsewhere\n")) == 2
    assert len(linted([rule(tmp_path, words=words)], TWO + '# "\\x6eowhere"\n')) == 1
    monkeypatch.setattr(facts, "subjects", None)
    assert linted([rule(tmp_path, words=words)]) == []


def test_files_without_a_word_of_a_rule_need_neither_facts_nor_cel(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(TWO)
    program = """
import sys
from dralint.cli.main import run
assert run(["check", "--quiet", sys.argv[1]]) == 0
print({"cel_expr_python", "dralint.lint.facts", "jsonschema", "celpy"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.yaml")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
