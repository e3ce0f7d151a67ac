"""`dralint convert` as a person runs it: destinations, exit codes, summary, report."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DRALINT = [sys.executable, "-m", "dralint"]
SCHEMA = json.loads((ROOT / "schemas" / "convert.schema.json").read_text())
BEFORE = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  template:
    spec:
      containers:
        - name: main
          image: example  # a comment
          resources:
            limits:
              nvidia.com/gpu: 1
"""
PLACEHOLDER = BEFORE.replace("name: chat", "name: later").replace("nvidia.com/gpu: 1", "nvidia.com/gpu: some")
NO_GPU = "apiVersion: v1\nkind: Service\nmetadata:\n  name: chat\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a manifest to convert, and one without GPUs below it; the current directory."""
    folder = tmp_path / "tree"
    (folder / "sub").mkdir(parents=True)
    (folder / "chat.yaml").write_text(BEFORE)
    (folder / "sub" / "service.yaml").write_text(NO_GPU)
    monkeypatch.chdir(folder)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def after(tree: Path) -> str:
    """The converted text of BEFORE, by way of standard input to standard output of a child process."""
    done = subprocess.run(
        [*DRALINT, "convert", "--quiet", "-"], input=BEFORE, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("kind: ResourceClaimTemplate") == 1
    assert "nvidia.com/gpu: 1" not in done.stdout
    assert "image: example  # a comment\n" in done.stdout
    return done.stdout


def test_a_diff_is_shown_and_nothing_is_written(tree: Path, dralint: Any, after: str) -> None:
    before = contents(tree)
    ran = dralint("convert")
    assert ran.code == 1
    assert contents(tree) == before
    assert ran.out.startswith("--- a/chat.yaml\n+++ b/chat.yaml\n@@ ")
    subprocess.run(["git", "apply", "-"], input=ran.out.encode(), check=True, cwd=tree)
    assert contents(tree) == {**before, "chat.yaml": after}


def test_a_diff_applies_where_it_was_made(tree: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet"], check=True, cwd=tree)
    below = tree / "sub" / "below.yaml"
    below.write_text(BEFORE)
    monkeypatch.chdir(tree / "sub")
    for named in ("below.yaml", "./below.yaml", ".", str(below), "../sub/below.yaml"):
        below.write_text(BEFORE)
        ran = dralint("convert", "-q", named)
        assert ran.out.startswith("--- a/below.yaml\n+++ b/below.yaml\n")
        subprocess.run(["git", "apply", "-"], input=ran.out.encode(), check=True)
        assert "ResourceClaimTemplate" in below.read_text()


def test_the_summary_says_what_happened_and_what_is_next(tree: Path, dralint: Any) -> None:
    ran = dralint("convert", "chat.yaml")
    lines = ran.err.splitlines()
    assert lines[0] == "1 GPU request: 1 converted, 0 kept, 0 needs-decision, 0 unsupported"
    assert any(line.startswith("assumed: ") for line in lines)
    assert lines[-1] == "1 file would change: --write changes it"


def test_write_changes_the_files_and_a_second_run_finds_nothing_to_do(
    tree: Path, dralint: Any, after: str
) -> None:
    ran = dralint("convert", "--write", ".")
    assert (ran.code, ran.out) == (0, "")
    assert contents(tree) == {"chat.yaml": after, "sub/service.yaml": NO_GPU}
    again = dralint("convert", "--write", ".")
    assert (again.code, again.out) == (0, "")
    assert contents(tree) == {"chat.yaml": after, "sub/service.yaml": NO_GPU}
    assert dralint("convert", "--check", ".").code == 0
    assert dralint("convert", ".").code == 0


def test_check_only_tells(tree: Path, dralint: Any) -> None:
    before = contents(tree)
    ran = dralint("convert", "--check")
    assert (ran.code, ran.out) == (1, "")
    assert "chat.yaml: would change\n" in ran.err
    assert contents(tree) == before


def test_check_of_standard_input_speaks_of_nothing_that_standard_input_cannot_do(
    dralint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BEFORE.encode())))
    ran = dralint("convert", "--check", "-")
    assert (ran.code, ran.out) == (1, "")
    assert "<stdin>: would change\n" in ran.err
    assert "--write" not in ran.err
    assert "leave out --check" in ran.err


