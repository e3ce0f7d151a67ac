"""GPU requests that stand inside strings: in patches, annotations, ConfigMaps. They are told and never edited."""

from __future__ import annotations

import re
from typing import NamedTuple

from dralint.nvidia.resources import classify

_NAME = re.compile(r"nvidia\.com(/|~1)([a-z][\w.+-]*[\w+-])")
# A line in a string that gives a resource a count, as `nvidia.com/gpu: 1` or `"nvidia.com/gpu":"1"`.
_COUNTED = re.compile(r"""\\?["']?[ \t]*:""")
# Characters of a string that are looked at: what is longer is no manifest.
_MAX_STRING = 1_000_000


class Mention(NamedTuple):
    """A GPU's resource name, and the offset in the string where it stands."""

    name: str
    offset: int


def request_in(text: str) -> Mention | None:
    """The first name that stands in the text as it would in a manifest or in a JSON pointer."""
    for match in _NAME.finditer(text, 0, _MAX_STRING):
        name = f"nvidia.com/{match[2]}"
        pointer = match[1] == "~1"
        if classify(name) is not None and (pointer or _COUNTED.match(text, match.end())):
            return Mention(name, match.start())
    return None
