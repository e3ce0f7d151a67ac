"""A cluster's dump: what controllers made, item by item as in one go, and files of its workloads."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from dralint.convert.convert import convert
from dralint.convert.dump.apart import split
from dralint.convert.dump.dump import joined
from dralint.convert.dump.order import order
from dralint.convert.model import Conversion, Outcome
from dralint.convert.options import Options
from dralint.convert.words import words
from dralint.kube.bundle import Context
from dralint.kube.dump import find_dump, read_parts
from dralint.kube.read import parse
from dralint.nvidia.target import make_target
from dralint.report.convert_json import report
from dralint.source.file import SourceFile
from tests.convert.dumps import (
    APPLIED,
    as_json,
    as_yaml,
    cluster,
    deployment,
    job,
    live,
    owned_pod,
    pod_spec,
    replica_set,
    template,
)

OPTIONS = Options(make_target())


def in_parts(data: bytes, options: Options = OPTIONS) -> Conversion:
    """The conversion of a dump, item by item."""
    dump = find_dump(SourceFile("<stdin>", None, data))
    assert dump is not None
    assert read_parts(dump, words())
    found = convert(dump.parts, Context.none(), options)
    found.files = [joined(dump, found.files)]
    return found


def in_one_go(data: bytes, options: Options = OPTIONS) -> Conversion:
    return convert([parse(SourceFile("<stdin>", None, data), words())], Context.none(), options)


FORMS: dict[str, Callable[[str, str], str]] = {
    "yaml": lambda yaml, _: yaml,
    "json": lambda _, json_text: json_text,
    "one line of json": lambda _, json_text: json.dumps(json.loads(json_text)),
    "compact json": lambda _, json_text: json.dumps(json.loads(json_text), separators=(",", ":")),
    "yaml, CRLF": lambda yaml, _: yaml.replace("\n", "\r\n"),
    "json, CRLF": lambda _, json_text: json_text.replace("\n", "\r\n"),
    "yaml with a byte order mark": lambda yaml, _: "\ufeff" + yaml,
    "yaml without a last line end": lambda yaml, _: yaml.rstrip("\n"),
    "yaml that begins with ---": lambda yaml, _: "---\n" + yaml,
    "yaml with indented items": lambda yaml, _: _indented(yaml),
    "yaml whose list comes last": lambda yaml, _: "apiVersion: v1\nkind: List\n" + yaml[yaml.index("items:") : yaml.index("\nkind: List") + 1],
    "uneditable": lambda _, json_text: json_text.replace("registry.example", "registry\u2028example"),
}  # fmt: skip


def _indented(yaml: str) -> str:
    start, end = yaml.index("items:\n") + 7, yaml.index("\nkind: List") + 1
    return yaml[:start] + "".join(f"  {line}\n" for line in yaml[start:end].splitlines()) + yaml[end:]


@pytest.fixture(params=FORMS)
def data(request) -> bytes:
    """A cluster's dump in one of its forms."""
    return FORMS[request.param](as_yaml(cluster()), as_json(cluster())).encode()


def test_item_by_item_gives_what_one_go_gives(data):
    one, other = in_parts(data), in_one_go(data)
    assert one.files[0].error is None
    assert one.files[0].after == other.files[0].after
    assert report(one, []) == report(other, [])


def test_a_second_run_changes_nothing(data):
    first = in_parts(data)
    second = in_parts(first.files[0].after)
    assert second.files[0].after == first.files[0].after
    left = [each.outcome for each in first.occurrences if each.outcome is not Outcome.CONVERTED]
    assert [each.outcome for each in second.occurrences] == left


def test_every_request_has_an_outcome_and_a_reason(snapshot):
    found = in_parts(as_yaml(cluster()).encode())
    assert [(each.object.kind, each.object.name, each.outcome.value, each.reason, each.next) for each in found.occurrences if each.object] == snapshot  # fmt: skip
    assert len(found.occurrences) == 15


def test_what_kubectl_noted_goes_with_the_limit():
    text = in_parts(as_json([deployment()]).encode()).files[0].after.decode()
    assert APPLIED not in text
    assert "deployment.kubernetes.io/revision" in text
    assert '"f:nvidia.com/gpu"' in text


def test_what_kubectl_noted_stays_with_a_limit_that_stays():
    text = as_json([deployment(gpus="some")])
    assert in_parts(text.encode()).files[0].after.decode() == text


def test_a_node_that_the_scheduler_chose_goes():
    pod = live("v1", "Pod", "debug", pod_spec(nodeName="node-1"), status={"phase": "Running"})
    found = in_parts(as_json([pod]).encode())
    assert [each.outcome for each in found.occurrences] == [Outcome.CONVERTED]
    assert "nodeName" not in found.files[0].after.decode()


def test_a_node_that_a_person_chose_needs_a_decision():
    applied = {APPLIED: '{"spec":{"nodeName":"node-1"}}'}
    pod = live("v1", "Pod", "debug", pod_spec(nodeName="node-1"), annotations=applied)
    found = in_parts(as_json([pod]).encode())
    assert [each.outcome for each in found.occurrences] == [Outcome.NEEDS_DECISION]


