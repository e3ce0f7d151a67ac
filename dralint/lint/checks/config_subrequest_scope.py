"""config-subrequest-scope: NVIDIA's driver compares the names of requests letter by letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.kube.dra import Request
from dralint.lint.rewriting import fixed
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import config_of, spec_of
from dralint.nvidia.configs import config_kinds
from dralint.yamltext.operations import Append, Operation, Replace


def _names(request: Request) -> list[str]:
    return [f"{request.name}/{ask.name}" for ask in request.subrequests if ask.name is not None]


def _fix(subject: Subject, index: int, names: Sequence[str]) -> Iterator[Operation]:
    """The alternatives in the place of their request."""
    path = (*subject.path, "requests")
    yield Replace(subject.object.document, (*path, index), names[0])
    for name in names[1:]:
        yield Append(subject.object.document, path, name)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a config of NVIDIA's that names a request with alternatives and not the alternatives."""
    config, spec = config_of(subject), spec_of(subject.object)
    drivers = {kind.driver for kind in config_kinds().values()}
    if config.driver not in drivers or spec is None:
        return
    requests = {each.name: each for each in spec.requests if each.subrequests}
    named = config.requests or []
    for index, name in enumerate(named):
        request = requests.get(name)
        names = [each for each in _names(request) if each not in named] if request else []
        if request is None or not names:
            continue
        hit = Hit((*subject.path, "requests", index), {"name": name, "names": ", ".join(names)})
        yield fixed(hit, run, subject.object, lambda at=index, to=names: _fix(subject, at, to))  # type: ignore[misc]
