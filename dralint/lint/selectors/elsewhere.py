"""Selectors that stand elsewhere than in a claim or class, such as in an annotation: what the rules say of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dralint.cel.device.answers import CompileErrors
from dralint.kube.devices import Ask
from dralint.kube.objects import KubeObject
from dralint.kube.selections import lines
from dralint.lint.finding import Severity
from dralint.lint.message import filled
from dralint.lint.rules import load_rules
from dralint.lint.run import Run
from dralint.lint.selectors.bench import bench
from dralint.lint.selectors.order import slips
from dralint.lint.selectors.slips import span
from dralint.lint.selectors.view import View, Written, is_final
from dralint.lint.subject import NotJudged
from dralint.yamltext.node import Node
from dralint.yamltext.view import Path


class Fault(NamedTuple):
    """says: the message of the rule that has found it; span: in the file, None: the whole value."""

    says: str
    severity: Severity
    span: tuple[int, int] | None


def faults_of_lines(
    obj: KubeObject, path: Path, node: Node, device_class: str | None, run: Run
) -> Iterator[Fault]:
    """What is wrong with the selectors of a scalar, one on each line, of a request for a class.

    Raises NotJudged for one that is too large, or where there are too many.
    """
    work = bench(run)
    texts = [text for text in lines(node.text) if is_final(text)]
    found = [Written(path, node, text, work.compiled(text), work.anatomy(text)) for text in texts]
    for each in found:
        if isinstance(each.program, CompileErrors) and not each.program.judged:
            raise NotJudged(each.program.errors[0].message)
    ask = Ask(path, node, None, device_class, None, None, admin_access=False, selectors=[])
    of_class = work.device_class(device_class, obj)
    view = View(
        obj,
        "request",
        path,
        ask,
        template=False,
        of_class=of_class,
        selectors=found,
        partial=False,
        bench=work,
    )
    rules = {rule.check: rule for rule in load_rules()}
    for module, slip in slips(view):
        rule = rules[module]
        place = (
            span(view, found[slip.selector], slip.range) if slip.selector is not None and slip.range else None
        )
        yield Fault(filled(rule.message, slip.values, {}), slip.severity or rule.severity[-1].severity, place)
