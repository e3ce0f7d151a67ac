"""`--fix` and `--diff`: fix what was found, then write the files or show the changes."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dralint.cli.checker import Checker
from dralint.cli.destinations import write_in_place
from dralint.cli.diffs import print_diff
from dralint.cli.options import Common
from dralint.convert.model import FileResult
from dralint.errors import DralintError
from dralint.kube.bundle import Bundle
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.lint.engine import Judged
from dralint.lint.finding import Finding
from dralint.lint.fixing import fix
from dralint.lint.run import Run


class Fixing(NamedTuple):
    """What the fixes made of a run.

    run      with the files as they are now
    judged   what is found in them, what is known as well
    results  the files that change
    counts   how many findings are fixed, by the name of the file
    settled  False: fixes undid each other until it was enough
    """

    run: Run
    judged: Judged
    results: Sequence[FileResult]
    counts: Mapping[str, int]
    settled: bool


def fixed(
    run: Run,
    judged: Judged,
    checker: Checker,
    new: Callable[[Sequence[Finding]], list[Finding]],
    *,
    unsafe: bool,
) -> Fixing:
    """Fix the findings that are reported, in memory.

    new: of findings, those that are reported
    """
    latest = run, judged

    def check(files: Sequence[ParsedFile]) -> list[Finding]:
        nonlocal latest
        now = dataclasses.replace(run, files=list(files), bundle=Bundle(files))
        latest = now, checker.judge(now)
        return new(latest[1].findings)

    done = fix(
        run.files, new(judged.findings), check, lambda source: parse(source, checker.words), unsafe=unsafe
    )
    results = [
        FileResult(before, after.file.data, edits=done.changes[before.file.name])
        for before, after in zip(run.files, done.files, strict=True)
        if before.file.name in done.changes
    ]
    return Fixing(*latest, results, done.counts, done.settled)


def delivered(
    fixing: Fixing, checker: Checker, *, write: bool, common: Common
) -> tuple[Fixing, list[DralintError]]:
    """Write the files, or print the diff.

    What could not be written is returned; it is not counted, and is judged as it is.
    """
    if not write:
        print_diff(fixing.results, colored=common.colored(sys.stdout))
        return fixing, []
    problems = write_in_place(fixing.results)
    failed = {each.file.file.name: each.file for each in fixing.results if each.error is not None}
    if not failed:
        return fixing, problems
    files = [failed.get(file.file.name, file) for file in fixing.run.files]
    run = dataclasses.replace(fixing.run, files=files, bundle=Bundle(files))
    counts = {name: count for name, count in fixing.counts.items() if name not in failed}
    return fixing._replace(run=run, judged=checker.judge(run), counts=counts), problems
