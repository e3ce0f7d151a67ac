"""What a person keeps on the device plugin, by an annotation."""

from __future__ import annotations

from dralint.convert.around import with_holders
from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict
from dralint.convert.options import KEEP
from dralint.kube.objects import KubeObject
from dralint.kube.places import pod_specs
from dralint.yamltext.node import MAP, Node, deref
from dralint.yamltext.view import entries, get


def keep_verdict(metadata: Node | None) -> Verdict | None:
    """The verdict of the annotation that keeps an object or a pod on the device plugin."""
    annotations = get(metadata, "annotations")
    entry = entries(annotations).get(KEEP) if annotations is not None and annotations.kind == MAP else None
    if entry is None:
        return None
    reason = deref(entry.value).text.strip()
    return Verdict(Outcome.KEPT, f"{KEEP}: {reason}" if reason else f"the annotation {KEEP} keeps it")


def kept_with(obj: KubeObject) -> Verdict | None:
    """The verdict of the annotation on the object or on one that holds it."""
    verdicts = (keep_verdict(get(each.node, "metadata")) for each in with_holders(obj))
    return next((verdict for verdict in verdicts if verdict is not None), None)


def kept_somewhere(obj: KubeObject) -> Verdict | None:
    """The verdict of the annotation on the object, on one that holds it, or on the template of one of its pods."""
    kept = kept_with(obj)
    root = obj.file.documents[obj.document].root
    for pod in pod_specs(obj) if kept is None else ():
        kept = kept or (keep_verdict(get(root, *pod.metadata)) if pod.metadata is not None else None)
    return kept