def test_an_object_in_a_file_of_its_own_loses_nothing_else(convert_text):
    """Only a dump is known to be what the scheduler and kubectl wrote."""
    pod = live("v1", "Pod", "debug", pod_spec(nodeName="node-1"))
    assert convert_text(json.dumps(pod)).outcomes == ["needs-decision"]
    assert APPLIED in convert_text(json.dumps(deployment())).text


def test_owners_that_were_not_read_are_told_once():
    replicas = replica_set(deployment(), "chat-1")
    pods = [owned_pod(replicas, f"chat-1-{number}") for number in range(3)]
    found = in_parts(as_json(pods).encode())
    assert {each.outcome for each in found.occurrences} == {Outcome.KEPT}
    assert [note.message for note in found.notes if note.topic == "owners"] == [
        "the owner of Pod chat-1-0 and 2 more objects was not read: convert ReplicaSet chat-1, too"
    ]


def test_an_owner_that_was_left_out_is_passed_over():
    """`kubectl get deploy,pod` has no ReplicaSets: the label tells the Deployment."""
    pod = owned_pod(replica_set(deployment(), "chat-7d9c"), "chat-7d9c-x")
    pod["metadata"]["labels"] = {"pod-template-hash": "7d9c"}
    cron = {"jobTemplate": {"spec": {"template": template(pod_spec() | {"restartPolicy": "Never"})}}}
    nightly = live("batch/v1", "CronJob", "nightly", cron)
    run = owned_pod(job("nightly-29001"), "nightly-29001-x")
    found = in_parts(as_json([pod, deployment(), nightly, run]).encode())
    assert [each.outcome for each in found.occurrences if each.object.kind == "Pod"] == [Outcome.KEPT] * 2
    reasons = [each.reason for each in found.occurrences if each.object.kind == "Pod"]
    assert [reason.split("(")[0] for reason in reasons] == [
        "a controller made it for Deployment chat ",
        "a controller made it for CronJob nightly ",
    ]
    assert not [note for note in found.notes if note.topic == "owners"]


def test_owners_in_a_circle_end():
    one, other = replica_set(deployment(), "a"), replica_set(deployment(), "b")
    for each, owner in ((one, other), (other, one)):
        reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "controller": True}
        each["metadata"]["ownerReferences"] = [
            {**reference, **{key: owner["metadata"][key] for key in ("name", "uid")}}
        ]
    found = in_parts(as_json([one, other]).encode())
    assert [each.outcome for each in found.occurrences] == [Outcome.KEPT] * 2


def test_templates_of_a_dump_have_names_of_their_own():
    stateful = deployment(gpus=2) | {"kind": "StatefulSet"}
    same = deployment() | {"kind": "DaemonSet"}
    same["metadata"] = same["metadata"] | {"uid": "uid-3"}
    data = as_json(
        [deployment(), stateful | {"metadata": {**stateful["metadata"], "uid": "uid-2"}}, same]
    ).encode()
    found = in_parts(data)
    names = [each.claim.template for each in found.occurrences if each.claim]
    assert names[0] == names[2] == "chat-gpu"
    assert names[1].startswith("chat-gpu-")
    assert found.files[0].after == in_one_go(data).files[0].after


@pytest.mark.parametrize("form", [as_yaml, as_json])
def test_a_refused_item_takes_no_name(form):
    # The block scalar of the first one cannot be edited; the second one has the same name and needs.
    first, second = deployment(), deployment() | {"kind": "StatefulSet"}
    second["metadata"] = {**second["metadata"], "uid": "uid-2"}
    text = form([first, second])
    text = text.replace("nvidia.com/gpu: '1'", "nvidia.com/gpu: !!str '1'", 1)
    found, whole = in_parts(text.encode()), in_one_go(text.encode())
    assert found.files[0].after == whole.files[0].after
    assert report(found, []) == report(whole, [])


def made_files(data: bytes, options: Options = OPTIONS) -> tuple[dict[str, str], list[str]]:
    """The files of a dump's workloads after conversion, and the order."""
    dump = find_dump(SourceFile("<stdin>", None, data))
    assert dump is not None
    found = split(dump, words())
    assert not found.problems
    conversion = convert(found.parts, Context.none(), options)
    results = {id(result.file): result for result in conversion.files}
    assert not [result.error for result in conversion.files if result.error]
    texts = {
        each.path: (
            results[id(each.file)].after if id(each.file) in results else each.file.file.data
        ).decode()
        for each in found.files
    }
    changed = [each for each in found.files if id(each.file) in results and results[id(each.file)].changed]
    return texts, list(order("<stdin>", found.files, changed, conversion))


@pytest.mark.parametrize("form", [as_yaml, as_json])
def test_the_files_of_a_dump(form, snapshot):
    texts, lines = made_files(form(cluster()).encode())
    assert texts == snapshot
    assert lines == snapshot


