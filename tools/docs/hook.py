"""MkDocs calls this: the pages that are made when the site is built join those of docs/."""

from __future__ import annotations

import sys
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # MkDocs knows only this file

from tools.docs.site import generated, guides, rule_menu


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the rules into the navigation."""
    for entry in config.nav or ():
        if "Rules" in entry:
            entry["Rules"] = [*entry["Rules"], *rule_menu()]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take the guides with their links as the site needs them, and the pages that are made."""
    for page in (*guides(), *generated()):
        if page.path in files.src_uris:
            files.remove(files.src_uris[page.path])
        files.append(File.generated(config, page.path, content=page.text))
    return files
