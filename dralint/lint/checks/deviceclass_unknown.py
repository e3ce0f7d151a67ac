"""deviceclass-unknown: a class that looks like one of NVIDIA's and is not."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from dralint.kube.names import is_dns_subdomain
from dralint.lint.facts.placeholders import templated
from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.nvidia.classes import device_classes
from dralint.nvidia.nearest import bare
from dralint.nvidia.vocabulary import meant

if TYPE_CHECKING:
    from dralint.lint.finding import Severity
    from dralint.yamltext.operations import Operation

# gpu.intel.com and gpu.example.com are no slips of gpu.nvidia.com.
_LIKE = 0.9
_LONGEST, _REMEMBERED = 100, 1_000


@lru_cache(maxsize=_REMEMBERED)
def _meant(name: str) -> tuple[str, bool] | None:
    """The class of NVIDIA's that a name stands for, and whether that is certain."""
    classes = list(device_classes())
    same = [each for each in classes if bare(each) == bare(name)]
    if same:
        return same[0], True
    known = meant("classes", name)
    if known is not None:
        return known, False
    if len(name) > _LONGEST:
        return None
    from difflib import SequenceMatcher

    likeness = {each: SequenceMatcher(None, name, each).ratio() for each in classes}
    best = max(likeness, key=lambda each: likeness[each])
    # A letter too many or too few; another vendor's name is another name.
    return (best, False) if likeness[best] >= _LIKE and "nvi" in name.lower() else None


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a class that no file defines and that is almost one of NVIDIA's; the fix writes that one."""
    name = subject.facts["device_class"]
    if not isinstance(name, str) or name in device_classes() or templated(name) or subject.object.template:
        return
    # What is no name at all the API server refuses: device-class-name-invalid.
    found = _meant(name) if is_dns_subdomain(name) else None
    if found is None:
        return
    from dralint.lint.selectors.bench import bench
    from dralint.yamltext.operations import Replace

    work = bench(run)
    if work.defines_class(name):
        return
    right, certain = found
    number = work.files_read
    values = {
        "right": right,
        "files": "1 file" if number == 1 else f"{number} files",
    }
    level: Severity | None = "error" if certain or run.complete else None
    operations: tuple[Operation, ...] = (Replace(subject.object.document, subject.path, right),)
    yield Hit("", values, level, (), operations, "safe" if certain else "unsafe")
