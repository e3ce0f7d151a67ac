"""gpu-resource-unserved: a name that looks like a GPU of NVIDIA's and is offered by nobody."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.yamltext.view import entries, get, string

_DOMAIN, _GPU = "nvidia.com", "nvidia.com/gpu"
# A misspelt nvidia.com/gpu. Other names of the domain are of plugins that name their devices after the card.
_MISSPELT = ("gpu", "gpus")


def _meant(name: str) -> str | None:
    """What was probably meant by a name that nobody offers by itself; None for a name that may be offered."""
    domain, _, rest = name.partition("/")
    if domain == _DOMAIN:
        return _GPU if name != _GPU and rest.lower() in _MISSPELT else None
    if not rest or not domain.endswith(f".{_DOMAIN}"):
        return None
    from dralint.nvidia.classes import device_classes

    classes = device_classes()
    if domain in classes or domain in {each.driver for each in classes.values()}:
        of_class = domain if domain in classes else f"gpu.{_DOMAIN}"
        implicit = f"deviceclass.resource.kubernetes.io/{of_class}"
        return _GPU if of_class == f"gpu.{_DOMAIN}" else implicit
    return None


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
        b"rename" in file.file.data and word in file.file.data
        for bundle in (run.bundle, run.context.bundle)
        for file in bundle.files
    )


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a resource of NVIDIA's that no DeviceClass, Node or plugin configuration offers."""
    name = str(subject.facts["name"])
    meant = None if subject.facts["templated"] else _meant(name)
    if meant is not None and not _offered(name, run) and not _renamed(name, run):
        yield Hit("", {"right": meant})
