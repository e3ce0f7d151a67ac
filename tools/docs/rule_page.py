"""A rule's page, made from its file: what, why, an example with what `check` says of it, the fix, the sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent
from typing import Any

from dralint.lint.rule import Rule
from dralint.lint.rule_file import examples
from dralint.report.rules_text import LAYERS, NEEDS
from tools.docs.shown import console, fenced

_LANGUAGES = {"json": "json", "yaml": "yaml", "yml": "yaml"}
_INDEX = """\
# Rules

Every rule has a page: what it finds, why that matters, examples with the real output of `dralint check`, its fix, and
its sources. The first digit of an id says what a rule is about: 1 the API and its shapes, 2 selectors, 3 sharing,
opaque configuration and gates, 4 workloads, 5 the stack, 6 migration. Here rules are grouped by layer: who notices
without dralint.
"""
_APPLICABILITY = {
    "safe": "The fix is safe: `--fix` makes it.",
    "unsafe": "The fix is unsafe, because it may change what runs or lose a comment: `--fix --unsafe-fixes` makes it.",
}


def _escaped(part: str) -> str:
    return re.sub(r"([\\*_\[\]|#])", r"\\\1", part).replace("&", "&amp;").replace("<", "&lt;")


def text(written: str) -> str:
    """Text of a rule file as Markdown; what would be markup outside of `code` is escaped."""
    parts = re.split(r"(`[^`]*`)", " ".join(written.split()))
    return "".join(part if part.startswith("`") else _escaped(part) for part in parts)


def severities(rule: Rule) -> str:
    """The words a rule's severity can be, in the order of its cases."""
    return " or ".join(dict.fromkeys(case.severity for case in rule.severity))


def _cases(rule: Rule) -> Iterator[str]:
    """When a rule has which severity, in the words of its file."""
    for case in rule.severity if len(rule.severity) > 1 else ():
        condition = " ".join(case.condition.split()) if case.condition else ""
        yield f"- {case.severity} if `{condition}`" if condition else f"- {case.severity} otherwise"


def _head(rule: Rule) -> Iterator[str]:
    yield f"# {rule.id} {rule.name}\n\n{text(rule.summary)}.\n\n| | |\n|---|---|\n"
    yield f"| Layer | `{rule.layer}`: {LAYERS[rule.layer]} |\n"
    yield f"| Severity | {severities(rule)} |\n"
    for need in rule.needs:
        yield f"| Looks into | {NEEDS[need]} |\n"
    if rule.layer != "engine":
        yield f"| Fix | {f'{rule.fix.applicability}: {text(rule.fix.title)}' if rule.fix else 'none'} |\n"
    yield f"| Since | dralint {rule.since} |\n"


def _options(example: Mapping[str, Any]) -> list[str]:
    return [*example.get("args", ()), *(("--base", "HEAD") if "before" in example else ())]


def _checked(example: Mapping[str, Any], *more: str) -> str:
    """What `check` shows of an example."""
    command = ["check", "--quiet", *_options(example), *more, *example["files"]]
    return console(example["files"], command, before=example.get("before"))


def _files(example: Mapping[str, Any]) -> Iterator[str]:
    for name, content in example.get("before", {}).items():
        yield fenced(content, _LANGUAGES.get(name.rpartition(".")[2], "text"), f"{name}, as it was at HEAD")
    for name, content in example["files"].items():
        yield fenced(content, _LANGUAGES.get(name.rpartition(".")[2], "text"), name)


def _found(example: Mapping[str, Any]) -> Iterator[str]:
    yield from _files(example)
    yield _checked(example)


def _given(example: Mapping[str, Any]) -> str:
    options = " ".join(_options(example))
    return f" (with `{options}`)" if options else ""


def _title(example: Mapping[str, Any]) -> str:
    return str(example.get("note") or next(iter(example["files"])))


def _folded(kind: str, title: str, parts: Iterator[str]) -> str:
    return f'??? {kind} "{text(title).replace(chr(34), chr(39))}"\n\n{indent(chr(10).join(parts), "    ")}\n'


