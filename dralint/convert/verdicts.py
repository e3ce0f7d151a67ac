"""Verdicts that many decisions give."""

from __future__ import annotations

from dralint.convert.model import Outcome
from dralint.convert.occurrences import Verdict

# The reason for a request of zero devices.
NOTHING = "it asks for no device, and needs no claim"


def needs_decision(reason: str, advice: str) -> Verdict:
    """Why a person must decide about a request, and what to do, without full stops."""
    return Verdict(Outcome.NEEDS_DECISION, reason, advice)
