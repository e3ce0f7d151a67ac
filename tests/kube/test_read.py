"""Files to objects: lists, held objects, templates, documents that cannot be read."""

from __future__ import annotations

import pytest

from dralint.errors import InputError
from dralint.kube.read import parse
from dralint.kube.words import prefilter_words
from dralint.source.file import Origin, SourceFile


def read(text, words=None, path=None):
    data = text if isinstance(text, bytes) else text.encode()
    return parse(SourceFile("a.yaml", path, data), words)


def shown(text, words=None):
    """(document, path, apiVersion, kind, namespace, name) of each object."""
    return [(obj.document, obj.path, *obj.ref) for obj in read(text, words).objects]


CASES = {
    "one object": (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: team}\n",
        [(0, (), "v1", "Pod", "team", "a")],
    ),
    "several documents, some empty": (
        "---\n# nothing\n---\nkind: Pod\n---\n---\nkind: Job\n",
        [(1, (), None, "Pod", None, None), (3, (), None, "Job", None, None)],
    ),
    "no kind": ("a: 1\n", [(0, (), None, None, None, None)]),
    "JSON": (
        '{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}',
        [(0, (), "v1", "Pod", None, "a")],
    ),
    "sequences and scalars are no objects": ("- kind: Pod\n---\njust text\n", []),
    "names that are no strings": (
        "apiVersion: 1\nkind: [Pod]\nmetadata: {name: 12, namespace: yes}\n",
        [(0, (), None, None, None, None)],
    ),
    "metadata of the wrong shape": ("kind: Pod\nmetadata: none\n", [(0, (), None, "Pod", None, None)]),
    "List": (
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n- {kind: Job}\n- text\n",
        [(0, ("items", 0), "v1", "Pod", None, "a"), (0, ("items", 1), None, "Job", None, None)],
    ),
    "typed list, items without a kind": (
        "apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n- {apiVersion: v1, kind: Pod}\n",
        [
            (0, ("items", 0), "apps/v1", "Deployment", None, "a"),
            (0, ("items", 1), "v1", "Pod", None, None),
        ],
    ),
    "list in a list": (
        "kind: List\nitems:\n- kind: List\n  items:\n  - kind: Pod\n",
        [(0, ("items", 0, "items", 0), None, "Pod", None, None)],
    ),
    "empty list": ("kind: List\nitems: []\n", []),
    "a kind that ends in List without items": (
        "kind: AllowList\nspec: {items: [1]}\n",
        [(0, (), None, "AllowList", None, None)],
    ),
    "input of a KRM function": (
        "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {apiVersion: v1, kind: Pod}\n",
        [(0, ("items", 0), "v1", "Pod", None, None)],
    ),
    "list items behind aliases": (
        "kind: List\nitems:\n- &a {apiVersion: v1, kind: Pod}\n- *a\n",
        [(0, ("items", 0), "v1", "Pod", None, None), (0, ("items", 1), "v1", "Pod", None, None)],
    ),
    "OpenShift template": (
        "apiVersion: template.openshift.io/v1\nkind: Template\nobjects:\n- {apiVersion: v1, kind: Pod}\n",
        [
            (0, (), "template.openshift.io/v1", "Template", None, None),
            (0, ("objects", 0), "v1", "Pod", None, None),
        ],
    ),
    "AppWrapper": (
        (
            "apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\nspec:\n  components:\n"
            "  - template: {apiVersion: batch/v1, kind: Job}\n  - template: {}\n"
        ),
        [
            (0, (), "workload.codeflare.dev/v1beta2", "AppWrapper", None, None),
            (0, ("spec", "components", 0, "template"), "batch/v1", "Job", None, None),
        ],
    ),
    "Katib": (
        (
            "apiVersion: kubeflow.org/v1beta1\nkind: Experiment\nspec:\n  trialTemplate:\n"
            "    trialSpec: {apiVersion: batch/v1, kind: Job}\n"
        ),
        [
            (0, (), "kubeflow.org/v1beta1", "Experiment", None, None),
            (0, ("spec", "trialTemplate", "trialSpec"), "batch/v1", "Job", None, None),
        ],
    ),
    "of duplicate keys the last counts": (
        "kind: Pod\nmetadata: {name: a}\nmetadata: {name: b}\n",
        [(0, (), None, "Pod", None, "b")],
    ),
    "BOM and CRLF": ("\ufeffkind: Pod\r\nmetadata:\r\n  name: a\r\n", [(0, (), None, "Pod", None, "a")]),
}


