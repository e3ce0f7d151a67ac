"""Facts of manifests written in a test."""

from __future__ import annotations

import pytest

from dralint.kube.bundle import Bundle, Context
from dralint.kube.read import parse
from dralint.lint.facts import KINDS, subjects
from dralint.lint.run import Run
from dralint.nvidia.target import make_target
from dralint.source.file import SourceFile


class Files(Context):
    """A context of given files."""

    def __init__(self, files):
        super().__init__((), ())
        self.files = files

    @property
    def bundle(self):
        return Bundle(self.files)


def parsed(texts):
    return [parse(SourceFile(f"{number}.yaml", None, text.encode())) for number, text in enumerate(texts)]


@pytest.fixture
def facts():
    """The subjects of a kind in some files, in their order."""

    def found(kind, *texts, context=(), complete=False, **target):
        files = parsed(texts)
        run = Run(files, Bundle(files), Files(parsed(context)), make_target(**target), complete)
        assert kind in KINDS
        return list(subjects(run, frozenset({kind})))

    return found
