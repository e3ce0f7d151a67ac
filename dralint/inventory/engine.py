"""The CEL engine that judges selectors: Kubernetes' dialect, or cel-python where it is asked for."""

from __future__ import annotations

from collections.abc import Callable

from dralint.cel.device.answers import CompileErrors
from dralint.cel.device.libraries import Settings
from dralint.cel.device.limits import Allowance
from dralint.cel.engines import NAMES, NATIVE, PORTABLE
from dralint.errors import UsageError
from dralint.inventory.judge import Program
from dralint.nvidia.target import Target

Compile = Callable[[str], Program | CompileErrors]


def selector_settings(target: Target) -> Settings:
    """The CEL that the target's API server takes in new objects."""
    return Settings(
        target.kubernetes.minor,
        consumable_capacity=bool(target.kubernetes_gate("DRAConsumableCapacity")),
        list_type_attributes=bool(target.kubernetes_gate("DRAListTypeAttributes")),
    )


def _native(target: Target, allowance: Allowance) -> Compile:
    # An absent package shows here: the dialect itself imports it with the first expression.
    import cel_expr_python  # type: ignore[import-untyped]  # noqa: F401

    from dralint.cel.dialect import compile_selector

    settings = selector_settings(target)
    return lambda expression: compile_selector(expression, settings, allowance)


def _portable(allowance: Allowance) -> Compile:
    from dralint.cel.celpy_engine import compile_selector

    return lambda expression: compile_selector(expression, allowance)


def compiler(engine: str | None, target: Target, allowance: Allowance | None = None) -> Compile:
    """What compiles selectors for a target.

    allowance  what all that it compiles may take together
    engine  None: cel-expr-python, or cel-python where that has no wheel (musl), which finds fewer mistakes

    Raises UsageError for an engine that does not exist or is not installed.
    """
    if engine is not None and engine not in NAMES:
        raise UsageError(f"unknown CEL engine {engine!r}", advice=f"one of {', '.join(NAMES)}")
    steps = allowance or Allowance()
    for name in (engine,) if engine else NAMES:
        try:
            return _native(target, steps) if name == NATIVE else _portable(steps)
        except ImportError:
            continue
    missing = engine or f"{NATIVE} or {PORTABLE}"
    raise UsageError(f"the CEL engine {missing} is not installed", advice=f"pip install {engine or NATIVE}")