@pytest.mark.parametrize("case", CASES)
def test_objects(case):
    text, expected = CASES[case]
    assert shown(text) == expected


def test_group_and_version_and_generate_name():
    obj = read("apiVersion: apps/v1\nkind: Deployment\nmetadata: {generateName: a-}\n").objects[0]
    assert (obj.group, obj.version, obj.generate_name) == ("apps", "v1", "a-")
    assert read("apiVersion: v1\nkind: Pod\n").objects[0].group == ""


@pytest.mark.parametrize("written", ["''", '""', "", "null"])
def test_an_empty_namespace_is_none(written):
    obj = read(f"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  namespace: {written}\n").objects[0]
    assert obj.ref.namespace is None


def test_documents_without_a_word_are_not_parsed():
    text = "kind: Service\n---\nkind: Pod\nx: nvidia.com/gpu\n---\nkind: CustomResourceDefinition\nx: nvidia.com\n"
    file = read(text, prefilter_words())
    assert [obj.ref.kind for obj in file.objects] == ["Pod"]
    assert len(file.documents) == 3
    assert not file.problems


def problems(text, words=None):
    return [str(problem) for problem in read(text, words).problems]


def test_a_document_that_cannot_be_read_costs_only_itself():
    text = "kind: Pod\n---\nkind: [\n---\nkind: Job\n"
    assert [obj.ref.kind for obj in read(text).objects] == ["Pod", "Job"]
    [problem] = read(text).problems
    assert str(problem.place).startswith("a.yaml:4:1")
    assert problem.advice == "this document was skipped"


def test_a_file_that_is_no_text():
    with pytest.raises(InputError) as caught:
        read(b"kind: Pod\nname: \xff\n")
    assert str(caught.value.place) == "a.yaml:2:7"


@pytest.mark.parametrize("words", [None, (b"nvidia.com",)])
def test_utf_16_without_a_mark_is_reported(words):
    assert problems("kind: Pod # nvidia.com\n".encode("utf-16-le"), words)


HELM = "kind: Pod\nspec:\n  {{- if .Values.gpu }}\n  nodeName: a\n  {{- end }}\n"


@pytest.mark.parametrize("text", [HELM, "kind: Pod\n{{ .Values.x }}: 1\n", "{{ include }}\n"])
def test_templates_are_no_problem(text):
    file = read(text)
    assert not file.problems
    assert file.documents[0].template
    assert all(obj.template for obj in file.objects)


def test_quoted_braces_are_no_template():
    file = read("kind: Pod\nmetadata: {name: '{{ .Values.x }}'}\n")
    assert not file.documents[0].template
    assert [obj.template for obj in file.objects] == [False]


def test_raw_templates_of_a_chart(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").touch()
    path = tmp_path / "templates" / "a.yaml"
    file = read("kind: Pod\n---\nkind: [\n", path=path)
    assert [obj.template for obj in file.objects] == [True]
    assert not file.documents[0].template
    assert not file.problems


def test_origin_of_rendered_objects():
    text = "---\n# Source: demo/templates/a.yaml\nkind: List\nitems: [{kind: Pod}]\n---\nkind: Job\n"
    assert [obj.origin for obj in read(text).objects] == [Origin("demo", "demo/templates/a.yaml")] * 2


def bomb(levels, width):
    lines = ["kind: Pod", "a0: &a0 [x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(("levels", "width"), [(12, 10), (150, 2), (5000, 1), (150, 60)])
def test_alias_bombs_have_no_objects(levels, width):
    file = read(bomb(levels, width))
    assert not file.objects
    assert "alias" in file.problems[0].what
    assert file.documents[0].root is None


def test_sane_aliases_are_read():
    text = "kind: List\nitems:\n- &a {kind: Pod, x: [1, 2, 3]}\n" + "- *a\n" * 90
    assert len(read(text).objects) == 91
