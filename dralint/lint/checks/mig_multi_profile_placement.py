"""mig-multi-profile-placement: several profiles on one card, made when they are claimed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import spec_of

_PARENT = "gpu.nvidia.com/parentUUID"
_PROFILE = re.compile(r"""profile['"\]]*\s*==\s*['"]([^'"\\]+)['"]""")
# The report is of Kubernetes 1.35; nobody has said since when it is mended.
_LAST_MINOR = 35
_MANY = 3


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for three profiles or more that a constraint puts on one card, under DynamicMIG."""
    spec = spec_of(subject.object)
    if spec is None or run.target.kubernetes.minor > _LAST_MINOR or not run.target.driver_gate("DynamicMIG"):
        return
    profiles = {
        match[1]
        for request in spec.requests
        for selector in request.selectors
        for match in _PROFILE.finditer(selector.expression or "")
    }
    for constraint in spec.constraints:
        if constraint.match_attribute == _PARENT and len(profiles) >= _MANY:
            yield Hit((*constraint.path, "matchAttribute"), {"profiles": ", ".join(sorted(profiles))})
            return
