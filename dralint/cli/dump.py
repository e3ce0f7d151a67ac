"""Dumps of a cluster among the input of convert: read in parts, put together again, or written as files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager

import click

from dralint.cli.destinations import copy
from dralint.convert.dump.apart import Split, split
from dralint.convert.dump.dump import joined
from dralint.convert.dump.order import order
from dralint.convert.model import Conversion, FileResult
from dralint.errors import DralintError, InputError, InternalError, UsageError, WriteError
from dralint.kube.dump import Dump, find_dump, read_parts
from dralint.kube.objects import ParsedFile
from dralint.report.escape import escape
from dralint.report.words import counted
from dralint.source.file import SourceFile
from dralint.source.find import too_large
from dralint.source.limits import limits
from dralint.yamltext.compose import collector_paused

ORDER = "order.txt"
# A dump of fewer objects is done before anybody wonders.
_LONG = 500


class Dumps:
    """The dumps of one run.

    apart       their workloads become files
    companions  what is edited beside them, too
    shown       progress may be shown on stderr
    """

    def __init__(self, words: Sequence[bytes], *, apart: bool, shown: bool, companions: bool = False) -> None:
        self._words = words
        self._apart = apart
        self._companions = companions
        self._shown = shown and sys.stderr is not None and sys.stderr.isatty()
        self._found: list[Dump] = []
        self._split: Split | None = None
        self._of_parts: Sequence[FileResult] = ()
        self._conversion: Conversion | None = None
        self._told: str | None = None

    @contextmanager
    def _progress(self, length: int, label: str) -> Iterator[Callable[[int], object] | None]:
        """What to call for each step that is done; None where nobody would see it."""
        with ExitStack() as stack:
            stack.enter_context(collector_paused())
            if not self._shown or length < _LONG:
                yield None
            else:
                bar = click.progressbar(length=length, label=label, file=sys.stderr)
                yield stack.enter_context(bar).update

    def read(self, source: SourceFile) -> Sequence[ParsedFile] | InputError | None:
        """The parts of a dump; None for another file, an InputError for one that is too large.

        Raises UsageError for a second dump whose workloads are to become files.
        """
        dump = find_dump(source)
        if dump is None:
            most = limits().file_size
            return too_large(source.name, most) if len(source.data) > most else None
        with self._progress(len(dump.listed.items), "reading") as tick:
            try:
                if self._apart:
                    if self._split is not None:
                        raise UsageError(
                            f"--output-dir: {source.name} is a second dump", advice="convert one at a time"
                        )
                    self._split = split(dump, self._words, tick, companions=self._companions)
                elif not read_parts(dump, self._words, tick):
                    return None
            except InputError as error:
                return error
        self._found.append(dump)
        return self._split.parts if self._split is not None else dump.parts

    @property
    def most_stdin(self) -> int:
        """Bytes of standard input that are read."""
        return limits().dump_size

    def converting(
        self, files: Sequence[ParsedFile]
    ) -> AbstractContextManager[Callable[[int], object] | None]:
        """The progress of a conversion of so many files."""
        return self._progress(len(files) if self._found else 0, "converting")

    @property
    def problems(self) -> Sequence[InputError]:
        """Objects that should have become a file."""
        return self._split.problems if self._split is not None else ()

    def holds(self, source: SourceFile) -> bool:
        """Whether a source file is a dump."""
        return any(dump.source is source for dump in self._found)

    def join(self, conversion: Conversion) -> None:
        """Put one result for each dump in the place of those of its parts."""
        if not self._found:
            return
        self._conversion = conversion
        of_parts = self._of_parts = [result for result in conversion.files if result.file.part_of is not None]
        rest = [result for result in conversion.files if result.file.part_of is None]
        for dump in self._found:
            if self._apart:
                changed = any(result.changed for result in of_parts)
                # The dump itself is not written; the result says only whether it would be another one.
                rest.append(FileResult(dump.whole, b"" if changed else dump.source.data))
            else:
                rest.append(joined(dump, of_parts))
        conversion.files = rest

    def paths(self, directory: str) -> list[str]:
        """The files that may be written below a directory."""
        files = self._split.files if self._split is not None else ()
        return [os.path.join(directory, path) for path in (*(each.path for each in files), ORDER)]

    def write(self, directory: str) -> list[DralintError]:
        """Write the workloads as files below a directory, with the order to apply them; what failed is returned."""
        if self._split is None or self._conversion is None:
            return []
        results = {id(result.file): result for result in self._of_parts}
        problems: list[DralintError] = []
        files, changed = [], []
        others = self._split.others
        for each in self._split.files:
            result = results.get(id(each.file))
            if each.follows and (result is None or not result.changed):
                others += 1
                continue
            data = result.after if result is not None else each.file.file.data
            try:
                copy(data, os.path.join(directory, each.path), directory)
            except WriteError as error:
                problems.append(error)
                continue
            files.append(each)
            if result is not None and result.changed:
                changed.append(each)
        wanted = {id(each.file) for each in self._split.files}
        problems += (
            InternalError("a converted object got no file", result.file.place(0), "please report it")
            for result in self._of_parts
            if result.changed and id(result.file) not in wanted
        )
        lines = order(self._found[-1].source.name, files, changed, self._conversion)
        text = "".join(f"{escape(line)}\n" for line in lines)
        try:
            copy(text.encode("utf-8", "surrogateescape"), os.path.join(directory, ORDER), directory)
        except WriteError as error:
            problems.append(error)
        self._told = self._summary(len(files), len(changed), others, directory)
        return problems

    def _summary(self, files: int, changed: int, without: int, directory: str) -> str:
        others = f"; {counted(without, 'object')} of the dump got none" if without else ""
        return (
            f"{counted(files, 'file')} in {directory}, {changed} converted{others}: "
            f"{os.path.join(directory, ORDER)} tells in which order to apply them"
        )

    @property
    def next_step(self) -> str | None:
        """What was written, in a line; None where nothing was."""
        return self._told