def test_a_file_holds_nothing_that_the_cluster_wrote(data):
    if "\u2028".encode() in data:
        pytest.skip("nothing is taken out of a text that is not edited")
    texts, _ = made_files(data)
    for text in texts.values():
        for word in (
            "uid",
            "resourceVersion",
            "status",
            "managedFields",
            "creationTimestamp",
            APPLIED,
            "nodeName",
        ):
            assert word not in text
        assert "nvidia.com/gpu: " not in text
        assert parse(SourceFile("x", None, text.encode())).problems == []


def test_a_file_converts_as_it_would_alone():
    """What stands in the files is what converting the cleaned objects by themselves gives."""
    texts, _ = made_files(as_yaml([deployment(), job("train")]).encode())
    for text in texts.values():
        again = in_one_go(text.encode())
        assert again.files[0].after.decode() == text
        assert not again.occurrences


def test_positions_of_files_are_those_of_the_dump():
    data = as_yaml(cluster()).encode()
    dump = find_dump(SourceFile("<stdin>", None, data))
    assert dump is not None
    apart = convert(split(dump, words()).parts, Context.none(), OPTIONS)
    whole = in_parts(data)
    places = [
        [(each.line, each.column, each.outcome) for each in found.occurrences] for found in (apart, whole)
    ]
    assert places[0] == places[1]


def test_each_file_is_complete():
    """Two workloads with one name and the same needs: both files have the template."""
    same = deployment() | {"kind": "DaemonSet"}
    same["metadata"] = {**same["metadata"], "uid": "uid-2"}
    texts, _ = made_files(as_yaml([deployment(), same]).encode())
    assert list(texts) == ["team/deployment-chat.yaml", "team/daemonset-chat.yaml"]
    assert all(text.count("ame: chat-gpu\n") == 2 for text in texts.values())


def test_names_that_lead_out_of_the_directory():
    bad = deployment(name="../../etc/passwd", namespace="../x")
    texts, lines = made_files(as_json([bad]).encode())
    (path,) = texts
    assert ".." not in path
    assert path.count("/") == 1
    assert not any("../../" in line and "kubectl" in line for line in lines)


def test_names_that_a_shell_would_run_are_quoted():
    bad = job("x; rm -rf y", namespace="a$(b)")
    _, lines = made_files(as_json([bad]).encode())
    assert "kubectl delete -n 'a$(b)' job 'x; rm -rf y'" in lines or not any(
        "rm -rf" in line for line in lines
    )


def test_two_kinds_with_one_name_get_two_files():
    other = live("batch.volcano.sh/v1alpha1", "Job", "train", {"tasks": [{"template": {"spec": pod_spec()}}]})
    texts, _ = made_files(as_json([job("train"), other]).encode())
    assert list(texts) == ["team/job-train.json", "team/job.batch.volcano.sh-train.json"]


def test_templates_and_classes_of_the_dump_come_first():
    claim = live("resource.k8s.io/v1", "ResourceClaimTemplate", "old", {"spec": {"devices": {}}})
    cls = live("resource.k8s.io/v1", "DeviceClass", "mine", {"selectors": []}, namespace=None)
    _, lines = made_files(as_json([deployment(), claim, cls]).encode())
    applied = [line.split()[-1] for line in lines if line.startswith("kubectl apply")]
    assert applied == [
        "deviceclass-mine.json",
        "team/resourceclaimtemplate-old.json",
        "team/deployment-chat.json",
    ]


def test_a_status_asks_for_nothing(convert_text):
    pod = owned_pod(deployment(), "x")
    del pod["metadata"]["ownerReferences"], pod["spec"]["nodeName"]
    assert convert_text(json.dumps(pod)).outcomes == ["converted"]


class TestSuffixHash:
    def test_the_name_ends_in_a_hash_of_what_it_asks_for(self, convert_text):
        once = convert_text(as_json([deployment()]), suffix_hash=True)
        again = convert_text(as_json([deployment()]), suffix_hash=True)
        more = convert_text(as_json([deployment(gpus=2)]), suffix_hash=True)
        names = [found.occurrences[0].claim.template for found in (once, again, more)]
        assert names[0] == names[1] != names[2]
        assert all(name.startswith("chat-gpu-") and len(name) == len("chat-gpu-") + 8 for name in names)

    def test_a_long_name_keeps_to_63_characters(self, convert_text):
        name = "a" * 62
        (found,) = convert_text(as_json([deployment(name)]), suffix_hash=True).occurrences
        assert len(found.claim.template) == 63

    def test_selectors_count(self, convert_text):
        texts = [
            as_json([job("train")]).replace('"restartPolicy"', f'"nodeSelector": {{"nvidia.com/gpu.product": "{card}"}}, "restartPolicy"')
            for card in ("NVIDIA-L40S", "NVIDIA-A40")
        ]  # fmt: skip
        names = {convert_text(text, suffix_hash=True).occurrences[0].claim.template for text in texts}
        assert len(names) == 2
