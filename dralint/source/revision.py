"""The files of a git work tree as they were at an earlier commit. Runs git; reads only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from dralint.errors import UsageError

# A checked repository's own settings must not run programs: no file system monitor, no external diff.
_GIT = ("git", "-c", "core.fsmonitor=false", "-c", "core.quotepath=false", "--no-pager")
_FILE_MODES = (b"100644", b"100755")


class _Failed(Exception):
    """Git ended with an error; what it said, in one line."""


def _git(root: str, *arguments: str, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run([*_GIT, *arguments], cwd=root, input=given, capture_output=True, check=False)  # noqa: S603
    except OSError as error:
        raise UsageError(f"--base needs git, which cannot be run: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise _Failed(lines[0] if lines else f"exit code {done.returncode}")
    return done.stdout


def _must(root: str, *arguments: str, given: bytes = b"") -> bytes:
    """What git says; raises UsageError where it fails."""
    try:
        return _git(root, *arguments, given=given)
    except _Failed as error:
        raise UsageError(f"--base: git said: {error}") from None


def _fields(output: bytes) -> list[str]:
    return [os.fsdecode(field) for field in output.split(b"\0") if field]


def _commit(root: str, revision: str) -> str | None:
    try:
        named = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    except _Failed:
        return None
    return named.decode().strip()


def _is_shallow(root: str) -> bool:
    return _must(root, "rev-parse", "--is-shallow-repository").strip() == b"true"


def _fetch_advice(root: str, revision: str) -> str:
    remote, slash, branch = revision.partition("/")
    fetch = f"git fetch {remote} {branch}" if slash and branch else f"git fetch origin {revision}"
    if _is_shallow(root):
        return f"this clone is shallow; run git fetch --unshallow, then {fetch} (actions/checkout: fetch-depth: 0)"
    return f"check the name, or run {fetch}"


def merge_base(root: str, revision: str) -> str:
    """The commit that a revision and HEAD have in common, in the work tree at `root`.

    Raises UsageError, saying what to fetch, where there is none.
    """
    _must(root, "rev-parse", "--git-dir")
    commit, head = _commit(root, revision), _commit(root, "HEAD")
    if head is None:
        raise UsageError("--base: this branch has no commit yet", advice="commit first")
    if commit is None:
        raise UsageError(f"--base: git knows no revision {revision!r}", advice=_fetch_advice(root, revision))
    try:
        return _git(root, "merge-base", commit, head).decode().strip()
    except _Failed:
        raise UsageError(
            f"--base: {revision} and HEAD have no commit in common", advice=_fetch_advice(root, revision)
        ) from None


class Revision:
    """The work tree at `root` as it was at a commit. Paths are relative to the root, with slashes."""

    def __init__(self, root: str, commit: str) -> None:
        self.root = root
        self._commit = commit

    @cached_property
    def _blobs(self) -> Mapping[str, str]:
        """The regular files of the commit and the names of their contents."""
        found: dict[str, str] = {}
        for entry in _must(self.root, "ls-tree", "-r", "-z", "--full-tree", self._commit).split(b"\0"):
            head, _, path = entry.partition(b"\t")
            if path and head.split()[0] in _FILE_MODES:
                found[os.fsdecode(path)] = head.split()[2].decode()
        return found

    @cached_property
    def _differences(self) -> tuple[frozenset[str], Mapping[str, str]]:
        """Paths whose files differ between then and now, and of renamed files the old path by the new one."""
        options = ("--name-status", "-z", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules")
        fields = iter(_fields(_must(self.root, "diff", *options, self._commit, "--")))
        paths: set[str] = set()
        renamed: dict[str, str] = {}
        for status in fields:
            path = next(fields)
            paths.add(path)
            if status[0] in "RC":
                new = next(fields)
                paths.add(new)
                renamed[new] = path
        return frozenset(paths), renamed

    def path_then(self, path: str) -> str | None:
        """What a file was called; None where it was not there."""
        old = self._differences[1].get(path, path)
        return old if old in self._blobs else None

    def is_as_now(self, path: str) -> bool:
        """Whether a file of the work tree is what it was."""
        return path in self._blobs and path not in self._differences[0]

    @property
    def changed(self) -> Sequence[str]:
        """Files that were there and are not as they were: edited, moved or deleted since."""
        return sorted(path for path in self._differences[0] if path in self._blobs)

    def contents(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes that files had, in the given order."""
        if not paths:
            return
        asked = "".join(f"{self._blobs[path]}\n" for path in paths).encode()
        output = _must(self.root, "cat-file", "--batch", given=asked)
        position = 0
        for path in paths:
            end = output.index(b"\n", position)
            size = int(output[position:end].split()[2])
            yield path, output[end + 1 : end + 1 + size]
            position = end + 1 + size + 1
