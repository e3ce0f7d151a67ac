"""claim-device-limit: the scheduler allocates at most 32 devices for one claim."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.dra import CLASS, Ask, Request
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of

# kubernetes/api resource/v1 types.go: AllocationResultsMaxSize.
_MOST = 32


def _least(ask: Ask) -> int:
    """The devices an ask takes at least; All takes one or more."""
    return 1 if ask.mode == "All" else max(ask.count or 1, 1)


def _of_request(request: Request) -> int:
    return min((_least(ask) for ask in request.asks), default=0)


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit at the request with which a claim has more devices than it can be given, whichever alternatives it gets."""
    spec = spec_of(subject.object)
    if spec is None or subject.object.ref.kind == CLASS:
        return
    total, over = 0, None
    for request in spec.requests:
        total += _of_request(request)
        if over is None and total > _MOST:
            over = request
    if over is not None:
        ask = over.ask
        path = over.path if ask is None or ask.count is None else (*ask.path, "count")
        yield Hit(path, {"total": str(total), "most": str(_MOST)})
