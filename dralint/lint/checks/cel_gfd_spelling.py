"""cel-gfd-spelling: node labels of GPU Feature Discovery spell what devices have in another way."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.cel.anatomy import Comparison, Constant
from dralint.lint.finding import Severity
from dralint.lint.run import Run
from dralint.lint.selectors.names import comparisons, literal, meaning
from dralint.lint.selectors.order import hits
from dralint.lint.selectors.slips import Change, Slip
from dralint.lint.selectors.stock import texts
from dralint.lint.selectors.view import View
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.accelerators import gfd_family, read_product
from dralint.nvidia.cards import card, shown
from dralint.nvidia.classes import device_classes

_OPERATORS = ("==", "!=", "in")
_PRODUCT, _ARCHITECTURE = "productName", "architecture"


def _product(text: str) -> tuple[str | None, str] | None:
    """The product name that a GFD label means, and what to write; None: it is no such label."""
    if card(text) is not None or " " in text:
        return None
    found = read_product(text)
    suffixes = []
    if found.shared:
        suffixes.append("how a GPU is shared is no attribute")
    if found.profile:
        mig = next(name for name, each in device_classes().items() if each.type == "mig")
        suffixes.append(f'a MIG device has the class {mig} and the profile "{found.profile}"')
    if found.card is None:
        known_form = bool(suffixes) or text.startswith("NVIDIA-")
        said = "; ".join(["product names have blanks, as nvidia-smi shows them", *suffixes])
        return (None, said) if known_form else None
    said = "; ".join([f'the device has "{found.card.name}"', *suffixes])
    return (None if suffixes else found.card.name, said)


def _meant(name: str, text: str) -> tuple[str | None, str] | None:
    if name == _PRODUCT:
        return _product(text)
    family = gfd_family(text)
    return (family, f'the device has "{family}"') if family and family != text else None


def _label(name: str) -> str:
    return "nvidia.com/gpu.product" if name == _PRODUCT else "nvidia.com/gpu.family"


def _slip(view: View, index: int, comparison: Comparison, constant: Constant) -> Slip | None:
    name, text = comparison.read.name or "", str(constant.value)
    found = _meant(name, text)
    if found is None or text in _there(view, name):
        return None
    right, said = found
    certain_mistake = right is not None or (name == _PRODUCT and read_product(text).card is not None)
    sure = right is None or shown("name" if name == _PRODUCT else "architecture", right)
    if not sure:
        said = f"{said}, as far as anybody knows"
    level: Severity | None = None if certain_mistake and sure else "warning"
    like = view.selectors[index].text[slice(*constant.range)]
    values = {"name": name, "text": text, "label": _label(name), "advice": said}
    changes = (Change(constant.range, literal(right, like)),) if right else ()
    place = comparison.range if len(comparison.constants) == 1 else constant.range
    return Slip(index, place, values, level, changes, certain=sure, spoils=comparison.operator == "==")


def _there(view: View, name: str) -> list[str]:
    return texts(view.stock.inventory.devices, name) if view.stock.given else []


def find(view: View) -> Iterator[Slip]:
    """Comparisons with the label's spelling of a product or an architecture."""
    for index, comparison in comparisons(view):
        found = meaning(view, comparison.read)
        if (
            found is None
            or found.name not in (_PRODUCT, _ARCHITECTURE)
            or comparison.written not in _OPERATORS
        ):
            continue
        if comparison.through not in ((), ("orValue",)):
            continue
        for constant in comparison.constants:
            if isinstance(constant.value, str):
                slip = _slip(view, index, comparison, constant)
                if slip:
                    yield slip


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a value that only a node label has; the fix writes the device's."""
    yield from hits("cel_gfd_spelling", subject, run)
