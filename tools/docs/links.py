"""Links between pages: in the repository they lead to files, in the site to the pages made from those."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable

# A pattern of paths in the repository, and the page of the site that stands for them.
_PAGES = (
    (r"docs/(.+\.md)", r"\1"),
    (r"rules/(DRA\d+)\.yaml", r"rules/\1.md"),
    (r"rules(?:/README\.md)?", "rules/index.md"),
    (r"schemas/([\w-]+)\.schema\.json", r"schemas/\1.md"),
    (r"examples(?:/README\.md)?", "examples/index.md"),
    (r"examples/([\w-]+)(?:/.*)?", r"examples/\1.md"),
    (r"CHANGELOG\.md", "changes.md"),
    (r"CONTRIBUTING\.md", "contributing.md"),
)
_FENCED = re.compile(
    r"^(?P<indent> *)(?P<fence>`{3,}).*?^(?P=indent)(?P=fence)`*$\n?", re.MULTILINE | re.DOTALL
)
_LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s]+)(?=\))")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|#")


def prose(text: str, change: Callable[[str], str]) -> str:
    """The text with all that stands outside of code blocks changed."""
    parts, end = [], 0
    for block in _FENCED.finditer(text):
        parts += [change(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join([*parts, change(text[end:])])


def links(text: str) -> list[str]:
    """The targets of a page's links that lead to other pages."""
    found: list[str] = []

    def gather(part: str) -> str:
        found.extend(match["target"] for match in _LINK.finditer(part))
        return part

    prose(text, gather)
    return [target for target in found if not _ELSEWHERE.match(target)]


def page_of(path: str) -> str:
    """The page that stands for a file of the repository; raises ValueError where there is none."""
    for pattern, page in _PAGES:
        found = re.fullmatch(pattern, path)
        if found:
            return found.expand(page)
    raise ValueError(f"no page of the site stands for {path}: see {__name__}")


def relinked(text: str, path: str) -> str:
    """The text of the file at `path` of the repository, with its links as the site needs them."""
    here, folder = page_of(path), posixpath.dirname(path)

    def lead(link: re.Match[str]) -> str:
        target, mark, anchor = link["target"].partition("#")
        if _ELSEWHERE.match(link["target"]):
            return link["target"]
        page = page_of(posixpath.normpath(posixpath.join(folder, target)))
        return posixpath.relpath(page, posixpath.dirname(here) or ".") + mark + anchor

    return prose(text, lambda part: _LINK.sub(lead, part))
