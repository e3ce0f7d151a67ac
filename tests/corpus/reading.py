"""Manifests read by PyYAML, and the GPU requests in them: what dralint's answers are held against.

Nothing of dralint is imported here. Scalars stay text, so that 010, yes and 2001-01-01 are compared as written; `<<`
merges; of duplicate keys the last counts; aliases are expanded.
"""

import re
from collections import Counter
from typing import NamedTuple

import yaml

GPU = re.compile(r"nvidia\.com/(?:gpu|mig-[^/]+|pgpu|gpumem[a-z-]*|gpucores)(?:\.shared)?\Z")
CONVERTIBLE = re.compile(r"nvidia\.com/(?:gpu|mig-[0-9a-z.+-]+)\Z")
WHOLE = re.compile(r"[0-9]+\Z")
# A name that is made of a DeviceClass: NVIDIA's own, or the one for a MIG profile.
IMPLICIT = re.compile(
    r"deviceclass\.resource\.kubernetes\.io/(?:gpu\.nvidia\.com|nvidia-mig-([0-9]+g)-([0-9]+gb)(?:-(me))?)(?![-.\w])"
)
QUOTA_KINDS = {
    "ClusterQueue",
    "ElasticQuota",
    "LimitRange",
    "Node",
    "NodePool",
    "Profile",
    "Provisioner",
    "Queue",
    "ResourceQuota",
}
_SEPARATOR = re.compile(r"^---(?=\s|\Z)", re.MULTILINE)


def plugin_names(text):
    """A text with the device plugin's names in the place of those that are made of a DeviceClass."""

    def plain(match):
        if match[1] is None:
            return "nvidia.com/gpu"
        return f"nvidia.com/mig-{match[1]}.{match[2]}" + (f".{match[3]}" if match[3] else "")

    return IMPLICIT.sub(plain, text)


class _Loader(yaml.CSafeLoader):
    """Resolves nothing but `<<` and null."""


_Loader.yaml_implicit_resolvers = {
    "<": [("tag:yaml.org,2002:merge", re.compile(r"<<\Z"))],
    "": [("tag:yaml.org,2002:null", re.compile(r"\Z"))],
    "~": [("tag:yaml.org,2002:null", re.compile(r"~\Z"))],
    "n": [("tag:yaml.org,2002:null", re.compile(r"null\Z"))],
}


def _untagged(loader, suffix, node):
    if isinstance(node, yaml.MappingNode):
        return loader.construct_mapping(node, deep=True)
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node, deep=True)
    return node.value


_Loader.add_multi_constructor("", _untagged)


class Request(NamedTuple):
    """One occurrence: (place, resource name); `path` is where the place stands in its document."""

    document: int
    kind: str | None
    path: tuple
    resource: str
    limit: str | None
    request: str | None


def documents(data: bytes):
    """The documents of a file, and how many could not be read: ([value or None], unreadable)."""
    text = data.decode("utf-8-sig")
    found, unreadable = [], 0
    starts = [match.start() for match in _SEPARATOR.finditer(text)]
    if not starts or text[: starts[0]].strip():
        starts.insert(0, 0)
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        try:
            found.extend(yaml.load_all(text[start:end], Loader=_Loader))
        except (yaml.YAMLError, TypeError):
            found.append(None)
            unreadable += 1
    return found, unreadable


def objects(document, path=()):
    """(path, object) of a document: the items of lists and the parts of holders count by themselves."""
    if not isinstance(document, dict):
        return
    kind = document.get("kind")
    if isinstance(kind, str) and kind.endswith("List") and isinstance(document.get("items"), list):
        for index, item in enumerate(document["items"]):
            yield from objects(item, (*path, "items", index))
    elif kind == "Template" and isinstance(document.get("objects"), list):
        for index, item in enumerate(document["objects"]):
            yield from objects(item, (*path, "objects", index))
    elif kind == "AppWrapper":
        for index, part in enumerate((document.get("spec") or {}).get("components") or []):
            yield from objects(part.get("template"), (*path, "spec", "components", index, "template"))
    else:
        yield path, document


def mappings(value, path=()):
    """(path, mapping) of every mapping inside a value, itself included."""
    if isinstance(value, dict):
        yield path, value
        for key, child in value.items():
            yield from mappings(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from mappings(child, (*path, index))


def _names(mapping, *fields):
    return {
        name
        for field in fields
        if isinstance(mapping.get(field), dict)
        for name in mapping[field]
        if isinstance(name, str) and GPU.match(name)
    }


def _requests(index, kind, root, value):
    for path, mapping in mappings(value):
        for above, below in (("limits", "requests"), ("extra_resource_limits", "extra_resource_guarantees")):
            for name in sorted(_names(mapping, above, below)):
                counts = [
                    mapping[field].get(name) if isinstance(mapping.get(field), dict) else None
                    for field in (above, below)
                ]
                yield Request(index, kind, (*root, *path), name, *counts)
        yield from _by_field(index, kind, (*root, *path), mapping)


def _by_field(index, kind, path, mapping):
    """Requests in fields of their own: Dynamo's bare `gpu` beside cpu and memory, Spark's `gpu: {name, quantity}`."""
    if kind == "DynamoGraphDeployment" and path[-1:] == ("resources",):
        counts = [
            mapping[field].get("gpu") if isinstance(mapping.get(field), dict) else None
            for field in ("limits", "requests")
        ]
        if any(count is not None for count in counts):
            yield Request(index, kind, path, "nvidia.com/gpu", *counts)
    gpu = mapping.get("gpu")
    if kind == "SparkApplication" and isinstance(gpu, dict) and GPU.match(str(gpu.get("name"))):
        yield Request(index, kind, (*path, "gpu"), gpu["name"], gpu.get("quantity"), None)


def requests(data: bytes):
    """Every GPU request of a file, quota and inventory kinds left out."""
    found = []
    for index, document in enumerate(documents(data)[0]):
        if not isinstance(document, dict):
            continue
        for path, item in objects(document):
            kind = item.get("kind") if isinstance(item.get("kind"), str) else None
            if kind not in QUOTA_KINDS:
                found.extend(_requests(index, kind, path, item))
    return found


def tally(found):
    """How often each resource name is asked for."""
    return Counter(request.resource for request in found)
