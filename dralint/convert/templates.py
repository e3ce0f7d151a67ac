"""The ResourceClaimTemplates of a conversion: their objects, their names in the file, and where they stand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from dralint.convert.around import Spot, namespace_of
from dralint.convert.claims import Wanted
from dralint.convert.names import FreeNames, with_hash
from dralint.kube.dra import CLAIM, GROUP, TEMPLATE
from dralint.kube.objects import KubeObject, ParsedFile
from dralint.yamltext.load import load_data
from dralint.yamltext.operations import HOLE, Insert, InsertDocument, Operation, Wrap
from dralint.yamltext.view import Plain, TooLarge, get, plain, string

_DATA = os.path.join(os.path.dirname(__file__), "data", "annotations.yaml")
_HOOK, _HOOK_POLICY = "helm.sh/hook", "helm.sh/hook-delete-policy"
_FILENAME = "postrenderer.helm.sh/postrender-filename"
_MAX_SPEC_NODES = 10_000
_NAMES = "template names"


class Template(NamedTuple):
    """A ResourceClaimTemplate to be written, or a ResourceClaim, which only one workload uses."""

    name: str
    spec: Plain
    namespace: Plain
    annotations: dict[str, str]
    kind: str = TEMPLATE


@cache
def _ordering() -> tuple[tuple[str, bool], ...]:
    data: Any = load_data(_DATA)
    return tuple((entry["key"], entry.get("weight", False)) for entry in data["annotations"])


def spec_of(requests: Sequence[Wanted]) -> Plain:
    """The `spec` of a template for the requests."""
    return {"spec": {"devices": {"requests": [_request(request) for request in requests]}}}


def profile_selector(profile: str) -> str:
    """The expression that a MIG device of the profile passes, and no other."""
    return f"device.attributes['gpu.nvidia.com'].profile == '{profile}'"


def _devices(request: Wanted, more: str = "") -> dict[str, Plain]:
    """What a request asks for; more: an expression that must hold, too."""
    expressions = [*request.choice.selectors, *([more] if more else [])]
    if request.profile is not None:
        expressions.insert(0, profile_selector(request.profile))
    selectors: list[Plain] = [{"cel": {"expression": expression}} for expression in expressions]
    return {
        "deviceClassName": request.device_class,
        **({"selectors": selectors} if selectors else {}),
        "count": request.devices,
        **({"capacity": {"requests": dict(request.choice.capacity)}} if request.choice.capacity else {}),
    }


def _request(request: Wanted) -> Plain:
    if not request.choice.alternatives:
        return {"name": request.name, "exactly": _devices(request)}
    names = FreeNames()
    return {
        "name": request.name,
        "firstAvailable": [
            {"name": names.take("preferred" if more else "any"), **_devices(request, more)}
            for more in request.choice.alternatives
        ],
    }


def _weight(text: str | None) -> str:
    """One lower than Helm reads the text."""
    try:
        return str(int(text or "0") - 1)
    except ValueError:
        return "-1"


def _ordering_of(obj: KubeObject) -> dict[str, str]:
    written = get(obj.node, "metadata", "annotations")
    values = ((key, string(get(written, key))) for key, _ in _ordering())
    return {key: value for key, value in values if value is not None}


def ordering_annotations(obj: KubeObject) -> dict[str, str]:
    """The annotations that make a template stand in the cluster before this object does."""
    found = _ordering_of(obj)
    if _HOOK in found:
        for key, is_weight in _ordering():
            if is_weight:
                found[key] = _weight(found.get(key))
    if found.get(_HOOK_POLICY, "").strip() == "hook-failed":
        # Only the user can fail: left behind by it, the template would stand in the next run's way.
        found[_HOOK_POLICY] = "before-hook-creation"
    return found


def object_of(template: Template) -> Plain:
    """The template as an object."""
    metadata: dict[str, Plain] = {"name": template.name}
    if template.namespace is not None:
        metadata["namespace"] = template.namespace
    if template.annotations:
        metadata["annotations"] = dict(template.annotations)
    return {"apiVersion": f"{GROUP}/v1", "kind": template.kind, "metadata": metadata, "spec": template.spec}


def insertions(spot: Spot, templates: Sequence[Template], user: KubeObject, json: bool) -> list[Operation]:
    """The operations that write templates, in their order, before their user."""
    objects = [object_of(template) for template in templates]
    if spot.path is not None:
        return [Insert(spot.document, spot.path, spot.before, value) for value in objects]
    if json:
        return [Wrap(spot.document, {"apiVersion": "v1", "kind": "List", "items": [*objects, HOLE]})]
    comments: tuple[str, ...] = ()
    if user.origin is not None and string(get(user.node, "metadata", "annotations", _FILENAME)) is None:
        comments = (f"# Source: {user.origin.template}",)
    return [InsertDocument(spot.document, value, comments) for value in objects]


def written_spec(obj: KubeObject) -> Plain:
    """The spec of a template that stands there, None where it cannot be compared with one that is made."""
    if obj.version != "v1" or obj.template:
        return None
    try:
        return plain(get(obj.node, "spec"), _MAX_SPEC_NODES)
    except TooLarge:
        return None


# What templates of one name and namespace must have in common; None: nothing equals it.
_Form = tuple[Plain, dict[str, str]] | None


class TemplateNames:
    """The names of templates in one file: those that stand there, and those that a conversion adds.

    repeated: a template that was added in another part of the file is written again
    """

    def __init__(self, files: Sequence[ParsedFile], *, repeated: bool = False) -> None:
        self._taken: dict[tuple[str, str], dict[Plain, _Form]] = {}
        self._repeated = repeated
        self._added: list[tuple[tuple[str, str], Plain]] = []
        self._here: set[tuple[tuple[str, str], Plain]] = set()
        for obj in (obj for file in files for obj in file.objects):
            if obj.group == GROUP and obj.ref.kind in (TEMPLATE, CLAIM) and obj.ref.name is not None:
                spec = written_spec(obj) if obj.ref.kind == TEMPLATE else None
                form = (spec, _ordering_of(obj)) if spec is not None else None
                forms = self._taken.setdefault((obj.ref.kind, obj.ref.name), {})
                namespace = namespace_of(obj) or None
                forms[namespace] = form if forms.get(namespace, form) == form else None

    def keep(self) -> None:
        """What was added is written, and stays taken for the next part."""
        self._added.clear()
        self._here.clear()

    def forget(self) -> None:
        """What was added since the last `keep` will not be written."""
        for key, namespace in self._added:
            del self._taken[key][namespace]
        self.keep()

    def take(self, template: Template) -> tuple[str, bool]:
        """The name for a template, and whether it has to be written: an equal one is used again, a claim never.

        An absent namespace may turn out to be any namespace.
        """
        namespace = template.namespace or None
        form = (template.spec, template.annotations) if template.kind == TEMPLATE else None
        for attempt in count():
            name = template.name
            if attempt:
                name = with_hash(name, template.spec if attempt == 1 else [template.spec, attempt])
            key = (template.kind, name)
            forms = self._taken.setdefault(key, {})
            met = forms.keys() if namespace is None else forms.keys() & {namespace, None}
            if not met:
                forms[namespace] = form
                self._added.append((key, namespace))
                self._here.add((key, namespace))
                return name, True
            if met == {namespace} and form is not None and forms[namespace] == form:
                written = not self._repeated or (key, namespace) in self._here
                self._here.add((key, namespace))
                return name, not written
        raise AssertionError("unreachable")


def template_names(file: ParsedFile) -> TemplateNames:
    """The names for a plan of the file, without those of an earlier plan that was given up.

    The parts of one file share their names.
    """
    if file.part_of is None:
        return TemplateNames([file])
    known = file.part_of.known
    names = known.get(_NAMES)
    if not isinstance(names, TemplateNames):
        names = known[_NAMES] = TemplateNames(file.part_of.parts, repeated=file.part_of.apart)
    names.forget()
    return names