def test_an_open_request_is_told_with_its_place(tree: Path, dralint: Any) -> None:
    (tree / "later.yaml").write_text(PLACEHOLDER)
    ran = dralint("convert", "--write")
    assert ran.code == 1
    assert re.search(
        r"^later\.yaml:13:15: needs-decision: nvidia\.com/gpu in container main of Deployment later: .+",
        ran.err,
        re.MULTILINE,
    )
    assert "2 GPU requests: 1 converted, 0 kept, 1 needs-decision, 0 unsupported\n" in ran.err
    assert (tree / "later.yaml").read_text() == PLACEHOLDER


def test_quiet_still_tells_errors(tree: Path, dralint: Any) -> None:
    assert dralint("convert", "-q", "--check").err == "chat.yaml: would change\n"
    ran = dralint("convert", "-q", "--write", "gone.yaml", "chat.yaml")
    assert ran.code == 2
    assert re.fullmatch(r"gone\.yaml: error: .*\n", ran.err)


def test_quiet_still_tells_what_is_left(tree: Path, dralint: Any) -> None:
    (tree / "later.yaml").write_text(PLACEHOLDER)
    loud, quiet = dralint("convert", "--check"), dralint("convert", "--check", "-q")
    assert "later.yaml:13:15: needs-decision: " in quiet.err
    assert set(loud.err.splitlines()) - set(quiet.err.splitlines()) == {
        line for line in loud.err.splitlines() if re.match(r"\d|assumed: ", line)
    }


