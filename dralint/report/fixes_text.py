"""What a summary says of fixes: how many there are, how many were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dralint.report.words import counted

if TYPE_CHECKING:
    from dralint.lint.finding import Finding


def _fixes(number: int, more: str = "") -> str:
    return f"{number} {more}{'fix' if number == 1 else 'fixes'}"


def available(findings: Sequence[Finding], *, fixing: bool = False, all_tried: bool = True) -> str | None:
    """`2 fixes available with --fix (1 more with --unsafe-fixes)`; None where there are none.

    fixing     fixes have been made: what is left is told
    all_tried  every fix was worked out; else there may be more, which is told
    """
    some = "" if all_tried else "at least "
    kinds = [finding.fix.applicability for finding in findings if finding.fix is not None]
    safe, unsafe = kinds.count("safe"), kinds.count("unsafe")
    if fixing:
        return f"{some}{_fixes(unsafe, 'more ')} available with --unsafe-fixes" if unsafe else None
    if not safe:
        return f"{some}{_fixes(unsafe)} available with --fix --unsafe-fixes" if unsafe else None
    more = f" ({unsafe} more with --unsafe-fixes)" if unsafe else ""
    return f"{some}{_fixes(safe)} available with --fix{more}"


def made(counts: Mapping[str, int], *, written: bool) -> str:
    """`fixed 3 findings in 2 files`, or that they would be; counts: the findings by file."""
    if not counts:
        return "nothing to fix"
    verb = "fixed" if written else "would fix"
    return f"{verb} {counted(sum(counts.values()), 'finding')} in {counted(len(counts), 'file')}"
