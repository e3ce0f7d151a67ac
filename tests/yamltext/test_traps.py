"""The traps of editing YAML by splicing, each with the exact bytes that must come out."""

from __future__ import annotations

import pytest

from dralint.yamltext.compose import compose
from dralint.yamltext.view import plain
from tests.yamltext.editing import append, changed, new_document, patched, put, refused, remove, replace

CLAIM = [{"name": "gpu"}]


def test_the_end_of_a_block_takes_no_comments_along():
    text = """\
      limits:
        nvidia.com/gpu: 2
        # the team's quota is 8
      # requests follow limits
      image: train
"""
    assert (
        changed(text, remove("limits"))
        == """\
        # the team's quota is 8
      # requests follow limits
      image: train
"""
    )


def test_a_key_on_the_line_of_its_dash():
    text = """\
- resources: {limits: {nvidia.com/gpu: 2}} # two cards
  image: train
- image: log
"""
    assert changed(text, remove(0, "resources")) == "- image: train\n- image: log\n"
    assert changed(text, remove(0, "resources"), put((0,), "name", "a", before="image")) == (
        "- name: a\n  image: train\n- image: log\n"
    )
    assert changed(text, remove(1)) == text.removesuffix("- image: log\n")


def test_comments_move_above_the_dash_when_the_next_key_moves_up():
    text = """\
containers:
- resources:
    limits:
      # one card
      nvidia.com/gpu: 1
  # the image

  image: train
"""
    assert (
        changed(text, remove("containers", 0, "resources"))
        == """\
containers:
# one card
# the image
- image: train
"""
    )


def test_a_deeper_comment_belongs_to_the_entry_above():
    text = """\
containers:
- name: train
  # args: [--debug]

  # env: []
volumes: []
"""
    claims = put((), "resourceClaims", CLAIM, after="containers")
    assert (
        changed(text, claims)
        == """\
containers:
- name: train
  # args: [--debug]

  # env: []
resourceClaims:
- name: gpu
volumes: []
"""
    )


def test_comments_inside_a_removed_parent_stay():
    text = """\
name: train
resources:   # hardware
  # cards
  limits:
    nvidia.com/gpu: 1 # H100

    # no memory limit
image: x
"""
    assert (
        changed(text, remove("resources"))
        == """\
name: train
  # cards

    # no memory limit
image: x
"""
    )


def test_blank_lines_are_text_after_keep_and_not_after_clip():
    text = """\
command:
- |+
  run

- |
  stop

args: []
"""
    assert (
        changed(text, append(("command",), "end"))
        == """\
command:
- |+
  run

- |
  stop
- end

args: []
"""
    )
    assert changed(text, remove("command", 1)) == "command:\n- |+\n  run\n\nargs: []\n"


def test_blank_lines_do_not_become_text_of_the_scalar_above():
    text = "script: |+\n  run\nlimit: 1\n\n\nname: x\n"
    assert changed(text, remove("limit")) == "script: |+\n  run\nname: x\n"


def test_a_comment_does_not_become_text_of_the_scalar_above():
    text = """\
args:
- |
  run
resources:
    # one card
  limits: {nvidia.com/gpu: 1}
"""
    assert changed(text, remove("resources")) == "args:\n- |\n  run\n# one card\n"


def test_a_hash_in_a_block_scalar_is_text():
    text = """\
args:
- >-
  run
  # not a comment
# a comment
- last
"""
    assert changed(text, remove("args", 0)) == "args:\n# a comment\n- last\n"
    assert changed(text, remove("args")) == "{}\n# a comment\n"


def test_text_at_the_end_of_the_file_gets_no_line_break():
    text = "spec:\n  args:\n  - |\n    run"
    assert refused(text, append(("spec", "args"), "x")) == (
        "text at the end of the file without line break would change",
        "- |",
    )
    assert changed(text, put(("spec",), "image", "x")) == "spec:\n  image: x\n  args:\n  - |\n    run"
    strip = "spec:\n  args:\n  - |-\n    run"
    assert changed(strip, append(("spec", "args"), "x")) == "spec:\n  args:\n  - |-\n    run\n  - x"


def test_text_that_becomes_the_last_keeps_its_line_break():
    assert changed("args: |\n  run\nname: x", remove("name")) == "args: |\n  run\n"
    assert changed("args: |-\n  run\nname: x", remove("name")) == "args: |-\n  run"


SHARED = """\
limits: &both
  cpu: 2
  nvidia.com/gpu: &count 1
requests: *both
replicas: *count
"""