def _fix(rule: Rule, bad: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The fix, made on the first example that one reading is certain for."""
    if rule.fix is None:
        return
    yield f"## Fix\n\n{text(rule.fix.title)}. {_APPLICABILITY[rule.fix.applicability]}\n"
    options = ("--diff",) if rule.fix.applicability == "safe" else ("--diff", "--unsafe-fixes")
    for example in bad:
        shown = _checked(example, *options)
        if "\n@@ " in shown:
            if example is not bad[0]:
                yield f"On the example “{text(_title(example))}” below:\n"
            yield shown
            return
    yield "It is made where one reading is certain; in the examples here none is.\n"


def _more(bad: Sequence[Mapping[str, Any]], good: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if bad or good:
        yield "## More examples\n"
    for example in bad:
        yield _folded("failure", f"Found: {_title(example)}", _found(example))
    for example in good:
        title = f"Not found: {_title(example)}{_given(example)}"
        yield _folded("success", title, _files(example))


def _suppression(rule: Rule) -> str:
    comment = f"# dralint: ignore[{rule.name}] why it is right here"
    annotation = f'dralint.io/ignore: "{rule.name} -- why it is right here"'
    return (
        "## Suppress\n\nOn the line of the finding or the line above, or for a whole object on its first line:\n\n"
        f"{fenced(comment, 'yaml')}\nIn rendered output, in the annotations of the object or its pod template:\n\n"
        f"{fenced(annotation, 'yaml')}\nFor all files, or some: "
        "[in the configuration](../configuration.md#suppressions).\n"
    )


def _sources(rule: Rule) -> Iterator[str]:
    if rule.sources:
        yield "## Sources\n"
        yield (
            "\n".join(
                f"- <{each}>" if each.startswith("https://") else f"- {text(each)}" for each in rule.sources
            )
            + "\n"
        )
    if rule.file:
        yield (
            f"This page is made from the rule's file, `rules/{rule.id}.yaml`; what is shown of `check` is its real output. "
            f"`dralint explain {rule.id}` shows the rule in a terminal.\n"
        )


def _paragraphs(written: str) -> str:
    return "\n\n".join(map(text, written.strip().split("\n\n")))


def _parts(rule: Rule) -> Iterator[str]:
    yield "".join(_head(rule))
    cases = "\n".join(_cases(rule))
    if cases:
        yield f"Its severity is, by the [facts](../schemas/facts.md#{rule.subjects[0]}) of the manifest:\n\n{cases}\n"
    yield f"## Why\n\n{_paragraphs(rule.why)}\n"
    of_rule = examples(rule)
    bad, good = of_rule.get("bad", ()), of_rule.get("good", ())
    if bad:
        yield "## Example\n\nThis is found:\n"
        yield from _found(bad[0])
    if good:
        yield f"This is not{_given(good[0])}:\n"
        yield from _files(good[0])
    yield from _fix(rule, bad)
    yield from _more(bad[1:], good[1:])
    if rule.layer != "engine":
        yield _suppression(rule)
    yield from _sources(rule)


def rule_page(rule: Rule) -> str:
    """The page, as Markdown. Every example is checked for it."""
    return "\n".join(_parts(rule))


def index_page(rules: Sequence[Rule]) -> str:
    """All rules by layer, as Markdown."""
    parts = [_INDEX]
    for layer, meaning in LAYERS.items():
        members = [rule for rule in rules if rule.layer == layer]
        if not members:
            continue
        parts.append(f"## {layer}\n\n{meaning[0].upper()}{meaning[1:]}.\n")
        rows = ["| rule | severity | fix | what it finds |", "|---|---|---|---|"]
        for rule in members:
            fix = rule.fix.applicability if rule.fix else ""
            rows.append(
                f"| [{rule.id} {rule.name}]({rule.id}.md) | {severities(rule)} | {fix} | {text(rule.summary)} |"
            )
        parts.append("\n".join(rows) + "\n")
    return "\n".join(parts)
