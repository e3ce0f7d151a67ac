"""Resource names that were meant to be those of GPUs: what was written, and what a device plugin offers."""

from __future__ import annotations

import re
from functools import lru_cache

from dralint.nvidia.resources import classify, domain, profile_in_name, profile_resource, wrong_domains

# The resources that a slip of the finger is looked for of. Of HAMi's (gpumem, gpucores) a cluster may choose other
# names, and other plugins call theirs after the card: TU104GL_Tesla_T4.
_GPU = ("gpu", "gpu.shared")
# What stands after the domain where a slash is forgotten: nvidia.com.gpu.
_SEPARATORS = ".-_:"
# mig-1g10gb, MIG-1g.10gb, mig1g.10g: all that begins as a profile does.
_MIG = re.compile(r"mig[-_.]?([0-9]+)g[-_.]?([0-9]+)(?:gb?)?([-.+].*)?", re.IGNORECASE)
_LIKE_MIG = re.compile(r"mig[-_.]?[0-9]", re.IGNORECASE)


@lru_cache(maxsize=8)
def slips(word: str) -> frozenset[str]:
    """The word with a letter doubled, one left out, two neighbours swapped, or with an `s` behind it."""
    places = range(len(word))
    doubled = {word[:at] + word[at] + word[at:] for at in places}
    missing = {word[:at] + word[at + 1 :] for at in places}
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-1]}
    return frozenset((doubled | missing | swapped | {f"{word}s"}) - {word})


def _mig_meant(rest: str) -> str | None:
    match = _MIG.fullmatch(rest)
    if match is None:
        return None
    suffix = (match[3] or "").lower()
    profile = profile_in_name(f"{match[1]}g.{match[2]}gb{suffix.replace('+', '.')}")
    return profile_resource(profile) if profile is not None else None


def meant(name: str) -> str | None:
    """The resource of NVIDIA's that a wrong name was probably meant to be; None where no name is near.

    Also None for names that the device plugin offers, and for those that other plugins may offer.
    """
    own = domain()
    given, slash, rest = name.strip().partition("/")
    rest = rest.strip("/")
    if not slash:
        text = given[len(own) :] if given.lower().startswith(own) else ""
        rest = text[1:] if text[:1] in _SEPARATORS else ""
    elif given.lower() != own and given not in wrong_domains():
        return None
    if not rest:
        return None
    right = f"{own}/{rest}"
    known = classify(right)
    if known is not None and (known.base != "mig" or known.profile is not None):
        return right if right != name else None
    lower = rest.lower()
    for word in _GPU:
        if lower == word or lower in slips(word):
            return f"{own}/{word}"
    return _mig_meant(rest)


def is_no_profile(name: str) -> bool:
    """Whether a name of NVIDIA's domain is like one of a MIG device, and is none: the device plugin offers no such."""
    given, _, rest = name.partition("/")
    if given != domain() or not _LIKE_MIG.match(rest):
        return False
    known = classify(name)
    return known is None or (known.base == "mig" and known.profile is None)
