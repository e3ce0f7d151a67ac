"""Hostile and broken input costs one line and itself: no traceback, no crash, bounded time and memory."""

from __future__ import annotations

import os
import re
import resource
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

# Large input may take 10 s of a processor at rest; one that others share does half as much in a second.
CPU_SECONDS = 20
HANG_SECONDS = 900
MEMORY_BYTES = 1_000_000_000
GOOD = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: good
spec:
  template:
    spec:
      containers:
        - name: main
          image: example
          resources:
            limits:
              nvidia.com/gpu: 1
"""
# Python writes what is buffered at exit, where an error is hard to tell.
BUFFERED = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
COMMANDS = {"check": ("check",), "convert": ("convert", "--write")}


class Ended(NamedTuple):
    """How a child process ended: its exit code (negative: the signal), output, and largest memory in bytes."""

    code: int
    out: str
    err: str
    memory: int


LAUNCH = """
import resource
resource.setrlimit(resource.RLIMIT_CPU, ({cpu}, {cpu}))
resource.setrlimit(resource.RLIMIT_FSIZE, ({file_size}, {file_size}))
from dralint.cli.main import main
main()
"""


def bounded(
    folder: Path, *arguments: str, stdin: bytes = b"", file_size: int = resource.RLIM_INFINITY
) -> Ended:
    """Run dralint in a child process that may use CPU_SECONDS of processor time.

    file_size: the most bytes of a file that it may write, as on a disk that is nearly full
    """
    launch = LAUNCH.format(cpu=CPU_SECONDS, file_size=file_size)
    with (
        open(folder.parent / "out", "w+b") as out,
        open(folder.parent / "err", "w+b") as err,
        open(folder.parent / "in", "w+b") as given,
    ):
        given.write(stdin)
        given.seek(0)
        child = subprocess.Popen(
            [sys.executable, "-c", launch, *arguments],
            cwd=folder,
            stdin=given,
            stdout=out,
            stderr=err,
        )
        # Processor time is what is bounded. Only a process that waits for ever is caught by the clock on
        # the wall, so late that no busy machine is mistaken for it.
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                child.kill()
            time.sleep(0.01)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        ended = Ended(
            child.returncode,
            out.read().decode("utf-8", "surrogateescape"),
            err.read().decode("utf-8", "surrogateescape"),
            usage.ru_maxrss * 1024,
        )
    assert ended.code in (0, 1, 2), ended.err[-2000:]
    assert "Traceback" not in ended.err
    assert "internal error" not in ended.err
    assert ended.memory < MEMORY_BYTES
    return ended


@pytest.fixture(params=COMMANDS)
def command(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return COMMANDS[request.param]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A directory with a good manifest in it."""
    directory = tmp_path / "tree"
    directory.mkdir()
    (directory / "good.yaml").write_text(GOOD)
    return directory


def assert_good_was_processed(folder: Path, command: tuple[str, ...]) -> None:
    if command[0] == "convert":
        assert "kind: ResourceClaimTemplate" in (folder / "good.yaml").read_text()


def pod(annotations: str) -> str:
    """A Pod with a GPU whose annotations are the given lines."""
    head = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: large\n  annotations:\n"
    spec = "spec:\n  containers:\n    - name: main\n      resources: {limits: {nvidia.com/gpu: 1}}\n"
    return head + annotations + spec


