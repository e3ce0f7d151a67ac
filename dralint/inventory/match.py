"""Asks matched with an inventory: compiled, judged, and with what comes nearest where nothing matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dralint.cel.device.answers import CompileErrors
from dralint.cel.positions import file_offset, line_and_column
from dralint.errors import Place
from dralint.inventory.asks import Ask, Written
from dralint.inventory.catalogue import catalogue, unshown_slices
from dralint.inventory.device import Inventory
from dralint.inventory.engine import compiler
from dralint.inventory.judge import Judgement, Program, judge
from dralint.inventory.nearest import Nearest, nearest
from dralint.nvidia.published import compute_domain_devices
from dralint.nvidia.target import Target
from dralint.yamltext.node import SCALAR


class Mistake(NamedTuple):
    """Why a selector does not compile.

    place     in its file; None: the command line, or a class of the driver
    position  line and column in the expression, from 1
    judged    False: a limit of dralint was reached, the expression may be right
    """

    message: str
    place: Place | None
    position: tuple[int, int]
    judged: bool = True


class Match(NamedTuple):
    """An ask on an inventory.

    mistakes   what does not compile; then there is no judgement
    cost       the largest estimate of Kubernetes for one of the selectors
    nearest    where nothing matches
    unshown    where no known card matches: cards whose slices may, because nobody has shown their MIG profiles
    """

    ask: Ask
    inventory: Inventory
    mistakes: tuple[Mistake, ...]
    judgement: Judgement | None
    cost: int | None
    nearest: Nearest | None
    unshown: tuple[str, ...] = ()

    @property
    def matches_nothing(self) -> bool:
        """It compiles, and no device matches or may match."""
        return self.judgement is not None and not (self.judgement.matching or self.judgement.possible)


def _mistakes(written: Written, errors: CompileErrors) -> Iterable[Mistake]:
    for error in errors.errors:
        place = None
        if written.file is not None and written.node is not None:
            # What fields say has no text of its own.
            at = (
                file_offset(written.file.text.text, written.node, written.offset + error.offset)
                if written.node.kind == SCALAR
                else written.node.start
            )
            place = written.file.place(at)
        yield Mistake(error.message, place, line_and_column(written.text, error.offset), errors.judged)


def _unshown(programs: Sequence[Program], target: Target) -> tuple[str, ...]:
    inventory = unshown_slices(target)
    pairs = zip(inventory.devices, judge(programs, inventory).answers, strict=True)
    return tuple(device.pool for device, answer in pairs if answer.state in ("yes", "maybe"))


def _match(
    ask: Ask, inventory: Inventory, compiled: dict[str, Program | CompileErrors], target: Target
) -> Match:
    mistakes: list[Mistake] = []
    programs = []
    for written in ask.all_selectors:
        program = compiled[written.text]
        if isinstance(program, CompileErrors):
            mistakes.extend(_mistakes(written, program))
        else:
            programs.append(program)
    if mistakes:
        return Match(ask, inventory, tuple(mistakes), None, None, None)
    judgement = judge(programs, inventory)
    cost = max((program.cost for program in programs if program.cost is not None), default=None)
    found = Match(ask, inventory, (), judgement, cost, nearest(judgement, inventory))
    if inventory.catalogue and found.matches_nothing:
        return found._replace(unshown=_unshown(programs, target))
    return found


def match(
    asks: Iterable[Ask], given: Inventory | None, target: Target, engine: str | None = None
) -> list[Match]:
    """Each ask on the given inventory, or on the card catalogue where none is given.

    Devices of the ComputeDomain driver are in the catalogue only for asks that speak of that driver.
    engine: see `engine.compiler`, whose UsageError this raises.
    """
    compile_ = compiler(engine, target)
    compiled: dict[str, Program | CompileErrors] = {}
    catalogues: dict[bool, Inventory] = {}
    drivers = {device.driver for device in compute_domain_devices()}
    # Many requests ask for the same.
    judged: dict[tuple[str, ...], Match] = {}
    found = []
    for ask in asks:
        texts = tuple(written.text for written in ask.all_selectors)
        if texts in judged:
            found.append(judged[texts]._replace(ask=ask))
            continue
        for written in ask.all_selectors:
            if written.text not in compiled:
                compiled[written.text] = compile_(written.text)
        inventory = given
        if inventory is None:
            domains = any(driver in text for text in texts for driver in drivers)
            if domains not in catalogues:
                catalogues[domains] = catalogue(target, domains=domains)
            inventory = catalogues[domains]
        matched = _match(ask, inventory, compiled, target)
        found.append(matched)
        if not matched.mistakes:
            judged[texts] = matched
    return found
