"""Quotas and ranges: edited where the limit on claims is certain, else told, and silent where nothing changes."""

from __future__ import annotations

import pytest

from dralint.nvidia.target import make_target

GPUS = "gpu.nvidia.com.deviceclass.resource.k8s.io/devices"
SLICES = "mig.nvidia.com.deviceclass.resource.k8s.io/devices"
QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: team, namespace: team}
spec:
%s
"""


def quota(hard: str, more: str = "") -> str:
    return QUOTA % f"  hard:\n    {hard}\n{more}".rstrip()


def said(result):
    return [(note.topic, note.line, note.weight, note.edited) for note in result.notes]


EDITED = {
    "a string with a comment": (
        quota('requests.nvidia.com/gpu: "8" # a node\n    pods: 10'),
        quota(f'requests.nvidia.com/gpu: "8" # a node\n    {GPUS}: "8"\n    pods: 10'),
    ),
    "a number": (
        quota("requests.nvidia.com/gpu: 8"),
        quota(f"requests.nvidia.com/gpu: 8\n    {GPUS}: 8"),
    ),
    "none at all": (
        quota("requests.nvidia.com/gpu: '0'"),
        quota(f"requests.nvidia.com/gpu: '0'\n    {GPUS}: \"0\""),
    ),
    "flow style": (
        "apiVersion: v1\nkind: ResourceQuota\nspec: {hard: {requests.nvidia.com/gpu: 4, pods: 1}}\n",
        (
            "apiVersion: v1\nkind: ResourceQuota\n"
            f"spec: {{hard: {{requests.nvidia.com/gpu: 4, {GPUS}: 4, pods: 1}}}}\n"
        ),
    ),
    "JSON": (
        '{"apiVersion": "v1", "kind": "ResourceQuota", "spec": {"hard": {"requests.nvidia.com/gpu": "4"}}}',
        (
            '{"apiVersion": "v1", "kind": "ResourceQuota", '
            f'"spec": {{"hard": {{"requests.nvidia.com/gpu": "4", "{GPUS}": "4"}}}}}}'
        ),
    ),
    "CRLF, in a List, no last newline": (
        (
            "apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: v1\r\n  kind: ResourceQuota\r\n"
            "  spec:\r\n    hard:\r\n      requests.nvidia.com/gpu: 2"
        ),
        (
            "apiVersion: v1\r\nkind: List\r\nitems:\r\n- apiVersion: v1\r\n  kind: ResourceQuota\r\n"
            f"  spec:\r\n    hard:\r\n      requests.nvidia.com/gpu: 2\r\n      {GPUS}: 2"
        ),
    ),
    "a profile of Kubeflow": (
        (
            "apiVersion: kubeflow.org/v1\nkind: Profile\nspec:\n  resourceQuotaSpec:\n    hard:\n"
            '      requests.nvidia.com/gpu: "1"\n'
        ),
        (
            "apiVersion: kubeflow.org/v1\nkind: Profile\nspec:\n  resourceQuotaSpec:\n    hard:\n"
            f'      requests.nvidia.com/gpu: "1"\n      {GPUS}: "1"\n'
        ),
    ),
}


@pytest.mark.parametrize("name", EDITED)
def test_a_limit_on_gpus_is_repeated_for_their_class(convert_text, name):
    before, after = EDITED[name]
    told = convert_text(before.encode())
    assert told.text.encode() == before.encode()
    assert [(note.topic, note.weight, note.edited) for note in told.notes] == [("quota", "warning", False)]
    assert "--companions adds it" in told.notes[0].message
    edited = convert_text(before.encode(), companions=True)
    assert edited.text.encode() == after.encode()
    assert [(note.topic, note.weight, note.edited) for note in edited.notes] == [("quota", "info", True)]
    assert edited.notes[0].line == told.notes[0].line
    assert convert_text(edited.text.encode(), companions=True).notes == []


TOLD = {
    "a profile of MIG devices": (
        quota("requests.nvidia.com/mig-1g.10gb: 4"),
        "all profiles together (here 4)",
    ),
    "several profiles": (
        quota("requests.nvidia.com/mig-1g.10gb: 4\n    requests.nvidia.com/mig-2g.20gb: 2"),
        "all profiles together (here 6)",
    ),
    "scopes": (quota("requests.nvidia.com/gpu: 4", "  scopes: [Terminating]"), "without scopes"),
    "a scope selector": (
        quota(
            "requests.nvidia.com/gpu: 4",
            "  scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: Exists}]}",
        ),
        "without scopes",
    ),
    "a placeholder": (quota("requests.nvidia.com/gpu: ${GPUS}"), "not written out here"),
    "a null": (quota("requests.nvidia.com/gpu:"), "not written out here"),
    "only limits": (quota('limits.nvidia.com/gpu: "2"'), "limits neither"),
    "no side": (quota("nvidia.com/gpu: 2"), "limits neither"),
    "shares": (quota("requests.nvidia.com/gpu.shared: 2"), "no claim asks for"),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_not_certain_is_told(convert_text, name):
    text, words = TOLD[name]
    result = convert_text(text, companions=True)
    assert result.text == text
    assert said(result) == [("quota", 6, "warning", False)]
    assert words in result.notes[0].message
    assert "--companions" not in result.notes[0].message


SILENT = {
    "another resource": quota("requests.cpu: 8"),
    "the class is there": quota(f"requests.nvidia.com/gpu: 8\n    {GPUS}: 6"),
    "the class of MIG is there": quota(f"requests.nvidia.com/mig-1g.10gb: 8\n    {SLICES}: 6"),
    "kept": quota("requests.nvidia.com/gpu: 8").replace(
        "namespace: team", "annotations: {dralint.io/keep: old cluster}"
    ),
}


@pytest.mark.parametrize("name", SILENT)
def test_where_nothing_is_to_follow_nothing_is_said(convert_text, name):
    result = convert_text(SILENT[name], companions=True)
    assert result.text == SILENT[name]
    assert result.notes == []


def test_a_class_that_has_the_resource_name_is_counted_already(convert_text):
    text = quota("requests.nvidia.com/gpu: 8")
    standalone = make_target(stack="standalone")
    assert convert_text(text, companions=True, target=standalone).notes == []
    old = make_target(stack="standalone", kubernetes="1.35")
    assert convert_text(text, companions=True, target=old).text != text


PLUGIN = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: plugin}
data:
  any: |
    version: v1
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""


def test_a_quota_on_shares_of_gpus_is_told(convert_text):
    text = quota("requests.nvidia.com/gpu: 8")
    files = {"quota.yaml": text, "plugin.yaml": PLUGIN}
    result = convert_text(files, companions=True)
    assert result.texts["quota.yaml"] == text
    assert "shares" in result.notes[0].message
    decided = convert_text(files, companions=True, sharing="exclusive")
    assert GPUS in decided.texts["quota.yaml"]


def test_alone_or_beside_a_workload_a_quota_becomes_the_same(convert_text):
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]\n"
    text = quota("requests.nvidia.com/gpu: 8")
    alone = convert_text(text, companions=True).text
    beside = convert_text({"a.yaml": pod, "q.yaml": text}, companions=True)
    assert beside.texts["q.yaml"] == alone
    assert convert_text(pod + "---\n" + text, companions=True).text.endswith(alone)


RANGE = "apiVersion: v1\nkind: LimitRange\nspec:\n  limits:\n  - type: Container\n    %s\n"


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("default: {nvidia.com/gpu: 1}", ["holds devices twice"]),
        ("defaultRequest: {cpu: 1, nvidia.com/gpu: 1}", ["holds devices twice"]),
        ("max: {nvidia.com/gpu: 1}", ["binds no pod"]),
        ("{min: {nvidia.com/gpu: 0}, default: {nvidia.com/gpu: 2}}", ["holds devices twice", "binds no pod"]),
        ("default: {nvidia.com/gpu: 0}", []),
        ("default: {cpu: 1}", []),
    ],
)
def test_a_limit_range_looks_at_no_claim(convert_text, item, words):
    text = (
        RANGE % item
        if not item.startswith("{")
        else RANGE.replace("type: Container\n    %s", item[1:-1].replace("},", "}\n   "))
    )
    result = convert_text(text, companions=True)
    assert result.text == text
    assert len(result.notes) == len(words)
    for word in words:
        assert any(word in note.message and note.weight == "warning" for note in result.notes)


def test_what_two_quotas_share_by_an_alias_is_told(convert_text):
    text = (
        "apiVersion: v1\nkind: List\nitems:\n"
        "- {apiVersion: v1, kind: ResourceQuota, spec: {hard: &hard {requests.nvidia.com/gpu: 4}}}\n"
        "- {apiVersion: v1, kind: LimitRange, spec: *hard}\n"
    )
    result = convert_text(text, companions=True)
    assert result.text == text
    (note,) = result.notes
    assert "it cannot be edited safely" in note.message
    assert "--companions" not in note.message


def test_a_quota_that_cannot_be_edited_holds_no_pod_back(convert_text):
    pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]\n"
    text = (
        "apiVersion: v1\nkind: List\nitems:\n"
        "- {apiVersion: v1, kind: ResourceQuota, spec: {hard: &hard {requests.nvidia.com/gpu: 4}}}\n"
        "- {apiVersion: v1, kind: LimitRange, spec: *hard}\n"
    )
    result = convert_text(text + pod, companions=True)
    assert result.outcomes == ["converted"]
    assert result.text == text + convert_text(pod.removeprefix("---\n")).text.join(["---\n", ""])


def test_a_template_of_a_chart_is_not_edited(convert_text, tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").write_text("name: a\n")
    path = tmp_path / "templates" / "quota.yaml"
    text = quota("requests.nvidia.com/gpu: 8")
    path.write_text(text)
    result = convert_text(
        {"templates/quota.yaml": text}, paths={"templates/quota.yaml": path}, companions=True
    )
    assert result.text == text
    assert {note.topic for note in result.notes} == {"quota", "template"}
    assert all("--companions" not in note.message for note in result.notes)


NAME = "requests.deviceclass.resource.kubernetes.io/"


@pytest.mark.parametrize(
    ("resource", "of_class"),
    [("nvidia.com/gpu", "gpu.nvidia.com"), ("nvidia.com/mig-1g.10gb", "nvidia-mig-1g-10gb")],
)
def test_pods_that_ask_by_the_name_of_a_class_are_counted_by_it(convert_text, resource, of_class):
    text = quota(f"requests.{resource}: 4", "  scopes: [Terminating]")
    edited = convert_text(text, companions=True, mode="implicit")
    assert edited.text == quota(f"requests.{resource}: 4\n    {NAME}{of_class}: 4", "  scopes: [Terminating]")
    assert [note.edited for note in edited.notes] == [True]
    told = convert_text(text, mode="implicit")
    assert (told.text, [note.weight for note in told.notes]) == (text, ["warning"])
    assert convert_text(edited.text, companions=True, mode="implicit").notes == []


@pytest.mark.parametrize(
    "text",
    [
        quota("requests.nvidia.com/gpu: 4\n    requests.nvidia.com/mig-1g.10gb: 2"),
        RANGE % "default: {nvidia.com/gpu: 1}",
        "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: ElasticQuota\nspec: {max: {nvidia.com/gpu: 4}}\n",
    ],
)
def test_where_the_names_stay_quotas_do_as_well(convert_text, text):
    result = convert_text(text, companions=True, mode="extended-resource")
    assert (result.text, result.notes) == (text, [])
    assert convert_text(text).notes != []


@pytest.mark.parametrize(
    ("namespace", "mode", "said"),
    [("team", "claims", True), ("other", "claims", False), ("team", "extended-resource", False)],
)
def test_a_quota_on_the_number_of_claims(convert_text, namespace, mode, said):
    pod = (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: a, namespace: {namespace}}}\n"
        "spec: {containers: [{name: a, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}\n"
    )
    text = quota("count/resourceclaims.resource.k8s.io: 2")
    result = convert_text({"pod.yaml": pod, "quota.yaml": text}, companions=True, mode=mode)
    assert result.texts["quota.yaml"] == text
    found = [(note.line, note.weight) for note in result.notes if note.path == "quota.yaml"]
    assert found == ([(6, "warning")] if said else [])
    assert convert_text(text).notes == []
