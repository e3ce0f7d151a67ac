"""Print the commands of README.md under one heading: `python3 .ci/readme.py "Try it"`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"


def block(heading: str, text: str) -> str:
    """The only fenced block between a heading of level two and the next; raises SystemExit."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if section is None:
        sys.exit(f"README.md has no heading {heading!r}")
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```$", section[1], re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        sys.exit(f"README.md has {len(blocks)} fenced blocks under {heading!r}, not one")
    return str(blocks[0])


if __name__ == "__main__":
    sys.stdout.write(block(sys.argv[1], README.read_text(encoding="utf-8")))
