"""gpu-resource-unserved: a name that looks like a GPU of NVIDIA's and is offered by nobody."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.kube.quantity import parse_quantity
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.misspelt import is_no_profile, meant
from dralint.yamltext.view import entries, get, string

_GPU = "nvidia.com/gpu"


def _of_driver(name: str) -> str | None:
    """What is right for a name in the domain of a DRA driver or of a class; None for other names."""
    from dralint.nvidia.classes import device_classes

    given, slash, _ = name.partition("/")
    classes = device_classes()
    if not slash or (given not in classes and given not in {each.driver for each in classes.values()}):
        return None
    of_gpu = given not in classes or given == "gpu.nvidia.com"
    return _GPU if of_gpu else f"deviceclass.resource.kubernetes.io/{given}"


def _right(name: str) -> str | None:
    """What to write for a name that nobody offers by itself; None for a name that may be offered."""
    near = meant(name)
    if near is None and is_no_profile(name):
        return "the name of a profile, such as nvidia.com/mig-1g.10gb"
    return near or _of_driver(name)


def _offered(name: str, run: Run) -> bool:
    """Whether a DeviceClass or a Node, among the files or around them, has the name."""
    from dralint.kube.dra import CLASS, GROUP

    for bundle in (run.bundle, run.context.bundle):
        for obj in bundle.objects:
            if (obj.group, obj.ref.kind) == (GROUP, CLASS):
                if string(get(obj.node, "spec", "extendedResourceName")) == name:
                    return True
            elif (obj.group, obj.ref.kind) == ("", "Node"):
                for place in ("capacity", "allocatable"):
                    found = get(obj.node, "status", place)
                    if found is not None and name in entries(found):
                        return True
    return False


def _renamed(name: str, run: Run) -> bool:
    """Whether a configuration of the device plugin gives its resource this name (`rename:`)."""
    word = name.encode()
    return any(
        file.holds(b"rename") and file.holds(word)
        for bundle in (run.bundle, run.context.bundle)
        for file in bundle.files
    )


def _asks(subject: Subject) -> bool:
    """Whether a container asks for some: neither zero, nor a patch that takes the request away."""
    given = [subject.facts["limit"], subject.facts["request"]]
    numbers = [parse_quantity(text) for text in given if isinstance(text, str)]
    return bool(numbers) and not all(number is not None and number.value == 0 for number in numbers)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a resource of NVIDIA's that no DeviceClass, Node or plugin configuration offers."""
    name = str(subject.facts["name"])
    if subject.facts["templated"] or not subject.facts["extended"]:
        return
    right = _right(name)
    if right is not None and _asks(subject) and not _offered(name, run) and not _renamed(name, run):
        yield Hit("", {"right": right})
