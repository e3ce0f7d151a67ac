"""`dralint match`: which devices a selector, or every selector of claims, matches."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from dralint.cli.help_text import Grouped
from dralint.cli.inventories import given_inventory
from dralint.cli.messages import tell, tell_assumptions, tell_errors
from dralint.cli.options import Common, common_options, target_options
from dralint.errors import DralintError, UsageError

if TYPE_CHECKING:
    from dralint.inventory.asks import Ask
    from dralint.inventory.device import Inventory, Note
    from dralint.inventory.match import Match
    from dralint.nvidia.target import Target

_STDIN = "-"


def _asks(
    paths: Sequence[str],
    target: Target,
    common: Common,
    notes: list[Note],
    problems: list[DralintError],
) -> tuple[list[Ask], Inventory | None]:
    """The asks of the named files, and the inventory that is among them."""
    from dralint.cli.inputs import make_context, read_inputs
    from dralint.inventory.asks import class_finder
    from dralint.inventory.asks_elsewhere import every_ask
    from dralint.inventory.manifests import WORDS
    from dralint.inventory.read import inventory_of
    from dralint.kube.bundle import Bundle
    from dralint.kube.words import joined_words

    words = joined_words(WORDS)
    inputs = read_inputs(paths, words=words, stdin_name=common.stdin_name)
    problems.extend(inputs.problems)
    bundle = Bundle(inputs.files)
    context = make_context(inputs, words)
    find_class = class_finder(bundle, lambda: context.bundle)
    asks = list(every_ask(bundle.objects, find_class, notes, target.kubernetes))
    return asks, inventory_of(bundle.objects, target)


def _tell(matches: Sequence[Match], notes: Sequence[Note], target: Target, common: Common) -> None:
    from dralint.report.words import counted

    if common.quiet:
        return
    for note in notes:
        tell(f"{note.place or 'dralint'}: note: {note.what}")
    inventories = {id(match.inventory): match.inventory for match in matches}
    for inventory in inventories.values():
        if inventory.catalogue:
            pools = len({device.pool for device in inventory.devices})
            tell(
                f"no inventory was given: {counted(pools, 'known card')} with "
                f"{counted(len(inventory.devices), 'device')} instead (--inventory: what the cluster has)"
            )
            break
    if matches:
        tell_assumptions(target, verbose=common.verbose)


@click.command("match", cls=Grouped, short_help="Say which devices a selector matches.")
@click.argument("words", nargs=-1, metavar="EXPR | --claims PATH...")
@click.option(
    "--claims", is_flag=True, help="The arguments are files with claims, or directories of them; - is stdin."
)
@click.option(
    "--inventory",
    "inventories",
    multiple=True,
    metavar="FILE",
    help="ResourceSlices, or Nodes with labels, in YAML or JSON: the devices to match; - is stdin. "
    "May be repeated. Default: those among the claims, else the catalogue of known cards.",
)
@click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.option(
    "--engine",
    metavar="NAME",
    help="The CEL engine: cel-expr-python (default), or cel-python, "
    "which knows no types and finds fewer mistakes.",
)
@target_options
@common_options
def command(
    words: Sequence[str],
    claims: bool,
    inventories: Sequence[str],
    form: str,
    engine: str | None,
    target: Target,
    common: Common,
) -> int:
    """Say which devices a selector matches, and how many survive each of its clauses.

    EXPR is a CEL expression. With --claims it is every selector of the claims and classes in the named
    files, those of a request together with those of its class, and what NIM services, KServe's
    annotations and taint rules select.

    Exit code 0: everything matches something; 1: something matches nothing; 2: something does not compile.
    """  # fmt: skip
    from dralint.inventory.asks import Ask, Written
    from dralint.inventory.match import match

    _validate(words, inventories, claims=claims)
    problems: list[DralintError] = []
    notes: list[Note] = []
    given: Inventory | None = None
    if claims:
        asks, given = _asks(words, target, common, notes, problems)
    else:
        asks = [Ask((Written(words[0]),))]
    if inventories:
        given = given_inventory(inventories, target, common.stdin_name, problems)
    if given is not None:
        notes.extend(given.notes)
    # Without what was asked for, or what it was to be asked of, there is nothing to say.
    if problems and (not asks or (inventories and given is None)):
        tell_errors(problems)
        return 2
    matches = match(asks, given, target, engine)
    _write(matches, form, common)
    tell_errors(problems)
    _tell(matches, notes, target, common)
    if claims and not asks and not common.quiet:
        tell("no selectors in these files")
    if problems or any(each.judgement is None for each in matches):
        return 2
    return 1 if any(each.matches_nothing for each in matches) else 0


def _validate(words: Sequence[str], inventories: Sequence[str], *, claims: bool) -> None:
    if not claims and len(words) == 1 and os.path.exists(words[0]):
        raise UsageError(f"{words[0]} is a file, and no expression", advice="files of claims need --claims")
    if not claims and len(words) != 1:
        what = "more than one expression" if words else "no expression"
        advice = "put it in quotes; files of claims need --claims" if words else "EXPR, or --claims PATH..."
        raise UsageError(what, advice=advice)
    if [*inventories, *(words if claims else ())].count(_STDIN) > 1:
        raise UsageError("standard input can be read only once", advice="name a file for one of them")


def _write(matches: Sequence[Match], form: str, common: Common) -> None:
    if form == "json":
        from dralint.report import match_json

        sys.stdout.write(match_json.report(matches))
        return
    from dralint.report import match_text

    for line in match_text.report(matches, verbose=common.verbose):
        sys.stdout.write(f"{line}\n")
