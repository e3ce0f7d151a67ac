"""Notes on converted requests that no card of the catalogue meets: their class, profile and selectors together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from dralint.convert.claims import device_class
from dralint.convert.model import Note
from dralint.convert.notes.pod_notes import note_at, with_devices
from dralint.convert.occurrences import Found
from dralint.convert.templates import profile_selector
from dralint.convert.work import Ground, PodWork
from dralint.nvidia.cards import cards
from dralint.nvidia.node_labels import maps
from dralint.yamltext.node import deref

# What devices must pass: the name of the class, and expressions.
_Wanted = tuple[str, tuple[str, ...]]
# Different ones of a run that are compared with the catalogue, about 4 ms each: more are in no repository.
_MOST = 500


@cache
def _profiles() -> frozenset[str]:
    """The MIG profiles that a card of the catalogue can be cut into."""
    cut = [card.mig for card in cards() if card.mig is not None]
    named = {profile.name for mig in cut for profile in mig.table.profiles}
    return frozenset(named.union(*(mig.other_profiles for mig in cut)))


def _wanted(found: Found) -> _Wanted | None:
    """What the device of a request must pass; None where it is plain that cards do."""
    claim = found.verdict.claim if found.verdict is not None else None
    selectors = claim.selectors if claim is not None else ()
    profile = found.device.profile
    if not selectors and (profile is None or profile in _profiles()):
        return None
    own = (profile_selector(profile), *selectors) if profile is not None else selectors
    return device_class(found.device), own


def _unmet(wanted: Sequence[_Wanted], ground: Ground) -> Mapping[_Wanted, bool]:
    """Those that no card passes, each with whether it names a product that the catalogue does not know."""
    from dralint.inventory.asks import Ask, Written, class_finder
    from dralint.inventory.match import match

    find = class_finder(ground.bundle, lambda: ground.context.bundle)
    product = f"{maps()['attributes']}.productName"
    asks = [Ask(tuple(map(Written, own)), name, find(name) or ()) for name, own in wanted]
    judged = match(asks, None, ground.options.target)
    unmet = [each for each, result in zip(wanted, judged, strict=True) if result.matches_nothing]
    named = [text for text in dict.fromkeys(text for _, own in unmet for text in own) if product in text]
    alone = match([Ask((Written(text),)) for text in named], None, ground.options.target) if named else []
    unknown = {text for text, result in zip(named, alone, strict=True) if result.matches_nothing}
    return {each: not unknown.isdisjoint(each[1]) for each in unmet}


def card_notes(works: Sequence[PodWork], ground: Ground) -> Iterator[Note]:
    """A note for each request that no known card meets, in whatever way it moves.

    Of a product that is not in the catalogue nobody can tell, so that is no warning.
    """
    asking = [
        (work, found, wanted)
        for work in works
        for found in with_devices(work)
        if (wanted := _wanted(found)) is not None
    ]
    distinct = list(dict.fromkeys(wanted for _, _, wanted in asking))
    unmet = _unmet(distinct[:_MOST], ground) if asking else {}
    left = set(distinct[_MOST:])
    if left:
        work, found, _ = next(each for each in asking if each[2] in left)
        message = f"from here on {len(left)} different selections of devices were not compared with the catalogue of cards"
        yield note_at(work, deref(found.counts[0]), "product", message)
    for work, found, wanted in asking:
        unknown = unmet.get(wanted)
        if unknown is None:
            continue
        if unknown:
            message = "the product that the pod selects is not in the catalogue of cards, so whether a device fits cannot be told"
            yield note_at(work, deref(found.counts[0]), "product", message)
        else:
            name, own = wanted
            message = f"no card that is known has a device of the class {name} with all of this, so that the pod would stay pending: {'; '.join(own)}"
            yield note_at(work, deref(found.counts[0]), "no-device", message)
