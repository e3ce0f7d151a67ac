"""Kubernetes' CEL for device selectors: compile an expression, evaluate it on devices.

The one module that other rooms use; what stands behind it is in `dralint.cel.device`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from dralint.cel.device.answers import CompileError, CompileErrors, EvaluationError
from dralint.cel.device.checking import MAX_CODE_POINTS, NotJudged, check
from dralint.cel.device.clauses import clause_ranges
from dralint.cel.device.cost import Cost, estimate
from dralint.cel.device.devices import DeviceError, make_device
from dralint.cel.device.evaluate import Compiler
from dralint.cel.device.lexing import Token, constant_tests
from dralint.cel.device.libraries import Settings
from dralint.cel.device.limits import (
    CHARACTER_STEPS,
    ERROR_STEP,
    MAX_BYTES,
    MAX_COST,
    MAX_STEPS,
    MAX_STEPS_OF_ALL,
    NODE_STEPS,
    Allowance,
)
from dralint.cel.device.origins import Origins
from dralint.cel.device.results import not_bool
from dralint.cel.device.tree import Checked, Node
from dralint.cel.device.values import CelError, LimitReached
from dralint.cel.positions import line_and_column

__all__ = [
    "MAX_BYTES",
    "MAX_COST",
    "MAX_STEPS",
    "MAX_STEPS_OF_ALL",
    "Allowance",
    "Clause",
    "CompileError",
    "CompileErrors",
    "Device",
    "DeviceError",
    "EvaluationError",
    "Program",
    "Settings",
    "compile_selector",
    "line_and_column",
    "make_device",
]

# What `make_device` gives.
Device = Mapping[str, Any]


class _Shared:
    """What a program and its clauses have in common."""

    def __init__(self, expression: str, checked: Checked, allowance: Allowance | None) -> None:
        self.checked = checked
        self.allowance = allowance
        self.origins = Origins(checked, expression)

    @cached_property
    def cost(self) -> Cost:
        return estimate(self.checked)


class _Evaluable:
    """A tree that can be evaluated on devices; closures are made at the first use."""

    def __init__(self, node: Node, shared: _Shared) -> None:
        self._node = node
        self._shared = shared

    @cached_property
    def _compiled(self) -> tuple[Compiler, Any]:
        compiler = Compiler(self._shared.cost.loops)
        return compiler, compiler.compile(self._node)

    def evaluate(self, device: Device, budget: list[int] | None = None) -> bool | EvaluationError:
        """Whether the device matches, or why nothing can be said.

        budget  one number, the steps that may be taken; they are taken from it
        """
        try:
            compiler, run = self._compiled
            value = run(compiler.frame(device, budget or [MAX_STEPS]))
            if value is True or value is False:
                return bool(value)
            raise not_bool(value)
        except CelError as error:
            origin = self._shared.origins.find(error.node, error.key)
            name = error.key if origin.map else None
            return EvaluationError(error.message, *origin, name)
        except LimitReached as error:
            return EvaluationError(str(error), 0, judged=error.certain)
        except RecursionError:
            return EvaluationError("nested too deeply", 0, judged=False)
        except MemoryError:
            return EvaluationError("it takes too much memory", 0, judged=False)

    def evaluate_all(self, devices: Iterable[Device]) -> list[bool | EvaluationError]:
        """The answer for each device; all together are bounded, too, and what is left then is not judged."""
        allowance = self._shared.allowance or Allowance()
        size = self._compiled[0].size
        answers: list[bool | EvaluationError] = []
        for device in devices:
            if allowance.left <= 0:
                answers.append(EvaluationError("all selectors together take too many steps", 0, judged=False))
                continue
            budget = [MAX_STEPS]
            answer = self.evaluate(device, budget)
            answers.append(answer)
            allowance.take(size + MAX_STEPS - budget[0] + (answer not in (True, False)) * ERROR_STEP)
        return answers


class Clause(_Evaluable):
    """A part of a selector between `&&`, with its text and where that starts in the expression."""

    def __init__(self, node: Node, shared: _Shared, text: str, offset: int) -> None:
        super().__init__(node, shared)
        self.text = text
        self.offset = offset


class Program(_Evaluable):
    """A selector that compiles.

    expression  its text
    cost        what Kubernetes estimates; the API server refuses more than MAX_COST, and more than
                MAX_BYTES bytes of text
    """

    def __init__(
        self, expression: str, checked: Checked, tokens: list[Token], allowance: Allowance | None = None
    ) -> None:
        super().__init__(checked.root, _Shared(expression, checked, allowance))
        self.expression = expression
        self._tokens = tokens

    @cached_property
    def cost(self) -> int:
        # `has(device.attributes)` was taken out of the text: it costs 1.
        return self._shared.cost.largest + len(constant_tests(self._tokens))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """What stands between the outermost `&&`; the whole expression where there is none."""
        text = self.expression
        return tuple(
            Clause(node, self._shared, text[start:end], start)
            for node, start, end in clause_ranges(self._shared.checked, self._tokens, len(text))
        )


def compile_selector(
    expression: str, settings: Settings, allowance: Allowance | None = None
) -> Program | CompileErrors:
    """Parse, type-check and validate as the API server of these settings does.

    allowance  of all selectors of a run, from which this one and its evaluations take; None: it has its own
    """
    if allowance is not None:
        if allowance.left <= 0:
            reason = CompileError("all selectors together take too many steps", 0, "limit")
            return CompileErrors((reason,), judged=False)
        allowance.take(CHARACTER_STEPS * min(len(expression), MAX_CODE_POINTS))
    try:
        answer = check(expression, settings)
    except NotJudged as reason:
        return CompileErrors((CompileError(str(reason), 0, "limit"),), judged=False)
    except RecursionError:
        return CompileErrors((CompileError("nested too deeply", 0, "limit"),), judged=False)
    if isinstance(answer, list):
        return CompileErrors(tuple(answer))
    if allowance is not None:
        allowance.take(NODE_STEPS * len(answer[0].positions))
    return Program(expression, *answer, allowance)
