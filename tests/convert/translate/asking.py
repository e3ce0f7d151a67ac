"""Pods' demands on labels in a short form, and what becomes of them."""

from __future__ import annotations

from dralint.convert.translate.demands import Constraints, Demand, Preference, Term
from dralint.convert.translate.judge import Asked
from dralint.convert.translate.translate import Translation, translate
from dralint.nvidia.node_labels import Device
from dralint.nvidia.target import make_target

GPU, SLICE = Device("gpu"), Device("slice")


def mig(profile: str) -> Device:
    return Device("mig", profile)


def demand(text: str) -> Demand:
    """`gpu.family In hopper ampere`; nvidia.com/ goes before what has no domain, unless it starts with a dot."""
    key, operator, *values = text.split()
    key = key.removeprefix(".") if key.startswith(".") or "/" in key else f"nvidia.com/{key}"
    return Demand(key, operator, tuple(values), (text,))


def term(*texts: str, fields: object = None) -> Term:
    found = tuple(demand(text) for text in texts)
    return Term(found, () if fields is None else ({"matchFields": fields},), texts)


def moved(
    *selector: str,
    terms: tuple[Term, ...] | None = None,
    preferred: tuple[tuple[str, ...], ...] = (),
    weights: tuple[int, ...] = (),
    first_available: bool = False,
    asked: tuple[Device, ...] = (GPU,),
    devices: int = 1,
    **target: object,
) -> Translation:
    """The translation of nodeSelector-like demands and the terms of a required affinity."""
    placed = None
    if terms is not None:
        placed = tuple(
            each._replace(
                path=(row,), demands=tuple(one._replace(path=(row, n)) for n, one in enumerate(each.demands))
            )
            for row, each in enumerate(terms)
        )
    preferences = tuple(
        Preference(weight, term(*texts), (number,))
        for number, (texts, weight) in enumerate(
            zip(preferred, weights or (1,) * len(preferred), strict=True)
        )
    )
    constraints = Constraints(tuple(map(demand, selector)), placed, preferences)
    pods = [Asked(each, devices) for each in asked]
    return translate(constraints, pods, make_target(**target), first_available=first_available)


def short(text: str) -> str:
    """The expression with A and C for the driver's attributes and capacity."""
    for name in ("attributes", "capacity"):
        text = text.replace(f"device.{name}['gpu.nvidia.com']", name[0].upper())
    return text


def selectors(*selector: str, **options: object) -> list[str]:
    """The expressions of the only resource asked for, in short form."""
    (found,) = moved(*selector, **options).selectors
    return [short(text) for text in found]


def left(found: Translation) -> tuple[list[str], list[list[str]] | None]:
    """What is left of the nodeSelector and of the terms, as keys."""
    terms = found.left.terms
    return (
        [each.key for each in found.left.selector],
        None if terms is None else [[each.key for each in one.demands] for one in terms],
    )


def reasons(found: Translation) -> list[str]:
    return [each.reason for each in found.kept]
