"""Cards for people: the table of all, or each with its MIG profiles and the selectors one would write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.nvidia.accelerators import gfd_product
from dralint.nvidia.cards import Card, MigProfile, memory_text
from dralint.nvidia.classes import device_classes
from dralint.nvidia.published import gpu_driver_name
from dralint.nvidia.selectors import card_selector, slice_selector

_UNCERTAIN = "?"
_NOT_KNOWN = "not known"
_LABEL_WIDTH = 14


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _marked(card: Card, key: str, text: str) -> str:
    return f"{text} {_UNCERTAIN}" if key in card.uncertain else text


def _memory(card: Card) -> str:
    if card.no_memory:
        return "none published"
    if card.memory is None:
        return _NOT_KNOWN
    return _marked(card, "memory", memory_text(card.memory))


def _profiles(card: Card) -> str:
    if card.mig is None:
        return _marked(card, "mig", "-")
    names = [profile.name for profile in card.mig.table.profiles if profile.name.endswith("gb")]
    return _marked(card, "mig", " ".join(names))


def table(cards: Sequence[Card]) -> Iterator[str]:
    """Lines: product name, architecture, compute capability, memory and MIG profiles of each card."""
    head = ("PRODUCT NAME", "ARCHITECTURE", "CC", "MEMORY", "MIG PROFILES")
    rows = [
        (
            _marked(card, "name", card.name),
            _marked(card, "architecture", card.architecture),
            _marked(card, "compute", card.compute.removesuffix(".0") if card.compute else "-"),
            _memory(card),
            _profiles(card),
        )
        for card in cards
    ]
    yield from _columns([head, *rows])
    if any(card.uncertain for card in cards):
        yield f"{_UNCERTAIN}: never seen in the output of a driver, but taken by analogy"


def _line(label: str, text: str) -> str:
    return f"  {label.ljust(_LABEL_WIDTH)}{text}"


def _class_name(device_type: str) -> str:
    driver = gpu_driver_name()
    return next(
        each.name for each in device_classes().values() if each.type == device_type and each.driver == driver
    )


def _profile_row(profile: MigProfile) -> tuple[str, ...]:
    memory = "not seen" if profile.memory is None else memory_text(profile.memory)
    others = "".join(f" or {memory_text(mib)}" for mib in profile.also)
    multiprocessors = "" if profile.multiprocessors is None else str(profile.multiprocessors)
    return profile.name, f"{memory}{others}", multiprocessors, str(profile.most)


def _mig(card: Card) -> Iterator[str]:
    if card.mig is None:
        yield _line("MIG", _marked(card, "mig", "none documented"))
        return
    driver = f"; GPU driver {card.mig.driver} or newer" if card.mig.driver else ""
    yield _line("MIG", _marked(card, "mig", f"at most {card.mig.table.instances} slices{driver}"))
    head = ("PROFILE", "MEMORY", "MULTIPROCESSORS", "AT MOST")
    for row in _columns([head, *map(_profile_row, card.mig.table.profiles)]):
        yield f"    {row}"
    if card.mig.other_profiles:
        yield f"    other drivers or boards: {', '.join(card.mig.other_profiles)}"
    if card.mig.note:
        yield f"    {card.mig.note}"


def _selectors(card: Card) -> Iterator[str]:
    yield f"  selector with class {_class_name('gpu')}:"
    yield f"    {card_selector(card)}"
    if card.mig is not None:
        yield f"  selector with class {_class_name('mig')}, such as:"
        yield f"    {slice_selector(card, card.mig.table.profiles[0].name)}"


def explained(card: Card) -> Iterator[str]:
    """Lines about one card; what was never seen is marked."""
    yield _marked(card, "name", card.name)
    compute = _marked(card, "compute", card.compute or _NOT_KNOWN)
    architecture = _marked(card, "architecture", card.architecture)
    yield _line("architecture", f"{architecture}, compute capability {compute}")
    yield _line("memory", _memory(card))
    for other in card.other_memory:
        yield _line("", f"{memory_text(other.memory)}: {other.when}")
    yield _line("brand", _marked(card, "brand", card.brand or _NOT_KNOWN))
    yield _line("form", card.form)
    nvlink = " (across nodes, too)" if card.multi_node_nvlink else ""
    yield _line("NVLink", f"{'yes' if card.nvlink else 'no'}{nvlink}")
    yield _line("also called", ", ".join((*card.short_names, *card.aliases)))
    if card.not_reported:
        yield _line("but never", ", ".join(card.not_reported))
    yield _line("GFD label", f"nvidia.com/gpu.product={gfd_product(card.name)}")
    if card.driver:
        yield _line("GPU driver", f"{_marked(card, 'driver', card.driver)} or newer")
    if card.note:
        yield _line("note", card.note)
    yield from _mig(card)
    yield from _selectors(card)
    if card.uncertain:
        yield f"  {_UNCERTAIN}: never seen in the output of a driver, but taken by analogy"
