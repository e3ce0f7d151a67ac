"""What a check cannot say of selectors where the engine that reads their text is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec

from dralint.kube.objects import ParsedFile
from dralint.lint.rule import AnyRule

_PACKAGE, _SHOWN = "cel_expr_python", "cel-expr-python"
# The rules about selectors, and what a file with one holds.
_RULES, _MARK = "DRA2", b"expression"


def unread_notes(files: Sequence[ParsedFile], rules: Iterable[AnyRule]) -> list[str]:
    """A note where selectors are only tried on devices: nothing here takes them apart."""
    if not any(file.holds(_MARK) for file in files) or find_spec(_PACKAGE) is not None:
        return []
    if not any(rule.id.startswith(_RULES) for rule in rules):
        return []
    said = f"{_SHOWN} is not installed: selectors are tried on devices, but most rules about what they say"
    return [f"note: {said} ({_RULES}xx) find nothing"]
