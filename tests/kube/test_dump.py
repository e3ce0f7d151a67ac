"""What is a dump of a cluster, and what of it is read."""

from __future__ import annotations

import pytest

from dralint.errors import InputError
from dralint.kube import dump as dumps
from dralint.kube.dump import find_dump, read_parts
from dralint.source.file import SourceFile

WORDS = (b"nvidia.com",)
LIVE = """\
apiVersion: v1
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata:
    managedFields:
    - fieldsV1:
        f:spec: {}
      manager: kubectl
    name: one
    uid: 1234
    resourceVersion: "7"
  spec: {x: nvidia.com/gpu}
  status:
    replicas: 1
- apiVersion: v1
  kind: Service
  metadata: {name: two, uid: 5678-9}
kind: List
metadata:
  resourceVersion: ""
""".replace("uid: 1234", "uid: 1234-5")


def found(text: str):
    return find_dump(SourceFile("<stdin>", None, text.encode()))


def test_a_list_of_live_objects_is_a_dump():
    dump = found(LIVE)
    assert dump is not None
    assert len(dump.listed.items) == 2


def test_one_live_object_is_enough():
    assert found(LIVE.replace("items:\n-", "items:\n- {}\n-")) is not None


@pytest.mark.parametrize(
    "text",
    [
        LIVE.replace("uid:", "id:"),
        LIVE.replace("kind: List", "kind: DeploymentList"),
        LIVE.replace("apiVersion: v1\nitems", "apiVersion: example.com/v1\nitems"),
        LIVE + "---\nkind: Pod\n",
        LIVE.replace("- apiVersion: v1\n", "# a comment\n- apiVersion: v1\n"),
        "kind: Deployment\nmetadata: {uid: 1-2}\n",
        "",
        "{}",
        "\x00",
        '{"apiVersion": "v1", "kind": "List", "items": [{"metadata": {"name": "x"}}]}',
        '{"apiVersion": "v1", "kind": "Status", "items": [{"metadata": {"uid": "x"}}]}',
    ],
)  # fmt: skip
def test_what_is_no_dump(text):
    assert found(text) is None


def test_bytes_that_are_no_text_are_no_dump():
    assert find_dump(SourceFile("<stdin>", None, b"\xff\xff{")) is None


def test_only_items_with_one_of_the_words_are_read():
    dump = found(LIVE)
    assert read_parts(dump, WORDS)
    (part,) = dump.parts
    assert [obj.ref.name for obj in part.objects] == ["one"]
    assert part.part_of is not None
    assert part.place(part.objects[0].node.start).line == 3


def test_status_and_managed_fields_are_left_out():
    dump = found(LIVE)
    assert read_parts(dump, WORDS)
    text = dump.parts[0].text.text
    assert "replicas: 1" not in text
    assert "f:spec" not in text
    assert "  status:\n" in text


@pytest.mark.parametrize(
    "text",
    [
        # The anchor stands in another item than the alias.
        LIVE.replace("spec: {x: nvidia.com/gpu}", "spec: &spec {x: nvidia.com/gpu}").replace(
            "name: two", "name: two, also: nvidia.com/gpu, spec: *spec"
        ),
        # A string runs over what looks like an item.
        LIVE.replace("x: nvidia.com/gpu}", 'x: nvidia.com/gpu, y: "1').replace(
            "name: two", 'name: two", z: "'
        ),
        # What looks like the status stands in a string.
        LIVE.replace("spec: {x: nvidia.com/gpu}\n", 'spec: {x: nvidia.com/gpu}\n  text: "\n').replace(
            "    replicas: 1\n", '    replicas: 1"\n'
        ),
    ],
)
def test_items_that_cannot_be_read_alone(text):
    dump = found(text)
    assert dump is None or not read_parts(dump, WORDS)


def test_more_than_can_be_held_is_refused(monkeypatch):
    monkeypatch.setattr(dumps, "MAX_DUMP_EVENTS", 10)
    with pytest.raises(InputError, match="too large"):
        read_parts(found(LIVE), WORDS)


def test_progress_is_told_for_every_item():
    seen: list[int] = []
    read_parts(found(LIVE), WORDS, seen.append)
    assert seen == [1, 1]
