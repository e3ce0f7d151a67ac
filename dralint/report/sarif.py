"""Findings as SARIF 2.1.0, for code scanning: schemas/sarif.schema.json says what of SARIF stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dralint import __version__
from dralint.errors import DralintError
from dralint.lint.finding import Finding, Region
from dralint.lint.rule import OWN, Rule
from dralint.report.fingerprint import fingerprints
from dralint.report.indented import indented
from dralint.report.located import repository_path
from dralint.report.parts import object_data, source_data, target_data
from dralint.report.sarif_places import ROOT, Data, artifact, location, message, physical, replacement
from dralint.report.sarif_rules import LEVELS, descriptor
from dralint.yamltext.text import SourceText

if TYPE_CHECKING:
    from dralint.nvidia.target import Target

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def _related(finding: Finding, root: str) -> Iterator[Data]:
    places = [(each.region, each.message) for each in finding.related]
    if finding.source is not None:
        places.insert(0, (finding.region, "the rendered text"))
    for number, (region, said) in enumerate(places, 1):
        yield {"id": number, "physicalLocation": physical(region, root), "message": message(said)}


def _fix(finding: Finding, title: str, text: SourceText | None, root: str) -> Data | None:
    fix = finding.fix
    if fix is None or text is None or not fix.edits:
        return None
    change = {
        "artifactLocation": artifact(repository_path(finding.region.path, root)),
        "replacements": [replacement(edit, text) for edit in fix.edits],
    }
    said = title or finding.help or finding.message
    return {
        "description": message(
            f"{said} (unsafe: look at it first)" if fix.applicability == "unsafe" else said
        ),
        "artifactChanges": [change],
        "properties": {"applicability": fix.applicability},
    }


def _result(finding: Finding, index: int, title: str, text: SourceText | None, root: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": LEVELS[finding.severity],
        "message": message(finding.message, finding.help),
        "locations": [location(finding, root)],
        "properties": {
            "layer": finding.layer,
            "object": object_data(finding.object),
            "field": finding.field,
            "source": source_data(finding.source),
        },
    }
    related = list(_related(finding, root))
    if related:
        result["relatedLocations"] = related
    fix = _fix(finding, title, text, root)
    if fix:
        result["fixes"] = [fix]
    return result


def _notification(problem: DralintError, root: str) -> Data:
    data: dict[str, Any] = {"level": "error", "message": message(problem.what, problem.advice)}
    place = problem.place
    if place is not None:
        if place.line is None:
            where: Data = {"artifactLocation": artifact(repository_path(place.path, root))}
        else:
            column = place.column or 1
            where = physical(Region(place.path, place.line, column, place.line, column), root)
        data["locations"] = [{"physicalLocation": where}]
    return data


def _known(findings: Sequence[Finding], rules: Sequence[Rule]) -> list[Rule]:
    """The rules that ran, and those by which dralint tells of itself where it did."""
    found = {finding.rule for finding in findings}
    return [*(rule for rule in OWN if rule.id in found), *rules]


def report(
    findings: Sequence[Finding],
    texts: Mapping[str, SourceText],
    target: Target,
    rules: Sequence[Rule],
    problems: Sequence[DralintError],
    root: str,
    category: str = "",
) -> str:
    """The JSON text, in ASCII.

    texts     the files' texts by name, for the edits of fixes
    rules     those that ran
    root      the absolute path of the work tree's root; files are named from there
    category  tells runs on one commit apart, such as one for each chart
    """
    known = _known(findings, rules)
    index = {rule.id: number for number, rule in enumerate(known)}
    titles = {rule.id: rule.fix.title for rule in known if rule.fix}
    results = []
    for finding, fingerprint in zip(findings, fingerprints(findings, root), strict=True):
        text = texts.get(finding.region.path)
        result = _result(finding, index[finding.rule], titles.get(finding.rule, ""), text, root)
        results.append({**result, "partialFingerprints": {"dralint/v1": fingerprint}})
    run = {
        "tool": {
            "driver": {
                "name": "dralint",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [descriptor(rule) for rule in known],
            }
        },
        "automationDetails": {"id": f"dralint/{category}/" if category else "dralint/"},
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolExecutionNotifications": [_notification(problem, root) for problem in problems],
            }
        ],
        "originalUriBaseIds": {ROOT: {"description": {"text": "The root of the git work tree"}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {"target": target_data(target), "assumptions": target.assumptions()},
    }
    return indented({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})
