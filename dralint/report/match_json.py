"""Matches as JSON, version 1: schemas/match.schema.json says what stands in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dralint.inventory.asks import Ask
from dralint.inventory.device import Device
from dralint.inventory.judge import Answer
from dralint.inventory.match import Match, Mistake
from dralint.inventory.nearest import Nearest
from dralint.report.indented import indented
from dralint.report.parts import VERSION, object_data

_MATCH = {"yes": True, "no": False, "maybe": None, "error": None}


def expression_text(ask: Ask) -> str:
    """The ask's own selectors as one expression; those of its class where it has none."""
    texts = [written.text for written in ask.selectors or ask.class_selectors]
    return texts[0] if len(texts) == 1 else " && ".join(f"({text})" for text in texts)


def mistake_text(mistake: Mistake) -> str:
    """`claims.yaml:12:34: what is wrong`, with the place in the expression where there is no file."""
    line, column = mistake.position
    return f"{mistake.place or f'{line}:{column}'}: {mistake.message}"


def _source(ask: Ask) -> Mapping[str, Any] | None:
    if ask.source is None:
        return None
    return {
        "path": ask.source.place.path,
        "line": ask.source.place.line,
        "object": object_data(ask.source.object),
        "request": ask.source.request,
    }


def _device(device: Device, answer: Answer) -> Mapping[str, Any]:
    return {
        "driver": device.driver,
        "pool": device.pool,
        "device": device.name,
        "match": _MATCH[answer.state],
        "error": answer.reason if _MATCH[answer.state] is None else None,
    }


def _nearest(found: Nearest | None) -> Mapping[str, Any] | None:
    if found is None:
        return None
    return {
        "clause": found.clause,
        "map": found.map,
        "attribute": found.attribute,
        "wanted": found.wanted,
        "value": found.value,
    }


def _result(match: Match) -> Mapping[str, Any]:
    judgement = match.judgement
    return {
        "expression": expression_text(match.ask),
        "source": _source(match.ask),
        "compiled": judgement is not None,
        "error": "; ".join(map(mistake_text, match.mistakes)) or None,
        "devices": []
        if judgement is None
        else [
            _device(device, answer)
            for device, answer in zip(match.inventory.devices, judgement.answers, strict=True)
        ],
        "cost": match.cost,
        "clauses": []
        if judgement is None
        else [
            {"text": clause, "matching": number}
            for clause, number in zip(judgement.clauses, judgement.surviving, strict=True)
        ],
        "nearest": _nearest(match.nearest),
    }


def report(matches: Sequence[Match]) -> str:
    """The JSON text of `match --output-format json`."""
    return indented({"version": VERSION, "results": [_result(match) for match in matches]})