def test_an_alias_is_followed_only_when_all_its_uses_change():
    gpu = [remove("limits", "nvidia.com/gpu"), remove("requests", "nvidia.com/gpu")]
    assert refused(SHARED, *gpu) == ("the anchor &count is used elsewhere", "*count")
    assert changed(SHARED, *gpu, remove("replicas")) == "limits: &both\n  cpu: 2\nrequests: *both\n"
    assert changed(SHARED, *gpu, replace(("replicas",), 1)) == (
        "limits: &both\n  cpu: 2\nrequests: *both\nreplicas: 1\n"
    )
    assert refused(SHARED, gpu[0], remove("replicas")) == (
        "requests has the same text through an alias",
        "&both",
    )


def test_an_anchor_goes_with_all_its_aliases():
    text = "resources:\n  limits: &l {nvidia.com/gpu: 1}\n  requests: *l\nname: x\n"
    assert changed(text, remove("resources", "limits"), remove("resources", "requests"), put(("resources",), "claims", CLAIM)) == (
        "resources:\n  claims:\n  - name: gpu\nname: x\n"
    )  # fmt: skip
    assert refused(text, remove("resources", "limits"))[0] == "the anchor &l is used elsewhere"
    assert changed(text, remove("resources", "requests")) == text.replace("  requests: *l\n", "")


def test_uses_may_be_covered_by_several_groups_and_fall_together():
    text = "a: &x {gpu: 1, cpu: 1}\nb: *x\nc: 1\n"
    both = patched(text, [remove("a", "gpu")], [remove("b", "gpu")])
    assert (both.text, both.refusals) == ("a: &x {cpu: 1}\nb: *x\nc: 1\n", [])
    one = patched(text, [remove("a", "gpu")], [remove("b", "gpu"), remove("no")], [replace(("c",), 2)])
    assert one.text == text.replace("c: 1", "c: 2")
    assert [each.group for each in one.refusals] == [0, 1]


def test_the_value_of_an_anchor_is_replaced_in_place():
    assert changed("a: &n 1\nb: *n\n", replace(("a",), 2), remove("b")) == "a: &n 2\n"
    assert refused("a: &n 1\nb: *n\n", replace(("a",), 2)) == ("the anchor &n is used elsewhere", "*n")
    assert changed("a: &n 1\nb: *n\n", replace(("b",), 2)) == "a: &n 1\nb: 2\n"


def test_merge_keys_are_read_in_order_and_never_edited():
    text = "base: &b {gpu: 1, cpu: 1}\nown:\n  gpu: 2\n  <<: *b\n  mem: 3\n"
    (document,) = compose(text)
    assert plain(document.root)["own"] == {"gpu": 1, "cpu": 1, "mem": 3}
    assert refused(text, remove("own", "gpu"))[0] == "gpu comes in through a merge key"
    assert refused(text, remove("base", "gpu")) == ("a merge key `<<` uses this", "<<: *b")
    assert changed(text, remove("own", "mem"), put(("own",), "new", 1)) == text.replace(
        "mem: 3", '"new": 1'
    ).replace('"new"', "new")


def test_the_comma_before_the_last_entry_may_stand_before_a_comment():
    text = "limits: {cpu: 1, # a, b\n  nvidia.com/gpu: 1}\n"
    assert changed(text, remove("limits", "nvidia.com/gpu")) == "limits: {cpu: 1 # a, b\n}\n"
    touching = "limits: {cpu: 1,# one\n  nvidia.com/gpu: 1\n}\n"
    assert changed(touching, remove("limits", "nvidia.com/gpu")) == "limits: {cpu: 1 # one\n}\n"


def test_two_last_entries_of_json_want_the_same_comma():
    text = '{"name": "x",\n "limits": {"nvidia.com/gpu": 1},\n "requests": {"nvidia.com/gpu": 1}\n}\n'
    assert changed(text, remove("limits"), remove("requests")) == '{"name": "x"\n}\n'
    groups = patched(text, [remove("limits")], [remove("requests")])
    assert groups.text == '{"name": "x"\n}\n'


def test_question_mark_keys_are_refused_and_values_on_the_next_line_are_not():
    explicit = "limits:\n  ? nvidia.com/gpu\n  : 1\n  cpu: 1\n"
    what = "an entry written with `? key` is not edited"
    assert refused(explicit, remove("limits", "nvidia.com/gpu")) == (what, "nvidia.com/gpu")
    assert refused(explicit, remove("limits", "cpu"))[0] == what
    assert changed("limits:\n  nvidia.com/gpu:\n    1\n  cpu: 1\n", remove("limits", "nvidia.com/gpu")) == (
        "limits:\n  cpu: 1\n"
    )


