"""Make the fixes of findings: round after round, until nothing more can be fixed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from dralint.errors import InternalError
from dralint.kube.objects import ParsedFile
from dralint.lint.finding import Finding, Fix
from dralint.lint.rewritten import Rewritten
from dralint.source.file import SourceFile
from dralint.yamltext.operations import Edit
from dralint.yamltext.patch import patch
from dralint.yamltext.splice import splice

# Fixes that undo each other would go on for ever; real ones are through after two or three rounds.
MAX_ROUNDS = 20
Parse = Callable[[SourceFile], ParsedFile]
Check = Callable[[Sequence[ParsedFile]], list[Finding]]


class Fixed(NamedTuple):
    """What the fixes made of the files.

    files     all files, in their order; those that changed are read anew
    findings  what is found in them now
    changes   the edits of each file that changed, on its first text
    counts    how many findings are fixed, by the name of the file
    settled   False: there was more to fix after MAX_ROUNDS, so that fixes undo each other
    """

    files: list[ParsedFile]
    findings: list[Finding]
    changes: Mapping[str, Sequence[Edit]]
    counts: Mapping[str, int]
    settled: bool


def wanted(finding: Finding, *, unsafe: bool) -> Fix | None:
    """The fix of a finding, if it may be made."""
    fix = finding.fix
    return fix if fix is not None and (unsafe or fix.applicability == "safe") else None


def _key(finding: Finding) -> tuple[object, ...]:
    """What names a finding, or several of a kind, although lines and fields move and apiVersions change."""
    ref = finding.object
    named = (ref.kind, ref.namespace, ref.name) if ref else ()
    return finding.region.path, finding.rule, named


def _edited(
    file: ParsedFile, findings: Sequence[Finding], unsafe: bool
) -> tuple[Sequence[Edit], list[Finding]]:
    """The edits of the fixes that can be made together, and the findings whose fixes they are."""
    fixable = [(finding, fix) for finding in findings if (fix := wanted(finding, unsafe=unsafe)) is not None]
    groups = [fix.operations for _, fix in fixable]
    try:
        patched = patch(file.text, file.documents, groups)
    except InternalError:
        # Each was checked alone; what does not go together is made in several rounds.
        patched = patch(file.text, file.documents, groups[:1])
        fixable = fixable[:1]
    refused = {refusal.group for refusal in patched.refusals}
    return patched.edits, [finding for group, (finding, _) in enumerate(fixable) if group not in refused]


class _Rounds:
    """The files while they are being fixed."""

    def __init__(self, files: Sequence[ParsedFile], parse: Parse, unsafe: bool) -> None:
        self.files = list(files)
        self._parse = parse
        self._unsafe = unsafe
        self.counts: dict[str, int] = {}
        self._changes: dict[str, Rewritten] = {}

    def changes(self) -> Mapping[str, Sequence[Edit]]:
        return {name: edits for name, each in self._changes.items() if (edits := each.edits())}

    def _count(self, findings: Iterable[Finding]) -> None:
        for finding in findings:
            name = finding.region.path
            self.counts[name] = self.counts.get(name, 0) + 1

    def round(self, findings: Sequence[Finding], check: Check) -> list[Finding] | None:
        """What is found after one more round; None where nothing could be fixed."""
        by_file: dict[str, list[Finding]] = {}
        for finding in findings:
            if wanted(finding, unsafe=self._unsafe):
                by_file.setdefault(finding.region.path, []).append(finding)
        fixed: set[int] = set()
        waiting: list[Finding] = []
        for index, file in enumerate(self.files):
            name = file.file.name
            edits, done = _edited(file, by_file[name], self._unsafe) if name in by_file else ((), [])
            if edits:
                text = file.text
                self._changes.setdefault(name, Rewritten(len(text.text))).apply(edits)
                data = text.encode(splice(text.text, edits))
                self.files[index] = self._parse(SourceFile(name, file.file.path, data))
                fixed.update(map(id, done))
                waiting += (each for each in by_file[name] if id(each) not in fixed)
        if not fixed:
            return None
        found = check(self.files)
        self._count(each for each in findings if id(each) in fixed)
        # Two findings may have one cause: the second is gone although its own fix was not made.
        gone = Counter(_key(each) for each in findings if id(each) not in fixed)
        gone.subtract(map(_key, found))
        for each in waiting:
            if gone[_key(each)] > 0:
                gone[_key(each)] -= 1
                self._count([each])
        return found


def fix(
    files: Sequence[ParsedFile], findings: Sequence[Finding], check: Check, parse: Parse, *, unsafe: bool
) -> Fixed:
    """Fix what can be fixed, in memory; nothing is written.

    findings  those of `check` on the files
    check     finds what is wrong in files that have changed, fixes included
    unsafe    make unsafe fixes, too
    """
    rounds = _Rounds(files, parse, unsafe)
    found = list(findings)
    for _ in range(MAX_ROUNDS):
        after = rounds.round(found, check)
        if after is None:
            return Fixed(rounds.files, found, rounds.changes(), rounds.counts, settled=True)
        found = after
    return Fixed(rounds.files, found, rounds.changes(), rounds.counts, settled=False)
