"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat

import pytest

from dralint.errors import WriteError
from dralint.source.write import write, write_new

OLD, NEW = b"old\r\n", b"new\r\n\xff"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(OLD)
    return path


def alone(path):
    """Nothing else was left in the directory."""
    return [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664])
def test_bytes_are_written_and_the_mode_is_kept(path, mode):
    path.chmod(mode)
    write(path, NEW, OLD)
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert alone(path)


def test_a_relative_name(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    write("a.yaml", NEW, OLD)
    assert path.read_bytes() == NEW


def test_a_name_as_long_as_the_file_system_allows(tmp_path):
    path = tmp_path / ("x" * 250 + ".yaml")
    path.write_bytes(OLD)
    write(path, NEW, OLD)
    assert path.read_bytes() == NEW


def refused(path, what, expected=OLD):
    with pytest.raises(WriteError) as caught:
        write(path, NEW, expected)
    assert what in caught.value.what
    assert caught.value.place.path == str(path)
    assert caught.value.advice


@pytest.mark.parametrize("now", [b"", b"old\r\nmore", b"other", OLD[:-1]])
def test_a_file_that_changed_is_left_alone(path, now):
    path.write_bytes(now)
    refused(path, "changed since it was read")
    assert path.read_bytes() == now
    assert alone(path)


def test_a_file_that_changes_during_the_write(path, monkeypatch):
    synced = os.fsync

    def change(descriptor):
        path.write_bytes(b"other")
        synced(descriptor)

    monkeypatch.setattr(os, "fsync", change)
    refused(path, "changed since it was read")
    assert path.read_bytes() == b"other"
    assert alone(path)


def test_a_file_that_vanished(path):
    path.unlink()
    refused(path, "vanished")
    assert not path.exists()


def test_a_link_is_not_followed(path):
    link = path.with_name("link.yaml")
    link.symlink_to(path)
    refused(link, "symbolic link")
    assert link.is_symlink()
    assert path.read_bytes() == OLD


def test_a_directory(tmp_path):
    refused(tmp_path, "not a regular file")


def test_a_read_only_file(path):
    path.chmod(0o444)
    refused(path, "read-only")
    assert path.read_bytes() == OLD
    assert alone(path)


@pytest.mark.parametrize(
    ("function", "error", "what"),
    [
        ("fsync", OSError(28, "No space left on device"), "No space left on device"),
        ("replace", PermissionError(1, "Operation not permitted"), "Operation not permitted"),
        ("open", PermissionError(13, "Permission denied"), "Permission denied"),
        ("open", OSError(30, "Read-only file system"), "Read-only file system"),
        ("chmod", OSError(5, "Input/output error"), "Input/output error"),
    ],
)
def test_a_failure_on_the_way_changes_nothing(path, monkeypatch, function, error, what):
    def fail(*arguments, **options):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, function, fail)
        refused(path, what)
    assert path.read_bytes() == OLD
    assert alone(path)


def test_an_interrupt_leaves_nothing_behind(path, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write(path, NEW, OLD)
    assert path.read_bytes() == OLD
    assert alone(path)


def test_a_new_file(tmp_path):
    path = tmp_path / "new.yaml"
    write(path, NEW, None)
    assert path.read_bytes() == NEW
    assert alone(path)


def test_a_new_file_in_a_missing_directory(tmp_path):
    refused(tmp_path / "missing" / "new.yaml", "No such file", expected=None)


def test_a_new_file_over_a_link(path):
    link = path.with_name("link.yaml")
    link.symlink_to(path)
    refused(link, "symbolic link", expected=None)


def test_a_new_file_takes_no_place_of_another(tmp_path):
    path = tmp_path / "new.yaml"
    write_new(str(path), b"a: 1\n")
    with pytest.raises(WriteError, match="is there by now"):
        write_new(str(path), b"a: 2\n")
    assert path.read_bytes() == b"a: 1\n"
