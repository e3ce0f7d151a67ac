"""Evidence that one unit of a GPU resource is not one whole GPU: contract, point 5."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from dralint.convert.sharing.labels import (
    LabelSign,
    Selector,
    data,
    expressions,
    layout_signs,
    selectors,
    signs,
)
from dralint.errors import Place
from dralint.kube.objects import ParsedFile
from dralint.kube.places import PodSpec
from dralint.nvidia.mig_layouts import layouts
from dralint.nvidia.plugin_config import effective
from dralint.nvidia.resources import classify
from dralint.yamltext.compose import compose
from dralint.yamltext.node import ALIAS, MAP, SCALAR, Node
from dralint.yamltext.view import entries, get, string

_GPU = "nvidia.com/gpu"
# Only a text with one of these words can say anything of the kind.
_TELLING = ("sharing", "mig-configs", "mig.config", "-MIG-", "single")
_IN_STRING = re.compile(r"[\"']?\b(?:sharing|flags|mig-configs)[\"']?[ \t]*:")
# A string that holds a configuration is small; a larger one is something else.
_MAX_STRING = 1_000_000
# An Argo CD Application holds a chart's values as a string, and these hold a configuration as a string.
_STRINGS = 2
# Source: the keys that schemas/rule.schema.json requires.
_RULE_KEYS = {"id", "name", "severity", "summary", "subject", "message"}

About = Literal["shared", "single", "layout"]


class Sign(NamedTuple):
    """One thing that a file says.

    about   shared: units of a resource are parts of a device; single: the MIG strategy is single;
            layout: cards are cut into MIG devices
    what    in words, without a full stop
    """

    about: About
    resource: str
    what: str
    place: Place


class PodSign(NamedTuple):
    """What a pod's own selectors say: `sharing` of all its resources, or `mig` for whole GPUs."""

    says: Literal["sharing", "mig"]
    what: str
    node: Node


def words() -> tuple[bytes, ...]:
    """Byte words of files that can hold evidence without naming a GPU."""
    return tuple(entry["word"].encode() for entry in data()["words"])


def _cuts_cards(config: Node) -> bool:
    """Whether some layout of a mig-parted configuration has MIG devices on some card."""
    return any(layout.profiles for layout in layouts(config))


def _shown(sign: LabelSign, mapping: Node) -> bool:
    """Whether a mapping of labels, or a match expression, shows the sign."""
    entry = entries(mapping).get(sign.key)
    value = string(entry.value) if entry else None
    return value is not None and sign.shown_by([value])


def _of_mapping(node: Node) -> Iterator[tuple[About, str, str]]:
    """What one mapping says by itself: about, resource, words."""
    keys = entries(node)
    if "sharing" in keys:
        for each in effective(node):
            if classify(each.advertised) is not None:
                what = f"a device plugin configuration shares {each.advertised} by {each.way}"
                yield "shared", each.advertised, what
    if "single" in (string(get(node, "flags", "migStrategy")), string(get(node, "migStrategy"))):
        yield "single", _GPU, "the device plugin's MIG strategy is single"
    if "mig" in keys and string(get(node, "mig", "strategy")) == "single":
        yield "single", _GPU, "the GPU operator's MIG strategy is single"
    if "mig-configs" in keys and _cuts_cards(node):
        yield "layout", _GPU, "a MIG layout"
    for sign in layout_signs():
        if sign.key in keys and _shown(sign, node):
            yield "layout", _GPU, f"the label {sign.key}: {string(keys[sign.key].value)}"
    if "matchExpressions" in keys:
        for selector in expressions(node):
            for sign in layout_signs():
                if sign.key == selector.key and sign.shown_in(selector):
                    yield "layout", _GPU, f"a selector on the label {sign.key}"


def _in_string(text: str, depth: int) -> Iterator[tuple[About, str, str]]:
    """What a string says that parses to a configuration, or to values that hold one."""
    if not depth or len(text) > _MAX_STRING or not _IN_STRING.search(text):
        return
    for document in compose(text):
        root = document.root
        if root is not None and root.kind == MAP and document.problem is None:
            yield from (said[:3] for said in _in_tree(root, depth - 1))


def _in_tree(root: Node, depth: int) -> Iterator[tuple[About, str, str, int]]:
    """What the mappings of a document say, those in strings too; last, the offset.

    depth: how many strings may lie in each other; linear in the text for each of them
    """
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind == SCALAR:
            yield from ((*said, node.start) for said in _in_string(node.text, depth))
        elif node.kind != ALIAS:
            if node.kind == MAP:
                yield from ((*said, node.start) for said in _of_mapping(node))
            waiting.extend(reversed(node.items))


def _is_rule(root: Node) -> bool:
    """Whether a document is a rule for `check`, whose examples show what no cluster has."""
    return root.kind == MAP and entries(root).keys() >= _RULE_KEYS


def _signs(file: ParsedFile) -> Iterator[Sign]:
    if not any(file.holds(word.encode()) for word in _TELLING):
        return
    for document in file.documents:
        if document.root is None or document.template or _is_rule(document.root):
            continue
        for about, resource, what, offset in _in_tree(document.root, _STRINGS):
            yield Sign(about, resource, what, file.place(offset))


class Evidence(NamedTuple):
    """What files say of units that are no whole devices.

    shared  by resource name the first sign of that
    cut     the sign that a unit of nvidia.com/gpu is a MIG device
    """

    shared: Mapping[str, Sign]
    cut: Sign | None


def evidence(files: Iterable[ParsedFile]) -> Evidence:
    """What the files say of units that are no whole devices.

    The MIG strategy single is a sign for nvidia.com/gpu only beside a MIG layout: it is the default of
    charts and changes nothing on cards that are not cut.
    """
    found: dict[str, Sign] = {}
    single: Sign | None = None
    layout: Sign | None = None
    cut: Sign | None = None
    for file in files:
        for sign in _signs(file):
            if sign.about == "shared":
                found.setdefault(sign.resource, sign)
            elif sign.about == "single":
                single = single or sign
            else:
                layout = layout or sign
    if single is not None and layout is not None:
        what = f"{single.what}, and {layout.place} has {layout.what}"
        cut = Sign("single", _GPU, what, single.place)
        found.setdefault(_GPU, cut)
    return Evidence(found, cut)


_MEANS = {"sharing": ", whose cards are shared", "mig": ""}


def pod_signs(pod: PodSpec) -> list[PodSign]:
    """What a pod's own node selectors and affinity say."""
    return [
        PodSign(
            sign.says,
            f"the pod selects nodes by {selector.key}{_of(selector)}{_MEANS[sign.says]}",
            selector.node,
        )
        for selector in selectors(pod)
        for sign in signs()
        if sign.about(selector.key) and sign.shown_in(selector)
    ]


def _of(selector: Selector) -> str:
    but = " other than" if selector.keeps_out else ""
    return f"{but} {', '.join(selector.values)}" if selector.values else ""
