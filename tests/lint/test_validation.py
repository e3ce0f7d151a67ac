"""What an API server says of manifests: accepted without an error of layer api, or refused at the right field."""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from pathlib import Path

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.engine import lint
from dralint.lint.rules import load_rules
from dralint.lint.run import Run
from dralint.lint.select import select
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile
from dralint.yamltext.load import load_data

HERE = Path(__file__).parent / "validation"
# The least share of cases that get the answer of the API server, at the right field.
SHARE = 0.97
EXCEPTIONS = load_data(str(HERE / "exceptions.yaml"))
ELSEWHERE = load_data(str(HERE / "elsewhere.yaml"))
OWN = load_data(str(HERE / "own.yaml"))
# The API server accepts them, and yet they do not do what was meant.
ACCEPTED = {
    "val-033": "claim-device-limit",
    "val-084": "constraint-both-attributes",
    "val-172": "taint-rule-selects",
    "val-173": "taint-rule-selects",
}


def _cases(path):
    return json.loads(path.read_text())


@cache
def _rules(layers):
    return select(load_rules(), layers, (), migration=False)


def _check(objects, kubernetes, gates=(), layers=("api",)):
    """What the rules of some layers find in objects, as `check --select` does."""
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
    files = [parse(SourceFile("it.json", None, text.encode()))]
    target = make_target(kubernetes, gates=[f"kubernetes:{gate}=true" for gate in gates])
    return lint(Run(files, Bundle(files), Context.none(), target), _rules(layers))


def _of_case(case, layers=("api",)):
    """Findings of a case's object, in its namespace where the case has labels for that."""
    objects = [case["object"]]
    if "namespaceLabels" in case:
        metadata = {"name": case["object"]["metadata"]["namespace"], "labels": case["namespaceLabels"]}
        objects.append({"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})
    # What was not executed on 1.36 was read from the code of 1.37.
    return _check(objects, "1.36" if "executed" in case else "1.37", case.get("gates", ()), layers)


def _dotted(field):
    """A path with map keys and indexes written alike: Kubernetes puts keys of maps in brackets."""
    return re.sub(r"\[([^\]]*)\]", r".\1", field or "")


def _at_or_in(field, wanted):
    return _dotted(field) == _dotted(wanted) or _dotted(field).startswith(f"{_dotted(wanted)}.")


def _is_right(case, error):
    """At the field the case names, or one the API server named when it was executed, or inside it."""
    if case["id"] in ELSEWHERE:
        other = ELSEWHERE[case["id"]]
        return (error.object.kind, error.field) == (other["kind"], other["field"])
    causes = case.get("executed", {}).get("causes", [])
    fields = [field for field in (case.get("field"), *(each["field"] for each in causes)) if field]
    return any(_at_or_in(error.field, field) for field in fields)


def _judged(cases):
    """The cases with another answer than the API server's, and the rules that gave an error at all."""
    wrong, names = {}, set()
    for case in cases:
        errors = [each for each in _of_case(case) if each.severity == "error"]
        names.update(each.name for each in errors)
        refused = bool(errors) and all(_is_right(case, each) for each in errors)
        if (not errors) if case["expect"] == "valid" else refused:
            continue
        wrong[case["id"]] = (case["what"], [(each.name, each.field) for each in errors])
    return wrong, names


def _assert_all_right(wrong, cases):
    """Wrong are the exceptions and no others; an exception that has become right is taken off the list."""
    known = {case["id"] for case in cases if case["id"] in EXCEPTIONS}
    assert {name: what for name, what in wrong.items() if name not in known} == {}
    assert known - wrong.keys() == set()


def test_the_answers_of_an_api_server():
    cases = _cases(HERE / "validation.json")
    wrong, _ = _judged(cases)
    _assert_all_right(wrong, cases)


def test_the_answers_in_the_tests_of_kubernetes(shared):
    cases = _cases(shared / "cases" / "validation-upstream.json")
    wrong, _ = _judged(cases)
    _assert_all_right(wrong, cases)


def test_the_copy_of_the_cases_is_current(shared):
    assert _cases(HERE / "validation.json") == _cases(shared / "cases" / "validation.json")


def test_the_share_of_right_answers(shared):
    cases = _cases(HERE / "validation.json") + _cases(shared / "cases" / "validation-upstream.json")
    wrong, _ = _judged(cases)
    assert len(wrong) <= (1 - SHARE) * len(cases)


def test_what_is_accepted_and_yet_not_meant():
    cases = {case["id"]: case for case in _cases(HERE / "validation.json")}
    for name, rule in ACCEPTED.items():
        found = _of_case(cases[name], ("runtime", "advice"))
        assert rule in {each.name for each in found}, name


def _repeated(case):
    """The object of an own case, with the last item of a list written several times more under new names."""
    manifest = copy.deepcopy(case["object"])
    if "repeat" in case:
        items = manifest
        for step in case["repeat"]["field"]:
            items = items[step]
        for number in range(case["repeat"]["times"]):
            item = dict(items[0])
            if "name" in item:
                item["name"] = f"{item['name']}-{number}"
            items.append(item)
    return manifest


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["what"].replace(" ", "-"))
def test_what_no_case_of_kubernetes_shows(case):
    found = _check([_repeated(case)], case.get("kubernetes", "1.36"))
    assert [(each.name, each.severity) for each in found] == [(case["rule"], "error")]
    assert _dotted(found[0].field) == _dotted(case["field"])


def test_every_rule_about_the_api_is_shown_by_a_case(shared):
    cases = _cases(HERE / "validation.json") + _cases(shared / "cases" / "validation-upstream.json")
    _, shown = _judged(cases)
    shown |= {case["rule"] for case in OWN}
    ours = {rule.name for rule in load_rules() if rule.layer == "api" and rule.id.startswith("DRA1")}
    assert ours - shown == set()
