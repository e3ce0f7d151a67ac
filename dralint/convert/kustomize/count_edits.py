"""The edits by which a patch's GPU count moves with its workload: to a patch for the template, or a new name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from dralint.convert.by_name import implicit_name, renamed_verdict
from dralint.convert.claims import Wanted
from dralint.convert.edits import removals
from dralint.convert.kustomize.applied import Slot, pattern
from dralint.convert.kustomize.count_patches import CountPatch, MergeCount, merges_in, only_request
from dralint.convert.kustomize.joint import Change, Joint, can_change, can_try
from dralint.convert.kustomize.json_patch import Step, pointer
from dralint.convert.kustomize.patches import pointed
from dralint.convert.model import ClaimRef, Outcome
from dralint.convert.occurrences import Found, Verdict
from dralint.convert.templates import Template, object_of, spec_of
from dralint.convert.work import Ground, PodWork
from dralint.errors import InternalError
from dralint.kube.dra import GROUP, TEMPLATE
from dralint.kube.objects import ParsedFile
from dralint.yamltext.compose import compose
from dralint.yamltext.operations import Insert, InsertDocument, Operation, Remove, Rename, Replace
from dralint.yamltext.patch import patch as edited
from dralint.yamltext.render import BlockStyle, mapping_lines, sequence_lines
from dralint.yamltext.view import Path, Plain, get, plain, string

_STYLE = BlockStyle(step=2, dash=2, gap=1)
_MERGES = "patchesStrategicMerge"
# What a template asks for before it is known, so that edits can be tried.
_UNKNOWN = Wanted("gpu", "gpu.nvidia.com", 1, None)
_COUNT = ("spec", "spec", "devices", "requests", 0)
# Characters that are read again and again in trials, a trial for each of these words.
_WORD = "nvidia.com"
_IDENTITY = ("apiVersion", "kind", "metadata")


class Use:
    """A patch with the base that it goes along with, converted or, to try the edits, yet to be."""

    def __init__(self, count: CountPatch, base: PodWork) -> None:
        self.count = count
        self.base = base
        verdict = next((each.verdict for each in base.found if each.verdict is not None), None)
        self.claim: ClaimRef | None = verdict.claim if verdict is not None else None
        self.template = self.claim.template if self.claim is not None else "template"
        claims = base.claims.claims if base.claims is not None else ()
        self.request = claims[0].requests[0] if claims else _UNKNOWN

    @property
    def devices(self) -> int:
        return self.count.counted.devices

    @property
    def paths(self) -> list[Path]:
        """The fields of the template that hold the count."""
        if not self.request.choice.alternatives:
            return [(*_COUNT, "exactly", "count")]
        return [
            (*_COUNT, "firstAvailable", index, "count")
            for index in range(len(self.request.choice.alternatives))
        ]

    @property
    def asked(self) -> Found:
        found = only_request(self.base)
        assert found is not None
        return found[1]

    def new_name(self) -> str:
        """The name that takes the place of the resource's, where that is how it moves."""
        return self.base.renamed.get(self.asked) or implicit_name(self.asked)


def _template(use: Use) -> Plain:
    """A patch for the template that sets its count: a list is replaced as a whole, so all of it is there."""
    spec = spec_of([use.request._replace(devices=use.devices)])
    return object_of(Template(use.template, spec, use.base.pod.object.ref.namespace, {}))


def _removals(count: MergeCount) -> list[Operation]:
    obj = count.work.pod.object
    root = obj.file.documents[obj.document].root
    assert root is not None
    return list(removals(count.work, count.container, root, False))


def _merge_text(use: Use, count: MergeCount) -> list[Operation]:
    obj = count.work.pod.object
    if use.base.way == "implicit":
        return [Rename(obj.document, path, use.new_name()) for path in count.found.entries]
    gone = _removals(count)
    return gone if use.count.home is not None else [InsertDocument(obj.document, _template(use)), *gone]


