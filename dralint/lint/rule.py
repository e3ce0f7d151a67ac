"""A rule, as its file says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from dralint.lint.finding import Severity


class Case(NamedTuple):
    """A severity and the CEL condition under which it counts; None: always."""

    condition: str | None
    severity: Severity


class RelatedSpec(NamedTuple):
    """Another place of a finding, as `at` of a rule writes it, and what to say there."""

    at: str
    message: str


class FixSpec(NamedTuple):
    """A rule's fix; `operations` are those of the rule file, the check may give more."""

    applicability: str
    title: str
    operations: tuple[Mapping[str, Any], ...] = ()


class Rule(NamedTuple):
    """One rule; see schemas/rule.schema.json for what each key means.

    severity  cases in order; the last one counts where no condition before it is true
    subjects  the kinds of subject it judges, mostly one
    when      CEL, or None where `check` names a module of dralint.lint.checks
    words     one must stand in a file for the rule to look at it; they make a file worth reading
    marks     of them, too, one must stand there; they make no file worth reading
    stack     the only stack it is for; "": every one
    file      where it was read from; "" for what the engine itself reports
    """

    id: str
    name: str
    layer: str
    severity: tuple[Case, ...]
    summary: str
    why: str
    subjects: tuple[str, ...]
    when: str | None
    check: str | None
    message: str
    hint: str = ""
    at: str = ""
    related: tuple[RelatedSpec, ...] = ()
    needs: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    fix: FixSpec | None = None
    since: str = ""
    sources: tuple[str, ...] = ()
    file: str = ""
    marks: tuple[str, ...] = ()
    stack: str = ""


class Head(NamedTuple):
    """What there is to know of a rule before its file is parsed: what choosing and passing over take."""

    id: str
    name: str
    layer: str
    words: tuple[str, ...]
    marks: tuple[str, ...]
    file: str


AnyRule = Head | Rule


def _cases(severity: Any) -> tuple[Case, ...]:
    if isinstance(severity, str):
        return (Case(None, severity),)  # type: ignore[arg-type]  # the schema lists the words
    return tuple(Case(case.get("if"), case["is"]) for case in severity)


def _words(data: str | Sequence[str]) -> tuple[str, ...]:
    return (data,) if isinstance(data, str) else tuple(data)


def from_data(data: Mapping[str, Any], file: str) -> Rule:
    """The rule of a file's data, which the schema has found valid."""
    fix = data.get("fix")
    return Rule(
        data["id"],
        data["name"],
        data.get("layer", "advice"),
        _cases(data["severity"]),
        data["summary"],
        data.get("why", ""),
        _words(data["subject"]),
        data.get("when"),
        data.get("check"),
        data["message"],
        data.get("hint", ""),
        data.get("at", ""),
        tuple(RelatedSpec(each["at"], each["message"]) for each in data.get("related", ())),
        tuple(data.get("needs", ())),
        tuple(data.get("words", ())),
        FixSpec(fix["applicability"], fix["title"], tuple(fix.get("operations", ()))) if fix else None,
        data.get("since", ""),
        tuple(data.get("sources", ())),
        file,
        tuple(data.get("marks", ())),
        data.get("stack", ""),
    )


# What the engine says of itself. It belongs to no layer that can be selected: a rule that is asked
# for and cannot answer must not look like one that found nothing.
RULE_FAILED = Rule(
    "DRA001", "rule-failed", "engine", (Case(None, "error"),),
    "A rule could not be judged because of a mistake in the rule",
    "The condition of a rule is not valid, or it met facts that it was not written for, such as a null where "
    "it expects a number. All other rules were judged. Repair the rule, or leave it out with --ignore.",
    (), None, None, "", since="0.1.0",
)  # fmt: skip
NOT_JUDGED = Rule(
    "DRA002", "not-judged", "engine", (Case(None, "info"),),
    "A rule was not judged because the object is too large",
    "Rules are evaluated within limits (loop steps, list lengths, nesting), so that no manifest can stop the "
    "run. This object exceeds one of them; look at it yourself, or split it.",
    (), None, None, "", since="0.1.0",
)  # fmt: skip
UNUSED_SUPPRESSION = Rule(
    "DRA003", "unused-suppression", "engine", (Case(None, "info"),),
    "A comment or annotation suppresses what is not found there",
    "A suppression that silences nothing hides the next mistake. The finding it was written for has been mended, "
    "or stands elsewhere, or the rule is called otherwise. Remove it, or put it where the finding is: on its line, "
    "on the line above, on the first line of the object, or in the annotations of the object or pod template. Only "
    "rules that ran are told.",
    (), None, None, "", since="0.1.0",
)  # fmt: skip
OWN = (RULE_FAILED, NOT_JUDGED, UNUSED_SUPPRESSION)