def test_no_gpu_requests(tree: Path, dralint: Any) -> None:
    ran = dralint("convert", "sub")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("no manifest was read")
    assert dralint("convert", "sub/service.yaml").err == "no GPU requests in 1 file\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--write", "--check"), "--write and --check cannot be combined"),
        (("--write", "--output-dir", "out"), "--write and --output-dir cannot be combined"),
        (("-", "chat.yaml"), "- cannot be combined with other paths"),
        (("--write", "-"), "--write cannot be combined with -"),
        (("--mode", "all"), "Invalid value for '--mode'"),
        (("--gate", "NoSuchGate=true"), "NoSuchGate"),
        (("--target-kubernetes", "1.33"), "1.33"),
        (("--nonsense",), "No such option"),
    ],
)
def test_wrong_usage_is_one_line(tree: Path, dralint: Any, arguments: tuple[str, ...], message: str) -> None:
    before = contents(tree)
    ran = dralint("convert", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert contents(tree) == before


class TestOutputDirectory:
    def test_it_gets_a_copy_of_every_file(self, tree: Path, dralint: Any, after: str) -> None:
        before = contents(tree)
        ran = dralint("convert", "--output-dir", "../out")
        assert ran.code == 0, ran.err
        assert contents(tree) == before
        assert contents(tree.parent / "out") == {"chat.yaml": after, "sub/service.yaml": NO_GPU}

    def test_a_second_run_does_not_read_what_the_first_wrote(self, tree: Path, dralint: Any) -> None:
        for _ in range(2):
            assert dralint("convert", "--output-dir", "out").code == 0
            assert set(contents(tree / "out")) == {"chat.yaml", "sub/service.yaml"}

    def test_bytes_are_kept(self, tree: Path, dralint: Any) -> None:
        data = b"\xef\xbb\xbf# caf\xe9 is not UTF-8, and no line end\r\na: 1"
        (tree / "other.yaml").write_bytes(data)
        assert dralint("convert", "--output-dir", "out").code == 0
        assert (tree / "out" / "other.yaml").read_bytes() == data

    @pytest.mark.parametrize("absolute", [True, False])
    def test_nothing_is_written_outside(self, tree: Path, dralint: Any, absolute: bool) -> None:
        outside = tree.parent / "elsewhere" / "up.yaml"
        outside.parent.mkdir()
        outside.write_text(BEFORE)
        name = str(outside) if absolute else "../elsewhere/up.yaml"
        assert dralint("convert", "--output-dir", "out", name).code == 0
        written = set(contents(tree / "out"))
        assert written == {outside.as_posix().lstrip("/")}
        assert outside.read_text() == BEFORE

    def test_links_do_not_lead_outside(self, tree: Path, dralint: Any) -> None:
        outside = tree.parent / "outside"
        outside.mkdir()
        (tree / "out").mkdir()
        (tree / "out" / "sub").symlink_to(outside)
        (tree / "out" / "chat.yaml").symlink_to(outside / "chat.yaml")
        (tree / "sub" / "chat.yaml").write_text(BEFORE)
        ran = dralint("convert", "--output-dir", "out", "chat.yaml", "sub/chat.yaml")
        assert ran.code == 2
        assert "out/chat.yaml: error: " in ran.err
        assert "out/sub/chat.yaml: error: " in ran.err
        assert list(outside.iterdir()) == []

    def test_a_file_in_its_place(self, tree: Path, dralint: Any) -> None:
        ran = dralint("convert", "--output-dir", "chat.yaml", "sub")
        assert ran.code == 2
        assert re.fullmatch(r"dralint: error: --output-dir chat\.yaml: is no directory .*\n", ran.err)
        assert (tree / "chat.yaml").read_text() == BEFORE

    @pytest.mark.parametrize(
        ("directory", "paths"),
        [
            (".", ()),
            (".", (".",)),
            (".", ("sub",)),
            ("..", ()),
            ("../tree", ("chat.yaml",)),
            ("sub", ("chat.yaml", "sub")),
            ("sub", ("sub/service.yaml",)),
            ("link", ("sub",)),
            ("sub", ("link/service.yaml",)),
        ],
    )
    def test_nothing_in_it_is_read(
        self, tree: Path, dralint: Any, directory: str, paths: tuple[str, ...]
    ) -> None:
        (tree / "link").symlink_to("sub")
        before = contents(tree)
        ran = dralint("convert", "--output-dir", directory, *paths)
        assert (ran.code, ran.out) == (2, "")
        assert re.fullmatch(r"dralint: error: --output-dir .*lies in it .*\n", ran.err)
        assert contents(tree) == before


class TestReport:
    def report(self, dralint: Any, *arguments: str) -> dict[str, Any]:
        ran = dralint("convert", "--report", "../report.json", *arguments)
        data: dict[str, Any] = json.loads(Path("../report.json").read_text())
        jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
        outcomes = Counter(occurrence["outcome"] for occurrence in data["occurrences"])
        for outcome in ("converted", "kept", "needs-decision", "unsupported"):
            assert data["summary"][outcome] == outcomes[outcome]
        assert data["summary"]["occurrences"] == outcomes.total()
        assert bool(data["problems"]) == (ran.code == 2)
        return data

    def test_every_request_stands_in_it(self, tree: Path, dralint: Any) -> None:
        (tree / "later.yaml").write_text(PLACEHOLDER)
        data = self.report(dralint)
        assert data["version"] == 1
        assert data["target"]["stack"] == "unknown"
        assert [file["path"] for file in data["files"] if file["changed"]] == ["chat.yaml"]
        chat, later = sorted(data["occurrences"], key=lambda occurrence: str(occurrence["path"]))
        assert chat == {
            "path": "chat.yaml",
            "line": 13,
            "column": 15,
            "object": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": None, "name": "chat"},
            "field": chat["field"],
            "container": "main",
            "resource": "nvidia.com/gpu",
            "quantity": "1",
            "outcome": "converted",
            "mode": "claims",
            "reason": chat["reason"],
            "next": chat["next"],
            "claim": {
                "name": "gpu",
                "template": "chat-gpu",
                "deviceClass": "gpu.nvidia.com",
                "count": 1,
                "profile": None,
                "selectors": [],
                "preferred": [],
                "shared": False,
                "capacity": {},
                "others": [],
            },
            "source": None,
        }
        assert chat["field"] == "spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]"
        assert (later["outcome"], later["quantity"], later["mode"], later["claim"]) == (
            "needs-decision",
            "some",
            None,
            None,
        )

    def test_what_could_not_be_read_stands_in_it(self, tree: Path, dralint: Any) -> None:
        (tree / "broken.yaml").write_text("nvidia.com/gpu: [")
        data = self.report(dralint, "--write")
        assert [(problem["path"], problem["line"]) for problem in data["problems"]] == [("broken.yaml", 1)]

    def test_a_template_is_in_it_as_unsupported(self, tree: Path, dralint: Any) -> None:
        (tree / "templates").mkdir()
        (tree / "Chart.yaml").write_text("apiVersion: v2\nname: demo\nversion: 0.1.0\n")
        (tree / "templates" / "pod.yaml").write_text(BEFORE.replace("example", "{{ .Values.image }}"))
        data = self.report(dralint)
        outcomes = {occurrence["path"]: occurrence["outcome"] for occurrence in data["occurrences"]}
        assert outcomes == {"chat.yaml": "converted", "templates/pod.yaml": "unsupported"}

    def test_it_is_not_half_written(self, tree: Path, dralint: Any) -> None:
        ran = dralint("convert", "--report", "missing/report.json")
        assert ran.code == 2
        assert ran.err.startswith("missing/report.json: error: ")
        assert ran.out == ""
        Path("report.json").symlink_to("../elsewhere.json")
        assert dralint("convert", "--report", "report.json").code == 2
        assert not Path("../elsewhere.json").exists()

    def test_a_pipe_gets_it(self, tree: Path) -> None:
        done = subprocess.run(
            f"{shlex.join(DRALINT)} convert -q --check --report /dev/fd/3 3>&1 | cat",
            shell=True, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert json.loads(done.stdout)["summary"]["converted"] == 1


def test_a_name_with_spaces_and_escapes(tree: Path, dralint: Any) -> None:
    name = "with space\x1b[31m.yaml"
    (tree / "chat.yaml").rename(tree / name)
    ran = dralint("convert", name)
    assert ran.code == 1
    assert "\x1b" not in ran.out + ran.err
    subprocess.run(["git", "apply", "-"], input=ran.out.encode(), check=True, cwd=tree)
    assert "ResourceClaimTemplate" in (tree / name).read_text()


def test_colours_are_for_terminals(tree: Path, dralint: Any) -> None:
    assert "\x1b" not in dralint("convert").out
    colored = dralint("convert", "--color", "always").out
    assert "\x1b[31m-              nvidia.com/gpu: 1\x1b[0m\n" in colored
    assert re.sub(r"\x1b\[\d+m", "", colored) == dralint("convert").out


def test_a_file_that_changes_after_it_was_read_is_left_alone(
    tree: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dralint.convert import convert as module

    real = module.convert
    later = BEFORE + "# somebody saved this meanwhile\n"

    def meanwhile(*arguments: Any) -> Any:
        (tree / "chat.yaml").write_text(later)
        os.unlink(tree / "gone.yaml")
        return real(*arguments)

    (tree / "gone.yaml").write_text(BEFORE)
    monkeypatch.setattr(module, "convert", meanwhile)
    ran = dralint("convert", "--write", "chat.yaml", "gone.yaml")
    assert ran.code == 2
    assert re.search(r"^chat\.yaml: error: changed since it was read", ran.err, re.MULTILINE)
    assert re.search(r"^gone\.yaml: error: vanished since it was read", ran.err, re.MULTILINE)
    assert (tree / "chat.yaml").read_text() == later
    assert not (tree / "gone.yaml").exists()


@pytest.mark.parametrize("hinders", ["base/base.yaml", "prod/kustomization.yaml", "base/kustomization.yaml"])
def test_files_that_are_right_only_together_are_written_all_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dralint: Any, hinders: str
) -> None:
    workload = json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "chat"},
            "spec": {
                "containers": [{"name": "a", "image": "a", "resources": {"limits": {"nvidia.com/gpu": 1}}}]
            },
        }
    )
    step = json.dumps(
        [{"op": "replace", "path": "/spec/containers/0/resources/limits/nvidia.com~1gpu", "value": 2}]
    )
    patches = json.dumps([{"target": {"kind": "Pod", "name": "chat"}, "patch": step}])
    tree = {
        "base/base.yaml": f"# One.\n---\n{workload}\n",
        "base/kustomization.yaml": "resources: [base.yaml]\n",
        "prod/kustomization.yaml": f"resources: [../base]\nnamePrefix: p-\npatches: {patches}\n",
        "alone.yaml": f"# Two.\n---\n{workload.replace('chat', 'talk')}\n",
    }
    for name, text in tree.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / hinders).chmod(0o444)
    ran = dralint("convert", "--write", ".")
    assert ran.code == 2
    assert "1 file changed, 4 files left as they were" in ran.err
    assert f"{hinders}: error: is read-only" in ran.err
    assert f"changes only together with {hinders}" in ran.err
    assert {name: (tmp_path / name).read_text() == text for name, text in tree.items()} == {
        **dict.fromkeys(tree, True),
        "alone.yaml": False,
    }
    assert not (tmp_path / "base/claim-names.yaml").exists()
    (tmp_path / hinders).chmod(0o644)
    assert dralint("convert", "--write", ".").code == 0


