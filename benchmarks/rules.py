"""Measure what each rule costs, on 1,000 GPU Deployments and on a file full of claims.

    python benchmarks/rules.py [--deployments 1000] [--claims 200] [--repeat 3] [--all]

A rule is judged alone, and what its facts cost without any rule is taken off: rules that read one kind
of subject share its facts, are compiled together, and share what a selector's first one works out, so
that all together take less than the sum. Times are of the processor, so that other work on the
machine counts little. A rule none of whose words stands in the file is passed over and costs nothing.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from run import deployments

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.engine import judge
from dralint.lint.facts import subjects
from dralint.lint.rule import Rule
from dralint.lint.rules import load_rules
from dralint.lint.run import Run
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile

CLAIMS = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: trainer-{number}-gpu
  namespace: training
spec:
  spec:
    devices:
      requests:
      - name: cards
        exactly:
          deviceClassName: gpu.nvidia.com
          count: 2
          selectors:
          - cel:
              expression: >-
                device.attributes["gpu.nvidia.com"].architecture == "{architecture}" &&
                device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0
      - name: slice
        firstAvailable:
        - {{name: large, deviceClassName: mig.nvidia.com}}
        - {{name: whole, deviceClassName: gpu.nvidia.com}}
      constraints:
      - requests: [cards]
        matchAttribute: resource.kubernetes.io/pcieRoot
      config:
      - requests: [cards]
        opaque:
          driver: gpu.nvidia.com
          parameters:
            apiVersion: resource.nvidia.com/v1beta1
            kind: GpuConfig
            sharing: {{strategy: TimeSlicing, timeSlicingConfig: {{interval: Long}}}}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: trainer-{number}
  namespace: training
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: trainer
        image: registry.example/train:{number}
        args: [torchrun, --nproc-per-node=2, train.py]
        env: [{{name: NCCL_DEBUG, value: INFO}}]
        resources:
          limits: {{memory: 64Gi}}
          claims: [{{name: gpu}}]
      tolerations: [{{key: nvidia.com/gpu, operator: Exists}}]
      resourceClaims:
      - name: gpu
        resourceClaimTemplateName: trainer-{number}-gpu
"""
ARCHITECTURES = ("Ampere", "Hopper", "Blackwell")


class Cost(NamedTuple):
    """Seconds a rule takes on a file, beside those of its facts."""

    rule: Rule
    alone: float
    facts: float
    findings: int


def claims(count: int) -> str:
    return "---\n".join(
        CLAIMS.format(number=number, architecture=ARCHITECTURES[number % 3]) for number in range(count)
    )


def best(work: Callable[[], object], repeat: int) -> float:
    """The least processor seconds of several runs."""
    seconds = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return min(seconds)


def run_of(text: str) -> Run:
    """A run of one file, which is all there is."""
    files = [parse(SourceFile("manifests.yaml", None, text.encode()))]
    return Run(files, Bundle(files), Context.none(), make_target(), complete=True, migration=True)


def fresh(run: Run) -> Run:
    """The same run with nothing worked out yet."""
    return dataclasses.replace(run)


def costs(text: str, rules: Sequence[Rule], repeat: int) -> list[Cost]:
    """The rules that the file concerns, the dearest first."""
    run = run_of(text)
    for rule in rules:  # Modules and data, which only the first file of a run pays for.
        judge(fresh(run), [rule])
    facts: dict[frozenset[str], float] = {}
    nothing = best(lambda: judge(fresh(run), [rules[0]._replace(words=("no such word",))]), repeat)
    found = []
    for rule in rules:
        kinds = frozenset(rule.subjects)
        if kinds not in facts:
            facts[kinds] = best(lambda kinds=kinds: [*subjects(fresh(run), kinds)], repeat)  # type: ignore[misc]
        alone = best(lambda rule=rule: judge(fresh(run), [rule]), repeat) - nothing  # type: ignore[misc]
        # What is passed over takes the time of a look for words.
        if alone > facts[kinds] / 2 and alone > nothing / 10:
            number = len(judge(fresh(run), [rule]).findings)
            found.append(Cost(rule, max(alone - facts[kinds], 0), facts[kinds], number))
    return sorted(found, key=lambda cost: -cost.alone)


def table(title: str, text: str, rules: Sequence[Rule], repeat: int, most: int) -> str:
    """The dearest rules on a file, and what all rules take together."""
    found = costs(text, rules, repeat)
    everything = best(lambda: judge(fresh(run_of(text)), rules), repeat) - best(lambda: run_of(text), repeat)
    lines = [
        f"{title}: {len(text) / 1e6:.2f} MB, all {len(rules)} rules take {everything:.3f} s without reading",
        f"{len(found)} of them have something to look at",
        "",
        "| rule | alone | its facts, shared | findings |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {cost.rule.id} {cost.rule.name} | {cost.alone * 1000:.1f} ms | "
        f"{cost.facts * 1000:.1f} ms ({', '.join(cost.rule.subjects)}) | {cost.findings} |"
        for cost in found[:most]
    ]
    if len(found) > most:
        rest = sum(cost.alone for cost in found[most:])
        lines.append(f"| {len(found) - most} more | {rest * 1000:.1f} ms | | |")
    return "\n".join(lines)


def main(show: Callable[[str], None] = print) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--deployments", type=int, default=1000, help="of the file without claims")
    parser.add_argument("--claims", type=int, default=200, help="claim templates of the file with claims")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each rule")
    parser.add_argument("--all", action="store_true", help="every rule, not only the dearest")
    options = parser.parse_args()
    gc.disable()  # As good as off in the program, too.
    rules = load_rules()
    most = len(rules) if options.all else 15
    show(table("GPU Deployments", deployments(options.deployments), rules, options.repeat, most))
    show("")
    show(table("Claims and Jobs", claims(options.claims), rules, options.repeat, most))
    return 0


if __name__ == "__main__":
    sys.exit(main())
