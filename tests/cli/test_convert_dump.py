"""`kubectl get ... | dralint convert -` as a person runs it: streams, files, progress, bounds."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from dralint.cli.dump import Dumps
from dralint.convert.words import words
from dralint.errors import InputError
from dralint.source.file import SourceFile
from dralint.source.limits import limits
from tests.convert.dumps import as_json, as_yaml, cluster, deployment, live, owned_pod, replica_set

DRALINT = [sys.executable, "-m", "dralint", "convert", "--no-config"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs convert with a text on standard input, in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def ran(text: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*DRALINT, *arguments], input=text.encode(), capture_output=True, check=False)

    return ran


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("form", [as_yaml, as_json])
def test_a_dump_goes_through(run, form):
    ran = run(form(cluster()), "-", "--report", "report.json")
    assert ran.returncode == 1
    assert ran.stdout.count(b"ResourceClaimTemplate") > 0
    report = json.loads(Path("report.json").read_text())
    assert report["files"] == [{"path": "<stdin>", "changed": True, "made": False, "error": None}]
    totals = report["summary"]
    assert (totals["occurrences"], totals["converted"], totals["kept"]) == (15, 5, 8)
    again = subprocess.run([*DRALINT, "-q", "-"], input=ran.stdout, capture_output=True, check=False)
    assert again.stdout == ran.stdout


def test_nothing_left_to_do_is_0(run):
    assert run(as_json([deployment()]), "-").returncode == 0
    assert run(as_json([deployment()]), "--check", "-").returncode == 1


@pytest.mark.parametrize("mode", ["auto", "claims", "extended-resource", "implicit"])
@pytest.mark.parametrize(
    ("owners", "code"), [((), 1), (("ReplicaSet",), 1), (("Deployment", "ReplicaSet"), 0)]
)
def test_pods_whose_owner_was_not_read_are_left_to_do(run, mode, owners, code):
    """Who converts `kubectl get pods` alone has converted nothing yet, and is told so by the exit code."""
    above = deployment()
    replicas = replica_set(above, "chat-1")
    replicas["metadata"]["ownerReferences"][0]["uid"] = above["metadata"]["uid"]
    objects = [each for each in (above, replicas) if each["kind"] in owners]
    pods = [owned_pod(replicas, f"chat-1-{number}") for number in range(2)]
    ran = run(as_json([*objects, *pods]), "-", "--mode", mode, "--report", "report.json")
    assert (ran.returncode, b"was not read: convert" in ran.stderr) == (code, bool(code))
    occurrences = json.loads(Path("report.json").read_text())["occurrences"]
    assert {each["outcome"] for each in occurrences if each["object"]["kind"] == "Pod"} == {"kept"}
    # What makes the exit code 1 is shown without -v.
    assert ran.stderr.count(b": kept: ") == sum(
        bool(each["next"]) and each["mode"] is None for each in occurrences
    )
    assert (b": kept: " in ran.stderr) == bool(code)


QUOTA = {"hard": {"requests.nvidia.com/gpu": "8"}}


@pytest.mark.parametrize(
    ("mode", "written"), [("claims", True), ("implicit", True), ("extended-resource", False)]
)
def test_a_quota_that_follows_becomes_a_file_where_it_changes(run, mode, written):
    dump = as_yaml([deployment(), live("v1", "ResourceQuota", "gpus", QUOTA)])
    ran = run(dump, "-", "--output-dir", "out", "--companions", "--mode", mode)
    assert ran.returncode == 0, ran.stderr
    made, order = Path("out/team/resourcequota-gpus.yaml"), Path("out/order.txt").read_text()
    assert (made.exists(), b"1 edit beside the requests" in ran.stderr) == (written, written)
    assert ("kubectl apply -f team/resourcequota-gpus.yaml" in order) == written
    if written:
        assert len([line for line in made.read_text().splitlines() if line.endswith(("'8'", '"8"'))]) == 2
        assert "uid" not in made.read_text()
    assert not list(Path(run(dump, "-", "--output-dir", "plain").args[-1]).rglob("resourcequota*"))


@pytest.mark.parametrize(
    ("mode", "name"), [("extended-resource", "nvidia-gpu-extended"), ("implicit", "nvidia-mig-1g-10gb")]
)
def test_the_order_tells_of_classes_that_requests_by_name_stand_on(run, mode, name):
    text = as_yaml([deployment()])
    if mode == "implicit":
        text = text.replace("nvidia.com/gpu:", "nvidia.com/mig-1g.10gb:")
    assert run(text, "-", "--output-dir", "out", "--mode", mode).returncode == 0
    assert f"kubectl get deviceclass {name}\n" in Path("out/order.txt").read_text()


@pytest.mark.parametrize("named", [False, True])
def test_the_workloads_become_files(run, named):
    text = as_yaml(cluster())
    Path("dump.yaml").write_text(text)
    ran = run(text, "--output-dir", "out", "dump.yaml" if named else "-")
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert files(Path("out")) == [
        "order.txt",
        "team/cronjob-nightly.yaml",
        "team/deployment-chat.yaml",
        "team/job-train.yaml",
        "team/pod-debug.yaml",
        "team/statefulset-store.yaml",
    ]
    told = ran.stderr.decode().splitlines()
    assert told[-1] == (
        "5 files in out, 5 converted; 11 objects of the dump got none: out/order.txt tells in which order to apply them"
    )
    again = subprocess.run([*DRALINT, "--check", "-q", "out"], capture_output=True, check=False)
    assert (again.returncode, again.stderr) == (0, b"")


def test_files_of_a_dump_pass_check(run):
    run(as_yaml(cluster()), "--output-dir", "out", "-")
    ran = subprocess.run(
        [sys.executable, "-m", "dralint", "check", "--no-config", "out"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "error" not in ran.stdout


def test_the_report_of_files_may_go_to_stdout(run):
    ran = run(as_yaml(cluster()), "--output-dir", "out", "--report", "-", "-")
    assert json.loads(ran.stdout)["summary"]["changed"] == 1


def test_other_files_beside_a_named_dump_are_copied(run):
    Path("in").mkdir()
    Path("in/dump.json").write_text(as_json([deployment()]))
    Path("in/service.yaml").write_text("kind: Service\n")
    assert run("", "--output-dir", "out", "in").returncode == 0
    assert files(Path("out")) == ["in/service.yaml", "order.txt", "team/deployment-chat.json"]


def test_two_dumps_make_no_files(run):
    for name in ("one.json", "two.json"):
        Path(name).write_text(as_json([deployment()]))
    ran = run("", "--output-dir", "out", "one.json", "two.json")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"second dump" in ran.stderr


def test_standard_input_that_is_no_dump_makes_no_files(run):
    ran = run("kind: Service\n", "--output-dir", "out", "-")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert (
        ran.stderr.decode()
        == "dralint: error: --output-dir with - is for a dump of a cluster (the result goes to stdout)\n"
    )
    assert files(Path()) == []


def test_a_dump_without_gpus(run):
    service = live("v1", "Service", "chat", {"ports": [{"port": 80}]})
    assert run(as_yaml([service]), "-").stdout.decode() == as_yaml([service])
    ran = run(as_yaml([service]), "--output-dir", "out", "-")
    assert ran.returncode == 0
    assert files(Path("out")) == ["order.txt"]


def _on_a_terminal(text: str, *arguments: str) -> tuple[bytes, str]:
    """The output, and what a terminal on stderr was sent."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*DRALINT, *arguments, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "80"},
    )  # fmt: skip
    os.close(theirs)
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin as given:
        given.write(text.encode())
    with process.stdout as made:
        out = made.read()
    seen = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    os.close(ours)
    assert process.wait() == 0
    return out, seen.decode()


