"""The nodes of a piece of text, from the events of ruamel.yaml's C parser.

Why not ruamel's own composer: it loses the spans of aliases, refuses anchors that are defined
twice, costs four times as much, and crashes the process on deep nesting.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

from dralint.yamltext.node import ALIAS, MAP, SCALAR, SEQ, Node

MAX_DEPTH = 200
# Parser events in a file that is read. 1,000 Deployments (1 MB) make 134,000 of them; reading this many
# takes 3 s and 350 MB.
MAX_EVENTS = 1_500_000
TOO_MANY = f"the file is too large: more than {MAX_EVENTS:,} keys, values and ends of blocks"
# And in one that is edited: it is read twice and compared, which takes four times as much of both.
MAX_EDITED = 750_000
TOO_MANY_TO_EDIT = (
    f"the file is too large to be edited: more than {MAX_EDITED:,} keys, values and ends of blocks"
)
# And with all that is written into it.
MAX_MADE = 1_000_000
TOO_MANY_MADE = (
    f"the file would become too large to be edited: more than {MAX_MADE:,} keys, values and ends of blocks"
)


class Problem(NamedTuple):
    """Why a document could not be read: a sentence without a full stop, and the offset."""

    what: str
    offset: int


class Unreadable(Exception):
    """A piece of text that dralint will not take, though the parser might; `events` were read."""

    def __init__(self, what: str, offset: int, events: int) -> None:
        super().__init__(what)
        self.problem = Problem(what, offset)
        self.events = events


class Roots(NamedTuple):
    """What a piece of text holds.

    roots     per document its root node and the offset where the document starts
    mappings  all mapping nodes
    aliases   all alias nodes
    tagged    all scalars with a tag
    events    how many events it took
    """

    roots: list[tuple[Node | None, int]]
    mappings: list[Node]
    aliases: list[Node]
    tagged: list[Node]
    events: int


@functools.cache
def _parser_and_events() -> tuple[Any, ...]:
    """Ruamel's parser and event classes, imported at the first use: they cost 40 ms."""
    from _ruamel_yaml import CParser
    from ruamel.yaml import events

    return (
        CParser,
        events.ScalarEvent,
        events.MappingStartEvent,
        events.SequenceStartEvent,
        events.MappingEndEvent,
        events.SequenceEndEvent,
        events.AliasEvent,
        events.DocumentStartEvent,
        events.DocumentEndEvent,
        events.StreamEndEvent,
    )


def read_events(text: str, base: int, budget: int) -> Roots:
    """The nodes of a piece of text that stands at offset `base`, made from at most `budget` events.

    The loop runs for every token of a file: it compares types by identity and calls nothing it
    need not call.
    """
    (
        parser,
        scalar_event,
        mapping_start,
        sequence_start,
        mapping_end,
        sequence_end,
        alias_event,
        document_start,
        document_end,
        stream_end,
    ) = _parser_and_events()
    next_event = parser(text).get_event
    roots: list[tuple[Node | None, int]] = []
    mappings: list[Node] = []
    aliases: list[Node] = []
    tagged: list[Node] = []
    root: Node | None = None
    begin = base
    stack: list[Node] = []
    items: list[Node] | None = None
    anchors: dict[str, Node] = {}
    for count in range(budget):
        event = next_event()
        kind = type(event)
        if kind is scalar_event:
            node = Node(
                SCALAR,
                event.value,
                (),
                base + event.start_mark.index,
                base + event.end_mark.index,
                event.style or "",
                event.anchor,
                event.ctag,
            )
            if node.tag is not None:
                tagged.append(node)
            if node.anchor is not None:
                anchors[node.anchor] = node
        elif kind is mapping_start or kind is sequence_start:
            start = base + event.start_mark.index
            children: list[Node] = []
            if kind is mapping_start:
                style = "{" if event.flow_style else ""
                node = Node(MAP, "", children, start, start, style, event.anchor, event.ctag)
                mappings.append(node)
            else:
                style = "[" if event.flow_style else ""
                node = Node(SEQ, "", children, start, start, style, event.anchor, event.ctag)
            if node.anchor is not None:
                anchors[node.anchor] = node
            if items is None:
                root = node
            else:
                items.append(node)
            stack.append(node)
            if len(stack) > MAX_DEPTH:
                raise Unreadable(f"nested more than {MAX_DEPTH} levels deep", start, count)
            items = children
            continue
        elif kind is mapping_end or kind is sequence_end:
            node = stack.pop()
            node.end = base + event.end_mark.index
            items = stack[-1].items if stack else None  # type: ignore[assignment]
            continue
        elif kind is alias_event:
            start = base + event.start_mark.index
            target = anchors.get(event.anchor)
            if target is None:
                raise Unreadable(f"alias *{event.anchor} has no anchor before it", start, count)
            if target.kind != SCALAR and any(target is each for each in stack):
                raise Unreadable(f"alias *{event.anchor} stands inside its own anchor", start, count)
            node = Node(ALIAS, event.anchor, (target,), start, base + event.end_mark.index, "")
            aliases.append(node)
        elif kind is document_start:
            root, items, anchors = None, None, {}
            begin = base + event.start_mark.index
            continue
        elif kind is document_end:
            roots.append((root, begin))
            continue
        elif kind is stream_end:
            return Roots(roots, mappings, aliases, tagged, count)
        else:
            continue
        if items is None:
            root = node
        else:
            items.append(node)
    raise Unreadable(TOO_MANY, base, budget)
