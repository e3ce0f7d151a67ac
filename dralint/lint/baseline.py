"""The baseline: findings that are known and not reported again, in a file that a team keeps."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from dralint.errors import ConfigError, Place
from dralint.lint.finding import Finding
from dralint.lint.fingerprint import Fingerprint, counted, fingerprint, without
from dralint.lint.valid import errors

VERSION = 1


class Scope(NamedTuple):
    """What a run looked at.

    named   the files and directories of the command line
    unread  files of them that could not be read
    rules   the ids of the rules that ran
    """

    named: Sequence[str]
    unread: Collection[str]
    rules: Collection[str]


class Baseline:
    """The known findings of a file.

    directory  absolute; paths of findings count from it, so that it does not matter where dralint runs
    known      how many findings have each fingerprint
    """

    def __init__(self, directory: str, known: Counter[Fingerprint] | None = None) -> None:
        self._directory = directory
        self.known = known or Counter()

    def path(self, name: str) -> str:
        """A file as the baseline calls it; standard input keeps its name."""
        if name.startswith("<"):
            return name
        return os.path.relpath(os.path.abspath(name), self._directory).replace(os.sep, "/")

    def _fingerprint(self, finding: Finding) -> Fingerprint:
        return fingerprint(finding, self.path(finding.region.path))

    def new(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings that are not known."""
        return without(findings, self._fingerprint, self.known.copy())

    def stale(self, findings: Sequence[Finding], scope: Scope) -> list[tuple[Fingerprint, int]]:
        """What is known and was not found although this run looked for it, with how many times."""
        left = self.known.copy()
        without(findings, self._fingerprint, left)
        return [(each, left[each]) for each in sorted(left) if left[each] and self._was_judged(each, scope)]

    def updated(self, findings: Sequence[Finding], scope: Scope) -> Baseline:
        """The baseline of these findings; what this run did not look for stays known."""
        kept = {each: count for each, count in self.known.items() if not self._was_judged(each, scope)}
        return Baseline(self._directory, Counter(kept) + counted(findings, self._fingerprint))

    def _was_judged(self, each: Fingerprint, scope: Scope) -> bool:
        """Whether this run would have found it, were it still there."""
        if each.rule not in scope.rules:
            return False
        if each.path.startswith("<"):
            return each.path in scope.named
        path = os.path.normpath(os.path.join(self._directory, each.path))
        if path in map(os.path.abspath, scope.unread):
            return False
        named = [os.path.abspath(name) for name in scope.named]
        inside = any(path == name or path.startswith(os.path.join(name, "")) for name in named)
        return inside or not os.path.exists(path)

    def dump(self) -> str:
        """The text of the file."""
        entries = [
            {**each._asdict(), "count": count} for each, count in sorted(self.known.items()) if count > 0
        ]
        return json.dumps({"version": VERSION, "findings": entries}, indent=2) + "\n"


def _entries(data: Any) -> Counter[Fingerprint]:
    known: Counter[Fingerprint] = Counter()
    for entry in data["findings"]:
        known[Fingerprint(*(entry[key] for key in Fingerprint._fields))] += entry["count"]
    return known


def load(path: str) -> Baseline:
    """Read a baseline file. Raises ConfigError; FileNotFoundError where there is none."""
    advice = "write it anew with --write-baseline"
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror}", Place(path)) from None
    except (ValueError, RecursionError):
        raise ConfigError("is no baseline of dralint: not valid JSON", Place(path), advice) from None
    if errors(data, "baseline.schema.json"):
        raise ConfigError("is no baseline of this version of dralint", Place(path), advice)
    return Baseline(os.path.dirname(os.path.abspath(path)), _entries(data))


def empty(path: str) -> Baseline:
    """A baseline that knows nothing, for a file that is yet to be written."""
    return Baseline(os.path.dirname(os.path.abspath(path)))
