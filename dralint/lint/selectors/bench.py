"""What all selectors of a run share: compiled expressions, DeviceClasses, the devices to judge on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

from dralint.cel.anatomy import Anatomy, anatomy
from dralint.cel.device.answers import CompileError, CompileErrors
from dralint.cel.device.libraries import Settings
from dralint.cel.device.limits import Allowance
from dralint.errors import UsageError
from dralint.inventory.catalogue import catalogue, unshown_slices
from dralint.inventory.device import Device, Inventory
from dralint.inventory.engine import compiler, selector_settings
from dralint.inventory.judge import Program
from dralint.kube.dra import CLASS, claim_spec
from dralint.kube.objects import KubeObject
from dralint.lint.facts.placeholders import may_become, templated
from dralint.lint.run import Run
from dralint.lint.selectors.evaluation import Doubt, Outcome, Rows
from dralint.nvidia.classes import device_classes
from dralint.nvidia.published import gpu_driver_name
from dralint.nvidia.vocabulary import Published, gated_names, published

# Of all selectors of a run together: what a hostile pull request may cost, besides the allowance of steps.
_MOST_SELECTORS, _MOST_GUESSES = 600, 200


class Stock(NamedTuple):
    """The devices that selectors are judged on.

    given    somebody said what the cluster has; else it is the catalogue of known cards
    certain  and there is nothing else
    """

    inventory: Inventory
    given: bool
    certain: bool


class Class(NamedTuple):
    """A DeviceClass as far as it is known; selectors: None where nothing says them; own: NVIDIA's driver installs it."""

    selectors: tuple[str, ...] | None
    own: bool


UNKNOWN_CLASS = Class(None, own=False)
_TOO_MANY = CompileErrors(
    (
        CompileError(
            f"there are more than {_MOST_SELECTORS:,} different selectors, or they take too long", 0, "limit"
        ),
    ),
    judged=False,
)


