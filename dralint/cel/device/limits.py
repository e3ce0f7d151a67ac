"""The bounds that keep an expression from hanging or filling the memory, whatever it says.

Kubernetes bounds text and cost; cost alone is not enough, because Go's lists share what ours copy.
"""

from __future__ import annotations

from typing import Any

from dralint.cel.device.values import LimitReached

# resource.k8s.io/v1 types.go: CELSelectorExpressionMaxLength, CELSelectorExpressionMaxCost.
MAX_BYTES = 10 * 1024
MAX_COST = 1_000_000

# Ours. A loop step costs Kubernetes at least 3, or what the estimate knows as the least; what else is counted
# costs it not less than here. So this is never reached before its own limit of the same size.
MAX_STEPS = MAX_COST
LOOP_STEP = 3
# An error that a loop swallows takes Python much longer than a value.
ERROR_STEP = 15
MAX_STEPS_OF_ALL = 8 * MAX_STEPS
# What compiling takes, in steps: for each character of the text, and each node of the tree.
CHARACTER_STEPS, NODE_STEPS = 4, 100
MAX_SIZE = 1_000_000
MAX_PATTERN = 5_000

Budget = list[int]
"""One number: how many steps an evaluation may still take."""


class Allowance:
    """How many steps the selectors of a run may take together: compiling, and every evaluation.

    Thousands of selectors, or of devices, are bounded by it where each alone is within its own limits.
    """

    def __init__(self, steps: int = MAX_STEPS_OF_ALL) -> None:
        self.left = steps

    def take(self, steps: int) -> None:
        """Steps that were taken; there may be fewer left than none."""
        self.left -= steps


def spend(budget: Budget, steps: int) -> None:
    """Takes steps that cost Kubernetes at least as much; raises LimitReached when there are none left."""
    budget[0] -= steps
    if budget[0] < 0:
        raise LimitReached("actual cost limit exceeded", certain=True)


def spend_ours(budget: Budget, steps: int) -> None:
    """Takes steps for work or memory that Kubernetes does not count, or not so much."""
    budget[0] -= steps
    if budget[0] < 0:
        raise LimitReached("it takes too many steps")


def bounded(value: Any) -> Any:
    """A text or list that was made by the expression; raises LimitReached when it is too large."""
    if len(value) > MAX_SIZE:
        raise LimitReached(f"a value of more than {MAX_SIZE:,} elements")
    return value


def room_for(size: int) -> None:
    """Raises LimitReached before something of this size is made."""
    if size > MAX_SIZE:
        raise LimitReached(f"a value of more than {MAX_SIZE:,} elements")
