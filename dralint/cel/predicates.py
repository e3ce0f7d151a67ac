"""Rule predicates: all of one kind of subject compiled together and evaluated in one call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dralint.cel.engines import CelFailure, Program, Session, session
from dralint.cel.values import MAX_LIST, clean
from dralint.yamltext.view import Plain

_COMMENT = re.compile(r"//[^\n]*")
_BUILDS_LISTS = re.compile(r"\.\s*(?:map|filter)\s*\(")


class PredicateError(NamedTuple):
    """Why a predicate has no answer.

    what    a sentence without a full stop
    line    in the predicate's text, from 1, for one that does not compile; column: in code points
    limit   a limit was reached: the predicate is not judged, which is no mistake of its author
    """

    what: str
    line: int | None = None
    column: int | None = None
    limit: bool = False


def _error(failure: CelFailure) -> PredicateError:
    return PredicateError(failure.what, failure.line, failure.column, failure.limit)


def _answer(value: Plain) -> bool | PredicateError:
    if isinstance(value, bool):
        return value
    shown = "null" if value is None else f"a {type(value).__name__}"
    return PredicateError(f"it gives {shown}, not true or false")


class Predicates:
    """Predicates over the same variables; none can keep another from its answer.

    variables    names that the expressions may use, of any type
    expressions  CEL by name
    engine       one of `engines.NAMES`; raises UsageError when it is not installed
    """

    def __init__(
        self, variables: Sequence[str], expressions: Mapping[str, str], engine: str | None = None
    ) -> None:
        self._session: Session = session(engine, variables)
        self._variables = tuple(variables)
        self._expressions = dict(expressions)
        # An empty one would vanish from the list that holds all, and shift the others.
        self._broken = {
            name: PredicateError("it is empty", 1, 1)
            for name, text in expressions.items()
            if not _COMMENT.sub("", text).strip()
        }
        self._single: dict[str, Program] = {}
        self._together: Program | None = None
        self._names = [name for name in expressions if name not in self._broken]
        self._build_lists = {name for name, text in expressions.items() if _BUILDS_LISTS.search(text)}
        self._compile()

    def _joined(self) -> Program | None:
        # The line break ends a comment at the end of an expression.
        text = ",".join(f"{self._expressions[name]}\n" for name in self._names)
        return self._session.compile(f"[{text}]") if self._names else None

    def _compile(self) -> None:
        try:
            self._together = self._joined()
        except CelFailure:
            self._names = [name for name in self._names if self._program(name) is not None]
            try:
                self._together = self._joined()
            except CelFailure:
                # Each compiles, the whole does not (over the engine's size limit): they run singly.
                self._together = None

    def _program(self, name: str) -> Program | None:
        """One expression compiled alone, or None when it is broken."""
        if name in self._broken:
            return None
        if name not in self._single:
            try:
                self._single[name] = self._session.compile(self._expressions[name])
            except CelFailure as failure:
                self._broken[name] = _error(failure)
                return None
        return self._single[name]

    def evaluate(self, values: Mapping[str, Plain]) -> Mapping[str, bool | PredicateError]:
        """The answer of every predicate by its name; a variable without a value is null."""
        values = {name: values.get(name) for name in self._variables}
        try:
            cleaned, longest = clean(values)
            bound = self._session.bind(cleaned)
        except CelFailure as failure:
            return dict.fromkeys(self._expressions, _error(failure))
        long = longest > MAX_LIST and bool(self._build_lists)
        answers = None if long or self._together is None else self._all_at_once(self._together, bound)
        if answers is None:
            answers = {name: self._alone(name, bound, long) for name in self._names}
        return {**answers, **self._broken}

    def _all_at_once(self, together: Program, bound: object) -> dict[str, bool | PredicateError] | None:
        try:
            results = together.evaluate(bound)
        except CelFailure:
            return None
        # More results than names: an expression such as `true, false` hides in the list.
        if not isinstance(results, list) or len(results) != len(self._names):
            return None
        return {name: _answer(value) for name, value in zip(self._names, results, strict=True)}

    def _alone(self, name: str, bound: object, long: bool) -> bool | PredicateError:
        if long and name in self._build_lists:
            return PredicateError(f"its facts hold a list of more than {MAX_LIST:,} items", limit=True)
        program = self._program(name)
        if program is None:
            return self._broken[name]
        try:
            return _answer(program.evaluate(bound))
        except CelFailure as failure:
            return _error(failure)
