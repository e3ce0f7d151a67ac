"""The documentation: guides that can be followed, a page for every rule, and a site without dead links."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from html import unescape
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
import yaml

from dralint.lint.rule import OWN
from dralint.lint.rule_file import examples
from dralint.lint.rules import load_rules
from tests import guides, kinds_page
from tools.docs import site
from tools.docs.links import links, relinked
from tools.docs.rule_page import text

ROOT = Path(__file__).resolve().parent.parent
RULES = load_rules()
GUIDES = {path.name: path.read_text(encoding="utf-8") for path in guides.GUIDES}


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_shows_what_a_reader_sees(name: str) -> None:
    assert guides.followed(GUIDES[name]) == GUIDES[name], f"run python tests/guides.py docs/{name}"


def test_the_tables_of_kinds_are_current() -> None:
    page = GUIDES[kinds_page.PAGE.name]
    assert kinds_page.with_tables(page) == page, "run python tests/pages.py"
    assert page.count(kinds_page.START) == page.count(kinds_page.END) == 1


def test_most_guides_show_something() -> None:
    shown = {name for name, page in GUIDES.items() if "```console\n$ dralint " in page}
    assert GUIDES.keys() - shown == {"README.md", "ci.md", "pre-commit.md"}


def test_console_blocks_stand_where_they_are_tested() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("[a-z]*/**/*.md")]
    shown = {
        str(path.relative_to(ROOT)) for path in pages if "```console\n" in path.read_text(encoding="utf-8")
    }
    assert shown <= {"README.md", *(f"docs/{name}" for name in GUIDES)}


def test_commands_that_fail_are_shown_as_they_fail() -> None:
    page = '```yaml title="a/b.yaml"\nx: 1\n```\n\n```console\n$ cat a/b.yaml\nold\n$ cd a\n$ false\n$ echo $? $(ls)\n```\n'
    assert guides.followed(page) == page.replace("old", "x: 1").replace("$(ls)\n", "$(ls)\n1 b.yaml\n")


def slugs(page: str) -> set[str]:
    """The anchors that a git host and the site make of a page's headings."""
    headings = re.findall(
        r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", GUIDES)
def test_links_lead_somewhere_in_the_repository(name: str) -> None:
    for link in links(GUIDES[name]):
        target, anchor = urldefrag(link)
        path = (ROOT / "docs" / target).resolve()
        assert path.exists(), link
        assert not anchor or anchor in slugs(path.read_text(encoding="utf-8")), link


def test_every_guide_is_in_the_menu_and_on_the_first_page() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = {
        page for entry in menu if "Guides" in entry for each in entry["Guides"] for page in each.values()
    }
    assert listed == GUIDES.keys() - {"README.md"}
    assert listed == {link for link in links(GUIDES["README.md"]) if "/" not in link}


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    """Every page of the site."""
    return {page.path: page.text for page in (*site.guides(), *site.generated())}


@pytest.mark.parametrize("rule", [*RULES, *OWN], ids=lambda rule: rule.id)
def test_a_rule_has_a_page_made_from_its_file(pages: Mapping[str, str], rule: Any) -> None:
    page = pages[f"rules/{rule.id}.md"]
    assert page.startswith(f"# {rule.id} {rule.name}\n\n{text(rule.summary)}.\n")
    assert f"| Since | dralint {rule.since} |" in page
    assert all(text(paragraph) in page for paragraph in rule.why.strip().split("\n\n"))
    assert all(source in page or text(source) in page for source in rule.sources)
    assert all(case.severity in page for case in rule.severity)
    of_rule = examples(rule)
    for example in (*of_rule.get("bad", ()), *of_rule.get("good", ())):
        for name, content in example["files"].items():
            assert f'title="{name}"' in page
            assert content.splitlines()[0] in page
    for example in of_rule.get("bad", ()):
        place = f"{example.get('file') or next(iter(example['files']))}:{example['line']}:"
        assert re.search(rf"^ *{re.escape(place)}\d+: \w+\[{rule.id} ", page, re.MULTILINE), example.get(
            "note"
        )
    if rule in RULES:
        assert f"# dralint: ignore[{rule.name}]" in page
    if rule.fix:
        assert f"| Fix | {rule.fix.applicability}: {text(rule.fix.title)} |" in page
        shown = page.partition("## Fix\n")[2].partition("\n## ")[0]
        assert "\n@@ " in shown or "in the examples here none is" in shown


def test_text_of_rule_files_is_shown_as_it_is_written() -> None:
    markdown = pytest.importorskip("markdown")
    for rule in RULES:
        for written in (rule.summary, *rule.why.strip().split("\n\n"), *rule.sources):
            shown = markdown.markdown(text(written), extensions=["tables"])
            characters = unescape(re.sub(r"</?(?:p|code)>|\s", "", shown))
            assert characters == re.sub(r"[`\s]", "", written), rule.id


def test_the_index_has_every_rule_under_its_layer(pages: Mapping[str, str]) -> None:
    sections = re.split(r"^## ", pages["rules/index.md"], flags=re.MULTILINE)[1:]
    for section in sections:
        layer = section.partition("\n")[0]
        expected = [rule.id for rule in [*RULES, *OWN] if rule.layer == layer]
        assert re.findall(r"^\| \[(\w+) ", section, re.MULTILINE) == expected
    assert {section.partition("\n")[0] for section in sections} == {rule.layer for rule in [*RULES, *OWN]}


def test_links_lead_to_pages_of_the_site(pages: Mapping[str, str]) -> None:
    for name, page in pages.items():
        if name.endswith(".md"):
            for link in links(page):
                target = os.path.normpath(os.path.join(os.path.dirname(name), urldefrag(link)[0]))
                assert target in pages, f"{name}: {link}"


def test_a_link_that_no_page_stands_for_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no page of the site stands for tools/nothing\.py"):
        relinked("[x](../tools/nothing.py)", "docs/check.md")
    assert relinked("[x](../rules/DRA101.yaml#why)", "docs/check.md") == "[x](rules/DRA101.md#why)"
    assert relinked("```\n[x](../nothing)\n```\n", "docs/check.md") == "```\n[x](../nothing)\n```\n"


def paths(value: Any, path: str = "") -> Iterator[str]:
    """Of a JSON value, the path of each key."""
    if isinstance(value, dict):
        for key, child in value.items():
            place = f"{path}.{key}" if path else key
            yield place
            yield from paths(child, place)
    elif isinstance(value, list):
        for child in value:
            yield from paths(child, f"{path}[]")


def test_the_keys_of_real_outputs_are_explained(pages: Mapping[str, str]) -> None:
    outputs = re.findall(r"^(\{.*?^\})$", GUIDES["json.md"], re.MULTILINE | re.DOTALL)
    assert len(outputs) == 3
    for name, output in zip(("check", "convert", "match"), outputs, strict=True):
        explained = set(re.findall(r"^\| `([^`]+)`", pages[f"schemas/{name}.md"], re.MULTILINE))
        found = set(paths(json.loads(output)))
        assert found <= explained, found - explained


def test_every_kind_of_fact_is_explained(pages: Mapping[str, str]) -> None:
    schema = json.loads((ROOT / "schemas" / "facts.schema.json").read_text(encoding="utf-8"))
    page = pages["schemas/facts.md"]
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == schema["x-kinds"]
    section = page.partition("\n## request\n")[2].partition("\n## ")[0]
    own = schema["$defs"]["request"]["properties"].keys() - {"target", "complete", "object"}
    assert own <= set(re.findall(r"^\| `([^`]+)`", section, re.MULTILINE))


class _References(HTMLParser):
    """What a page refers to, what it loads, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        self.anchors |= {value for key in ("id", "name") if (value := has.get(key))}
        if tag == "a" and has.get("href"):
            self.links.append(str(has["href"]))
        if tag in ("script", "img", "iframe", "link", "source"):
            self.loads += [value for key in ("src", "href") if (value := has.get(key))]


def _opened(path: Path) -> _References:
    references = _References()
    references.feed(path.read_text(encoding="utf-8"))
    return references


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, pages: Mapping[str, str]) -> Path:
    """The site as its generator builds it; skipped where that is not installed, which fails under CI.

    In this process, because it takes the pages of rules that were made for the other tests.
    """
    assert pages
    if find_spec("mkdocs") is None and not os.environ.get("CI"):
        pytest.skip("the site generator is not installed: pip install -e '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")  # those of other people's code
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        patch.chdir(ROOT)
        from mkdocs.commands.build import build
        from mkdocs.config import load_config

        build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    return folder


@pytest.mark.slow
def test_the_site_has_no_dead_links_and_loads_nothing_from_elsewhere(built: Path) -> None:
    found = {path: _opened(path) for path in built.rglob("*.html") if path.name != "404.html"}
    assert len(found) > len(RULES) + len(GUIDES)
    for path, references in found.items():
        assert not [each for each in references.loads if urlsplit(each).netloc], path
        for link in references.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file(), f"{path}: {link}"
            if parts.fragment and target in found:
                assert unquote(parts.fragment) in found[target].anchors, f"{path}: {link}"
    styles = "".join(path.read_text(encoding="utf-8") for path in built.rglob("*.css"))
    assert not re.search(r"url\(['\"]?(?:https?:)?//", styles)
