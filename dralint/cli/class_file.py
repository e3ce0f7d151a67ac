"""`--device-classes FILE`: the file is read first, so that nothing is changed when it cannot be completed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from dralint.cli.messages import tell
from dralint.convert.class_file import complete, read_class_file
from dralint.convert.model import Conversion
from dralint.errors import DralintError, Place, UsageError, WriteError
from dralint.kube.objects import ParsedFile
from dralint.source.find import STDIN, read
from dralint.source.write import probe, write


def _needed(conversion: Conversion) -> str:
    return ", ".join(need.name for need in conversion.classes if need.state == "needed")


@dataclass(frozen=True)
class ClassFile:
    """The file of DeviceClasses; there: its content, None where it is to be made."""

    path: str
    there: ParsedFile | None

    def completed(self, conversion: Conversion) -> bytes | None:
        """The file with the classes that the conversion needs; None where it lacks none.

        The conversion's needs then say which of them the file serves. Raises UsageError where a class there
        is in the way. Nothing is written.
        """
        conversion.classes, data = complete(self.there, conversion.classes)
        return data

    def tell(self, conversion: Conversion) -> None:
        """Say what the file would get."""
        tell(f"{self.path}: would get the DeviceClass {_needed(conversion)}")

    def write(self, data: bytes, conversion: Conversion) -> list[DralintError]:
        """Write the completed file, and say so in the conversion's needs; what failed is returned."""
        try:
            write(self.path, data, self.there.file.data if self.there is not None else None)
        except WriteError as error:
            return [error]
        tell(f"{self.path}: DeviceClass {_needed(conversion)} written")
        conversion.classes = [
            need._replace(reason=f"written to {self.path}") if need.state == "needed" else need
            for need in conversion.classes
        ]
        return []


def open_class_file(path: str, reports: Sequence[str], *, written: bool) -> ClassFile:
    """The file, if it can be completed, or made; written: it is going to be.

    Raises UsageError, InputError or WriteError, before anything is done.
    """
    if path in ("", STDIN):
        raise UsageError("--device-classes: the classes go to a file", advice="name one")
    if os.path.realpath(path) in map(os.path.realpath, reports):
        raise UsageError("--device-classes and --report name the same file", Place(path), "name two files")
    there: ParsedFile | None = None
    if os.path.lexists(path):
        source = read(path, path)
        if isinstance(source, DralintError):
            raise source
        there = read_class_file(source)
    if written:
        probe(path)
    return ClassFile(path, there)
