"""The object that kustomize makes of a base and a patch that gives it GPUs: how it would be converted."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from dralint.convert.kustomize.gpu_sites import Hold
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.options import Options
from dralint.convert.plan import make_plan
from dralint.convert.pods import decide_pod
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.errors import InternalError
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.source.find import STDIN_NAME
from dralint.yamltext.compose import compose
from dralint.yamltext.patch import patch as edited
from dralint.yamltext.view import Path, Plain, get, plain

_LINE = re.compile(r" \(line \d+\)")


class Key(NamedTuple):
    """A request by what it is called, in the patch as in the whole object."""

    group: str
    container: str | None
    resource: str


def keys(work: PodWork) -> dict[Key, Found]:
    return {
        Key(work.containers[index].group, work.containers[index].name, found.resource.name): found
        for index, requests in work.asked.items()
        for found in requests
    }


def whole_of(item: Plain, ground: Ground) -> PodWork | Hold:
    """The one pod of an object that a patch gives GPUs, decided as if the object stood in a file."""
    text = "---\n" + json.dumps(item, ensure_ascii=False)
    # It lies nowhere, so no kustomization changes it any more.
    file = parse(SourceFile(STDIN_NAME, None, text.encode("utf-8", "surrogatepass")))
    works, outside = pods_with_requests(occurrences(file))
    if outside or len(works) != 1:
        return Hold("with its base it asks for GPUs in several places")
    whole = works[0]
    decide_pod(whole, ground)
    if whole.undecided and (whole.shared is not None or whole.capacity):
        return Hold("its pods are to share devices")
    return whole


def without_line(verdict: Verdict) -> Verdict:
    """The same without the line of another request, for a text whose lines nobody can look up."""
    return verdict._replace(reason=_LINE.sub("", verdict.reason))


def blocking(whole: PodWork, key: Key) -> Verdict | None:
    """The verdict on a request of the whole pod, without lines of a text that is nowhere; None: it is converted."""
    verdict = keys(whole)[key].verdict
    if verdict is None:
        return None
    reason = verdict.reason if verdict.outcome is Outcome.KEPT else f"with its base: {verdict.reason}"
    return without_line(verdict._replace(reason=reason))


def after_edits(work: PodWork, options: Options) -> Plain | Hold:
    """The pod's object after the edits of a plan for it alone."""
    plan, file, obj = make_plan(work.file, [work], options), work.file, work.pod.object
    try:
        patched = edited(file.text, file.documents, plan.groups, all_or_none=True)
    except InternalError:
        return Hold("its text cannot be edited safely")
    for each in patched.refusals:
        line = file.place(each.offset).line
        return Hold(f"its text cannot be edited safely: {each.what} (line {line})")
    document = file.documents[obj.document]
    if any(edit.start < document.start or edit.end > document.end for edit in patched.edits):
        return Hold("its edits reach into another document")
    # Not the whole text anew: a file may hold patches for a thousand objects.
    longer = len(patched.text) - len(file.text.text)
    after = compose(patched.text[document.start : document.end + longer])
    return plain(get(after[0].root, *obj.path))


def difference(one: Plain, other: Plain, path: Path = ()) -> Path | None:
    """Where two values differ first; None: nowhere."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            found = difference(one.get(key), other.get(key), (*path, key))
            if found is not None:
                return found
        return None
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next((each for index, (a, b) in pairs if (each := difference(a, b, (*path, index)))), None)
    return None if one == other else path
