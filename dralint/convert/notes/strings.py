"""GPU requests that stand inside strings: in patches, annotations, ConfigMaps. They are told and never edited."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from dralint.nvidia.resources import classify, domains
from dralint.yamltext.node import MAP, Node
from dralint.yamltext.view import entries, get, string

# A line in a string that gives a resource a count, as `nvidia.com/gpu: 1` or `"nvidia.com/gpu":"1"`.
_COUNTED = re.compile(r"""\\?["']?[ \t]*:""")
# Characters of a string that are looked at: what is longer is no manifest.
_MAX_STRING = 1_000_000


class Mention(NamedTuple):
    """A GPU's resource name, and the offset in the string where it stands."""

    name: str
    offset: int


@lru_cache(maxsize=4)
def _names(of: tuple[str, ...]) -> re.Pattern[str]:
    """The names of these domains."""
    return re.compile(rf"({'|'.join(map(re.escape, of))})(/|~1)([A-Za-z\d][\w.+-]*[\w+-]|[A-Za-z\d])")


def names_gpus(text: str) -> bool:
    """Whether a GPU's name may stand in the text."""
    return any(each in text for each in domains())


def request_in(text: str) -> Mention | None:
    """The first name that stands in the text as it would in a manifest or in a JSON pointer."""
    for match in _names(domains()).finditer(text, 0, _MAX_STRING) if names_gpus(text) else ():
        name = f"{match[1]}/{match[3]}"
        pointer = match[2] == "~1"
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
