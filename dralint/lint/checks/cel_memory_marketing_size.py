"""cel-memory-marketing-size: a card has a little less memory than it is sold with."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.selectors.memory import GI, Candidates, Sized, Test, candidates, lowered, tests
from dralint.lint.selectors.names import literal
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import guessed, memory_seen, text_of, with_memory
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject

_LEAST = (">", ">=")
# Cards for servers; that a card for desktops is left out is seldom a mistake in a cluster.
_OF_SERVERS = ("Nvidia", "Tesla")


def _let_in(found: Candidates, test: Test) -> list[Sized]:
    """Cards that are sold with the size and pass a test for less than it."""
    named = {
        each.name: each
        for each in found.devices
        if test.holds(each.memory)
        and test.size in [gb * GI for gb in each.labels]
        and each.memory < test.size
    }
    return list(named.values())


def _for_servers(found: list[Sized]) -> bool:
    return any(text_of(each.device, "brand") in _OF_SERVERS for each in found)


def find(view: View) -> Iterator[Slip]:
    """Thresholds at a size that cards are sold with, which those cards do not reach."""
    for test in tests(view):
        found = candidates(view, test)
        if found is None:
            continue
        below = test.comparison.operator == "<"
        wrong = _let_in(found, test) if below else found.missing(test)
        wrong = [each for each in wrong if not text_of(each.device, "profile")]
        if not wrong or test.comparison.operator not in ("<", *_LEAST):
            continue
        left = any(test.holds(each.memory) for each in found.devices)
        lower = lowered(min(each.memory for each in wrong))
        higher = f"{test.size // GI + 1}Gi"
        text = test.constant.value
        wrong.sort(key=lambda each: (text_of(each.device, "brand") not in _OF_SERVERS, each.name))
        seen = [each for each in wrong if memory_seen(each.device)]
        sizes = with_memory([(each.name, each.memory) for each in wrong])
        values = {
            "what": f"{'less than' if below else 'at least' if test.comparison.operator == '>=' else 'more than'} {text}",
            "effect": "takes" if below else "leaves out",
            "cards": f"{sizes}{guessed([each.device for each in wrong])}",
            "size": f"{test.size // GI} GB",
            "advice": f"write {lower} to {'leave them out' if below else 'take them'}, "
            f"{higher} {'if they are' if below else 'if they are not'} meant",
        }
        like = view.selectors[test.selector].text[slice(*test.constant.range)]
        change = Change(test.constant.range, literal(lower, like))
        yield Slip(
            test.selector,
            test.comparison.range,
            values,
            None if view.stock.given or _for_servers(seen) else "info",
            (change,),
            certain=False,
            spoils=not left and not below,
        )


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a threshold between the size a card is sold with and the one it has."""
    yield from hits("cel_memory_marketing_size", subject, run)
