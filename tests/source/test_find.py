"""Files that are named, walked or piped in; what cannot be read is one error and never a wait."""

from __future__ import annotations

import io
import os
import sys

import pytest

from dralint.errors import InputError
from dralint.source import find as find_module
from dralint.source.find import find, read, walk
from dralint.source.limits import limits

WORDS = (b"nvidia.com",)
GPU = b"nvidia.com/gpu: 1\n"
OTHER = b"kind: Service\n"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def make(*paths, content=GPU):
    for path in paths:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


def found(*paths, words=WORDS):
    """What `find` gives: the names, an error as `name: what`."""
    return [
        f"{each.place}: {each.what}" if isinstance(each, InputError) else each.name
        for each in find(paths, words=words)
    ]


def test_extensions():
    make("a.yaml", "b.yml", "c.json", "d.YAML", "e.txt", "f.yaml.bak", "yaml", ".yaml")
    assert found() == [".yaml", "a.yaml", "b.yml", "c.json", "d.YAML"]


def test_a_kustomization_needs_no_extension():
    make("Kustomization", "base/Kustomization", "base/kustomization", "base/Kustomization.txt")
    assert found() == ["Kustomization", "base/Kustomization"]


def test_files_without_a_word_are_left_out_of_a_walk_but_read_when_named():
    make("gpu.yaml")
    make("other.yaml", "other.txt", content=OTHER)
    assert found(".") == ["gpu.yaml"]
    assert found("other.yaml", "other.txt") == ["other.yaml", "other.txt"]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ((), ["a.yaml", "d/b.yaml", "d/e/c.yaml"]),
        ((".",), ["a.yaml", "d/b.yaml", "d/e/c.yaml"]),
        (("d",), ["d/b.yaml", "d/e/c.yaml"]),
        (("d/",), ["d/b.yaml", "d/e/c.yaml"]),
        (("./d",), ["d/b.yaml", "d/e/c.yaml"]),
        (("d/../d/e",), ["d/../d/e/c.yaml"]),
        (("a.yaml", ".", "d"), ["a.yaml", "d/b.yaml", "d/e/c.yaml"]),
        (("d/e/c.yaml", "./d/e/c.yaml", "d"), ["d/e/c.yaml", "d/b.yaml"]),
        (("d/b.yaml", "a.yaml"), ["d/b.yaml", "a.yaml"]),
    ],
)
def test_names_are_as_given_and_each_file_comes_once(given, names):
    make("a.yaml", "d/b.yaml", "d/e/c.yaml")
    assert found(*given) == names


def test_the_path_is_absolute_in_a_walk_and_leads_to_the_file(here):
    make("d/b.yaml")
    [file] = find(["d"], words=WORDS)
    assert (file.name, file.path, file.data) == ("d/b.yaml", str(here / "d" / "b.yaml"), GPU)


def test_skipped_directories():
    make(".git/a.yaml", "node_modules/m/a.yaml", "env/a.yaml", "env/deep/a.yaml", "env/pyvenv.cfg")
    make("conda/a.yaml", "conda/conda-meta/history", ".github/a.yaml", "src/a.yaml")
    assert found() == [".github/a.yaml", "src/a.yaml"]


def test_a_skipped_directory_that_is_named_is_walked():
    make("node_modules/a.yaml", "env/b.yaml", "env/pyvenv.cfg")
    assert found("node_modules", "env") == ["node_modules/a.yaml", "env/b.yaml"]


IGNORES = {
    "by name": ({".gitignore": "b.yaml\n"}, ["a.yaml", "d/a.yaml"]),
    "anchored": ({".gitignore": "/b.yaml\n"}, ["a.yaml", "d/a.yaml", "d/b.yaml"]),
    "directory": ({".gitignore": "d/\n"}, ["a.yaml", "b.yaml"]),
    "negated": ({".gitignore": "*.yaml\n!a.yaml\n"}, ["a.yaml", "d/a.yaml"]),
    "nested adds": ({"d/.gitignore": "a.yaml\n"}, ["a.yaml", "b.yaml", "d/b.yaml"]),
    "nested takes back": ({".gitignore": "*.yaml\n", "d/.gitignore": "!b.yaml\n"}, ["d/b.yaml"]),
    "nothing comes back out of an ignored directory": (
        {".gitignore": "d/\n", "d/.gitignore": "!a.yaml\n"},
        ["a.yaml", "b.yaml"],
    ),
    "double star": ({".gitignore": "**/d/*.yaml\n"}, ["a.yaml", "b.yaml"]),
    "comments and CRLF": ({".gitignore": "# d/\r\n\r\nb.yaml\r\n"}, ["a.yaml", "d/a.yaml"]),
    "one pattern that cannot be read": ({".gitignore": "!\nb.yaml\n"}, ["a.yaml", "d/a.yaml"]),
    "not UTF-8": ({".gitignore": b"\xff\xfe\nb.yaml\n"}, ["a.yaml", "d/a.yaml"]),
    "a directory of that name": ({".gitignore/x": "b.yaml\n"}, ["a.yaml", "b.yaml", "d/a.yaml", "d/b.yaml"]),
}