def _text(use: Use) -> list[Operation]:
    """What changes in the text of a patch."""
    count = use.count.counted
    if isinstance(count, MergeCount):
        return _merge_text(use, count)
    document = count.document
    root = use.count.text.documents[document].root
    operations: list[Operation] = []
    if use.base.way == "implicit":
        for index in (*count.steps, *count.others):
            *above, _ = pointed(string(get(root, index, "path")) or "")
            operations.append(Replace(document, (index, "path"), pointer((*above, use.new_name()))))
        return operations
    gone = [*count.others, *(() if count.alone else count.steps)]
    operations += [Remove(document, (index,)) for index in gone]
    for index, step in count.steps.items() if count.alone else ():
        operations.append(Replace(document, (index, "path"), pointer(use.paths[0])))
        value = get(root, index, "value")
        if value is not None and plain(value) != step.devices:
            operations.append(Replace(document, (index, "value"), step.devices))
    return operations


def _steps(use: Use) -> list[Step]:
    """The steps that do to the count of the template what the patch does to that of the pod."""
    count = use.count.counted
    if isinstance(count, MergeCount):
        return [{"op": "replace", "path": pointer(path), "value": count.devices} for path in use.paths]
    return [
        {"op": step.op, "path": pointer(use.paths[0]), "value": step.devices} for step in count.steps.values()
    ]


def _retargeted(use: Use) -> list[Operation]:
    """The template in the place of the workload as the target of a patch."""
    slot, target = use.count.patch.slot, use.count.patch.target or {}
    wanted = {"group": GROUP, "version": "v1", "kind": TEMPLATE, "name": pattern(use.template)}
    return [
        Replace(slot.document, (*slot.path, "target", key), value)
        for key, value in wanted.items()
        if key in target
    ]


def _entry(use: Use) -> Plain:
    """The entry for the template."""
    if use.count.patch.slot.path[0] == _MERGES:
        value = _template(use)
        assert isinstance(value, dict)
        return "\n".join(mapping_lines(value, 0, _STYLE))
    steps: list[Plain] = [*_steps(use)]
    return {
        "target": {"group": GROUP, "kind": TEMPLATE, "name": pattern(use.template)},
        "patch": "\n".join(sequence_lines(steps, 0, _STYLE)),
    }


def new_text(uses: Iterable[Use]) -> str:
    """A string of a kustomization after the changes of its patches; raises InternalError."""
    found = list(uses)
    text = found[0].count.text
    patched = edited(text.text, text.documents, [_text(use) for use in found], all_or_none=True)
    if patched.refusals:
        raise InternalError(f"a patch cannot be edited: {patched.refusals[0].what}")
    return patched.text


def _says_nothing(value: Plain) -> bool:
    """Whether what is left of a merge is only what it was found by: names, and what leads to them."""
    if isinstance(value, dict):
        return all(key == "name" or _says_nothing(each) for key, each in value.items())
    return isinstance(value, list) and all(isinstance(each, dict) and _says_nothing(each) for each in value)


def _is_empty(text: str) -> bool:
    if "#" in text or "$" in text:
        return False
    for document in compose(text):
        value = plain(document.root)
        if not isinstance(value, dict):
            return False
        metadata = value.get("metadata")
        if not isinstance(metadata, dict) or not metadata.keys() <= {"name", "namespace"}:
            return False
        if not _says_nothing({key: each for key, each in value.items() if key not in _IDENTITY}):
            return False
    return True


def uses_in(works: Iterable[PodWork], slot: Slot | None, source: str | None) -> list[Use]:
    """The patches in a slot, or in a file, that go along with the works; of one text for one base one."""
    found: dict[tuple[int, int], Use] = {}
    for work in works:
        for each in work.count_patches:
            if each.patch.slot == slot or (source is not None and each.patch.source == source):
                place = (
                    each.counted.found.offset
                    if isinstance(each.counted, MergeCount)
                    else each.counted.document
                )
                found.setdefault((id(work), place), Use(each, work))
    return list(found.values())


