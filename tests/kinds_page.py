"""The tables of workload kinds in docs/convert.md, made from the data of kinds.

python tests/pages.py
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dralint.convert.refusals import Refusing, listed
from dralint.kube.kinds import ClaimsForm, PodPlace, WorkloadKind, request_fields, workload_kinds

PAGE = Path(__file__).resolve().parent.parent / "docs" / "convert.md"
START, END = "<!-- kinds: written by tests/pages.py -->\n", "<!-- end of kinds -->\n"
USUAL = ClaimsForm(("resourceClaims",), named=True)


def dotted(path: Sequence[str]) -> str:
    """A path as data writes it."""
    return ".".join(path).replace(".[]", "[]")


def _places(kind: WorkloadKind) -> tuple[PodPlace, ...]:
    return (*kind.pods, *kind.operator_pods)


def _name(kind: WorkloadKind) -> str:
    group = f" ({kind.group})" if kind.group else ""
    versions = f" {', '.join(kind.versions)}" if kind.versions else ""
    return f"{kind.kind}{versions}{group}"


def _plain(kind: WorkloadKind) -> bool:
    """Whether claims stand in it as in Kubernetes' own pods, and nothing is to be said about that."""
    places = _places(kind)
    return (
        bool(places)
        and not kind.assumes
        and kind.schema == "full"
        and all(each.claims == USUAL for each in places)
    )


def _lists(kind: WorkloadKind) -> str:
    """Where the lists of claims stand."""
    refused = [entry.field for entry in listed() if kind.kind in entry.kinds]
    paths = [
        dotted((*place.path, *place.claims.path))
        for place in _places(kind)
        if place.claims is not None and place.path not in refused
    ]
    return ", ".join(f"`{path}`" for path in dict.fromkeys(paths))


def _advice(kind: WorkloadKind) -> str:
    """What to do instead of a claim."""
    fields = [
        each.next
        for each in request_fields()
        if (each.group, each.kind) == (kind.group, kind.kind) and each.versions in (None, kind.versions)
    ]
    said = [*(place.next for place in _places(kind)), *(place.next for place in kind.resources), *fields]
    return next(filter(None, said), "")


def _by_text(kinds: Iterable[tuple[WorkloadKind, str]]) -> Iterator[str]:
    """A row for each different text."""
    names: dict[str, list[str]] = {}
    for kind, text in kinds:
        names.setdefault(text, []).append(_name(kind))
    for text, of_text in names.items():
        yield f"| {', '.join(of_text)} | {text} |"


def _rows() -> Iterator[str]:
    every = workload_kinds()
    others = {each.kind for each in every if not _plain(each)}
    plain = {_name(each) if each.kind in others else each.kind for each in every if _plain(each)}
    holding = [each for each in every if not _plain(each) and any(place.claims for place in _places(each))]
    yield "| kind | what becomes of its requests |"
    yield "|---|---|"
    yield f"| {', '.join(sorted(plain))} | claims, as in Kubernetes' own pods |"
    yield from _by_text(
        (kind, f"claims, listed in {_lists(kind)}" + "".join(f"; assumed: {each}" for each in kind.assumes))
        for kind in holding
    )
    yield from _by_text(
        (
            kind,
            f"no claims: {kind.why or 'the kind has no place for resourceClaims'}. Instead: {_advice(kind)}",
        )
        for kind in every
        if _advice(kind) and kind not in holding
    )


def _whatever(entry: Refusing) -> str:
    return "with a request for GPUs" if entry.requests else "whatever it says"


def _refusals() -> Iterator[str]:
    yield "| kind | field | why no claim is written | by name |"
    yield "|---|---|---|---|"
    for entry in listed():
        values = " or ".join(f"`{each}`" for each in entry.values) or (
            f"with `{entry.contains}`"
            if entry.contains
            else ("with a request for GPUs" if entry.requests else "whatever it says")
        )
        field = dotted(entry.field or entry.of_pod).removeprefix("metadata.annotations.")
        ways = ", ".join(f"`{way}`" for way in entry.ways) or "no"
        yield f"| {', '.join(entry.kinds)} | `{field}`: {values} | {entry.reason} | {ways} |"


def tables() -> str:
    """What stands between the marks of the page."""
    text = "Some objects of these kinds take no claim, or none beside what stands in them:"
    return "\n".join([*_rows(), "", text, "", *_refusals()]) + "\n"


def with_tables(text: str) -> str:
    """The page's text with the tables in their place."""
    before, _, rest = text.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}{tables()}{END}{after}"


def write() -> None:
    """Write the tables into the page."""
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