@pytest.mark.parametrize("null", ["", " null", " ~", "  # none yet", " ~ # none"])
def test_null_where_a_list_is_needed(null):
    text = f"resources:\n  claims:{null}\n  limits: {{}}\n"
    comment = null[null.index("#") :] if "#" in null else ""
    head = (
        f"  claims: {comment}\n"
        if "~" in null and comment
        else f"  claims:{'  ' if comment else ''}{comment}\n"
    )
    assert changed(text, append(("resources", "claims"), {"name": "gpu"})) == (
        f"resources:\n{head}  - name: gpu\n  limits: {{}}\n"
    )


def test_words_that_kubernetes_takes_for_booleans():
    text = "data:\n  n: old\nlist:\n- y\n"
    assert refused(text, remove("data", "n"))[0] == "there is no n"
    assert (
        changed(text, remove("data", "false"), put(("data",), "on", "no"))
        == 'data:\n  "on": "no"\nlist:\n- y\n'
    )


def test_wide_dashes_and_dashes_on_their_own_line():
    text = """\
containers:
-   name: a
    resources:
        limits:
            nvidia.com/gpu: 1
-
    name: b
    resources: {}
"""
    assert changed(
        text,
        remove("containers", 0, "resources", "limits"),
        put(("containers", 0, "resources"), "claims", CLAIM),
        put(("containers", 1), "first", True, before="name"),
        append(("containers",), {"name": "c", "env": {"A": "1"}}),
    ) == """\
containers:
-   name: a
    resources:
        claims:
        -   name: gpu
-
    first: true
    name: b
    resources: {}
-   name: c
    env:
        A: "1"
"""  # fmt: skip


def test_comments_at_column_zero_inside_a_pod():
    text = """\
    limits:
      nvidia.com/gpu: 1
#      cpu: 1
    requests:
#      cpu: 1
      memory: 1Gi
"""
    assert (
        changed(text, remove("limits"))
        == """\
#      cpu: 1
    requests:
#      cpu: 1
      memory: 1Gi
"""
    )


def test_colons_in_flow_scalars_are_read_as_kubernetes_reads_them():
    text = "limits: {cpu:1, image: nginx:1.2, urls: [http://a, b:c:d]}\n"
    (document,) = compose(text)
    assert plain(document.root) == {
        "limits": {"cpu:1": None, "image": "nginx:1.2", "urls": ["http://a", "b:c:d"]}
    }
    assert changed(text, remove("limits", "image")) == "limits: {cpu:1, urls: [http://a, b:c:d]}\n"


def test_documents_that_kubectl_loses_are_problems():
    documents = compose("a: 1\n...\nb: 2\n---\nc: 3\n")
    assert [each.problem.what if each.problem else plain(each.root) for each in documents] == [
        {"a": 1},
        "after `...` Kubernetes reads nothing up to the next `---`",
        {"c": 3},
    ]


def test_a_key_that_stands_twice():
    text = "- resources: {requests: {cpu: 1}}\n  image: x\n  resources: {limits: {nvidia.com/gpu: 1}}\n"
    what = "the key resources stands twice in one mapping"
    assert refused(text, remove(0, "resources"))[0] == what
    assert refused(text, remove(0, "resources", "limits"))[0] == what
    assert changed(text, put((0,), "name", "a")) == f"{text}  name: a\n"


def test_line_ends_are_those_of_the_neighbour():
    text = "a:\r\n- 1\r\nb: 1\nc: 1\n"
    assert changed(text, append(("a",), {"k": 1, "l": 2}), put((), "d", [1])) == (
        "a:\r\n- 1\r\n- k: 1\r\n  l: 2\r\nb: 1\nc: 1\nd:\n- 1\n"
    )
    assert changed("a: {\r\n  b: 1\r\n}\r\n", put(("a",), "c", 1)) == "a: {\r\n  b: 1,\r\n  c: 1\r\n}\r\n"
    assert changed(
        "a: 1\r\n---\r\nb: 1", new_document({"n": [1]}, document=1), put((), "c", 1, document=1)
    ) == ('a: 1\r\n---\r\n"n":\r\n- 1\r\n---\r\nb: 1\r\nc: 1')