class Bench:
    """Made once for a run; what it has worked out it keeps.

    allowance  of steps, for all selectors together
    told       what checks have found, by what it depends on
    """

    def __init__(self, run: Run) -> None:
        self.target = run.target
        self._bundle, self._context = run.bundle, run.context
        self._inventory = run.inventory
        self.allowance = Allowance()
        self._compile = compiler(run.engine, run.target, self.allowance)
        self._compiled: dict[str, Program | CompileErrors] = {}
        self._anatomies: dict[str, Anatomy | None] = {}
        self._classes: dict[str, Class] = {}
        self._unshown: Stock | None = None
        self._stocks: dict[tuple[str, str | None, int], Stock] = {}
        self._rows: dict[tuple[tuple[str, ...], int], Rows | None] = {}
        self._published: dict[str, list[Published]] = {}
        self._guesses = _MOST_GUESSES
        self.told: dict[object, Any] = {}

    @cached_property
    def settings(self) -> Settings:
        """The CEL of the target."""
        return selector_settings(self.target)

    @cached_property
    def _gated(self) -> frozenset[str]:
        return gated_names(self.target)

    @property
    def exhausted(self) -> bool:
        """Whether the selectors of the run take too long together: those that are new are no longer judged."""
        return self.allowance.left <= 0 or len(self._compiled) > _MOST_SELECTORS

    def compiled(self, text: str) -> Program | CompileErrors:
        """A selector's program, or why there is none."""
        if text not in self._compiled:
            if self.exhausted:
                return _TOO_MANY
            self._compiled[text] = self._compile(text)
        return self._compiled[text]

    def anatomy(self, text: str) -> Anatomy | None:
        """What a selector reads; None where it does not parse or nothing can parse it here."""
        if text not in self._compiled:
            return None  # too many
        if text not in self._anatomies:
            try:
                self._anatomies[text] = anatomy(text, self.settings)
            except UsageError:
                # cel-expr-python has no wheel for every platform.
                self._anatomies[text] = None
        return self._anatomies[text]

    def may_guess(self, times: int = 1) -> bool:
        """Whether there is time to look for what a wrong name was meant to be; times: how long that takes."""
        self._guesses -= times
        return self._guesses >= 0

    def published(self, device_type: str) -> list[Published]:
        """What a device of a type has at the target."""
        if device_type not in self._published:
            self._published[device_type] = published(device_type, self.target)
        return self._published[device_type]

    def device_class(self, name: str | None, user: KubeObject) -> Class:
        """The class of that name: among the named files, NVIDIA's own, or in the context."""
        if name is None or templated(name):
            return UNKNOWN_CLASS
        if name not in self._classes:
            self._classes[name] = self._found_class(name, user)
        return self._classes[name]

    def _found_class(self, name: str, user: KubeObject) -> Class:
        selectors = _selectors(self._bundle.find(CLASS, None, name))
        known = device_classes().get(name)
        if selectors is None and known is not None:
            text = f'device.driver == "{known.driver}" && device.attributes["{known.driver}"].type == "{known.type}"'
            return Class((text,), own=True)
        if selectors is None and not user.template:
            selectors = _selectors(self._context.bundle.find(CLASS, None, name))
        return Class(selectors, own=False)

    def defines_class(self, name: str) -> bool:
        """Whether some object among the files or in the context is, or may become, a class of that name."""
        for bundle in (self._bundle, self._context.bundle):
            if bundle.find(CLASS, None, name):
                return True
            names = (obj.ref.name for obj in bundle.objects if obj.ref.kind == CLASS)
            if any(each and templated(each) and may_become(each, name) for each in names):
                return True
        return False

    @property
    def files_read(self) -> int:
        """How many files `defines_class` looks into."""
        return len(self._bundle.files) + self._context.files_read

    def stock(self, driver: str | None, device_type: str | None, user: KubeObject) -> Stock:
        """The devices for an object's selectors.

        driver       whose devices, None: that of GPUs; an inventory without any says nothing about it
        device_type  the class hands out only these
        """
        wanted, given = driver or gpu_driver_name(), self._inventory(user.file)
        key = wanted, device_type, id(given)
        if key not in self._stocks:
            self._stocks[key] = self._made_stock(wanted, device_type, given)
        return self._stocks[key]

    def _made_stock(self, driver: str, device_type: str | None, given: Inventory | None) -> Stock:
        if given is not None and any(device.driver == driver for device in given.devices):
            doubt = any(device.unknown or device.doubt for device in given.devices)
            return Stock(given, given=True, certain=not given.notes and not doubt)
        of_gpus = driver == gpu_driver_name()
        found = catalogue(self.target, domains=not of_gpus, only=device_type if of_gpus else None)
        return Stock(found, given=False, certain=False)

    def rows(self, class_selectors: Sequence[str], stock: Stock) -> Rows | None:
        """The looks at devices that a class lets through; None where one of its selectors does not compile."""
        key = tuple(class_selectors), id(stock.inventory)
        if key not in self._rows:
            found = self._judged(class_selectors, Rows.of(stock.inventory))
            self._rows[key] = found.let_through() if found else None
        return self._rows[key]

    def outcome(
        self, class_selectors: Sequence[str], selectors: Sequence[str], stock: Stock
    ) -> Outcome | None:
        """What selectors make of the devices of a class; None where one of them does not compile."""
        rows = self.rows(class_selectors, stock)
        return None if rows is None else self._judged(selectors, rows)

    def unshown(self, class_selectors: Sequence[str], selectors: Sequence[str]) -> list[Device]:
        """The slices of nobody-knows-which profile that selectors may let through, see `unshown_slices`."""
        if self._unshown is None:
            self._unshown = Stock(unshown_slices(self.target), given=False, certain=False)
        found = self.outcome(class_selectors, selectors, self._unshown)
        return found.let_through().devices if found else []

    def _judged(self, texts: Sequence[str], rows: Rows) -> Outcome | None:
        programs: list[Program] = []
        for text in texts:
            found = self.compiled(text)
            if isinstance(found, CompileErrors):
                return None
            programs.append(found)
        return Outcome(rows, programs, [Doubt(self._gated, self._wide(text)) for text in texts])

    def _wide(self, text: str) -> list[int]:
        """Where a selector looks at a map of attributes as a whole; one that is compared is never equal."""
        found = self.anatomy(text)
        if found is None:
            return []
        compared = {each.read.range for each in found.comparisons if not each.through}
        return [
            read.range[0]
            for read in found.reads
            if read.map in ("attributes", "capacity")
            and len(read.keys) < 2
            and read.used
            and read.range not in compared
        ]


def _selectors(objects: Sequence[KubeObject]) -> tuple[str, ...] | None:
    for obj in objects:
        spec = claim_spec(obj)
        if spec is not None and not obj.template:
            return tuple(each.expression for each in spec.selectors if each.expression is not None)
    return None


_KEY = "selectors"


def bench(run: Run) -> Bench:
    """The bench of a run."""
    if _KEY not in run.shared:
        run.shared[_KEY] = Bench(run)
    found: Bench = run.shared[_KEY]
    return found
