"""Versions as Kubernetes' CEL reads and compares them.

Sources: github.com/blang/semver/v4 (Parse, Compare), k8s.io/apiserver pkg/cel/library/semverlib.go (normalize).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from dralint.cel.device.values import GO_TYPE_NAMES, MAX_UINT, TYPE_NAMES, CelError

_TEN = "0123456789"
_DIGITS = re.compile(r"[0-9]*\Z")
_ALPHANUM = re.compile(r"[A-Za-z0-9-]*\Z")


class Semver(NamedTuple):
    """A version. `rank` sorts as Semantic Versioning says; build metadata does not count."""

    major: int
    minor: int
    patch: int
    prerelease: tuple[str, ...]
    build: tuple[str, ...]

    @property
    def rank(self) -> tuple[object, ...]:
        """A key to compare by: a release stands after its prereleases, numbers before words."""
        parts = tuple((0, int(each), "") if each.isdigit() else (1, 0, each) for each in self.prerelease)
        return (self.major, self.minor, self.patch, not self.prerelease, parts)


TYPE_NAMES[Semver] = "kubernetes.Semver"
GO_TYPE_NAMES[Semver] = "cel.Semver"


def _number(text: str, what: str) -> int:
    if not _DIGITS.match(text):
        raise CelError(f"Invalid character(s) found in {what} number {_quoted(text)}")
    if len(text) > 1 and text[0] == "0":
        raise CelError(f"{what.capitalize()} number must not contain leading zeroes {_quoted(text)}")
    return _uint(text)


def _uint(text: str) -> int:
    if not text:
        raise CelError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > MAX_UINT:
        raise CelError(f"strconv.ParseUint: parsing {_quoted(text)}: value out of range")
    return int(text)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _prerelease(text: str) -> str:
    if not text:
        raise CelError("Prerelease is empty")
    if _DIGITS.match(text):
        if len(text) > 1 and text[0] == "0":
            raise CelError(f"Numeric PreRelease version must not contain leading zeroes {_quoted(text)}")
        _uint(text)
    elif not _ALPHANUM.match(text):
        raise CelError(f"Invalid character(s) found in prerelease {_quoted(text)}")
    return text


def _build(text: str) -> str:
    if not text:
        raise CelError("Build meta data is empty")
    if not _ALPHANUM.match(text):
        raise CelError(f"Invalid character(s) found in build meta data {_quoted(text)}")
    return text


def parse(text: str) -> Semver:
    """A strict version: three numbers without leading zeros. Raises CelError in the parser's words."""
    if not text:
        raise CelError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise CelError("No Major.Minor.Patch elements found")
    major, minor = _number(parts[0], "major"), _number(parts[1], "minor")
    rest, plus, build = parts[2].partition("+")
    patch, minus, prerelease = rest.partition("-")
    number = _number(patch, "patch")
    return Semver(
        major,
        minor,
        number,
        tuple(map(_prerelease, prerelease.split("."))) if minus else (),
        tuple(map(_build, build.split("."))) if plus else (),
    )


def parse_normalized(text: str) -> Semver:
    """A version after a leading `v` and leading zeros are dropped and missing numbers are taken as 0."""
    parts = text.removeprefix("v").split(".", 2)
    for index, part in enumerate(parts):
        if len(part) > 1:
            stripped = part.lstrip("0")
            parts[index] = stripped if stripped and stripped[0] in _TEN else f"0{stripped}"
    if len(parts) < 3:
        if "+" in parts[-1] or "-" in parts[-1]:
            raise CelError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return parse(".".join(parts))


def compare(left: Semver, right: Semver) -> int:
    """-1, 0 or 1."""
    a, b = left.rank, right.rank
    return (a > b) - (a < b)
