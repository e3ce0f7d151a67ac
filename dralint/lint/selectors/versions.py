"""Versions as people write them, and as the CEL of device selectors reads them."""

from __future__ import annotations

import re

from dralint.cel.device.semver import parse
from dralint.cel.device.values import CelError

_WRITTEN = re.compile(r"\s*[vV]?([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?\s*")


def is_semver(text: str) -> bool:
    """Whether `semver(text)` is no error."""
    try:
        parse(text)
    except CelError:
        return False
    return True


def as_semver(text: str) -> tuple[str, int] | None:
    """`575.57.08` as 575.57.8 and `9.0` as 9.0.0, and how many numbers were written; None for other texts."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return None
    numbers = [str(int(each)) for each in match.groups() if each is not None]
    return ".".join([*numbers, "0", "0"][:3]), len(numbers)
