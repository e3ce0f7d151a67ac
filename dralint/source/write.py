"""Write a file whole or not at all: a temporary file beside it, then one rename."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat

from dralint.errors import Place, WriteError

# What is wrong with a directory, and not with the file: another directory may do.
DENIED = "check the permissions of the directory"
READ_ONLY = "the file system is read-only"
_ADVICE = {
    errno.ENOSPC: "free some space; the file is unchanged",
    errno.EDQUOT: "free some space; the file is unchanged",
    errno.EFBIG: "free some space; the file is unchanged",
    errno.EROFS: READ_ONLY,
    errno.EACCES: DENIED,
    errno.EPERM: DENIED,
    errno.ENOENT: "the directory is missing; create it first",
}
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_NEW_MODE = 0o644


def _status(path: str) -> os.stat_result | None:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        return None


def _check(path: str, expected: bytes | None) -> os.stat_result | None:
    """The state of what is to be replaced; raises WriteError when it must not be."""
    place = Place(path)
    status = _status(path)
    if status is None:
        if expected is None:
            return None
        raise WriteError("vanished since it was read", place, "run dralint again")
    if stat.S_ISLNK(status.st_mode):
        raise WriteError("is a symbolic link and was not written", place, "name the file it points to")
    if not stat.S_ISREG(status.st_mode):
        raise WriteError("is not a regular file and was not written", place, "name another file")
    # Root may write anything; a file without a write bit is still one that somebody protected.
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise WriteError("is read-only and was not written", place, "make it writable first")
    if expected is not None:
        with open(path, "rb") as file:
            if file.read(len(expected) + 1) != expected:
                raise WriteError("changed since it was read and was not written", place, "run dralint again")
    return status


def _fill(temporary: str, data: bytes, like: os.stat_result | None) -> None:
    descriptor = os.open(temporary, _CREATE, _NEW_MODE)
    with open(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)
    if like is not None:
        if hasattr(os, "chown") and (like.st_uid, like.st_gid) != (os.getuid(), os.getgid()):
            # Only root can give a file away; the mode matters more than the owner.
            with contextlib.suppress(OSError):
                os.chown(temporary, like.st_uid, like.st_gid)
        os.chmod(temporary, stat.S_IMODE(like.st_mode))


def _temporary(path: str) -> str:
    """A new file's name in the folder of a path."""
    return os.path.join(os.path.dirname(path), f".{os.path.basename(path)[:64]}.{secrets.token_hex(6)}.tmp")


def _failed(error: OSError, path: str) -> WriteError:
    advice = _ADVICE.get(error.errno or 0, "the file is unchanged")
    return WriteError(f"could not be written: {error.strerror or error}", Place(path), advice)


def probe(path: str) -> None:
    """Raise the WriteError that `write` of a new file, or over what is there, is going to raise."""
    temporary = _temporary(path)
    try:
        _check(path, None)
        os.close(os.open(temporary, _CREATE, _NEW_MODE))
        os.unlink(temporary)
    except OSError as error:
        raise _failed(error, path) from None


def check(path: str, expected: bytes | None = None) -> None:
    """Raise the WriteError that `write` over what is there is going to raise; nothing is touched."""
    try:
        _check(path, expected)
    except OSError as error:
        raise _failed(error, path) from None


def write(path: str | os.PathLike[str], data: bytes, expected: bytes | None) -> None:
    """Replace a file by `data`, keeping its mode; on any failure nothing has changed.

    expected: the bytes that were read; the file is left alone when it holds others by now. None: the
    file may be new, and what is there is replaced. Raises WriteError, also for symbolic links,
    read-only files and a full disk.
    """
    path = os.fspath(path)
    temporary = _temporary(path)
    try:
        status = _check(path, expected)
        try:
            _fill(temporary, data, status)
            _check(path, expected)
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise _failed(error, path) from None


def check_new(path: str) -> None:
    """Raise WriteError where something is there by now."""
    if _status(path) is not None:
        raise WriteError("is there by now and was not written", Place(path), "run dralint again")


def write_new(path: str, data: bytes) -> None:
    """Make a file, whole or not at all; raises WriteError, also where something is there by now."""
    check_new(path)
    write(path, data, None)