def alias_bomb() -> bytes:
    lines = ["a0: &a0 [nvidia.com/gpu, nvidia.com/gpu]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 12)]
    return ("apiVersion: v1\nkind: Pod\n" + "\n".join(lines) + "\n").encode()


def merge_bomb() -> bytes:
    lines = ["m0: &m0 {nvidia.com/gpu: 1}"]
    lines += [
        f"m{level}: &m{level} {{a: *m{level - 1}, b: *m{level - 1}, <<: [*m{level - 1}, *m{level - 1}]}}"
        for level in range(1, 40)
    ]
    return ("apiVersion: v1\nkind: Pod\n" + "\n".join(lines) + "\n").encode()


# What cannot be read: its bytes, the place that must be told, and a word of the reason.
UNREADABLE = {
    "alias bomb": (alias_bomb, r"\d+:\d+", "alias"),
    "merge bomb": (merge_bomb, r"\d+:\d+", "alias"),
    "deep flow": (lambda: b"nvidia.com/gpu: " + b"[" * 100_000, r"\d+:\d+", "nested"),
    "deep flow mappings": (lambda: b"nvidia.com/gpu: " + b"{a: " * 100_000, r"\d+:\d+", "nested"),
    "deep block": (
        lambda: b"nvidia.com/gpu:\n" + b"- " * 100_000 + b"a\n",
        r"\d+:\d+",
        "nested",
    ),
    "NUL": (lambda: GOOD.encode() + b"# \0\n", r"14:3", "control characters"),
    "invalid UTF-8": (lambda: GOOD.encode() + b"# \xff\n", r"14:3", "0xff"),
    "Latin-1": (lambda: b"a: 1\nb: caf\xe9 # nvidia.com/gpu\n", r"2:7", "0xe9"),
    "UTF-16 without a mark": (lambda: GOOD.encode("utf-16-le"), r"\d+:\d+", ""),
    "not YAML": (lambda: GOOD.encode() + b"x: [1\n", r"\d+:\d+", ""),
    "undefined alias": (lambda: GOOD.encode() + b"x: *nowhere\n", r"14:4", "nowhere"),
    "a tab as indentation": (lambda: b"nvidia.com/gpu:\n\tlimits: 1\n", r"2:\d+", ""),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_costs_one_line(folder: Path, command: tuple[str, ...], case: str) -> None:
    make, place, reason = UNREADABLE[case]
    data = make()
    (folder / "bad.yaml").write_bytes(data)
    ended = bounded(folder, *command, "bad.yaml", "good.yaml")
    assert ended.code == 2
    lines = [line for line in ended.err.splitlines() if line.startswith("bad.yaml:")]
    assert len(lines) == 1, ended.err
    assert re.match(rf"bad\.yaml:{place}: error: .*{re.escape(reason)}.*", lines[0])
    assert (folder / "bad.yaml").read_bytes() == data
    assert_good_was_processed(folder, command)


def test_the_other_documents_of_a_file_are_processed(folder: Path) -> None:
    bad = "\n---\na: [\n---\n"
    (folder / "mixed.yaml").write_text(
        GOOD + "# nvidia.com/gpu" + bad.replace("a: [", "nvidia.com/gpu: [") + GOOD
    )
    ended = bounded(folder, "convert", "--write", "mixed.yaml")
    assert ended.code == 2
    assert re.search(r"^mixed\.yaml:\d+:\d+: error: ", ended.err, re.MULTILINE)
    after = (folder / "mixed.yaml").read_text()
    assert after.count("nvidia.com/gpu: [") == 1
    assert "nvidia.com/gpu: 1" not in after


LABEL = """\
      affinity:
        nodeAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            nodeSelectorTerms:
              - matchExpressions:
                  - {key: nvidia.com/gpu.product, operator: In, values: [%s]}
"""
LARGE = {
    "a scalar of 50 MB": lambda: pod(f"    note: {'x' * 50_000_000}\n"),
    "a block scalar of 50 MB": lambda: pod("    note: |\n" + "      nvidia.com/gpu\n" * 2_500_000),
    "a quoted scalar of 50 MB": lambda: pod(f'    note: "{"y" * 50_000_000}"\n'),
    "a million keys": lambda: pod("".join(f"    k{number}: v\n" for number in range(1_000_000))),
    "as many keys as are read": lambda: pod("".join(f"    k{number}: v\n" for number in range(740_000))),
    "as many keys as are edited": lambda: pod("".join(f"    k{number}: v\n" for number in range(370_000))),
    "a million documents": lambda: GOOD + "---\n" * 1_000_000,
    "as many documents as are read": lambda: GOOD + "---\n" * 740_000,
    "as many documents as are edited": lambda: GOOD + "---\n" * 370_000,
    "a million comment lines": lambda: GOOD + "# nvidia.com/gpu\n" * 1_000_000,
    "a name of 50 MB": lambda: GOOD.replace("name: good", f"name: {'n' * 50_000_000}"),
    "a label of 100,000 values": lambda: GOOD + LABEL % ", ".join(f"a{number}" for number in range(100_000)),
    "many aliases of one scalar": lambda: pod(
        f"    first: &big {'z' * 100_000}\n" + "".join(f"    k{number}: *big\n" for number in range(100_000))
    ),
}


@pytest.mark.parametrize("case", LARGE)
def test_large_input_is_bounded(folder: Path, command: tuple[str, ...], case: str) -> None:
    (folder / "large.yaml").write_text(LARGE[case]())
    ended = bounded(folder, *command, "large.yaml", "good.yaml")
    assert len(ended.err) < 5_000
    assert_good_was_processed(folder, command)


@pytest.mark.parametrize("case", ["as many keys as are read", "as many documents as are read"])
def test_what_is_too_large_to_edit_is_told(folder: Path, case: str) -> None:
    (folder / "large.yaml").write_text(LARGE[case]())
    ended = bounded(folder, "convert", "--write", "large.yaml")
    assert ended.code == 1
    assert re.search(
        r"^large\.yaml:\d+:\d+: unsupported: .*too large to be edited.*several files", ended.err, re.MULTILINE
    )


@pytest.mark.parametrize("count", [4_000, 6_000])
def test_so_many_small_pods_are_converted_or_refused_before_the_work(folder: Path, count: int) -> None:
    """All or none: what is too large to be edited is told, and the file stays."""
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p%d}\nspec: {containers: [{name: c, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]}\n"
    text = "---\n".join(pod % number for number in range(count))
    (folder / "pods.yaml").write_text(text)
    ended = bounded(folder, "convert", "--write", "pods.yaml")
    if count < 5_000:
        assert f"{count} converted" in ended.err
    else:
        assert re.search(r"unsupported: .*too large to be edited.*several files", ended.err)
        assert (folder / "pods.yaml").read_text() == text


def test_utf16_with_a_mark_is_read_but_not_edited(folder: Path, command: tuple[str, ...]) -> None:
    data = GOOD.encode("utf-16")
    (folder / "wide.yaml").write_bytes(data)
    ended = bounded(folder, *command, "wide.yaml")
    assert ended.code == (1 if command[0] == "convert" else 0)
    assert (folder / "wide.yaml").read_bytes() == data
    if command[0] == "convert":
        assert re.search(
            r"^wide\.yaml:13:15: (unsupported|needs-decision): .*UTF-16", ended.err, re.MULTILINE
        )


@pytest.fixture
def pipe(folder: Path) -> Iterator[Path]:
    path = folder / "pipe.yaml"
    os.mkfifo(path)
    yield path
    path.unlink()


def test_a_named_pipe_is_not_waited_for(folder: Path, command: tuple[str, ...], pipe: Path) -> None:
    ended = bounded(folder, *command, pipe.name, "good.yaml")
    assert ended.code == 2
    assert re.search(r"^pipe\.yaml: error: .*pipe", ended.err, re.MULTILINE)
    assert_good_was_processed(folder, command)


def test_a_report_to_a_pipe_that_nobody_reads(folder: Path, pipe: Path) -> None:
    ended = bounded(folder, "convert", "--report", pipe.name, "good.yaml")
    assert ended.code == 2
    assert re.search(r"^pipe\.yaml: error: .*nobody reads the pipe", ended.err, re.MULTILINE)


def test_a_report_to_a_pipe(folder: Path) -> None:
    reader, writer = os.pipe()
    try:
        launch = [sys.executable, "-m", "dralint", "convert", "--report", f"/dev/fd/{writer}", "good.yaml"]
        child = subprocess.Popen(
            launch, cwd=folder, pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(writer)
        with os.fdopen(reader, "rb", closefd=False) as stream:
            assert b'"occurrences"' in stream.read()
        assert child.wait() == 1
    finally:
        os.close(reader)


def test_a_directory_in_place_of_a_file(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "deploy.yaml").mkdir()
    ended = bounded(folder, *command, "deploy.yaml", "good.yaml")
    assert ended.code == 2
    assert re.search(r"^deploy\.yaml: error: .*directory", ended.err, re.MULTILINE)
    assert_good_was_processed(folder, command)


def test_a_missing_file(folder: Path, command: tuple[str, ...]) -> None:
    ended = bounded(folder, *command, "gone.yaml", "good.yaml")
    assert ended.code == 2
    assert re.search(r"^gone\.yaml: error: .*No such file", ended.err, re.MULTILINE)
    assert_good_was_processed(folder, command)


def test_links_are_not_followed_in_a_walk(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "loop").symlink_to(folder)
    (folder / "self.yaml").symlink_to("self.yaml")
    (folder / "dangling.yaml").symlink_to("nowhere.yaml")
    ended = bounded(folder, *command, ".")
    assert ended.code == 0, ended.err
    assert_good_was_processed(folder, command)


def test_a_link_loop_that_is_named(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "self.yaml").symlink_to("self.yaml")
    ended = bounded(folder, *command, "self.yaml", "good.yaml")
    assert ended.code == 2
    assert re.search(r"^self\.yaml: error: ", ended.err, re.MULTILINE)
    assert_good_was_processed(folder, command)


def test_names_are_shown_escaped(folder: Path, command: tuple[str, ...]) -> None:
    text = GOOD.replace("name: good", r'name: "red\e[31m\nforged.yaml:1:1: error: \u202e"')
    text = text.replace("name: main", r'name: "\e]0;title\a"').replace(": 1\n", ": nothing\n")
    name = "evil\x1b[31m\nname.yaml"
    (folder / name).write_text(text)
    (folder / "broken\x1b[0m.yaml").write_text("nvidia.com/gpu: [")
    ended = bounded(folder, *command, name, "broken\x1b[0m.yaml")
    assert ended.code == 2
    shown = ended.out + ended.err
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert not re.search(r"^(forged|name)\.yaml", shown, re.MULTILINE)


@pytest.mark.parametrize(
    "arguments", [("convert", "good.yaml"), ("rules",), ("--help",)], ids=["a diff", "rules", "help"]
)
def test_a_full_disk_behind_stdout(folder: Path, arguments: tuple[str, ...]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "dralint", *arguments],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, env=BUFFERED, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


def test_a_closed_pipe_is_quiet(folder: Path) -> None:
    (folder / "many.yaml").write_text("---\n".join(GOOD.replace("good", f"good-{n}") for n in range(500)))
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "dralint", "convert", "--quiet", "many.yaml"],
        cwd=folder, stdout=writer, stderr=subprocess.PIPE, env=BUFFERED, text=True, check=False,
    )  # fmt: skip
    os.close(writer)
    assert done.returncode == 141
    assert done.stderr == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(folder: Path, command: tuple[str, ...], closed: str) -> None:
    line = f"{shlex.join([sys.executable, '-m', 'dralint', *command])} . {closed}"
    done = subprocess.run(line, cwd=folder, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert_good_was_processed(folder, command)


def test_a_full_disk_leaves_the_file_whole(folder: Path) -> None:
    ended = bounded(folder, "convert", "--write", "--quiet", "good.yaml", file_size=200)
    assert ended.code == 2
    assert re.search(r"^good\.yaml: error: ", ended.err, re.MULTILINE)
    assert (folder / "good.yaml").read_text() == GOOD
    assert [path.name for path in folder.iterdir()] == ["good.yaml"]


def test_standard_input_is_bounded_too(folder: Path) -> None:
    ended = bounded(folder, "check", "-", stdin=b"nvidia.com/gpu: " + b"[" * 100_000)
    assert ended.code == 2
    assert re.search(r"^<stdin>:1:\d+: error: ", ended.err, re.MULTILINE)
