"""`dralint cards`: what drivers report of NVIDIA's cards, and the selector one would write."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from dralint.cli.options import Common, plain_options
from dralint.errors import UsageError


@click.command("cards", short_help="Show the known cards, and selectors for them.")
@click.argument("name", nargs=-1)
@click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@plain_options
def command(name: Sequence[str], form: str, common: Common) -> int:  # noqa: ARG001
    """List the known cards, or show those that NAME means: a product name, a label, or what people say.

    Attributes and capacities are those that the DRA driver publishes.
    """
    from dralint.nvidia.cards import called, cards, near_misses

    wanted = " ".join(name)
    found = called(wanted) if name else list(cards())
    if not found:
        close = near_misses(wanted)
        advice = f"near misses: {', '.join(close)}" if close else "dralint cards lists all"
        raise UsageError(f"no known card is called {wanted!r}", advice=advice)
    if form == "json":
        from dralint.report import cards_json

        sys.stdout.write(cards_json.report(found))
        return 0
    from dralint.report import cards_text

    lines = (
        [line for card in found for line in cards_text.explained(card)] if name else cards_text.table(found)
    )
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0