def test_a_read_only_file_is_left_alone(tree: Path, dralint: Any) -> None:
    (tree / "chat.yaml").chmod(0o444)
    ran = dralint("convert", "--write", "chat.yaml")
    assert ran.code == 2
    assert re.search(r"^chat\.yaml: error: .*read-only", ran.err, re.MULTILINE)
    assert (tree / "chat.yaml").read_text() == BEFORE


class TestWhatCouldNotBeWritten:
    """It is no change: neither in the summary nor in the report."""

    @pytest.fixture
    def refused(self, tree: Path) -> Path:
        """A tree where all but `fine.yaml` is refused: a read-only file, a link, a name too long to write."""
        (tree / "fine.yaml").write_text(BEFORE)
        (tree / "real").write_text(BEFORE)
        (tree / "link.yaml").symlink_to("real")
        (tree / "chat.yaml").chmod(0o444)
        return tree

    def files(self, refused: Path, dralint: Any, *arguments: str) -> tuple[str, dict[str, Any]]:
        ran = dralint("convert", *arguments, "--report", "../r.json", "chat.yaml", "fine.yaml", "link.yaml")
        assert ran.code == 2
        data = json.loads((refused.parent / "r.json").read_text())
        jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
        assert data["summary"]["changed"] == sum(file["changed"] for file in data["files"])
        return ran.err, {file["path"]: (file["changed"], file["error"]) for file in data["files"]}

    def test_in_place(self, refused: Path, dralint: Any) -> None:
        err, files = self.files(refused, dralint, "--write")
        assert "1 file changed, 2 files left as they were: " in err
        assert files.pop("fine.yaml") == (True, None)
        assert {name: changed for name, (changed, _) in files.items()} == {
            "chat.yaml": False,
            "link.yaml": False,
        }
        for name, (_, error) in files.items():
            assert f"{name}: error: {error} (" in err
        assert (refused / "real").read_text() == (refused / "chat.yaml").read_text() == BEFORE
        assert "ResourceClaimTemplate" in (refused / "fine.yaml").read_text()

    def test_as_copies(self, refused: Path, dralint: Any) -> None:
        out = refused.parent / "out"
        (out / "chat.yaml").mkdir(parents=True)
        (out / "link.yaml").symlink_to("nowhere")
        err, files = self.files(refused, dralint, "--output-dir", "../out")
        assert "1 file converted, 2 files left as they were" in err
        assert {name for name, (changed, error) in files.items() if changed or not error} == {"fine.yaml"}

    def test_nothing_at_all(self, refused: Path, dralint: Any) -> None:
        ran = dralint("convert", "--write", "chat.yaml")
        assert ran.err.splitlines()[-1] == "no file changed, 1 file left as it was"

    def test_fixes(self, refused: Path, dralint: Any) -> None:
        text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  resourceClaims:\n"
        text += "    - name: gpu\n      source: {resourceClaimTemplateName: b}\n"
        text += "  containers:\n    - {name: m, image: x, resources: {claims: [{name: gpu}]}}\n"
        for name in ("real", "fine.yaml"):
            (refused / name).write_text(text)
        ran = dralint("check", "--fix", "fine.yaml", "link.yaml")
        assert ran.code == 2
        assert ran.err.startswith("link.yaml: error: is a symbolic link")
        assert "fixed 1 finding in 1 file; left: " in ran.err
        assert re.search(r"^link\.yaml:\d+:\d+: error\[DRA107 ", ran.out, re.MULTILINE)
        assert "fine.yaml:7:7: error[DRA107" not in ran.out
        assert (refused / "real").read_text() == text


