"""Where kustomize components go: one into the directory itself, of several each where its base is."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from dralint.cli.destinations import check_copy, copy
from dralint.cli.messages import tell
from dralint.convert.kustomize.component import Component
from dralint.convert.kustomize.component_files import KUSTOMIZATION, NAMES, TEMPLATES, files_of
from dralint.convert.kustomize.kustomization import MADE
from dralint.errors import DralintError, Place, UsageError, WriteError

_MADE = MADE.encode()
_MOST_NAMED = 5


def _folder(path: str) -> str:
    absolute = os.path.abspath(path)
    return absolute if os.path.isdir(absolute) else os.path.dirname(absolute)


def places(components: Sequence[Component], paths: Sequence[str], directory: str) -> Iterator[str]:
    """The directory of each component: below `directory` what its base is below all that was named."""
    bases = [component.base for component in components]
    top = os.path.commonpath([*map(_folder, paths or ["."]), *bases]) if bases else ""
    return (os.path.normpath(os.path.join(directory, os.path.relpath(base, top))) for base in bases)


def _foreign(path: str) -> bool:
    """Whether something is there that was not made by a run before."""
    if not os.path.lexists(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(_MADE)) != _MADE
    except OSError:
        return True


def _left_over(directory: str, written: Sequence[str]) -> Iterator[str]:
    """Files of a component that an earlier run made and this one did not."""
    now = set(map(os.path.normpath, written))
    for folder, _, names in os.walk(directory):
        for name in sorted({KUSTOMIZATION, TEMPLATES, NAMES}.intersection(names)):
            path = os.path.normpath(os.path.join(folder, name))
            if path not in now and not _foreign(path):
                yield path


def told(components: Sequence[Component], directory: str) -> str:
    """Where the components lie, and what to do with them."""
    if not components:
        return "0 components"
    if len(components) == 1:
        return (
            f"1 component in {components[0].place}: list it under components, beside the base under resources"
        )
    made = f"{len(components)} components below {directory}"
    if len(components) <= _MOST_NAMED:
        made = f"{len(components)} components in {', '.join(sorted(each.place for each in components))}"
    return f"{made}: list each under components, beside its base under resources"


def component_files(
    components: Sequence[Component], paths: Sequence[str], directory: str
) -> dict[str, bytes]:
    """The files of the components below a directory; each component knows its place then.

    Raises UsageError when a file would be replaced that dralint did not make, WriteError for one that cannot
    be written. Nothing is written yet.
    """
    for component, place in zip(components, places(components, paths, directory), strict=True):
        component.place = place
    files = {
        os.path.join(component.place, name): text.encode("utf-8", "surrogateescape")
        for component in components
        for name, text in files_of(component).items()
    }
    for path in files:
        if _foreign(path):
            raise UsageError(
                "is there already and was not made by dralint",
                Place(path),
                "name another directory for --output-overlay, or remove the file",
            )
    for path in files:
        check_copy(path, directory)
    return files


def write_components(files: Mapping[str, bytes], directory: str) -> list[DralintError]:
    """Write the files of components; what failed is returned, what an earlier run left there is told."""
    problems: list[DralintError] = []
    for path, data in files.items():
        try:
            copy(data, path, directory)
        except WriteError as error:
            problems.append(error)
    for path in _left_over(directory, list(files)):
        tell(f"{path}: note: an earlier run made it, and this one did not: remove it")
    return problems
