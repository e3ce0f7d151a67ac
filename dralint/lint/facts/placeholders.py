"""Values that something else fills in later: Helm, envsubst, Argo, kustomize, a person."""

from __future__ import annotations

import re

_MARKS = ("{{", "${", "$(", "%{", "<")


def templated(text: str | None) -> bool:
    """Whether a value is not final: `${NAME}`, `{{ .Values.name }}`, `<your template>`."""
    return text is not None and any(mark in text for mark in _MARKS)


# Longer than any name, with placeholders or without.
_LONGEST = 500
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\$\{.*?\}|\$\(.*?\)|%\{.*?\}|<.*?>")


def may_become(text: str, name: str) -> bool:
    """Whether a text with placeholders can turn into a name: `${APP}-gpu` into `plex-gpu`.

    A text that is nothing but a placeholder can be anything, which says nothing: False.
    """
    if len(text) > _LONGEST or len(name) > _LONGEST:
        return False
    first, *others = _PLACEHOLDER.split(text)
    if not others or not (first or any(others)) or not name.startswith(first):
        return False
    *middle, last = others
    position = len(first)
    for fixed in middle:
        # Every placeholder stands for one character at least; the earliest place leaves most to the rest.
        position = name.find(fixed, position + 1) + len(fixed)
        if position < len(fixed):
            return False
    return name.endswith(last) and len(name) - len(last) > position
