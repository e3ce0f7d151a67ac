"""GPU requests that stand inside strings: in patches, annotations, ConfigMaps. They are told and never edited."""

from __future__ import annotations

import re
from typing import NamedTuple

from dralint.nvidia.resources import classify
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import entries, get, string

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


def setting_step(step: Node) -> tuple[str, Node] | None:
    """Of a step of a JSON patch that sets all limits or requests the GPU's name among them, and the step's path.

    The values are no request of their own: what they are stands in the path.
    """
    path, value = get(step, "path"), get(step, "value")
    if path is None or value is None or value.kind != MAP:
        return None
    if not (string(path) or "").endswith(("/resources/limits", "/resources/requests")):
        return None
    name = next((key for key in entries(value) if classify(key) is not None), None)
    return (name, path) if name is not None else None