@pytest.mark.parametrize("case", IGNORES)
def test_gitignore(case):
    files, names = IGNORES[case]
    make("a.yaml", "b.yaml", "d/a.yaml", "d/b.yaml")
    for path, text in files.items():
        make(path, content=text if isinstance(text, bytes) else text.encode())
    assert found() == names


def test_gitignore_of_parents_counts_up_to_the_git_root():
    make(".gitignore", content=b"*.yaml\n")
    make("repo/.git/HEAD")
    make("repo/.gitignore", content=b"/deploy/skip.yaml\n*.gen.yaml\n")
    make("repo/deploy/a.yaml", "repo/deploy/skip.yaml", "repo/deploy/sub/x.gen.yaml")
    assert found("repo/deploy") == ["repo/deploy/a.yaml"]


def test_a_named_file_is_read_although_ignored():
    make(".gitignore", content=b"*.yaml\n")
    make("a.yaml")
    assert found("a.yaml") == ["a.yaml"]


def test_a_named_directory_is_walked_although_ignored():
    make(".git/HEAD", "build/a.yaml", "build/b.gen.yaml")
    make(".gitignore", content=b"build/\n")
    make("build/.gitignore", content=b"*.gen.yaml\n")
    assert found("build") == ["build/a.yaml"]
    assert found(".") == []


def test_links_are_not_followed_in_a_walk(here):
    make("d/a.yaml")
    os.symlink(here, "d/loop")
    os.symlink("a.yaml", "d/link.yaml")
    os.symlink("nowhere", "d/dangling.yaml")
    os.symlink("self.yaml", "d/self.yaml")
    assert found() == ["d/a.yaml"]


def test_links_that_are_named_are_followed():
    make("d/a.yaml")
    os.symlink("d", "link")
    os.symlink("d/a.yaml", "link.yaml")
    assert found("link.yaml", "link") == ["link.yaml", "link/a.yaml"]


def directory(path):
    os.mkdir(path)


def link_loop(path):
    os.symlink(os.path.basename(path), path)


def nothing(path):
    pass


def a_file_on_the_way(path):
    make("file")
    return "file/x.yaml"


