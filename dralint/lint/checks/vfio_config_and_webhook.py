"""vfio-config-and-webhook: the driver's own webhook does not know one of its kinds."""

from __future__ import annotations

from collections.abc import Iterator

from dralint.lint.installations import Installations
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_SETTING = "webhook.enabled"


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a VfioDeviceConfig where an installation of the driver has the webhook on."""
    if subject.facts["kind"] != "VfioDeviceConfig" or subject.facts["of_class"]:
        return
    found = Installations(run)
    for install in found.named or found.context:
        if install.kind.what == "standalone-chart" and install.value(_SETTING) is True:
            path = (*install.path, *_SETTING.split("."))
            related = (install.object, path, "the webhook is turned on here")
            yield Hit("", {"file": install.object.file.file.name}, related=(related,))
            return