LARGE = as_json([deployment(f"chat-{number}") for number in range(600)], None)


def test_progress_is_shown_on_a_terminal(run):
    shown, seen = _on_a_terminal(LARGE)
    assert "reading" in seen
    assert "converting" in seen
    assert "100%" in seen
    quiet, silent = _on_a_terminal(LARGE, "-q")
    assert silent == ""
    piped = run(LARGE, "-")
    assert shown == quiet == piped.stdout
    assert b"%" not in piped.stderr


def test_a_small_dump_shows_no_progress():
    assert "reading" not in _on_a_terminal(as_json([deployment()]))[1]


def test_what_is_larger_than_a_file_may_be_has_to_be_a_dump(monkeypatch: pytest.MonkeyPatch):
    bounds = limits()._replace(file_size=1000)
    monkeypatch.setattr("dralint.cli.dump.limits", lambda: bounds)
    monkeypatch.setattr("dralint.cli.dump.too_large", lambda name, most: InputError(f"{name} over {most}"))
    dumps = Dumps(words(), apart=False, shown=False)
    parts = dumps.read(SourceFile("<stdin>", None, as_json([deployment()]).encode()))
    assert isinstance(parts, list)
    other = dumps.read(SourceFile("<stdin>", None, b"a: 1\n" + b"#" * 1000))
    assert str(other) == "<stdin> over 1000"
    assert dumps.read(SourceFile("<stdin>", None, b"a: 1\n")) is None
