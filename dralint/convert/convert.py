"""`convert`: device-plugin requests in, claims out; every request of the input with what became of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dralint.convert.advice.advice import workloads
from dralint.convert.advice.steps import steps
from dralint.convert.advice.string_advice import string_workloads
from dralint.convert.assumed import assumptions_of
from dralint.convert.beside.edits import Told, companion_edits, made, refused
from dralint.convert.classes import Classes
from dralint.convert.converted import converted
from dralint.convert.dump.live import live_verdict
from dralint.convert.dump.owners import Owners
from dralint.convert.edits import removes_labels
from dralint.convert.elsewhere import in_template
from dralint.convert.following import follow, tell_replaced
from dralint.convert.installed import Installed
from dralint.convert.joined import Pairs, hold_joined
from dralint.convert.kept import kept_with
from dralint.convert.kustomize.component import Held, components, left_out
from dralint.convert.kustomize.count_patches import converted_patch
from dralint.convert.kustomize.gpu_patches import decide_gpu_patch
from dralint.convert.kustomize.gpu_strings import gpu_strings
from dralint.convert.kustomize.joint import carry_out
from dralint.convert.kustomize.overlays import Kustomizations
from dralint.convert.kustomize.partial import hold_bases
from dralint.convert.kustomize.string_patches import may_be_patch
from dralint.convert.kustomize.string_requests import string_requests
from dralint.convert.merging import Merged
from dralint.convert.model import Conversion, FileResult, Occurrence, Outcome
from dralint.convert.notes.notes import notes
from dralint.convert.notes.string_notes import string_notes
from dralint.convert.occurrences import Found, Verdict, occurrences
from dralint.convert.options import Options
from dralint.convert.outside import decide_outside
from dralint.convert.plan import make_plan
from dralint.convert.pods import decide_claims, decide_pod
from dralint.convert.replaced import Users
from dralint.convert.requests import count_of
from dralint.convert.sharing.evidence import evidence
from dralint.convert.work import Ground, PodWork, pods_with_requests
from dralint.errors import InternalError, UsageError
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import ParsedFile
from dralint.kube.versions import oldest_stable
from dralint.yamltext.compose import collector_paused
from dralint.yamltext.events import TOO_MANY_MADE, TOO_MANY_TO_EDIT
from dralint.yamltext.patch import patch
from dralint.yamltext.size import too_large
from dralint.yamltext.view import field_path

# Refusals that follow from each other are rare; past this many rounds the rest of a file stays as it is.
_ROUNDS = 8
# In a file that is edited, but for dumps, which are read item by item: so many small Pods take 8 s of processor time.
_MAX_REQUESTS = 5_000
_SPLIT = "make several files of it"


def _uneditable(what: str, line: int) -> Verdict:
    advice = "write it out plainly, or convert it by hand"
    if what in (TOO_MANY_TO_EDIT, TOO_MANY_MADE):
        advice = _SPLIT
    return Verdict(Outcome.UNSUPPORTED, f"the text cannot be edited safely: {what} (line {line})", advice)


def _convert_file(file: ParsedFile, works: list[PodWork], ground: Ground, told: Told) -> FileResult:
    """Edit a file for the pods that are decided, and give their requests the last verdicts.

    told  gets the notes on what else was edited, or could not be
    """
    data = file.file.data
    for rest in range(_ROUNDS, 0, -1):
        hold_bases(works)
        waiting = [work for work in works if work.undecided]
        # The last rounds are for the requests alone.
        beside = companion_edits(file, waiting, ground, told) if rest > _ROUNDS // 2 else []
        if not waiting and not beside:
            break
        plan = make_plan(file, waiting, ground.options)
        try:
            groups = [*plan.groups, *(each.operations for each in beside)]
            patched = patch(file.text, file.documents, groups, all_or_none=True)
        except InternalError as error:
            for work in waiting:
                what = "a check of dralint on its own work failed"
                work.decide(Verdict(Outcome.UNSUPPORTED, what, "convert it by hand, and please report it"))
            return FileResult(file, data, str(error))
        if not patched.refusals:
            plan.names.keep()
            for work, templates in zip(waiting, plan.templates, strict=True):
                converted(work, templates, ground)
            told.update(made(beside))
            return FileResult(file, file.text.encode(patched.text), None, patched.edits)
        for refusal in patched.refusals:
            if refusal.group >= len(waiting):
                told.update(refused(beside[refusal.group - len(waiting)], refusal, file))
                continue
            line = file.place(refusal.offset).line or 1
            work = waiting[refusal.group]
            if rest > 1 and removes_labels(work) and work.apart is None:
                # Without that the rest may be safe.
                decide_claims(
                    work, ground.options, f"it cannot be taken out safely: {refusal.what} (line {line})"
                )
                continue
            for each in waiting if rest == 1 else [work]:
                each.decide(_uneditable(refusal.what, line))
    return FileResult(file, data)


def _kept_outside(found: Found) -> Verdict | None:
    return kept_with(found.object) if found.object is not None else None


def _occurrence(found: Found, containers: dict[Found, str | None]) -> Occurrence:
    """The request as the report shows it."""
    verdict = found.verdict
    assert verdict is not None
    line, column = found.file.text.position(found.offset)
    obj = found.object
    inside = found.entries[0][len(obj.path) if obj is not None else 0 :]
    return Occurrence(
        found.file.file.name,
        line,
        column,
        obj.ref if obj is not None else None,
        field_path(inside),
        containers.get(found),
        found.resource.name,
        count_of(found).text,
        verdict.outcome,
        verdict.way,
        verdict.reason,
        verdict.next,
        verdict.claim,
        obj.origin if obj is not None else None,
    )


def _make_ground(
    files: Sequence[ParsedFile], found: Sequence[Found], context: Context, options: Options
) -> Ground:
    """What the decisions stand on; files that ask for nothing need no kustomizations, nor signs of sharing."""
    bundle = Bundle(files)
    installed = Installed(options.target, bundle, context)
    asks = bool(found) or any(map(may_be_patch, files))
    return Ground(
        options,
        bundle,
        context,
        evidence([*files, *options.cluster.files] if asks or options.companions else ()),
        Kustomizations(files, context, options.overlay) if asks else Kustomizations((), Context.none()),
        Owners([each.object for each in found if each.object is not None]),
        Classes(installed, bundle, context),
        Users(bundle, context),
        Merged(bundle, context),
        installed,
    )


def _too_large(found: Sequence[Found]) -> Verdict | None:
    """The verdict on the requests of a file, all of them, that is too large to be edited."""
    if len(found) > _MAX_REQUESTS:
        many = f"the file is too large to be edited: more than {_MAX_REQUESTS:,} GPU requests"
        return Verdict(Outcome.UNSUPPORTED, many, _SPLIT)
    reason = too_large(found[0].file.documents) if found else None
    return _uneditable(reason, 1) if reason is not None else None


def _decide(found: Sequence[Found], ground: Ground, pairs: Pairs) -> list[PodWork]:
    """The pods of a file with requests; what stays as it is has its verdicts then."""
    large = _too_large(found)
    for each in found:
        each.verdict = in_template(each) or large
    pods, outside = pods_with_requests(found)
    for each in outside:
        each.verdict = each.verdict or _kept_outside(each) or live_verdict(each.object, ground)
    for work in pods:
        if any(each.verdict is None for each in work.found):
            decide_pod(work, ground)
            decide_gpu_patch(work, ground)
    hold_joined(pods, pairs)
    decide_outside(follow(outside, pods), ground)
    return pods


def _containers(works: Sequence[PodWork]) -> dict[Found, str | None]:
    """The names of the containers that requests stand in."""
    return {
        each: work.containers[index].name
        for work in works
        for index, requests in work.asked.items()
        for each in requests
    }


@collector_paused()
def convert(
    files: Sequence[ParsedFile],
    context: Context,
    options: Options,
    tick: Callable[[int], object] | None = None,
) -> Conversion:
    """Convert the requests of the files to claims; tick is called with 1 for each file that is done.

    Raises UsageError for a target that does not serve resource.k8s.io/v1. The files are not changed:
    their new bytes are in the result.
    """
    if options.target.kubernetes < oldest_stable():
        raise UsageError(
            f"Kubernetes {options.target.kubernetes} does not serve resource.k8s.io/v1",
            advice=f"set --target-kubernetes to {oldest_stable()} or later",
        )
    found = [occurrences(file) for file in files]
    every = [each for of_file in found for each in of_file]
    ground = _make_ground(files, every, context, options)
    conversion = Conversion(options.target)
    pairs = Pairs(every, context)
    works: list[PodWork] = []
    told: Told = {}
    for file, of_file in zip(files, found, strict=True):
        pods = _decide(of_file, ground, pairs)
        conversion.files.append(_convert_file(file, pods, ground, told))
        decide_outside(of_file, ground)
        tell_replaced(of_file, ground)
        if tick is not None:
            tick(1)
        works.extend(pods)
    strings = gpu_strings(files, ground)
    carry_out(conversion.files, [*works, *strings.works], every)
    held: list[Held] = []
    if options.overlay is not None:
        conversion.components, held = components(conversion.files, every, ground.kustomizations)
    containers = _containers(works)
    patches = string_requests(files, works, strings, ground)
    conversion.occurrences = [_occurrence(each, containers) for each in every]
    conversion.occurrences += patches.occurrences
    asked = [*every, *patches.found]
    conversion.target = ground.installed.shown([each.file for each in asked])
    conversion.assumptions = assumptions_of(asked, [*works, *strings.works], options, conversion.target)
    pods = [each for each in works if not converted_patch(each)]
    more = string_notes(files, patches, ground)
    conversion.notes = left_out(notes(files, every, pods, ground, told, patches.spots, more), held)
    conversion.classes = ground.classes.of(asked)
    conversion.workloads = workloads(every, works, ground)
    conversion.workloads += string_workloads(patches, ground)
    conversion.steps = steps(conversion, files, ground)
    return conversion
