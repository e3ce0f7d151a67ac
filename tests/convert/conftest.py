"""Fixtures for conversions of texts that stand in the tests themselves."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dralint.convert.model import Note, Occurrence, Outcome, Step, Workload
from dralint.convert.options import Options
from dralint.convert.words import words
from dralint.kube.bundle import Context
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile


def parsed(text: str | bytes, name: str = "workload.yaml", path: Path | None = None) -> ParsedFile:
    """A file with this text, which may be indented as a whole."""
    data = text if isinstance(text, bytes) else textwrap.dedent(text).encode("utf-8", "surrogateescape")
    return parse(SourceFile(name, path, data), words())


class Converted(NamedTuple):
    """A conversion: the new texts by file name, and the report."""

    texts: dict[str, str]
    occurrences: list[Occurrence]
    notes: list[Note]
    assumptions: list[str]
    workloads: list[Workload]
    steps: list[Step]

    @property
    def text(self) -> str:
        (text,) = self.texts.values()
        return text

    @property
    def outcomes(self) -> list[str]:
        return [occurrence.outcome.value for occurrence in self.occurrences]

    @property
    def topics(self) -> set[str]:
        return {note.topic for note in self.notes}


def _run(
    texts: Mapping[str, str | bytes], paths: Mapping[str, Path], context: Context, options: Options
) -> Converted:
    from dralint.convert.convert import convert

    files = [parsed(text, name, paths.get(name)) for name, text in texts.items()]
    result = convert(files, context, options)
    assert not [file.error for file in result.files if file.error]
    return Converted(
        {file.file.file.name: file.after.decode("utf-8", "surrogateescape") for file in result.files},
        result.occurrences,
        result.notes,
        result.assumptions,
        result.workloads,
        result.steps,
    )


def converted(
    texts: str | bytes | Mapping[str, str | bytes],
    paths: Mapping[str, Path] | None = None,
    context: Context | None = None,
    **options: Any,
) -> Converted:
    """The conversion of one text, or of several files that are named together; nothing else is read.

    What is true of every conversion is checked here: a second run changes nothing and finds only what
    the first one left.
    """
    named = texts if isinstance(texts, Mapping) else {"workload.yaml": texts}
    chosen = Options(options.pop("target", make_target()), **options)
    first = _run(named, paths or {}, context or Context.none(), chosen)
    again = {name: text.encode("utf-8", "surrogateescape") for name, text in first.texts.items()}
    second = _run(again, paths or {}, context or Context.none(), chosen)
    assert second.texts == first.texts
    left = [each.outcome for each in first.occurrences if each.outcome is not Outcome.CONVERTED]
    assert [each.outcome for each in second.occurrences] == left
    return first


@pytest.fixture(scope="session")
def parse_text() -> Callable[..., ParsedFile]:
    return parsed


@pytest.fixture(scope="session")
def convert_text() -> Callable[..., Converted]:
    return converted
