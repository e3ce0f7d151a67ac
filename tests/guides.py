"""Follow the guides of docs/ and write down what their commands show.

python tests/guides.py

A reader who does what a guide says must see what it shows. So each guide is followed in a directory of its own, which
holds a copy of examples/: a code block with `title="NAME"` is written to that file, and in a `console` block every line
that begins with `$ ` is run, the rest being what it shows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GUIDES = sorted(ROOT.glob("docs/*.md"))
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


def _environment(home: str) -> dict[str, str]:
    """Of a person at home who has dralint on the path and no settings of git."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GITHUB_", "GIT_", "DRALINT_"))
    }
    return {
        **kept,
        "PATH": os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)]),
        "HOME": home,
        "NO_COLOR": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_PAGER": "cat",
        **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "a reader"),
        **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "reader@example.com"),
        **dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-01-01T00:00:00Z"),
    }


def followed(text: str) -> str:
    """The guide's text with what its commands show now."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "work")
        shutil.copytree(ROOT / "examples", folder / "examples")
        ended = Path(home, "ended")
        environment = _environment(home)
        code, here = 0, str(folder)

        def run(command: str) -> str:
            """One command in the shell that the last one left: `$?` and the directory are as they were."""
            nonlocal code, here
            done = subprocess.run(
                ["bash", "-c", f'trap \'pwd > "$1"\' EXIT; (exit {code})\n{command}', "bash", str(ended)],
                cwd=here, env=environment, text=True, check=False,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            code, here = done.returncode, ended.read_text(encoding="utf-8").rstrip("\n")
            assert "internal error" not in done.stdout, f"{command}\n{done.stdout}"
            return f"$ {command}\n{done.stdout}"

        def block(found: re.Match[str]) -> str:
            language, title, body = found.groups()
            if title:
                path = Path(here, title)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(body, encoding="utf-8")
            if language != "console":
                return found[0]
            commands = re.findall(r"^\$ (.+)$", body, re.MULTILINE)
            return f"```console\n{''.join(map(run, commands))}```"

        return BLOCK.sub(block, text)


if __name__ == "__main__":
    for guide in [Path(name).resolve() for name in sys.argv[1:]] or GUIDES:
        guide.write_text(followed(guide.read_text(encoding="utf-8")), encoding="utf-8")
