"""The file of DeviceClasses that `--device-classes` names: read where it is there, and completed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dralint.convert.classes import ClassIndex, index_classes, object_of, served_by
from dralint.convert.model import ClassNeed
from dralint.convert.standing import is_json
from dralint.errors import UsageError
from dralint.kube.dra import CLASS, GROUP
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.yamltext.compose import compose
from dralint.yamltext.node import SCALAR
from dralint.yamltext.operations import InsertDocument
from dralint.yamltext.patch import patch
from dralint.yamltext.render import BlockStyle, mapping_lines
from dralint.yamltext.view import TooLarge, get, plain

_SEPARATOR = "---"
_OTHER_FILE = "name another file"


class Completed(NamedTuple):
    """The needs, with those that the file serves; its bytes with what was added, None where nothing was."""

    needs: list[ClassNeed]
    data: bytes | None


def _lines(need: ClassNeed) -> list[str]:
    return mapping_lines(object_of(need), 0, BlockStyle())


def class_text(need: ClassNeed) -> str:
    """The class as a YAML document."""
    return "\n".join([*_lines(need), ""])


def read_class_file(file: SourceFile) -> ParsedFile:
    """The file, of which every object must be a DeviceClass.

    Raises UsageError for a file that is not to be completed, InputError for one that is no text.
    """
    parsed = parse(file)
    for problem in parsed.problems:
        raise UsageError(problem.what, problem.place, "mend it first, or " + _OTHER_FILE)
    for index, document in enumerate(parsed.documents):
        if document.template:
            raise UsageError(
                "holds a template, and no DeviceClass", parsed.place(document.start), _OTHER_FILE
            )
        objects = [obj for obj in parsed.objects if obj.document == index]
        strange = next((obj for obj in objects if (obj.group, obj.ref.kind) != (GROUP, CLASS)), None)
        if document.root is None or (objects and strange is None):
            continue
        if document.root.kind == SCALAR and not document.root.text:
            continue
        what = (strange.ref.kind if strange is not None else None) or "what stands here"
        node = strange.node if strange is not None else document.root
        raise UsageError(
            f"{what} is no DeviceClass, and nothing else may be in the file",
            parsed.place(node.start),
            _OTHER_FILE,
        )
    if parsed.text.uneditable is not None:
        raise UsageError(parsed.text.uneditable, parsed.place(0), _OTHER_FILE)
    if is_json(parsed):
        raise UsageError("is JSON, where no document can be added", parsed.place(0), "name a YAML file")
    return parsed


def _same(obj: KubeObject, need: ClassNeed) -> bool:
    """Whether a class has just the spec that is needed."""
    try:
        return plain(get(obj.node, "spec")) == object_of(need)["spec"]
    except TooLarge:
        return False


def _there(need: ClassNeed, known: ClassIndex) -> KubeObject | None:
    """The class of the file that serves a need; raises UsageError for one that only has its name."""
    serving = known.by_resource.get(need.extended_resource) if need.extended_resource is not None else None
    named = known.by_name.get(need.name)
    if serving is not None or named is None or _same(named, need):
        return serving or named
    raise UsageError(
        f"the DeviceClass {need.name} is there and is another one than is needed",
        named.file.place(named.node.start),
        f"rename it, or {_OTHER_FILE}",
    )


def _appended(file: ParsedFile, needs: Sequence[ClassNeed]) -> str:
    """The file's text with documents behind it."""
    text = file.text.text
    line_break = "\r\n" if "\r\n" in text else "\n"
    parts = [text]
    if text and not text.endswith("\n"):
        parts.append(line_break)
    filled = any(document.root is not None for document in file.documents)
    for number, need in enumerate(needs):
        lines = [*([_SEPARATOR] if filled or number else []), *_lines(need)]
        parts += [line + line_break for line in lines]
    return "".join(parts)


def _checked(file: ParsedFile, text: str, added: int) -> str:
    """The text, if all documents that were there are in it as they were; raises UsageError."""
    try:
        before = [plain(each.root) for each in file.documents if each.root is not None]
        after = [plain(each.root) for each in compose(text) if each.root is not None and each.problem is None]
    except TooLarge:
        before, after = [], []
    if not after or after[: len(before)] != before or len(after) != len(before) + added:
        raise UsageError("cannot be completed safely", file.place(0), _OTHER_FILE)
    return text


def _position(file: ParsedFile, name: str) -> int | None:
    """The first document with a class that comes later in the alphabet."""
    later = [obj.document for obj in file.objects if (obj.ref.name or "") > name]
    return min(later, default=None)


def _added(file: ParsedFile, needs: Sequence[ClassNeed]) -> str:
    placed = [(need, _position(file, need.name)) for need in needs]
    last = [need for need, before in placed if before is None]
    operations = [InsertDocument(before, object_of(need)) for need, before in placed if before is not None]
    text = _checked(file, _appended(file, last), len(last)) if last else file.text.text
    if not operations:
        return text
    whole = parse(SourceFile(file.file.name, file.file.path, file.text.encode(text)))
    patched = patch(whole.text, whole.documents, [operations])
    for refusal in patched.refusals:
        raise UsageError(f"cannot be completed: {refusal.what}", whole.place(refusal.offset), _OTHER_FILE)
    return patched.text


def complete(file: ParsedFile | None, needs: Sequence[ClassNeed]) -> Completed:
    """Add the needed classes to the file, in the order of their names; None: it is not there yet.

    Raises UsageError where a class with the name of a needed one serves something else.
    """
    known = index_classes(file.objects if file is not None else ())
    settled = [need if need.state == "served" else served_by(need, _there(need, known)) for need in needs]
    missing = [need for need in settled if need.state == "needed"]
    if not missing:
        return Completed(settled, None)
    if file is None:
        return Completed(settled, f"{_SEPARATOR}\n".join(map(class_text, missing)).encode())
    return Completed(settled, file.text.encode(_added(file, missing)))
