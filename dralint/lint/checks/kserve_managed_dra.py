"""kserve-managed-dra: annotations by which KServe makes a claim."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.kube.names import is_dns_label, is_dns_subdomain
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.node import SCALAR
from dralint.yamltext.view import get


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


def _selectors(subject: Subject, run: Run) -> Iterator[Hit]:
    """What the rules for selectors say of the annotation's lines."""
    facts: Any = subject.facts
    if "cel-selector" not in subject.anchors or not facts["cel_selector"]:
        return
    from dralint.lint.selectors.elsewhere import faults_of_lines

    obj, path = subject.anchors["cel-selector"]
    node = get(obj.file.documents[obj.document].root, *path)
    if node is None or node.kind != SCALAR:
        return
    for fault in faults_of_lines(obj, path, node, facts["device_class"], run):
        values = {"says": fault.says, "advice": "each line is a selector of the claim that KServe makes"}
        yield Hit("@cel-selector", values, fault.severity, span=fault.span)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for each annotation that KServe refuses or reads otherwise, and for a second allocation."""
    facts: Any = subject.facts
    found = list(_values(facts))
    for at, says in found:
        yield Hit(at, {"says": says, "advice": "see KServe's documentation of managed DRA"})
    if not any(at == "@cel-selector" for at, _ in found):
        yield from _selectors(subject, run)
    if "device-class" in facts["given"] and facts["device_plugin"]:
        says = f"the pod gets a claim from the annotations, and asks for {facts['device_plugin'][0]} as well"
        yield Hit("@device_plugin", {"says": says, "advice": "drop the limit"})
    if "device-class" in facts["given"] and facts["reserved"]:
        says = "managed-device is the name of the claim that KServe adds"
        yield Hit("@reserved", {"says": says, "advice": "give the pod's own claim another name"})
