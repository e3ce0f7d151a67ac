"""A conversion as one HTML file that needs nothing else, to read in a browser and to hand on."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dralint.report.convert_page import page

if TYPE_CHECKING:
    from dralint.convert.model import Conversion
    from dralint.errors import DralintError

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")
_CLASSES = {"+": "new", "-": "old", "@": "at"}


def diff_lines(text: str) -> list[tuple[str, str]]:
    """The lines of a diff, each with the class that colours it."""
    lines = text.split("\n")
    return [("file" if number < 2 else _CLASSES.get(line[:1], ""), line) for number, line in enumerate(lines)]


def report(conversion: Conversion, problems: Sequence[DralintError]) -> str:
    """The text of `convert --report FILE.html`; everything from manifests is escaped.

    problems  what could not be read or written
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["diff_lines"] = diff_lines
    return environment.get_template("convert.html.j2").render(page=page(conversion, problems)) + "\n"
