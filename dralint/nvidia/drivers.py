"""Who installs the DRA driver, as some files say, and for which files that counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dralint.kube.objects import ParsedFile
from dralint.kube.reach import Reach

if TYPE_CHECKING:
    from dralint.nvidia.installs import Install
    from dralint.nvidia.target import Stack

# A file without one of these installs no DRA driver; they are few so that looking costs little.
_TELLING = (b"GPUCluster", b"gpuCluster", b"featureGates", b"gpuResourcesEnabledOverride", b"dra-driver")
Tiers = list[list["Install"]]


def telling(files: Iterable[ParsedFile]) -> list[ParsedFile]:
    """The files that can say something about the DRA driver's installation."""
    return [file for file in files if any(map(file.holds, _TELLING))]


def title_of(install: Install) -> str:
    """An installation in words: `the GPUCluster in clusters/a/gpu.yaml`."""
    return f"{install.kind.title} in {install.object.file.file.name}"


def _file_of(install: Install) -> ParsedFile:
    return install.object.file


class Drivers:
    """The installations of the DRA driver that some files hold, of one stack where somebody said which."""

    def __init__(self, files: Iterable[ParsedFile], stack: Stack) -> None:
        self._reach: Reach[Install] | None = None
        able = telling(files)
        if able:
            from dralint.nvidia.installs import installs

            every = (
                each for file in able for obj in file.objects if not obj.template for each in installs(obj)
            )
            found = [each for each in every if each.stack is not None and stack in ("unknown", each.stack)]
            self._reach = Reach(found, _file_of) if found else None

    def __bool__(self) -> bool:
        return self._reach is not None

    def of(self, file: ParsedFile) -> Tiers:
        """Those that count for the cluster that a file is for, the nearest last; see `Reach.tiers`."""
        return self._reach.tiers(file) if self._reach is not None else []
