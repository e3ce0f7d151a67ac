"""The page of an example: its README, its files, and what dralint makes of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

from tools.docs.links import relinked
from tools.docs.shown import console, fenced


def _folded(path: Path) -> str:
    block = fenced(path.read_text(encoding="utf-8"), path.suffix.removeprefix("."))
    return f'??? abstract "{path.name}"\n\n{indent(block, "    ")}'


def _order(path: Path) -> tuple[bool, str]:
    """What comes after its conversion comes after."""
    return path.stem == "after", path.name


def _parts(folder: Path) -> Iterator[str]:
    readme = folder / "README.md"
    yield relinked(readme.read_text(encoding="utf-8"), f"examples/{folder.name}/README.md")
    files = sorted((path for path in folder.iterdir() if path.is_file() and path != readme), key=_order)
    given: dict[str, str | Path] = {path.name: path for path in files}
    before = [name for name in given if name.startswith("before.")]
    if before:
        yield console(given, ["convert", *before])
    elif {"claims.yaml", "slices.yaml"} <= given.keys():
        yield console(given, ["match", "--claims", "claims.yaml", "--inventory", "slices.yaml"])
    yield from map(_folded, files)


def example_page(folder: Path) -> str:
    """The page, as Markdown."""
    return "\n".join(_parts(folder))
