"""What a request of a claim asks for: driver, kind of device and number, as far as one can tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from dralint.kube.dra import Ask, ClaimSpec, Request
from dralint.nvidia.classes import DeviceType, device_classes, selected
from dralint.yamltext.view import Plain

# The selectors of a DeviceClass of that name among the manifests; None where there is none.
ClassSelectors = Callable[[str], Sequence[str] | None]


class Need(NamedTuple):
    """One request; None where nothing says it.

    type    of NVIDIA's devices: gpu, mig, vfio, channel or daemon
    gpu     whether it takes a GPU or a part of one
    number  of devices; None also for allocationMode All
    admin   adminAccess: it looks at devices and takes none
    """

    request: str | None
    driver: str | None = None
    type: DeviceType | None = None
    gpu: bool | None = None
    number: int | None = 1
    admin: bool = False


def _device(
    class_name: str | None, selectors: Sequence[str], class_selectors: ClassSelectors
) -> tuple[str | None, DeviceType | None]:
    known = device_classes().get(class_name or "")
    if known is not None:
        return known.driver, known.type
    of_class = class_selectors(class_name) if class_name else None
    found = selected([*(of_class or ()), *selectors])
    return found.driver, found.type


def _takes_gpu(driver: str | None, kind: DeviceType | None) -> bool | None:
    classes = device_classes().values()
    if kind is not None:
        return next((each.gpu for each in classes if each.driver == driver and each.type == kind), None)
    gpus = {each.gpu for each in classes if each.driver == driver}
    return gpus.pop() if len(gpus) == 1 else None if driver is None or gpus else False


def class_need(name: str, class_name: str | None, class_selectors: ClassSelectors) -> Need:
    """The need of a request that states nothing but its class."""
    driver, kind = _device(class_name, (), class_selectors)
    return Need(name, driver, kind, _takes_gpu(driver, kind))


def _ask_need(name: str | None, ask: Ask, class_selectors: ClassSelectors) -> Need:
    expressions = [each.expression for each in ask.selectors if each.expression is not None]
    driver, kind = _device(ask.device_class, expressions, class_selectors)
    count = None if ask.mode == "All" else ask.count or 1
    return Need(name, driver, kind, _takes_gpu(driver, kind), count, ask.admin_access)


def need(request: Request, class_selectors: ClassSelectors) -> Need:
    """The need of a request; of alternatives (`firstAvailable`) what all of them have in common."""
    alternatives = [_ask_need(request.name, ask, class_selectors) for ask in request.asks]
    if not alternatives:
        return Need(request.name)
    first = alternatives[0]
    counts = [each.number for each in alternatives if each.number is not None]
    return Need(
        request.name,
        first.driver if all(each.driver == first.driver for each in alternatives) else None,
        first.type if all(each.type == first.type for each in alternatives) else None,
        first.gpu if all(each.gpu == first.gpu for each in alternatives) else None,
        min(counts) if len(counts) == len(alternatives) else None,
        all(each.admin for each in alternatives),
    )


def needs(spec: ClaimSpec, class_selectors: ClassSelectors) -> list[Need]:
    """The needs of a claim's requests, in their order."""
    return [need(request, class_selectors) for request in spec.requests]


def need_facts(each: Need) -> dict[str, Plain]:
    """A need as facts."""
    return {
        "request": each.request,
        "driver": each.driver,
        "type": each.type,
        "gpu": each.gpu,
        "count": each.number,
        "admin": each.admin,
    }
