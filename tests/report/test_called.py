"""How an object is called where a person reads of it."""

from __future__ import annotations

import pytest

from dralint.kube.objects import ObjectRef


@pytest.mark.parametrize(
    ("kind", "namespace", "name", "called"),
    [
        ("Deployment", "llm", "chat", "Deployment llm/chat"),
        ("Deployment", None, "chat", "Deployment chat"),
        ("Workflow", "llm", None, "Workflow in llm"),
        ("Workflow", None, None, "Workflow"),
        (None, "llm", "chat", "llm/chat"),
        (None, None, None, ""),
    ],
)
def test_an_object_is_called_by_what_it_says(
    kind: str | None, namespace: str | None, name: str | None, called: str
) -> None:
    assert ObjectRef("v1", kind, namespace, name).called == called
