"""The definitions that one name can mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from dralint.kube.objects import KubeObject, ParsedFile
from dralint.lint.facts.placeholders import templated
from dralint.yamltext.view import get

# A reference that finds its name in other namespaces only shows so many of them.
_SHOWN = 20


def _content(obj: KubeObject) -> object:
    """What is the same only for objects that say the same."""
    spec = get(obj.node, "spec")
    text = "" if spec is None else obj.file.text.text[spec.start : spec.end]
    return obj if "*" in text else (obj.ref.api_version, text)  # An alias means what its document says.


def _distinct(objects: Iterable[KubeObject]) -> list[KubeObject]:
    found: dict[object, KubeObject] = {}
    for obj in objects:
        found.setdefault(_content(obj), obj)
    return list(found.values())


class Definitions:
    """Objects of one kind and name, in the order of the files; of those that say the same the first.

    elsewhere  one of each of the first namespaces
    templated  whether something fills in one of their namespaces later
    """

    def __init__(self, objects: Sequence[KubeObject]) -> None:
        self._of_file: dict[int, list[KubeObject]] = {}
        spaces: dict[str | None, KubeObject] = {}
        for obj in objects:
            self._of_file.setdefault(id(obj.file), []).append(obj)
            spaces.setdefault(obj.ref.namespace, obj)
        self._distinct = _distinct(objects) if len(objects) > 1 else objects
        self.elsewhere = [*islice(spaces.values(), _SHOWN)]
        self.templated = any(templated(space) for space in spaces)

    def near(self, file: ParsedFile) -> Sequence[KubeObject]:
        """Those of the file, if there are any: a file is what people apply as one."""
        own = self._of_file.get(id(file))
        return _distinct(own) if own else self._distinct