def _file_changes(source: str, works: Sequence[PodWork]) -> list[Change]:
    found: dict[str, Change] = {}
    for use in uses_in(works, None, source):
        for operation in _text(use):
            found.setdefault(repr(operation), operation)
    return list(found.values())


def _home_changes(slot: Slot, works: Sequence[PodWork]) -> list[Change]:
    """The changes of the entry in a kustomization, and those that come behind it."""
    uses = uses_in(works, slot, None)
    key, index = slot.path
    first = uses[0].count
    merges = isinstance(first.counted, MergeCount)
    if uses[0].base.way == "implicit":
        return [Replace(slot.document, slot.written, new_text(uses))]
    changes: list[Change] = []
    behind = index + 1
    if first.patch.inline:
        text = new_text(uses)
        if merges and _is_empty(text) and all(use.count.spare for use in uses):
            changes.append(Remove(slot.document, slot.path))
            behind = index
        else:
            changes.append(Replace(slot.document, slot.written, text))
    for use in uses:
        alone = not isinstance(use.count.counted, MergeCount) and use.count.counted.alone
        changes += _retargeted(use) if alone else [Insert(slot.document, (key,), behind, _entry(use))]
    return changes


def _settled(source: str, ground: Ground, works: Sequence[PodWork]) -> Mapping[int, Verdict]:
    """The verdicts on the requests of a patch file."""
    found: dict[int, Verdict] = {}
    for use in uses_in(works, None, source):
        count = use.count.counted
        if not isinstance(count, MergeCount):
            continue
        if use.base.way == "implicit":
            found[count.found.offset] = renamed_verdict(count.found, use.new_name(), ground)
        else:
            assert use.claim is not None
            found[count.found.offset] = Verdict(
                Outcome.CONVERTED,
                "a patch for the template takes its place",
                "",
                replace(use.claim, count=use.devices),
                "claims",
            )
    return found


# A file may hold patches for many objects.
@lru_cache(maxsize=2)
def _refused_merges(file: ParsedFile) -> frozenset[int]:
    """The patches of a file that cannot become patches for templates, by where their objects begin."""
    found = list(merges_in(file).items())
    probes = [
        [InsertDocument(each.work.pod.object.document, {"a": "b"}), *_removals(each)] for _, each in found
    ]
    try:
        refusals = edited(file.text, file.documents, probes).refusals
    except InternalError:
        return frozenset(merges_in(file))
    return frozenset(found[refusal.group][0] for refusal in refusals)


def _takes(file: ParsedFile, changes: Callable[[], Sequence[Change]]) -> bool:
    """Whether a file takes the changes of one patch."""
    return can_try(file, _WORD) and can_change(file, changes())


def count_joints(base: PodWork, count: CountPatch, ground: Ground) -> list[Joint] | None:
    """The changes that go together with the conversion of a base; None where a text does not take them."""
    slot, source, home, text = count.patch.slot, count.patch.source, count.home, count.text
    trial = PodWork(base.pod, base.containers, base.asked, way=base.way, count_patches=[count])
    found: list[Joint] = []
    try:
        if source is not None:
            changes = partial(_file_changes, source)
            counted = count.counted
            if isinstance(counted, MergeCount) and home is None and base.way == "claims":
                fits = counted.work.pod.object.node.start not in _refused_merges(text)
            else:
                fits = _takes(text, partial(changes, [trial]))
            if not fits:
                return None
            found.append(Joint(source, text, "count", changes, partial(_settled, source, ground)))
        if home is not None:
            changes = partial(_home_changes, slot)
            if not _takes(home, partial(changes, [trial])):
                return None
            found.append(Joint(slot.file, home, ("count", slot), changes))
    except InternalError:
        return None
    return found
