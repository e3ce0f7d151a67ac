"""kserve-managed-dra: annotations by which KServe makes a claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.names import is_dns_label, is_dns_subdomain
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject


def _values(facts: Any) -> Iterator[tuple[str, str]]:
    """Which annotation, and what is wrong with it."""
    given = facts["given"]
    if "device-class" not in given:
        yield "@first", "exp-dra-device-class is missing: the others are refused without it"
    elif not is_dns_subdomain(facts["device_class"]) and not templated(facts["device_class"]):
        yield "@device-class", f"{facts['device_class']} is no name of a DeviceClass"
    count = facts["device_count"]
    if count is not None and not templated(count) and not (count.isdecimal() and int(count) > 0):
        yield "@device-count", f"the count {count} is no whole number above 0"
    name = facts["container_name"]
    if name is not None and not is_dns_label(name) and not templated(name):
        yield "@container-name", f"{name} is no name of a container"
    lines = [line for line in (facts["cel_selector"] or "").splitlines() if line.strip()]
    if any(line.count("(") != line.count(")") for line in lines) and len(lines) > 1:
        yield "@cel-selector", "every line is an expression of its own, and this one goes over several lines"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each annotation that KServe refuses or reads otherwise, and for a second allocation."""
    facts: Any = subject.facts
    for at, says in _values(facts):
        yield Hit(at, {"says": says, "advice": "see KServe's documentation of managed DRA"})
    if "device-class" in facts["given"] and facts["device_plugin"]:
        says = f"the pod gets a claim from the annotations, and asks for {facts['device_plugin'][0]} as well"
        yield Hit("@device_plugin", {"says": says, "advice": "drop the limit"})
    if "device-class" in facts["given"] and facts["reserved"]:
        says = "managed-device is the name of the claim that KServe adds"
        yield Hit("@reserved", {"says": says, "advice": "give the pod's own claim another name"})
