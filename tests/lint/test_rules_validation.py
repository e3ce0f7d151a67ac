"""What an API server accepts gives no api error; what it refuses for a reason of ours gives our rule."""

from __future__ import annotations

import json

import pytest

# Cases of ../shared/cases/validation.json that a rule of dralint is about.
OURS = {
    "val-021": "flat-request-in-v1",
    "val-123": "template-missing-inner-spec",
    "val-125": "flat-request-in-v1",
    "val-183": "legacy-claim-source",
    "val-185": "request-name-not-dns-label",
    "val-186": "request-name-not-dns-label",
    "val-190": "container-claim-undeclared",
    "val-191": "container-claim-undeclared",
    "val-200": "container-claim-undeclared",
}
# What a rule finds although the API server has nothing against it.
BESIDE = {
    "claim-ref-not-found",
    "claim-not-consumed",
    "container-request-unknown",
}


@pytest.fixture
def findings(dralint, tmp_path):
    def checked(manifest):
        path = tmp_path / "it.json"
        path.write_text(json.dumps(manifest))
        ran = dralint("check", "--target-kubernetes", "1.36", "--output-format", "json", path)
        return json.loads(ran.out)["findings"]

    return checked


def test_what_an_api_server_says_of_the_cases(findings, shared):
    cases = json.loads((shared / "cases" / "validation.json").read_text())
    seen = set()
    for case in cases:
        found = {each["name"] for each in findings(case["object"])} - BESIDE
        if case["expect"] == "valid":
            assert found == set(), (case["id"], case["what"])
        elif case["id"] in OURS:
            assert found == {OURS[case["id"]]}, (case["id"], case["what"])
            seen.add(case["id"])
    assert seen == set(OURS)
