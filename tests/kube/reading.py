"""Manifests to objects, for the tests of this room."""

from __future__ import annotations

from dralint.kube.read import parse
from dralint.source.file import SourceFile


def objects(text, name="a.yaml"):
    return parse(SourceFile(name, None, text.encode())).objects


def first(text):
    return objects(text)[0]
