"""What --base compares with: the findings that the named files had at the merge base."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from functools import cached_property

from dralint.cli.checker import Checker
from dralint.cli.inputs import STDIN_NAME
from dralint.errors import InputError, UsageError
from dralint.kube.bundle import Bundle, Context, in_order
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.lint.finding import Finding
from dralint.lint.run import Run
from dralint.source.file import SourceFile
from dralint.source.git import git_root
from dralint.source.limits import limits
from dralint.source.prefilter import relevant
from dralint.source.revision import Revision, merge_base


class _Context(Context):
    """The context as it was: what is as now is read from disk, the rest comes from git."""

    def __init__(
        self,
        names: Sequence[str],
        words: Sequence[bytes],
        root: str | None,
        past: Callable[[], list[ParsedFile]],
    ) -> None:
        super().__init__(names, words, root=root)
        self._past = past

    @cached_property
    def bundle(self) -> Bundle:
        return Bundle([*super().bundle.files, *self._past()])


class _Tree:
    """One work tree as it was.

    now  the files that were checked, by their paths in the tree
    """

    def __init__(self, root: str, revision: str, words: Sequence[bytes]) -> None:
        self.revision = Revision(root, merge_base(root, revision))
        self.now: dict[str, ParsedFile] = {}
        self._words = words

    def absolute(self, path: str) -> str:
        return os.path.join(self.revision.root, path)

    def _parsed(self, path: str, name: str, data: bytes) -> ParsedFile | None:
        try:
            return parse(SourceFile(name, self.absolute(path), data), self._words)
        except InputError:
            return None

    @cached_property
    def past(self) -> dict[str, ParsedFile]:
        """The relevant files that are no longer as they were, by the paths they had, named as now."""
        names = {
            then: file.file.name for path, file in self.now.items() if (then := self.revision.path_then(path))
        }
        paths = [
            path
            for path in self.revision.changed
            if path.lower().endswith(limits().suffixes) or path in names
        ]
        found: dict[str, ParsedFile] = {}
        for path, data in self.revision.contents(paths):
            if relevant(data, self._words):
                name = names.get(path) or os.path.relpath(self.absolute(path))
                file = self._parsed(path, name, data)
                if file is not None:
                    found[path] = file
        return found

    def then(self, path: str) -> ParsedFile | None:
        """What a checked file was; None where it was not there or did not matter."""
        if self.revision.is_as_now(path):
            return self.now[path]
        old = self.revision.path_then(path)
        return self.past.get(old) if old is not None else None


def _inside(path: str, named: Sequence[str]) -> bool:
    """Whether a path is one of the named ones or lies in one of them; all are absolute."""
    return any(path == each or path.startswith(os.path.join(each, "")) for each in named)


def _real(path: str) -> str:
    """A path whose directories are no links, as git names it; the last part may be one."""
    directory, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(directory), name)


class Before:
    """The work trees of the named files as they were at the merge bases of a revision and their HEADs.

    Raises UsageError where a file lies in no work tree, and where the revision or its history is missing.
    """

    def __init__(
        self, revision: str, paths: Sequence[str], files: Sequence[ParsedFile], words: Sequence[bytes]
    ) -> None:
        self._words = words
        self._named = [_real(path) for path in paths or (".",)]
        self._trees: dict[str, _Tree] = {}
        for path in self._named:
            self._tree(path if os.path.isdir(path) else os.path.dirname(path), revision)
        for file in files:
            path = _real(str(file.file.path))
            tree = self._tree(os.path.dirname(path), revision)
            tree.now[os.path.relpath(path, tree.revision.root).replace(os.sep, "/")] = file

    def _tree(self, directory: str, revision: str) -> _Tree:
        root = git_root(directory)
        if root is None:
            raise UsageError(
                f"--base: {directory} is in no git work tree",
                advice="leave --base out, or name files in one",
            )
        if root not in self._trees:
            self._trees[root] = _Tree(root, revision, self._words)
        return self._trees[root]

    def _past(self, *, named: bool) -> list[ParsedFile]:
        return [
            file
            for tree in self._trees.values()
            for path, file in tree.past.items()
            if _inside(tree.absolute(path), self._named) == named
        ]

    def _context(self, setting: str | None) -> Context:
        if setting == "none":
            return Context.none()
        names = [file.file.name for tree in self._trees.values() for file in tree.now.values()]
        names += [tree.absolute(path) for tree in self._trees.values() for path in tree.revision.changed]
        names = [name for name in names if name != STDIN_NAME]
        return _Context(names, self._words, setting, lambda: self._past(named=False))

    @cached_property
    def bundle(self) -> Bundle:
        """The named files as they were, under their names of now."""
        files = {id(file): file for file in self._past(named=True)}
        for tree in self._trees.values():
            for path in tree.now:
                then = tree.then(path)
                if then is not None:
                    files[id(then)] = then
        return Bundle(in_order(files.values()))

    def findings(
        self, run: Run, checker: Checker, concerned: Sequence[Finding], context: str | None
    ) -> list[Finding]:
        """What was found then in the files that have findings now; under their names of now."""
        hit = {finding.region.path for finding in concerned}
        files = [
            then
            for tree in self._trees.values()
            for path, file in tree.now.items()
            if file.file.name in hit and (then := tree.then(path)) is not None
        ]
        if not files:
            return []
        past = dataclasses.replace(
            run,
            files=in_order(files),
            bundle=self.bundle,
            context=self._context(context),
            fixes=False,
            past=None,
        )
        return checker.judge(past).findings