UNREADABLE = {
    "missing": (nothing, "No such file"),
    "named pipe": (os.mkfifo, "a named pipe, not a file"),
    "directory named like a file": (directory, "a directory, not a file"),
    "link loop": (link_loop, "symbolic links"),
    "dangling link": (lambda path: os.symlink("nowhere", path), "No such file"),
    "a file where a directory should be": (a_file_on_the_way, "Not a directory"),
    "a name that is too long": (lambda path: "x" * 300 + ".yaml", "too long"),
    "a zero byte in the name": (lambda path: "x\0.yaml", "null"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_is_one_error_with_advice(case):
    create, what = UNREADABLE[case]
    name = create("x.yaml") or "x.yaml"
    make("good.yaml")
    [error, good] = find([name, "good.yaml"], words=WORDS)
    assert isinstance(error, InputError)
    assert what in error.what
    assert error.place.path == name
    assert error.advice
    assert good.name == "good.yaml"


def test_devices_are_not_opened():
    [error] = find(["/dev/null"], words=WORDS)
    assert error.what == "is a character device, not a file"


def test_a_pipe_in_a_walk_is_one_error():
    make("a.yaml")
    os.mkfifo("p.yaml")
    assert found() == ["a.yaml", "p.yaml: is a named pipe, not a file"]


def test_an_ignored_pipe_is_no_error():
    make(".gitignore", content=b"p.yaml\n")
    os.mkfifo("p.yaml")
    assert found() == []


def test_a_directory_named_like_a_file_is_walked_on_the_way_and_with_a_slash():
    make("x.yaml/a.yaml")
    assert found() == ["x.yaml/a.yaml"]
    assert found("x.yaml/") == ["x.yaml/a.yaml"]


def test_a_file_without_permission_costs_only_itself(monkeypatch):
    """Without taking permissions away, which does not hinder a tester who is root."""
    make("a.yaml", "b.yaml")
    opened = os.open

    def refuse(path, flags, *rest):
        if path.endswith("a.yaml"):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *rest)

    monkeypatch.setattr(os, "open", refuse)
    assert found() == ["a.yaml: cannot be read: Permission denied", "b.yaml"]


def test_a_directory_that_cannot_be_listed_costs_only_itself(monkeypatch):
    make("a.yaml", "d/b.yaml", "e/c.yaml")
    listed = os.scandir

    def refuse(path):
        if os.path.basename(path) == "d":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert found() == ["a.yaml", "d/: cannot be read: Permission denied", "e/c.yaml"]


def test_a_file_that_vanishes_during_the_walk(monkeypatch):
    make("a.yaml", "b.yaml")
    walked = walk(os.getcwd(), "", WORDS)
    assert next(walked).name == "a.yaml"
    os.unlink("b.yaml")
    [error] = walked
    assert error.what == "cannot be read: No such file or directory"


def test_a_file_that_changes_while_it_is_read(monkeypatch):
    make("a.yaml")
    status = os.fstat
    calls = []

    def fstat(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:
            make("a.yaml", content=GPU * 2)
        return status(descriptor)

    monkeypatch.setattr(os, "fstat", fstat)
    error = read("a.yaml", "a.yaml")
    assert (error.what, error.advice) == ("changed while it was being read", "run dralint again")


def test_a_regular_file_that_becomes_a_pipe_before_it_is_opened(monkeypatch):
    """The state is asked again on the open file, which was opened without waiting."""
    make("a.yaml")
    before = os.stat("a.yaml")
    os.unlink("a.yaml")
    os.mkfifo("a.yaml")
    monkeypatch.setattr(os, "stat", lambda path: before)
    assert read("a.yaml", "a.yaml").what == "is a named pipe, not a file"


def test_size_is_bounded(monkeypatch):
    monkeypatch.setattr(find_module, "limits", lambda: limits()._replace(file_size=1024 * 1024))
    make("large.yaml", content=b"#" * (1024 * 1024 + 1))
    make("fits.yaml", content=b"#" * (1024 * 1024))
    [error, file] = find(["large.yaml", "fits.yaml"], words=WORDS)
    assert error.what == "is larger than 1 MiB"
    assert len(file.data) == 1024 * 1024


def piped(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_standard_input(monkeypatch):
    piped(monkeypatch, OTHER)
    [file] = find(["-", "-"], words=WORDS, stdin_name="deploy.yaml")
    assert file == ("deploy.yaml", None, OTHER)


def test_standard_input_is_bounded(monkeypatch):
    monkeypatch.setattr(find_module, "limits", lambda: limits()._replace(file_size=4))
    piped(monkeypatch, b"12345")
    [error] = find(["-"], words=WORDS)
    assert str(error.place) == "<stdin>"


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    [error] = find(["-"], words=WORDS)
    assert error.what == "standard input is closed"


def test_a_walk_ends_after_the_given_number_of_files():
    make(*(f"d{number}/{name}.yaml" for number in range(3) for name in "ab"))
    assert len(list(walk(os.getcwd(), "", WORDS))) == 6
    assert len(list(walk(os.getcwd(), "", WORDS, most=3))) == 3


def test_a_wide_directory():
    make(*(f"f{number}.yaml" for number in range(3000)), content=OTHER)
    make("g.yaml")
    assert found() == ["g.yaml"]


def test_a_deep_directory():
    deep = "/".join("d" for _ in range(400))
    make(f"{deep}/a.yaml")
    assert found() == [f"{deep}/a.yaml"]


def test_names_with_newlines_and_escapes_and_odd_bytes():
    names = ["a\nb.yaml", "c\x1b[31m.yaml", os.fsdecode(b"d\xff.yaml")]
    make(*names)
    assert found() == names
