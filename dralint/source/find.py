"""Find source files: named files, walked directories, standard input; what cannot be read is an error value."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Container, Iterator, Sequence

from dralint.errors import InputError, Place
from dralint.source.file import SourceFile
from dralint.source.ignore import Ignores
from dralint.source.kustomization import NAMES
from dralint.source.limits import Limits, limits
from dralint.source.prefilter import relevant

# Whether an absolute path is to be passed over; the second argument says that it is a directory.
Excluded = Callable[[str, bool], bool]
STDIN = "-"
STDIN_NAME = "<stdin>"
# A FIFO without a writer must not stop the run; the flags are absent on Windows.
_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NOT_FOLLOWED = getattr(os, "O_NOFOLLOW", 0)
_PIPED = "name - instead, and pipe the text into dralint"
_KINDS = {
    stat.S_IFIFO: ("a named pipe", _PIPED),
    stat.S_IFCHR: ("a character device", _PIPED),
    stat.S_IFBLK: ("a block device", "name a file or a directory"),
    stat.S_IFSOCK: ("a socket", "name a file or a directory"),
    stat.S_IFDIR: ("a directory", "put a slash at its end to read the files in it"),
}


def _not_regular(mode: int, name: str) -> InputError:
    what, advice = _KINDS.get(stat.S_IFMT(mode), ("not a regular file", "name a file or a directory"))
    return InputError(f"is {what}, not a file", Place(name), advice)


def _failed(error: OSError, name: str) -> InputError:
    advice = {
        FileNotFoundError: "check the path",
        PermissionError: "check the permissions",
        NotADirectoryError: "check the path",
    }.get(type(error), "check the file")
    return InputError(f"cannot be read: {error.strerror or error}", Place(name), advice)


def too_large(name: str, most: int) -> InputError:
    """The error of a file that has more than so many bytes."""
    mebibytes = most // (1024 * 1024)
    return InputError(f"is larger than {mebibytes} MiB", Place(name), "split it, or leave it out")


def _read_all(descriptor: int, size: int) -> bytes:
    """The rest of an open file, at most one byte past the limit. `size` is what it should have.

    Not a file object's `read(n)`: that one makes a buffer of n bytes first.
    """
    limit = limits().file_size
    data = os.read(descriptor, size + 1)
    if len(data) == size:
        return data
    parts = [data]
    total = len(data)
    while total <= limit and parts[-1]:
        parts.append(os.read(descriptor, 1024 * 1024))
        total += len(parts[-1])
    return b"".join(parts)


def _read(path: str, name: str, *, follow: bool = True) -> bytes | InputError:
    """The bytes of a regular file; an InputError for everything else. Never waits for a writer."""
    try:
        # A device is not even opened: opening can rewind a tape.
        before = os.stat(path) if follow else os.lstat(path)
        if not stat.S_ISREG(before.st_mode):
            return _not_regular(before.st_mode, name)
        descriptor = os.open(path, _OPEN if follow else _OPEN | _NOT_FOLLOWED)
        try:
            before = os.fstat(descriptor)
            if not stat.S_ISREG(before.st_mode):
                return _not_regular(before.st_mode, name)
            limit = limits().file_size
            if before.st_size > limit:
                return too_large(name, limit)
            data = _read_all(descriptor, before.st_size)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        return _failed(error if isinstance(error, OSError) else OSError(str(error)), name)
    if len(data) > limit:
        return too_large(name, limit)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        return InputError("changed while it was being read", Place(name), "run dralint again")
    return data


def read(path: str, name: str) -> SourceFile | InputError:
    """A named file; a link is followed."""
    data = _read(path, name)
    return data if isinstance(data, InputError) else SourceFile(name, path, data)


def read_stdin(name: str, most: int | None = None) -> SourceFile | InputError:
    """Standard input to its end; most: bytes that it may have, by default those of a file."""
    if sys.stdin is None:
        return InputError("standard input is closed", Place(name), "name a file, or pipe one in")
    limit = most or limits().file_size
    try:
        data = sys.stdin.buffer.read(limit + 1)
    except OSError as error:
        return _failed(error, name)
    return too_large(name, limit) if len(data) > limit else SourceFile(name, None, data)


def _is_built(directory: str, entry: os.DirEntry[str]) -> bool:
    """Whether a link is a kustomization that kustomize reads: to a file of the same directory."""
    if entry.name not in NAMES:
        return False
    return os.path.dirname(os.path.realpath(entry.path)) == os.path.realpath(directory)


def _entries(directory: str) -> tuple[list[str], list[str]]:
    """The names of a directory's files and of its directories, sorted; other links are in neither."""
    files: list[str] = []
    directories: list[str] = []
    with os.scandir(directory) as scan:
        for entry in scan:
            if entry.is_dir(follow_symlinks=False):
                directories.append(entry.name)
            elif not entry.is_symlink() or _is_built(directory, entry):
                files.append(entry.name)
    return sorted(files), sorted(directories)


