"""All pages of the documentation site. `python -m tools.docs.site DIR` writes them, to be read without a site.

They are made when the site is built and are not committed: rule files, schemas and examples say everything
once, and a page that a commit forgot would say something else.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dralint.lint.rule import OWN, Rule
from dralint.lint.rules import load_rules
from dralint.report.rules_text import LAYERS
from tools.docs.example_page import example_page
from tools.docs.links import page_of, relinked
from tools.docs.rule_page import index_page, rule_page
from tools.docs.schema_page import opened, schema_page

ROOT = Path(__file__).resolve().parents[2]
# Pages of rules by id, each with the time of change of the file that it was made from.
_made: dict[str, tuple[int, str]] = {}
_FILES = ("CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md")


class Page(NamedTuple):
    """A file of the site: its path, as the generator's source tree has it, and its text."""

    path: str
    text: str


def guides() -> Iterator[Page]:
    """The pages of docs/ and other Markdown files, with their links as the site needs them."""
    for path in [*sorted(ROOT.glob("docs/*.md")), *(ROOT / name for name in _FILES)]:
        name = path.relative_to(ROOT).as_posix()
        yield Page(page_of(name), relinked(path.read_text(encoding="utf-8"), name))


def _rule_page(rule: Rule) -> str:
    """A rule's page; made again only where the file has changed, so that a served site is quick."""
    changed = os.stat(rule.file).st_mtime_ns if rule.file else 0
    if _made.get(rule.id, (None, ""))[0] != changed:
        try:
            _made[rule.id] = changed, rule_page(rule)
        except Exception as error:
            error.add_note(f"while the page of {rule.id} {rule.name} was made")
            raise
    return _made[rule.id][1]


def generated() -> Iterator[Page]:
    """The pages that are made from other things than Markdown, and the schemas themselves."""
    rules = [*load_rules(), *OWN]
    yield Page("rules/index.md", index_page(rules))
    for rule in rules:
        yield Page(f"rules/{rule.id}.md", _rule_page(rule))
    schemas = {
        path.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("schemas/*.schema.json"))
    }
    for (name, text), schema in zip(schemas.items(), opened(map(json.loads, schemas.values())), strict=True):
        yield Page(f"schemas/{name}", text)
        yield Page(page_of(f"schemas/{name}"), schema_page(schema, name))
    for readme in sorted(ROOT.glob("examples/*/README.md")):
        yield Page(page_of(f"examples/{readme.parent.name}"), example_page(readme.parent))


def rule_menu() -> list[dict[str, object]]:
    """The rules by layer, as an entry of the generator's navigation."""
    rules = [*load_rules(), *OWN]
    layers = {layer: [rule for rule in rules if rule.layer == layer] for layer in LAYERS}
    return [
        {layer: [{f"{rule.id} {rule.name}": f"rules/{rule.id}.md"} for rule in members]}
        for layer, members in layers.items()
        if members
    ]


def write(folder: Path) -> None:
    """Write every page into a directory."""
    for page in (*guides(), *generated()):
        path = folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page.text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: python -m {__spec__.name} DIRECTORY")
    write(Path(sys.argv[1]))
