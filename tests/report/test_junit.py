"""JUnit XML: whole outputs as snapshots, valid against the schema that is published."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from syrupy.assertion import SnapshotAssertion

from dralint.report.junit import report
from dralint.resources import directory
from tests.report.findings import FINDINGS
from tests.report.hostile import FILES, HOSTILE, PROBLEMS

GRAVE = ("error", "warning")


@pytest.fixture(scope="module")
def schema() -> Any:
    return xmlschema.XMLSchema10(str(Path(directory("schemas"), "junit.xsd")))


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return str(tmp_path)


def test_junit(root: str, schema: Any, snapshot: SnapshotAssertion) -> None:
    text = report(["deploy/pod.yaml", "deploy/clean.yaml"], FINDINGS, PROBLEMS[:1], GRAVE, root)
    schema.validate(text)
    assert text == snapshot


def test_hostile_names(root: str, schema: Any, snapshot: SnapshotAssertion) -> None:
    text = report(FILES, HOSTILE, PROBLEMS, GRAVE, root)
    schema.validate(text)
    assert text.isascii()
    assert text == snapshot


def test_markup_in_names_is_text(root: str) -> None:
    top = ET.fromstring(report(FILES, HOSTILE, PROBLEMS, GRAVE, root))
    assert {element.tag for element in top.iter()} == {
        "testsuites", "testsuite", "testcase", "failure", "error", "system-out"
    }  # fmt: skip
    (told,) = [
        case for case in top.iter("testcase") if case.get("line") == "2" and "%" in case.attrib["file"]
    ]
    assert "<b a='1'>&\"]]>" in told.attrib["name"]
    assert "<b a='1'>&\"]]>" in told[0].attrib["message"]
    assert "<b a='1'>&\"]]>" in (told[0].text or "")


@pytest.mark.parametrize(
    ("grave", "failures"),
    [(("error", "warning", "info"), 5), (GRAVE, 4), (("error",), 3), ((), 0)],
)
def test_what_fails_the_run_is_a_failure(grave: tuple[str, ...], failures: int, root: str) -> None:
    top = ET.fromstring(report(FILES, HOSTILE, PROBLEMS, grave, root))
    assert (top.get("tests"), top.get("failures"), top.get("errors")) == ("10", str(failures), "4")
    assert len(list(top.iter("failure"))) == failures
    assert len(list(top.iter("system-out"))) == len(HOSTILE) - failures
    for name in ("tests", "failures", "errors"):
        assert sum(int(suite.attrib[name]) for suite in top) == int(top.attrib[name])


def test_a_clean_file_is_a_case_that_passes(root: str, schema: Any) -> None:
    text = report(["clean.yaml"], [], [], GRAVE, root)
    schema.validate(text)
    ((case,),) = ET.fromstring(text)
    assert (case.get("classname"), len(case)) == ("clean.yaml", 0)


@pytest.mark.parametrize("attribute", ["name", "classname", "file"])
def test_the_schema_would_notice_an_attribute_that_is_missing(attribute: str, root: str, schema: Any) -> None:
    top = ET.fromstring(report(FILES, HOSTILE, [], GRAVE, root))
    del next(top.iter("testcase")).attrib[attribute]
    assert not schema.is_valid(ET.tostring(top, encoding="unicode"))


def test_the_schema_would_notice_cases_that_servers_take_for_one(root: str, schema: Any) -> None:
    top = ET.fromstring(report(FILES, HOSTILE, [], GRAVE, root))
    suite = next(iter(top))
    suite.append(suite[0])
    assert not schema.is_valid(ET.tostring(top, encoding="unicode"))
