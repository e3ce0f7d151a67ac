"""Findings for the tests of the reports: one of every kind, with hostile names."""

from __future__ import annotations

from dralint.kube.objects import ObjectRef
from dralint.lint.finding import Finding, Fix, Region, Related, TextEdit
from dralint.source.file import Origin
from dralint.yamltext.text import SourceText

TEXT = """\
# Source: demo/templates/pod.yaml
apiVersion: v1
kind: Pod
metadata: {name: "one\\e[31m"}
spec:
  resourceClaims:
  - name: gpu
    source:
      resourceClaimTemplateName: card
"""
FILES = {"deploy/pod.yaml": SourceText(TEXT)}

FINDINGS = [
    Finding(
        rule="DRA102",
        name="legacy-claim-source",
        layer="api",
        severity="error",
        message="the claim gpu is given by `source`, which Kubernetes 1.31 removed",
        region=Region("deploy/pod.yaml", 8, 5, 8, 11),
        object=ObjectRef("v1", "Pod", "lab", "one\x1b[31m"),
        field="spec.resourceClaims[0].source",
        related=(Related(Region("deploy/claims.yaml", 3, 1, 3, 9), "the template card is here"),),
        source=Origin("demo", "demo/templates/pod.yaml"),
        help="write resourceClaimTemplateName: card beside name",
        fix=Fix("safe", (TextEdit(TEXT.index("    source"), TEXT.index("      res"), ""),)),
    ),
    Finding(
        rule="DRA105",
        name="claim-not-consumed",
        layer="runtime",
        severity="warning",
        message="no container of one\x1b[31m\nuses the claim gpu",
        region=Region("deploy/pod.yaml", 4, 1, 4, 29),
        object=ObjectRef("v1", "Pod", None, "one\x1b[31m"),
        field="metadata",
    ),
    Finding(
        rule="DRA002",
        name="not-judged",
        layer="engine",
        severity="info",
        message="the rule x (DRA101) was not judged here: it takes more than 10,000 loop steps",
        region=Region("deploy/pod.yaml", 2, 1, 9, 3),
    ),
    Finding(
        rule="DRA001",
        name="rule-failed",
        layer="engine",
        severity="error",
        message="the rule mine (ACME001) failed: undeclared reference to 'nmae'",
        region=Region("rules\n/mine.yaml", 8, 12, 8, 13),
        help="A rule could not be judged because of a mistake in the rule",
    ),
]