def _is_manifest(name: str, bounds: Limits) -> bool:
    return (name.lower().endswith(bounds.suffixes) or name in NAMES) and name not in bounds.skipped_files


def walk(
    root: str,
    shown: str,
    words: Sequence[bytes],
    known: Container[str] = (),
    most: int | None = None,
    excluded: Excluded | None = None,
    always: Container[str] = (),
) -> Iterator[SourceFile | InputError]:
    """The files below a directory that look like manifests and hold one of the words, or have a name in `always`.

    Symbolic links are not followed, but for kustomizations within their directory; what .gitignore leaves out is left out, and so are the files
    whose absolute path is in `known` or `excluded`. `shown` stands in names for the root, "" or ending
    in a slash. After `most` files the walk ends.
    """
    bounds = limits()
    ignores = Ignores(root)
    left = sys.maxsize if most is None else most
    waiting = [(root, shown)]
    while waiting:
        directory, prefix = waiting.pop()
        try:
            files, directories = _entries(directory)
        except OSError as error:
            yield _failed(error, prefix or directory)
            continue
        here = {*files, *directories}
        if directory != root and any(marker in here for marker in bounds.environment_markers):
            continue
        ignores.enter(directory, ".gitignore" in here)
        for name in files:
            path = os.path.join(directory, name)
            if not _is_manifest(name, bounds) or path in known:
                continue
            if excluded is not None and excluded(path, False):
                continue
            left -= 1
            if left < 0:
                return
            data = _read(path, prefix + name, follow=name in NAMES)
            # Asked last: most files are irrelevant, and a pattern costs more than a byte search.
            if isinstance(data, InputError):
                if not ignores.file(directory, name):
                    yield data
            elif (name in always or relevant(data, words)) and not ignores.file(directory, name):
                yield SourceFile(prefix + name, path, data)
        waiting.extend(
            (os.path.join(directory, name), f"{prefix}{name}/")
            for name in reversed(directories)
            if name not in bounds.skipped_directories
            and not ignores.directory(directory, name)
            and not (excluded is not None and excluded(os.path.join(directory, name), True))
        )


def find(
    paths: Sequence[str],
    *,
    words: Sequence[bytes],
    stdin_name: str = STDIN_NAME,
    excluded: Excluded | None = None,
    most_stdin: int | None = None,
    always: Container[str] = (),
) -> Iterator[SourceFile | InputError]:
    """The files a person named, each once, in that order; `-` is standard input, no path is ".".

    A named file is always there; files of a named directory only if they hold one of the words, or have a
    name in `always`, and are not excluded.
    What cannot be read is an InputError among them. most_stdin: bytes of standard input.
    """
    seen: set[str] = set()
    for path in paths or (".",):
        absolute = os.path.abspath(path) if path != STDIN else STDIN
        if absolute in seen:
            continue
        if path == STDIN:
            seen.add(absolute)
            yield read_stdin(stdin_name, most_stdin)
        elif _is_directory(path):
            shown = "" if path == "." else os.path.join(path.removeprefix("./"), "")
            for found in walk(absolute, shown, words, frozenset(seen), None, excluded, always):
                if isinstance(found, SourceFile):
                    seen.add(str(found.path))
                yield found
        else:
            seen.add(absolute)
            yield read(path, path)


def _is_directory(path: str) -> bool:
    """A directory to walk. One that is named like a manifest is most likely a mistake.

    Container runtimes make such directories where a file to be mounted is missing.
    """
    named_like_file = path.lower().endswith(limits().suffixes)
    return os.path.isdir(path) and not named_like_file
