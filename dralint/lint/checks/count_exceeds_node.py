"""count-exceeds-node: all devices of a claim come from one node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from dralint.kube.dra import Request
from dralint.lint.run import Run
from dralint.lint.selectors.view import View, views
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of


def _per_node(view: View) -> dict[str, set[int]] | None:
    """The devices that match or may match, by node; None where that cannot be told."""
    if not view.stock.given or view.outcome is None or view.outcome.nothing or view.partial:
        return None
    rows = view.outcome.rows
    found: dict[str, set[int]] = defaultdict(set)
    for index in view.outcome.let_through().indexes:
        node = rows.device(index).node
        if node is None:
            return None
        found[node].add(rows.row(index).device)
    return found


def _count(view: View) -> int | None:
    ask = view.ask
    if ask is None or ask.mode not in (None, "ExactCount"):
        return None
    return 1 if ask.count is None else ask.count


def _of_request(request: Request, found: Sequence[View]) -> tuple[View, int, int] | None:
    """(ask, wanted, most on a node) where no node has enough for any of a request's alternatives."""
    short = []
    for view in found:
        wanted, nodes = _count(view), _per_node(view)
        if wanted is None or nodes is None:
            return None
        most = max(map(len, nodes.values()), default=0)
        if wanted <= most:
            return None
        short.append((view, wanted, most))
    return short[0] if short and len(short) == len(request.asks) else None


def _together(found: Sequence[View]) -> tuple[View, int, int] | None:
    """The same for all requests of a claim, where none of them has alternatives or takes all there is."""
    total, by_node = 0, defaultdict[str, set[int]](set)
    for view in found:
        wanted, nodes = _count(view), _per_node(view)
        if wanted is None or nodes is None or view.what != "request":
            return None
        if view.outcome is None or any(device.shared for device in view.outcome.rows.devices):
            return None
        total += wanted
        for node, devices in nodes.items():
            by_node[node] |= devices
    most = max(map(len, by_node.values()), default=0)
    return (found[-1], total, most) if len(found) > 1 and total > most else None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a request, or all requests of a claim, that want more devices than any node of the inventory has."""
    spec = spec_of(subject.object)
    every = views(subject.object, run)
    if spec is None or run.inventory(subject.object.file) is None:
        return
    told = False
    for request in spec.requests:
        paths = [ask.path for ask in request.asks]
        short = _of_request(request, [view for view in every if view.path in paths])
        if short is not None:
            told = True
            view, wanted, most = short
            what = f"request {request.name}" if request.name else "this request"
            yield Hit(
                (*view.path, "count"), {"what": f"{what} wants", "wanted": str(wanted), "most": str(most)}
            )
    together = None if told else _together(every)
    if together is not None and len(every) == len(spec.requests):
        view, wanted, most = together
        values = {"what": "all requests of the claim together want", "wanted": str(wanted), "most": str(most)}
        yield Hit(view.path, values)