def test_an_error_inside_is_one_line_and_a_traceback_with_verbose(
    tree: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*arguments: Any) -> Any:
        raise RuntimeError("of a kind\nnobody thought of")

    monkeypatch.setattr("dralint.convert.convert.convert", broken)
    ran = dralint("convert")
    assert ran.code == 2
    assert re.fullmatch(
        r"dralint: internal error in dralint\.cli\.convert:\d+: RuntimeError: "
        r"of a kind\\nnobody thought of \(please report it .*\)\n",
        ran.err,
    )
    verbose = dralint("convert", "-v")
    assert verbose.code == 2
    assert "Traceback" in verbose.err
    assert verbose.err.splitlines()[-1].startswith("dralint: internal error in ")


def test_an_interrupted_run(tree: Path, dralint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("dralint.convert.convert.convert", interrupted)
    ran = dralint("convert", "--write")
    assert (ran.code, ran.err) == (130, "\ndralint: interrupted\n")  # click begins a new line after ^C


class TestNotes:
    """What runs may change because of a conversion is told always; what is only good to know, on request."""

    SHARING = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: plugin}
data:
  config.yaml: |
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""

    @pytest.fixture
    def noted(self, tree: Path) -> Path:
        """The manifest with something to warn of, something to note, and sharing told elsewhere in the work tree."""
        text = BEFORE.replace("    spec:\n", "    spec:\n      runtimeClassName: nvidia\n")
        environment = "env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]\n          resources:"
        (tree / "chat.yaml").write_text(text.replace("resources:", environment))
        (tree.parent / "plugin.yaml").write_text(self.SHARING)
        subprocess.run(["git", "init", "--quiet"], check=True, cwd=tree.parent)
        return tree

    @pytest.mark.parametrize("more", [(), ("-q",), ("-v",), ("--write",), ("--output-dir", "../out")])
    def test_warnings_are_told_always(self, noted: Path, dralint: Any, more: tuple[str, ...]) -> None:
        ran = dralint("convert", *more, "chat.yaml")
        assert re.search(r"^\.\./plugin\.yaml:5:16: warning: .*shares nvidia\.com/gpu", ran.err, re.MULTILINE)
        assert re.search(r"^chat\.yaml:12:\d+: warning: .*NVIDIA_VISIBLE_DEVICES", ran.err, re.MULTILINE)
        assert ("runtimeClassName" in ran.err) == (more == ("-v",))
        assert ("2 notes: shown with -v" in ran.err) == (more not in (("-q",), ("-v",)))

    def test_the_report_tells_them_apart(self, noted: Path, dralint: Any) -> None:
        data = json.loads(dralint("convert", "--report", "-", "chat.yaml").out)
        jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
        weights = {note["topic"]: note["weight"] for note in data["notes"]}
        assert weights == {
            "sharing": "warning",
            "visible-devices": "warning",
            "runtime-class": "info",
            "rollout": "info",
        }

    def test_companions_are_edited_when_asked_for(self, noted: Path, dralint: Any) -> None:
        quota = "apiVersion: v1\nkind: ResourceQuota\nspec:\n  hard:\n    requests.nvidia.com/gpu: 4\n"
        (noted / "quota.yaml").write_text(quota)
        assert dralint("convert", "--check", "quota.yaml").code == 0
        ran = dralint("convert", "--check", "--companions", "quota.yaml")
        assert (ran.code, "quota.yaml: would change" in ran.err) == (1, True)
        data = json.loads(dralint("convert", "--companions", "--report", "-", "chat.yaml", "quota.yaml").out)
        jsonschema.validate(data, SCHEMA, cls=jsonschema.Draft202012Validator)
        edited = {note["topic"]: note["path"] for note in data["notes"] if note["edited"]}
        assert edited == {"visible-devices": "chat.yaml", "quota": "quota.yaml"}
        ran = dralint("convert", "--write", "--companions", "chat.yaml", "quota.yaml")
        assert (ran.code, "2 edits beside the requests" in ran.err) == (0, True)
        line = "    gpu.nvidia.com.deviceclass.resource.k8s.io/devices: 4\n"
        assert (noted / "quota.yaml").read_text() == quota + line
        assert "NVIDIA_VISIBLE_DEVICES" not in (noted / "chat.yaml").read_text()
        assert dralint("convert", "--check", "--companions", "chat.yaml", "quota.yaml").code == 0

    def test_the_next_step_for_a_chart_can_be_pasted(self, tree: Path, dralint: Any) -> None:
        templates = tree / "my chart" / "templates"
        templates.mkdir(parents=True)
        (tree / "my chart" / "Chart.yaml").write_text("name: demo\n")
        (templates / "a.yaml").write_text(BEFORE)
        # Nothing here shows a request before it is rendered.
        (templates / "b.yaml").write_text("{{ if .Values.gpu }}\nnvidia.com/gpu: 1\n{{ end }}\n")
        for paths in (("my chart",), ("my chart/templates/a.yaml",), ("my chart/templates/b.yaml",)):
            for quiet in ((), ("-q",)):
                err = dralint("convert", *quiet, *paths).err
                assert "helm template 'my chart' | dralint convert -\n" in err
                assert str(tree) not in err
