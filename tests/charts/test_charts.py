"""Two charts of our own, rendered by Helm 3 and 4 (render.sh renews the fixtures), and their raw templates."""

import itertools
import json
import shutil
from pathlib import Path

import pytest
import yaml

CHARTS = Path(__file__).resolve().parent
RENDERED = sorted((CHARTS / "rendered").glob("*/*.yaml"))
IDS = [f"{path.parent.name}-{path.stem}" for path in RENDERED]


def documents(text):
    """(Source, object) of each document, the last Source carried forward; comment-only ones are left out."""
    found, source = [], None
    for piece in ("\n" + text).split("\n---\n"):
        for line in piece.splitlines():
            if line.startswith("# Source: "):
                source = line.removeprefix("# Source: ")
        if value := yaml.safe_load(piece):
            found.append((source, value))
    return found


def template_names(value):
    """Names of the templates that the pods inside a value refer to."""
    if isinstance(value, dict):
        if "resourceClaimTemplateName" in value:
            yield value["resourceClaimTemplateName"]
        value = list(value.values())
    if isinstance(value, list):
        for child in value:
            yield from template_names(child)


@pytest.fixture(params=RENDERED, ids=IDS)
def converted(request, tmp_path, dralint):
    """A rendered release, converted: (original text, text, report, path)."""
    target = tmp_path / "release.yaml"
    shutil.copy(request.param, target)
    ran = dralint("convert", "--write", "--report", tmp_path / "report.json", target)
    assert ran.code == 0, ran.err
    report = json.loads((tmp_path / "report.json").read_bytes())
    return request.param.read_text(), target.read_text(), report, target


def test_both_helms_and_both_charts_are_there():
    assert IDS == ["helm3-chat", "helm3-mig-fleet", "helm4-chat", "helm4-mig-fleet"]


def test_each_template_stands_under_the_source_of_its_user_and_before_it(converted):
    _, after, _, _ = converted
    found = documents(after)
    templates = {
        item["metadata"]["name"]: index
        for index, (_, item) in enumerate(found)
        if item["kind"] == "ResourceClaimTemplate"
    }
    users = [
        (index, name)
        for index, (_, item) in enumerate(found)
        if item["kind"] != "ResourceClaimTemplate"
        for name in template_names(item)
    ]
    assert users
    assert {name for _, name in users} == set(templates)
    for index, name in users:
        assert templates[name] == index - 1
        assert found[templates[name]][0] == found[index][0]


def test_sources_of_all_other_objects_stay(converted):
    before, after, _, _ = converted
    kept = [
        (source, item["kind"], item["metadata"]["name"])
        for source, item in documents(after)
        if item["kind"] != "ResourceClaimTemplate"
    ]
    assert kept == [(source, item["kind"], item["metadata"]["name"]) for source, item in documents(before)]


def test_template_of_a_hook_is_an_earlier_hook(converted):
    _, after, _, _ = converted
    found = [item for _, item in documents(after)]
    for template, user in itertools.pairwise(found):
        if template["kind"] != "ResourceClaimTemplate":
            continue
        hook = user["metadata"].get("annotations", {})
        mine = template["metadata"].get("annotations", {})
        assert mine.get("helm.sh/hook") == hook.get("helm.sh/hook")
        assert mine.get("helm.sh/hook-delete-policy") == hook.get("helm.sh/hook-delete-policy")
        if "helm.sh/hook" in hook:
            assert int(mine["helm.sh/hook-weight"]) < int(hook.get("helm.sh/hook-weight", 0))
        else:
            assert mine == {}


def test_hooks_are_among_the_fixtures():
    hooks = {
        item["kind"]
        for _, item in documents((CHARTS / "rendered" / "helm4" / "chat.yaml").read_text())
        if "helm.sh/hook" in item["metadata"].get("annotations", {})
    }
    assert hooks == {"Job", "Pod", "PersistentVolumeClaim"}


def test_second_run_changes_nothing(converted, dralint):
    _, after, _, target = converted
    assert dralint("convert", "--write", target).code == 0
    assert target.read_text() == after


def test_occurrences_name_chart_and_template(converted):
    before, _, report, _ = converted
    sources = {(item["kind"], item["metadata"]["name"]): source for source, item in documents(before)}
    assert report["occurrences"]
    for occurrence in report["occurrences"]:
        source = sources[occurrence["object"]["kind"], occurrence["object"]["name"]]
        assert occurrence["source"] == {"chart": source.split("/")[0], "template": source}


def test_findings_name_chart_and_template(converted, tmp_path, dralint):
    _, after, _, _ = converted
    broken = tmp_path / "broken.yaml"
    broken.write_text(after.replace("resourceClaimTemplateName: demo-", "resourceClaimTemplateName: typo-"))
    ran = dralint("check", "--context", "none", "--output-format", "json", broken)
    sources = {(item["kind"], item["metadata"]["name"]): source for source, item in documents(after)}
    findings = [
        finding for finding in json.loads(ran.out)["findings"] if finding["name"] == "claim-ref-not-found"
    ]
    assert findings
    for finding in findings:
        source = sources[finding["object"]["kind"], finding["object"]["name"]]
        assert finding["source"] == {"chart": source.split("/")[0], "template": source}


@pytest.mark.parametrize("path", RENDERED, ids=IDS)
def test_rendered_output_passes_check(path, tmp_path, dralint):
    for text in (path.read_text(), None):
        target = tmp_path / "release.yaml"
        if text is None:
            dralint("convert", "--write", target)
        else:
            target.write_text(text)
        ran = dralint("check", "--context", "none", target)
        assert ran.code == 0, ran.out


def raw(chart, tmp_path):
    copy = tmp_path / chart
    shutil.copytree(CHARTS / chart, copy)
    return copy


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("chart", "charts"), [("chat", 2), ("mig-fleet", 1)])
def test_raw_templates_are_never_edited_and_noted_once_for_each_chart(chart, charts, tmp_path, dralint):
    copy, report = raw(chart, tmp_path), tmp_path / "report.json"
    ran = dralint("convert", "--write", "--report", report, copy)
    assert contents(copy) == contents(CHARTS / chart)
    assert ran.code in (0, 1), ran.err
    notes = [note for note in json.loads(report.read_bytes())["notes"] if note["topic"] == "template"]
    assert len(notes) == charts


def test_requests_of_a_raw_template_that_parses_are_unsupported(tmp_path, dralint):
    copy, report = raw("mig-fleet", tmp_path), tmp_path / "report.json"
    ran = dralint("convert", "--write", "--report", report, copy)
    assert ran.code == 1
    (occurrence,) = json.loads(report.read_bytes())["occurrences"]
    assert Path(occurrence["path"]).name == "debug-pod.yaml"
    assert (occurrence["resource"], occurrence["outcome"]) == ("nvidia.com/mig-1g.10gb", "unsupported")
    assert "render" in occurrence["next"]


def test_raw_template_that_parses_is_linted(tmp_path, dralint):
    copy = raw("mig-fleet", tmp_path)
    template = copy / "templates" / "debug-pod.yaml"
    claims = "  resourceClaims:\n  - name: gpu\n    resourceClaimTemplateName: x\n"
    template.write_text(template.read_text() + claims)
    ran = dralint("check", "--output-format", "json", copy)
    assert "claim-not-consumed" in {finding["name"] for finding in json.loads(ran.out)["findings"]}
