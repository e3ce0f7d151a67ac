"""Values that something else fills in later: Helm, envsubst, Argo, kustomize, a person."""

from __future__ import annotations

_MARKS = ("{{", "${", "$(", "%{", "<")


def templated(text: str | None) -> bool:
    """Whether a value is not final: `${NAME}`, `{{ .Values.name }}`, `<your template>`."""
    return text is not None and any(mark in text for mark in _MARKS)
