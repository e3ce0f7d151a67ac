"""config-kind-class-mismatch: each kind of configuration is for one kind of device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject
from dralint.lint.views import config_of
from dralint.nvidia.configs import problems
from dralint.yamltext.operations import Operation, Replace
from dralint.yamltext.view import plain


def _fix(subject: Subject, run: Run, right: str) -> tuple[Operation, ...]:
    """Write the right kind, if the rest of the parameters fits it."""
    config = config_of(subject)
    parameters = plain(config.parameters)
    if not isinstance(parameters, dict) or problems(
        {**parameters, "kind": right}, config.driver or "", run.target.dra_driver
    ):
        return ()
    return (Replace(subject.object.document, (*subject.path, "opaque", "parameters", "kind"), right),)


def check(subject: Subject, run: Run) -> Iterator[Hit]:
    """A hit for a config none of whose devices it fits, or, where it names requests, one it does not fit.

    The driver fails on the second and passes over the first without a word.
    """
    facts: Any = subject.facts
    fits, types = facts["fits"], facts["target_types"]
    wrong = [each for each in types if each not in fits]
    named = bool(facts["requests"])
    ignored = not named and facts["target_types_known"] and len(wrong) == len(types)
    if not fits or not wrong or not (named or ignored):
        return
    right = facts["right_kind"]
    advice = f"use {right}" if right else "give each kind of device its own config"
    effect = "the pod will not start" if named else "the driver passes over it without a word"
    operations = _fix(subject, run, right) if right and named and run.fixes else ()
    values = {"devices": " and ".join(wrong), "advice": advice, "effect": effect}
    yield Hit("opaque.parameters.kind", values, operations=operations)
