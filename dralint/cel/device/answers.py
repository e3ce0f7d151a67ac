"""What compiling and evaluating a selector gives when it gives no program and no match."""

from __future__ import annotations

from typing import NamedTuple


class CompileError(NamedTuple):
    """One thing that keeps an expression from compiling.

    message  without a full stop
    offset   where in the expression, in code points from 0
    kind     syntax, undeclared, undefined-field, no-overload, result-type, mixed-literal, literal, format or other
    """

    message: str
    offset: int
    kind: str


class CompileErrors(NamedTuple):
    """Why there is no program.

    errors  what is wrong; one with the reason when not judged
    judged  False: a limit of dralint or its engine was reached, the expression may be right
    """

    errors: tuple[CompileError, ...]
    judged: bool = True


class EvaluationError(NamedTuple):
    """Why a device has no answer; in Kubernetes it ends the scheduling attempt of the pod.

    message    in Kubernetes' words: "no such key: foo"
    offset     where in the expression, in code points from 0
    map        "attributes" or "capacity", when the device lacks an entry of it; else None
    domain     of what is missing, "gpu.nvidia.com"
    name       of what is missing, as the expression asks for it
    judged     False: dralint's own limit was reached
    """

    message: str
    offset: int
    map: str | None = None
    domain: str | None = None
    name: str | None = None
    judged: bool = True

    @property
    def attribute(self) -> str | None:
        """What the device lacks, `gpu.nvidia.com/foo`; None for other errors."""
        return f"{self.domain}/{self.name}" if self.map else None
