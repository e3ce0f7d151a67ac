"""Which chart and template each document of a rendered Helm release came from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dralint.source.file import Origin
from dralint.yamltext.compose import Document
from dralint.yamltext.text import SourceText
from dralint.yamltext.view import get, string

# Helm 4 gives a post-renderer this annotation instead of the comment, and makes the comment of it.
_ANNOTATION = "postrenderer.helm.sh/postrender-filename"
_GENERATED = "generated-by-postrender-"
# Only Helm's own form: hand-written manifests have comments such as `# Source: https://...`.
_SOURCE = re.compile(
    rf"^# Source: (?P<template>(?P<chart>[\w.-]+)/(?:.+/)?(?:templates|crds)/.+?|{_GENERATED}\d+\.yaml)[ \t]*\r?$",
    re.MULTILINE,
)
_HEAD = re.compile(r"(?:(?:---)?[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z))*")


def _origin(template: str) -> Origin | None:
    """None for what a post-renderer made: it has no template."""
    return None if template.startswith(_GENERATED) else Origin(template.split("/", 1)[0], template)


def origins(text: SourceText, documents: Sequence[Document]) -> list[Origin | None]:
    """For each document its chart and template, None where it is not rendered.

    The last `# Source:` line before a document's content carries forward: a template with several
    documents has one line, and a template that begins with `---` has it before that.
    """
    if "# Source: " not in text.text and _ANNOTATION not in text.text:
        return [None] * len(documents)
    lines = [(match.start(), _origin(match["template"])) for match in _SOURCE.finditer(text.text)]
    found: list[Origin | None] = []
    current: Origin | None = None
    for document in documents:
        if document.root is not None:
            content = document.root.start
        else:
            head = _HEAD.match(text.text, document.start, document.end)
            content = head.end() if head else document.start
        while lines and lines[0][0] < content:
            current = lines.pop(0)[1]
        annotated = string(get(document.root, "metadata", "annotations", _ANNOTATION))
        found.append(_origin(annotated) if annotated else current)
    return found
