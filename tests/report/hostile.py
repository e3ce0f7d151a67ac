"""Findings with the names a stranger would choose, and problems, for the tests of the CI formats."""

from __future__ import annotations

from dralint.errors import InputError, Place, RuleError, UsageError
from dralint.kube.objects import ObjectRef
from dralint.lint.finding import Finding, Fix, Region, Related, TextEdit
from dralint.source.file import Origin
from dralint.yamltext.text import SourceText

EVIL = (
    "x%0A::add-mask::y\r\n::error file=a,line=1::z\x1b[31m<b a='1'>&\"]]>,:[go](https://evil.example)\u202e"
)
TEXT = "größe: 1\nname: 🚀 x  # last\n"
NAMES = ("deploy/100%, a:b.yaml", "deploy/evil\n<&\udce9>.yaml", "<stdin>")
TEXTS = {name: SourceText(TEXT) for name in NAMES}

HOSTILE = [
    Finding(
        rule="DRA107",
        name="legacy-claim-source",
        layer="api",
        severity="error",
        message=f"the claim {EVIL} is odd",
        region=Region(NAMES[0], 2, 7, 2, 10),
        object=ObjectRef("v1", "Pod", "lab", EVIL),
        field="spec.resourceClaims[0]",
        related=(Related(Region(NAMES[1], 1, 1, 1, 6), f"as {EVIL} says"),),
        help=f"call it {EVIL}",
        fix=Fix("unsafe", (TextEdit(TEXT.index("🚀"), TEXT.index("  #"), "a\r\n"),)),
    ),
    Finding(
        rule="DRA401",
        name="claim-not-consumed",
        layer="runtime",
        severity="warning",
        message="two findings",
        region=Region(NAMES[1], 1, 1, 2, 5),
        object=ObjectRef("v1", "Pod", None, "twin"),
        field="spec",
    ),
    Finding(
        rule="DRA401",
        name="claim-not-consumed",
        layer="runtime",
        severity="info",
        message="with everything in common",
        region=Region(NAMES[1], 2, 1, 2, 5),
        object=ObjectRef("v1", "Pod", None, "twin"),
        field="spec",
    ),
    Finding(
        rule="DRA107",
        name="legacy-claim-source",
        layer="api",
        severity="error",
        message="rendered",
        region=Region(NAMES[2], 2, 1, 2, 5),
        object=ObjectRef("v1", "Pod", None, "rendered"),
        field="spec.resourceClaims[0].source",
        source=Origin("demo", f"demo/templates/{EVIL}.yaml"),
        fix=Fix("safe", (TextEdit(0, 0, "a"),)),
    ),
    Finding(
        rule="DRA001",
        name="rule-failed",
        layer="engine",
        severity="error",
        message="the rule mine (ACME001) failed",
        region=Region("/outside/rules [1]/mine.yaml", 8, 12, 8, 13),
    ),
]
PROBLEMS = [
    InputError("not valid UTF-8", Place("deploy/100%, a:b.yaml", 3, 7), "save it as UTF-8"),
    InputError(f"is {EVIL}", Place(NAMES[1])),
    RuleError("no rule", Place("/outside/rules [1]/other.yaml", 2)),
    UsageError("about no file"),
]
FILES = [*NAMES, "deploy/clean.yaml"]
