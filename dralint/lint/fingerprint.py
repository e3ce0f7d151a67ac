"""What names a finding although lines move: rule, path, object and field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from dralint.lint.finding import Finding
from dralint.lint.rule import OWN, UNUSED_SUPPRESSION

# That a rule could not be judged is never old news: it hides what the rule would find.
_NEVER_KNOWN = frozenset(rule.id for rule in OWN if rule is not UNUSED_SUPPRESSION)
_Key = TypeVar("_Key")


class Fingerprint(NamedTuple):
    """Of a finding; `object` is `Kind namespace/name` without what is missing, `field` may be empty."""

    rule: str
    path: str
    object: str
    field: str


def object_text(finding: Finding) -> str:
    """The object of a finding, without its apiVersion: an upgrade makes no new object of it."""
    ref = finding.object
    if ref is None:
        return ""
    name = "/".join(part for part in (ref.namespace, ref.name) if part)
    return " ".join(part for part in (ref.kind, name) if part)


def fingerprint(finding: Finding, path: str) -> Fingerprint:
    """The fingerprint of a finding in the file that is called `path`."""
    return Fingerprint(finding.rule, path, object_text(finding), finding.field or "")


def may_be_known(finding: Finding) -> bool:
    """Whether a finding can be old at all; that a rule failed cannot."""
    return finding.rule not in _NEVER_KNOWN


def without(
    findings: Iterable[Finding], key: Callable[[Finding], _Key], known: Counter[_Key]
) -> list[Finding]:
    """The findings that are not known; of several with one key so many are dropped as are known.

    `known` is left with what was not found.
    """
    new: list[Finding] = []
    for finding in findings:
        of_finding = key(finding)
        if known[of_finding] > 0 and may_be_known(finding):
            known[of_finding] -= 1
        else:
            new.append(finding)
    return new


def counted(findings: Sequence[Finding], key: Callable[[Finding], _Key]) -> Counter[_Key]:
    """How many findings have each key."""
    return Counter(key(finding) for finding in findings if may_be_known(finding))
