"""Matches as a person reads them: which devices, how many survive each clause, what comes nearest."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from dralint.cel.device.limits import MAX_BYTES, MAX_COST
from dralint.inventory.device import Device, Inventory
from dralint.inventory.judge import Answer, Judgement, State
from dralint.inventory.match import Match
from dralint.inventory.nearest import Nearest
from dralint.report.escape import escape
from dralint.report.match_json import expression_text, mistake_text
from dralint.report.words import counted

# Lists get longer than a screen: so many pools are named, and so many devices of each.
_MOST_POOLS, _MOST_DEVICES, _MOST_POSSIBLE, _MOST_FAILING, _MOST_UNSHOWN = 12, 4, 6, 3, 4
_MIG = "mig-"
_READ = re.compile(
    r"""device\.(?:attributes|capacity)\[\s*(?P<q>["'])[^"'\\]*(?P=q)\s*\]\.(?=\w)|device\.(?=\w+)"""
)
_WORD = re.compile(r"""(?P<q>["'])(?P<word>[A-Za-z0-9][\w.+-]*)(?P=q)""")


def clause_label(text: str) -> str:
    """A clause in short: `device.attributes["gpu.nvidia.com"].type == "gpu"` is `type == gpu`."""
    return _WORD.sub(lambda match: match["word"], _READ.sub("", " ".join(text.split())))


def _listed(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    shown = ", ".join(names[:most] if more > 1 else names)
    return f"{shown} and {more} more" if more > 1 else shown


def _pools(devices: Iterable[Device], *, catalogue: bool, verbose: bool) -> Iterator[str]:
    """`node-1 (gpu-0, gpu-1)`; in the catalogue `NVIDIA H200` for the whole card, with its slices behind it."""
    names: dict[str, list[str]] = {}
    for device in devices:
        names.setdefault(device.pool, []).append(device.name)
    most = 1 << 30 if verbose else _MOST_DEVICES
    for pool, held in names.items():
        if not catalogue:
            yield f"{pool} ({_listed(held, most)})"
        elif held == ["gpu"]:
            yield pool
        else:
            slices = [name.removeprefix(_MIG) for name in held if name.startswith(_MIG)]
            whole = ["whole" for name in held if name == "gpu"]
            yield f"{pool} ({_listed([*whole, *(slices or held[len(whole) :])], most)})"


def _named(devices: Sequence[Device], inventory: Inventory, *, verbose: bool, most: int = _MOST_POOLS) -> str:
    pools = list(_pools(devices, catalogue=inventory.catalogue, verbose=verbose))
    return _listed(pools, len(pools) if verbose else most)


def _with_state(match: Match, judgement: Judgement, state: State) -> list[tuple[Device, Answer]]:
    pairs = zip(match.inventory.devices, judgement.answers, strict=True)
    return [(device, answer) for device, answer in pairs if answer.state == state]


def _by_reason(pairs: Iterable[tuple[Device, Answer]]) -> dict[str, list[Device]]:
    found: dict[str, list[Device]] = {}
    for device, answer in pairs:
        found.setdefault(answer.reason or "", []).append(device)
    return found


def _devices(number: int, inventory: Inventory) -> str:
    return counted(number, "known device" if inventory.catalogue else "device")


def _verdict(match: Match, judgement: Judgement, *, verbose: bool) -> Iterator[str]:
    inventory = match.inventory
    matching = [device for device, _ in _with_state(match, judgement, "yes")]
    if matching:
        verb = "matches" if len(matching) == 1 else "match"
        total = _devices(len(inventory.devices), inventory)
        yield f"{len(matching)} of {total} {verb}: {_named(matching, inventory, verbose=verbose)}"
    elif match.matches_nothing:
        yield "no known card matches" if inventory.catalogue else "no device matches"
    if match.unshown:
        cards = _listed(match.unshown, len(match.unshown) if verbose else _MOST_UNSHOWN)
        yield f"not certain: nobody has shown the MIG profiles of {cards}"
    for reason, devices in _by_reason(_with_state(match, judgement, "maybe")).items():
        named = _named(devices, inventory, verbose=verbose, most=_MOST_POSSIBLE)
        yield f"may match: {named}: {reason}"
    for reason, devices in _by_reason(_with_state(match, judgement, "error")).items():
        named = _named(devices, inventory, verbose=verbose, most=_MOST_FAILING)
        yield f"fails on {_devices(len(devices), inventory)}: {reason}: {named}"


def _clauses(match: Match, judgement: Judgement) -> str:
    parts = [_devices(len(match.inventory.devices), match.inventory)]
    parts += [
        f"{clause_label(clause)}: {number}"
        for clause, number in zip(judgement.clauses, judgement.surviving, strict=True)
    ]
    return "; ".join(parts)


def _nearest(found: Nearest) -> str | None:
    if found.attribute is None:
        return None
    if found.wanted is None:
        meant = f"; did you mean {found.value}?" if found.value else ""
        return f"no device has {found.attribute} among its {found.map}{meant}" if found.map else None
    name = found.attribute.rpartition("/")[2]
    return f"nearest: {name} {found.value} (asked for: {found.wanted})"


def _cost(match: Match) -> Iterator[str]:
    if match.cost is not None:
        over = ": the API server refuses it" if match.cost > MAX_COST else ""
        yield f"cost: {match.cost:,} of {MAX_COST:,}{over}"
    for written in match.ask.selectors:
        size = len(written.text.encode("utf-8", "surrogatepass"))
        if size > MAX_BYTES:
            yield f"{size:,} bytes of {MAX_BYTES:,}: the API server refuses it"


def _heading(match: Match) -> str:
    source = match.ask.source
    if source is None:
        return expression_text(match.ask)
    name = "/".join(part for part in (source.object.namespace, source.object.name) if part)
    request = f", request {source.request}" if source.request else ""
    of_class = f", class {match.ask.device_class}" if match.ask.device_class else ""
    return f"{source.place}: {source.object.kind} {name}{request}{of_class}"


def _lines(match: Match, *, verbose: bool) -> Iterator[str]:
    if match.judgement is None:
        for mistake in match.mistakes:
            what = "does not compile" if mistake.judged else "was not judged"
            yield f"{what}: {mistake_text(mistake)}"
        return
    yield from _verdict(match, match.judgement, verbose=verbose)
    yield _clauses(match, match.judgement)
    if match.nearest is not None and (line := _nearest(match.nearest)):
        yield line
    yield from _cost(match)


def report(matches: Sequence[Match], *, verbose: bool = False) -> Iterator[str]:
    """Lines for each match: where it stands, then what is known of it, indented.

    verbose: lists of devices in full
    """
    for match in matches:
        yield escape(_heading(match))
        for line in _lines(match, verbose=verbose):
            yield f"  {escape(line)}"
