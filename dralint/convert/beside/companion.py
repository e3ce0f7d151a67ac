"""A thing beside the requests of workloads: what to say about it, and the edit that makes it follow."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from dralint.convert.around import location
from dralint.convert.model import Note
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.source.charts import chart_template
from dralint.yamltext.load import load_data
from dralint.yamltext.node import Node
from dralint.yamltext.operations import Operation

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data", "beside.yaml")


@cache
def beside_data() -> Any:
    """The data of what stands beside the requests."""
    return load_data(_DATA)


class Companion(NamedTuple):
    """Something that has to follow.

    note        what is said where it is not edited
    operations  on its file, carried out whole or not at all; none where no edit is certain
    done        the note's message once they are carried out
    """

    note: Note
    operations: tuple[Operation, ...] = ()
    done: str = ""


@cache
def _followers() -> frozenset[tuple[str, str]]:
    data = beside_data()
    return frozenset((each["group"], each["kind"]) for each in [*data["quotas"], data["kueue_configuration"]])


def may_follow(obj: KubeObject) -> bool:
    """Whether the object is of a kind beside the workloads that can be edited."""
    return (obj.group, obj.ref.kind or "") in _followers()


# The whole text is searched, so once for each file.
@lru_cache(maxsize=2)
def _stays(file: ParsedFile) -> bool:
    """Whether nothing in a file can be edited."""
    return file.text.uneditable is not None or chart_template(location(file)) is not None


def companion(
    obj: KubeObject,
    at: Node,
    topic: str,
    message: str,
    operations: Iterable[Operation] = (),
    done: str = "",
    *,
    info: bool = False,
) -> Companion:
    """A companion that points to a node of the object's file; what certainly can be edited says how to ask for it.

    Nothing in a template can be edited.
    """
    file = obj.file
    edits = () if obj.template or _stays(file) else tuple(operations)
    line, column = file.text.position(at.start)
    text = f"{message}; --companions {_OFFER[type(edits[0]).__name__]} it" if edits else message
    weight: Literal["warning", "info"] = "info" if info else "warning"
    return Companion(Note(file.file.name, line, column, topic, text, obj.ref, weight), edits, done)


_OFFER = {"Put": "adds", "Append": "adds", "Remove": "removes"}
