"""The objects of a converted file as kustomize takes them: what changes in each, and what comes with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dralint.convert.kustomize.kustomization import REFERENCES
from dralint.convert.model import FileResult
from dralint.errors import InternalError, Place
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.yamltext.node import ALIAS, MAP, SCALAR, Node
from dralint.yamltext.view import Plain, TooLarge, duplicates, get, plain, string

Object = dict[str, Plain]


@dataclass(eq=False)
class Change:
    """An object that a conversion changes, before and after, and the objects that come with it."""

    object: KubeObject
    before: Object
    after: Object
    added: list[Object] = field(default_factory=list)


def name_path(keys: Sequence[str]) -> str:
    """A path as kustomize writes it: keys with slashes between them, without the indexes of lists."""
    return "/".join(key.replace("/", "\\/") for key in keys)


def references(item: Plain) -> Iterator[tuple[str, Plain]]:
    """The fields that name templates or claims, without the indexes of lists, and the names."""
    waiting: list[tuple[tuple[str, ...], Plain]] = [((), item)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += ((path, each) for each in reversed(value))
        elif isinstance(value, dict):
            for key, each in value.items():
                if key in REFERENCES:
                    yield name_path((*path, key)), each
                else:
                    waiting.append(((*path, key), each))


def _outermost(file: ParsedFile) -> list[KubeObject]:
    """The objects as kustomize sees them: items of lists, and nothing that lies in another object."""
    found: list[KubeObject] = []
    for obj in file.objects:
        last = found[-1] if found else None
        if last is None or last.document != obj.document or obj.path[: len(last.path)] != last.path:
            found.append(obj)
    return found


def _repeated_key(root: Node) -> Node | None:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        lost = duplicates(node) if node.kind == MAP else []
        if lost:
            return lost[0][1]
        waiting += (item for item in node.items if item.kind not in (SCALAR, ALIAS))
    return None


def _unreadable(file: ParsedFile) -> str | None:
    """Why kustomize takes no object of the file. Source: kustomize api/resource/factory.go, kyaml/yaml."""

    def line(offset: int) -> int | None:
        return file.place(offset).line

    for document in file.documents:
        if document.problem is not None:
            return f"kustomize cannot read the file (line {line(document.problem[1])})"
        root = document.root
        if root is not None and root.kind != MAP and not (root.kind == SCALAR and not root.text):
            return f"kustomize takes only objects (line {line(root.start)})"
        key = _repeated_key(root) if root is not None else None
        if key is not None:
            return f"kustomize refuses a key that stands twice (line {line(key.start)})"
    for obj in _outermost(file):
        if not string(get(obj.node, "kind")) or not obj.ref.name:
            what = "name" if string(get(obj.node, "kind")) else "kind"
            return f"kustomize takes no object without a {what} (line {line(obj.node.start)})"
    return None


def _identity(obj: KubeObject) -> tuple[object, ...]:
    return tuple(obj.ref)


def _object(obj: KubeObject) -> Object:
    found = plain(obj.node)
    assert isinstance(found, dict)
    return found


def _changes(before: ParsedFile, after: ParsedFile) -> list[Change]:
    """The changed objects of a file; each added one goes to those that name it, or to the next one.

    Raises InternalError when an object is gone.
    """
    old = iter(_outermost(before))
    waiting = next(old, None)
    found: list[Change] = []
    added: list[tuple[int, Object]] = []
    for obj in _outermost(after):
        if waiting is None or _identity(obj) != _identity(waiting):
            added.append((len(found), _object(obj)))
            continue
        found.append(Change(waiting, _object(waiting), _object(obj)))
        waiting = next(old, None)
    if waiting is not None:
        raise InternalError("an object is gone from the converted text", Place(before.file.name))
    names = [{value for _, value in references(change.after)} for change in found]
    for index, item in added:
        metadata = item.get("metadata")
        name = metadata.get("name") if isinstance(metadata, dict) else None
        users = [change for change, named in zip(found, names, strict=True) if name in named]
        for change in users or found[index : index + 1]:
            change.added.append(item)
    return [change for change in found if change.before != change.after]


def changes_of(result: FileResult) -> list[Change] | str:
    """The changed objects of a file, or why a kustomization cannot have them."""
    source = result.file.file
    before = parse(source)
    reason = _unreadable(before)
    if reason is not None:
        return reason
    try:
        return _changes(before, parse(SourceFile(source.name, source.path, result.after)))
    except TooLarge:
        return "its aliases make it too large"
