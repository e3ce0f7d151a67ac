"""The results of a conversion where they belong: files, copies, components, the report."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dralint.cli.destination import STDOUT, Destination
from dralint.cli.messages import tell
from dralint.cli.options import Common
from dralint.errors import DralintError, InternalError, Place, UsageError, WriteError

if TYPE_CHECKING:
    from dralint.cli.dump import Dumps
    from dralint.cli.inputs import Inputs
    from dralint.convert.model import Conversion
    from dralint.source.file import SourceFile


def _copied(inputs: Inputs, conversion: Conversion, dumps: Dumps) -> list[SourceFile]:
    made = [result.file.file for result in conversion.files if result.made]
    return [*(source for source in inputs.sources if not dumps.holds(source)), *made]


def prepared(
    inputs: Inputs, conversion: Conversion, paths: Sequence[str], to: Destination, dumps: Dumps
) -> dict[str, bytes]:
    """The files of kustomize components by their paths, where those were asked for.

    Raises UsageError and WriteError for all that keeps the run from being done; nothing is written yet.
    """
    from dralint.cli.components import component_files
    from dralint.cli.destinations import copy_of

    components: dict[str, bytes] = {}
    made: list[str] = []
    if to.output_overlay:
        components = component_files(conversion.components, paths, to.output_overlay)
        made = [*components]
    elif to.output_dir:
        made = [copy_of(source, to.output_dir) for source in _copied(inputs, conversion, dumps)]
        made += dumps.paths(to.output_dir)
    others = {os.path.realpath(name) for name in (to.classes, *to.reports) if name and name != STDOUT}
    for path in made if others else ():
        if os.path.realpath(path) in others:
            raise UsageError("would be written twice in one run", Place(path), "name another file")
    return components


def unedited(conversion: Conversion) -> list[DralintError]:
    """What kept files from being edited."""
    return [
        InternalError(
            result.error, Place(result.file.file.name), "the file is left as it was; please report it"
        )
        for result in conversion.files
        if result.error
    ]


def _or_elsewhere(problem: DralintError) -> DralintError:
    """The problem, with the option that writes to another directory where this one is the matter."""
    from dralint.source.write import DENIED, READ_ONLY

    if problem.advice not in (DENIED, READ_ONLY):
        return problem
    return WriteError(problem.what, problem.place, f"{problem.advice}, or write elsewhere with --output-dir")


def delivered(
    inputs: Inputs,
    conversion: Conversion,
    to: Destination,
    common: Common,
    dumps: Dumps,
    components: Mapping[str, bytes],
) -> list[DralintError]:
    """Put the converted files where they belong; what failed is returned.

    components: what `prepared` returned
    """
    from dralint.cli.destinations import write_copies, write_in_place
    from dralint.cli.diffs import print_bytes, print_diff

    results = conversion.files
    if to.check:
        for result in results:
            if result.changed:
                tell(f"{result.file.file.name}: would {'be made' if result.made else 'change'}")
    elif to.output_dir:
        copied = _copied(inputs, conversion, dumps)
        return [*write_copies(copied, results, to.output_dir), *dumps.write(to.output_dir)]
    elif to.stdin:
        for result in results:
            if result.error is None:
                print_bytes(result.after)
    elif to.write:
        return [_or_elsewhere(problem) for problem in write_in_place(results)]
    elif to.output_overlay:
        from dralint.cli.components import write_components

        return write_components(components, to.output_overlay)
    elif STDOUT not in to.reports:
        print_diff(results, colored=common.colored(sys.stdout))
    return []


def write_report(conversion: Conversion, problems: list[DralintError], file: str) -> None:
    from dralint.cli.destinations import save

    name = file.lower()
    if name.endswith(".html"):
        from dralint.report.convert_html import report
    elif name.endswith(".md"):
        from dralint.report.convert_md import report
    else:
        from dralint.report.convert_json import report
    text = report(conversion, problems)
    if file == STDOUT:
        sys.stdout.write(text)
    else:
        save(file, text.encode())


def next_step(conversion: Conversion, to: Destination) -> str | None:
    from dralint.report.words import counted

    changed = sum(result.changed for result in conversion.files)
    failed = sum(result.error is not None for result in conversion.files)
    files = counted(changed, "file")
    but = f", {counted(failed, 'file')} left as {'it was' if failed == 1 else 'they were'}" if failed else ""
    if to.only_shows and to.stdin:
        return "leave out --check to have the result on standard output" if changed else None
    if to.only_shows:
        return (
            f"{files} would change: --write changes {'it' if changed == 1 else 'them'}" if changed else None
        )
    if to.write:
        if not changed:
            return f"no file changed{but}" if failed else None
        return f"{files} changed{but}: review the changes, then run dralint check on them"
    if to.output_overlay:
        from dralint.cli.components import told

        return f"{told(conversion.components, to.output_overlay)}; the files are as they were"
    return f"copies in {to.output_dir}, {files} converted{but}" if to.output_dir else None
