"""References resolve among the named files and in the rest of their git roots."""

from __future__ import annotations

import os

import pytest

from dralint.kube import bundle as bundle_module
from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.source.find import find
from dralint.source.limits import limits

WORDS = (b"resource.k8s.io",)


def template(name, namespace=None, kind="ResourceClaimTemplate"):
    place = f", namespace: {namespace}" if namespace else ""
    return f"apiVersion: resource.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}{place}}}\n"


def bundle(*texts):
    return Bundle([parse(SourceFile(f"{n}.yaml", None, text.encode())) for n, text in enumerate(texts)])


def found(result):
    return [(obj.ref.namespace, obj.ref.name) for obj in result]


def test_objects_in_the_order_of_the_files():
    every = bundle(f"{template('a')}---\n{template('b')}", template("c"))
    assert [obj.ref.name for obj in every.objects] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [
        (None, [(None, "a"), ("one", "a"), ("two", "a")]),
        ("one", [(None, "a"), ("one", "a")]),
        ("three", [(None, "a")]),
    ],
)
def test_an_absent_namespace_matches_any(namespace, expected):
    every = bundle(template("a"), template("a", "one"), template("a", "two"), template("b", "one"))
    assert found(every.find("ResourceClaimTemplate", namespace, "a")) == expected


def test_kind_and_group_count():
    every = bundle(template("a"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    assert every.find("ResourceClaim", None, "a") == []
    assert found(every.find("ConfigMap", None, "a", group="")) == [(None, "a")]
    assert every.find("ConfigMap", None, "a") == []


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A git root with claims in several places, and something beside it."""
    files = {
        "repo/.git/HEAD": "",
        "repo/.gitignore": "build/\n",
        "repo/app/deploy.yaml": template("named"),
        "repo/claims/gpu.yaml": template("gpu"),
        "repo/claims/broken.yaml": "apiVersion: resource.k8s.io/v1\nkind: [\n",
        "repo/claims/latin.yaml": b"# resource.k8s.io \xff\n",
        "repo/other.yaml": "kind: Service\n",
        "repo/build/made.yaml": template("made"),
        "repo/chart/Chart.yaml": "",
        "repo/chart/templates/t.yaml": template("raw"),
        "beside/x.yaml": template("beside"),
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    os.mkfifo(tmp_path / "repo/claims/pipe.yaml")
    monkeypatch.chdir(tmp_path / "repo")
    return tmp_path


def names(context):
    return [obj.ref.name for obj in context.bundle.objects]


def test_the_rest_of_the_git_root(tree):
    context = Context(["app/deploy.yaml"], WORDS)
    assert names(context) == ["raw", "gpu"]
    # The file with the broken document was read, too.
    assert context.files_read == 3


def test_from_another_directory(tree, monkeypatch):
    monkeypatch.chdir(tree)
    context = Context(["repo/app/deploy.yaml"], WORDS)
    assert names(context) == ["raw", "gpu"]
    assert [file.file.name for file in context.bundle.files][1:] == [
        "repo/claims/broken.yaml",
        "repo/claims/gpu.yaml",
    ]


def test_every_named_file_is_left_out(tree):
    sources = [each for each in find(["."], words=WORDS) if isinstance(each, SourceFile)]
    assert names(Context([source.name for source in sources], WORDS)) == []


def test_several_roots(tree):
    (tree / "beside/.git").write_text("gitdir: elsewhere\n")
    (tree / "beside/more.yaml").write_text(template("more"))
    assert names(Context(["app/deploy.yaml", "../beside/x.yaml"], WORDS)) == ["more", "raw", "gpu"]


def test_a_root_inside_another_is_read_once(tree):
    (tree / "repo/claims/.git").mkdir()
    assert names(Context(["app/deploy.yaml", "claims/gpu.yaml"], WORDS)) == ["raw"]


@pytest.mark.parametrize("given", [[], ["<stdin>"], ["../beside/x.yaml"]])
def test_no_context(tree, given):
    context = Context(given, WORDS)
    assert (names(context), context.files_read) == ([], 0)


def test_none():
    assert Context.none().bundle.objects == []


def test_standard_input_has_the_context_of_its_name(tree):
    assert names(Context(["app/not-there.yaml"], WORDS)) == ["named", "raw", "gpu"]
    assert names(Context(["no/such/directory/x.yaml"], WORDS)) == ["named", "raw", "gpu"]


def test_a_given_root(tree):
    assert names(Context(["app/deploy.yaml"], WORDS, root="../beside")) == ["beside"]


def test_reading_is_lazy_and_happens_once(tree):
    calls = []

    def read(file, words):
        calls.append(file.name)
        return parse(file, words)

    context = Context(["app/deploy.yaml"], WORDS, read)
    assert calls == []
    assert context.bundle is context.bundle
    assert context.files_read == 3
    # latin.yaml was tried as well; it is no text.
    assert len(calls) == 4


def test_a_large_git_root_is_read_in_part(tree, monkeypatch):
    monkeypatch.setattr(bundle_module, "limits", lambda: limits()._replace(context_files=3))
    assert names(Context(["app/deploy.yaml"], WORDS)) == ["raw"]
