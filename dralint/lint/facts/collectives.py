"""Evidence that the processes of a container talk to each other with NCCL: arguments, variables, image."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from dralint.kube.objects import KubeObject
from dralint.kube.places import Container
from dralint.yamltext.load import load_data
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.view import Path, children, get, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "collectives.yaml")
_SPLIT = re.compile(r"[\s=]+")
_QUOTES = "\"'"
_EXECUTABLE = re.compile(r"^.*/")
_VARIABLE = re.compile(r"\$(?:\((\w+)\)|\{(\w+)\}|(\w+))\Z")


class Evidence(NamedTuple):
    """One sign; path: absolute, of the argument, the variable or the image; says: without a full stop."""

    path: Path
    text: str
    says: str


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    data: Any = load_data(_DATA)
    return dict(data)


class Word(NamedTuple):
    """A word of a command line; path: of the argument it stands in."""

    text: str
    path: Path


def command_words(container: Container) -> list[Word]:
    """The command line in words; a shell line inside one argument is split like the shell would."""
    found: list[Word] = []
    for key in ("command", "args"):
        for index, node in enumerate(children(get(container.node, key))):
            if node.kind == SCALAR:
                place = (*container.path, key, index)
                found.extend(Word(word.strip(_QUOTES), place) for word in _SPLIT.split(node.text) if word)
    return found


def whole_number(text: str) -> int | None:
    """A number in decimal digits; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _env_value(node: Node) -> str | None:
    value = get(node, "value")
    return value.text if value is not None and value.kind == SCALAR else None


def _values(container: Container) -> dict[str, str]:
    """The variables of a container that have a value in the manifest."""
    found = {}
    for each in children(get(container.node, "env")):
        name, value = string(get(each, "name")), _env_value(each)
        if name is not None and value is not None:
            found[name] = value
    return found


def spelled_out(text: str, variables: Mapping[str, str]) -> str:
    """A word with the value of the variable that it is, `$(TP)`, `${TP}` or `$TP`."""
    match = _VARIABLE.match(text)
    name = next((each for each in match.groups() if each), "") if match else ""
    return variables.get(name, text)


def _number(text: str, entry: Mapping[str, Any]) -> tuple[str, str] | None:
    """A number of processes above the entry's, or the word for one on each device, with what it says."""
    if text in entry.get("each", ()):
        return text, "one process for each device"
    number = whole_number(text)
    if number is None or number <= entry["above"]:
        return None
    return text, entry["says"].format(number=number)


def _of_command_line(container: Container) -> Iterator[Evidence]:
    words = command_words(container)
    programs = {_EXECUTABLE.sub("", word.text) for word in words}
    flags = {
        name: flag
        for flag in _data()["flags"]
        if "words" not in flag or programs & set(flag["words"])
        for name in flag["names"]
    }
    names = {name: entry for entry in _data()["words"] for name in entry["names"]}
    variables = _values(container) if any("$" in word.text for word in words) else {}
    for index, word in enumerate(words):
        flag = flags.get(word.text)
        following = words[index + 1].text if flag and index + 1 < len(words) else ""
        if flag and (said := _number(spelled_out(following, variables), flag)) is not None:
            yield Evidence(word.path, f"{word.text} {said[0]}", said[1])
        program = names.get(_EXECUTABLE.sub("", word.text))
        if program:
            yield Evidence(word.path, word.text, program["says"])


def _of_environment(container: Container) -> Iterator[Evidence]:
    for index, node in enumerate(children(get(container.node, "env"))):
        name = string(get(node, "name"))
        if name is None or name in _data()["env_not"]:
            continue
        for entry in _data()["env"]:
            if not name.startswith(entry["prefix"]):
                continue
            place = (*container.path, "env", index)
            if "above" not in entry:
                yield Evidence(place, name, entry["says"])
            elif (said := _number(_env_value(node) or "", entry)) is not None:
                yield Evidence(place, f"{name}={said[0]}", said[1])
            break


def in_group(obj: KubeObject) -> bool:
    """Whether the pods of an object work as one group, so that their devices count together."""
    return any(entry["group"] == obj.group and entry["kind"] == obj.ref.kind for entry in _data()["groups"])


def evidence(container: Container) -> list[Evidence]:
    """The signs of NCCL in a container, in the order command line, environment, image."""
    found = [*_of_command_line(container), *_of_environment(container)]
    image = string(get(container.node, "image")) or ""
    found.extend(
        Evidence((*container.path, "image"), image, entry["says"])
        for entry in _data()["images"]
        if entry["part"] in image
    )
    return found
