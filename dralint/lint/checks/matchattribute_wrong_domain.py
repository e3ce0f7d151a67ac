"""matchattribute-wrong-domain: an attribute belongs to one domain, and to the devices that publish it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dralint.lint.run import Run
from dralint.lint.selectors.constraints import Covered, covered
from dralint.lint.selectors.names import device_types, in_stock, published_as
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.classes import selected
from dralint.nvidia.vocabulary import Name, domains, drivers, meant, names
from dralint.yamltext.operations import Replace


def _is_there(view: View, domain: str, name: str) -> bool:
    return published_as(view, "attributes", domain, name, device_types(view)) is not None or in_stock(
        view, "attributes", domain, name
    )


def right_name(found: Covered, nvidia: Sequence[View]) -> Name | None:
    """The attribute of that name which all covered devices of NVIDIA publish in another domain."""
    for view in nvidia[:1]:
        for entry in names(view.driver or ""):
            if entry.name != found.name or entry.domain == found.domain or entry.map != "attributes":
                continue
            if all(_is_there(each, entry.domain, entry.name) for each in nvidia):
                return entry
    return None


def _others(found: Covered) -> list[str]:
    """The drivers, not NVIDIA's, of covered requests, as far as their classes say them."""
    named = [
        selected((*(view.of_class.selectors or ()), *view.texts)).driver
        for view in found.asks
        if view.driver is None
    ]
    return sorted({driver for driver in named if driver is not None and driver not in drivers()})


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for an attribute in the wrong domain, or in one that not all covered devices are of."""
    found = covered(subject, run)
    if found is None:
        return
    nvidia = [view for view in found.asks if view.driver is not None]
    full = f"{found.domain}/{found.name}"
    wrong = found.domain in domains() or meant("domains", found.domain) is not None
    if nvidia and wrong and not any(_is_there(view, found.domain, found.name) for view in nvidia):
        right = right_name(found, nvidia)
        if right is not None:
            new = f"{right.domain}/{right.name}"
            values = {"what": f"NVIDIA's devices have {found.name} as {new}", "full": full}
            yield Hit(found.path, values, operations=(Replace(subject.object.document, found.path, new),))
        return
    others = _others(found)
    if found.domain in drivers() and others:
        what = f"devices of {' and '.join(others)} do not have it, so that they never fit"
        yield Hit(found.path, {"what": what, "full": full})
