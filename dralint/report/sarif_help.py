"""A rule's help for code scanning pages, as Markdown: why, a bad and a good example, fix and sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dralint.lint.rule import Rule


def _fenced(text: str) -> str:
    """A code block, with a fence that the text does not hold."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}yaml\n{text.rstrip()}\n{fence}"


def _example(title: str, example: Mapping[str, Any]) -> Iterator[str]:
    given = " ".join(example.get("args", ()))
    yield f"### {title}" + (f" (with `{given}`)" if given else "")
    files = example["files"]
    for name, text in files.items():
        if len(files) > 1:
            yield f"`{name}`:"
        yield _fenced(text)


def markdown(rule: Rule, examples: Mapping[str, Any]) -> str:
    """All that a rule's file says, for people. examples: its `bad` and `good`, or nothing."""
    parts = [rule.why.strip()]
    for title, key in (("Bad", "bad"), ("Good", "good")):
        for example in examples.get(key, ())[:1]:
            parts += _example(title, example)
    if rule.fix:
        parts.append(f"**Fix** ({rule.fix.applicability}): {rule.fix.title}")
    if rule.sources:
        sources = (f"<{each}>" if each.startswith("https://") else each for each in rule.sources)
        parts.append("Sources:\n\n" + "\n".join(f"- {each}" for each in sources))
    return "\n\n".join(parts)
