"""What a request, an alternative of one, or a DeviceClass selects: its selectors with those of its class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from dralint.cel.anatomy import Anatomy, Comparison, Read
from dralint.cel.device.answers import CompileErrors
from dralint.cel.device.limits import MAX_BYTES
from dralint.inventory.judge import Program
from dralint.kube.devices import Ask, Selector
from dralint.kube.dra import CLASS, TEMPLATE, ClaimSpec
from dralint.kube.objects import KubeObject
from dralint.kube.selections import Part, Selection, selections
from dralint.lint.facts.parts import LOOKED_AT, looked_at
from dralint.lint.run import Run
from dralint.lint.selectors.bench import Bench, Class, Stock, bench
from dralint.lint.selectors.evaluation import Outcome
from dralint.lint.views import ancestors, spec_of
from dralint.nvidia.classes import DeviceType, Selected, selected
from dralint.nvidia.vocabulary import domains, drivers, meant
from dralint.yamltext.node import SCALAR, Node
from dralint.yamltext.view import Path

# Objects come one after the other.
_OBJECTS = 4
_FILLED_IN_LATER = ("{{", "${", "$(")
# A literal that a person fills in: '<product name>'.
_PLACEHOLDER = re.compile(r"""(["'])<[^<>"']*>\1""")


def is_final(text: str) -> bool:
    """Whether a selector is looked at: neither with placeholders (`<` is an operator of CEL) nor too long.

    The API server refuses the long ones without compiling them: limit-exceeded.
    """
    if any(mark in text for mark in _FILLED_IN_LATER) or _PLACEHOLDER.search(text):
        return False
    return len(text.encode(errors="surrogatepass")) <= MAX_BYTES


class Written(NamedTuple):
    """A selector of the ask itself; path and node: of its expression.

    parts  what the file has in fields of its own, for an expression that does not stand there
    """

    path: Path
    node: Node
    text: str
    program: Program | CompileErrors
    anatomy: Anatomy | None
    parts: Sequence[Part] = ()

    @property
    def comparisons(self) -> Sequence[Comparison]:
        """What it compares, as far as that can be told."""
        return self.anatomy.comparisons if self.anatomy else ()

    @property
    def reads(self) -> Sequence[Read]:
        """What it reads, as far as that can be told."""
        return self.anatomy.reads if self.anatomy else ()


@dataclass(eq=False)
class View:
    """One ask, or one class.

    what       a request, an alternative of `firstAvailable`, or a class
    path       of the fields of the ask, or of the class's spec
    selectors  its own, in order; those with placeholders, and what is no expression, are left out
    partial    there are such
    of_class   the class that it names
    template   it stands in a ResourceClaimTemplate
    """

    object: KubeObject
    what: Literal["request", "alternative", "class"]
    path: Path
    ask: Ask | None
    template: bool
    of_class: Class
    selectors: list[Written]
    partial: bool
    bench: Bench

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """All that decides what is found of it."""
        name = self.ask.device_class if self.ask else None
        stock = id(self.stock.inventory)
        return self.what, name, self.of_class, self.template, self.texts, self.partial, stock

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Its own selectors."""
        return tuple(each.text for each in self.selectors)

    @cached_property
    def by_class(self) -> Selected:
        """What the class demands."""
        return selected(self.of_class.selectors or ())

    @cached_property
    def driver(self) -> str | None:
        """NVIDIA's driver whose devices it selects; None: somebody else's, or it cannot be told."""
        if self.by_class.driver is not None:
            return self.by_class.driver if self.by_class.driver in drivers() else None
        own = selected(self.texts).driver
        if own is not None:
            return own if own in drivers() else meant("domains", own)
        read = [each.domain for selector in self.selectors for each in selector.reads if each.domain]
        for domain in read:
            if domain in drivers():
                return domain
        wrong = [found for domain in read if domain not in domains() and (found := meant("domains", domain))]
        return wrong[0] if wrong else None

    @cached_property
    def class_type(self) -> DeviceType | None:
        """The type of NVIDIA's devices that the class hands out, where it hands out one."""
        return self.by_class.type if self.driver else None

    @cached_property
    def type(self) -> DeviceType | None:
        """The same, or what its own selectors demand."""
        return self.class_type or (selected(self.texts).type if self.driver else None)

    @cached_property
    def stock(self) -> Stock:
        """The devices to judge on."""
        return self.bench.stock(self.driver, self.class_type, self.object)

    @property
    def class_known(self) -> bool:
        """Whether everything that must hold for a device is known."""
        return self.what == "class" or self.of_class.selectors is not None

    @cached_property
    def compiles(self) -> bool:
        """Whether all of its own selectors do."""
        return not any(isinstance(each.program, CompileErrors) for each in self.selectors)

    @cached_property
    def outcome(self) -> Outcome | None:
        """What its selectors make of the devices of its class; None where that cannot be told.

        Devices of other drivers are not known, so that only NVIDIA's are judged.
        """
        if self.driver is None or not self.compiles or not self._in_stock:
            return None
        return self.bench.outcome(self.of_class.selectors or (), self.texts, self.stock)

    @cached_property
    def _in_stock(self) -> bool:
        """Whether the catalogue has devices of the type at all; what a gate brings, nobody may have told about."""
        if self.stock.given or self.type is None:
            return True
        return any(
            device.attributes.get("type") == {"string": self.type} for device in self.stock.inventory.devices
        )

    @cached_property
    def class_is_empty(self) -> bool:
        """Whether the class alone, or a mistake in it, keeps all devices out."""
        rows = self.bench.rows(self.of_class.selectors or (), self.stock)
        return rows is None or not rows.indexes


def _written(selector: Selector, work: Bench) -> Written | None:
    text = selector.expression
    if text is None or selector.node.kind != SCALAR:
        return None
    return Written(selector.path, selector.node, text, work.compiled(text), work.anatomy(text))


def _selected_view(obj: KubeObject, selection: Selection, work: Bench) -> View:
    """Of a selection that stands elsewhere than in a claim; without a class it is of all devices."""
    ask = selection.ask
    final = [each for each in ask.selectors if each.expression is not None and is_final(each.expression)]
    found = [written for each in final if (written := _written(each, work)) is not None]
    in_fields = [each for each in selection.in_fields if is_final(each.expression)]
    found += [
        Written(
            each.path,
            each.node,
            each.expression,
            work.compiled(each.expression),
            work.anatomy(each.expression),
            each.parts,
        )
        for each in in_fields
    ]
    name = ask.device_class
    of_class = work.device_class(name, obj) if name is not None else Class((), own=False)
    partial = len(found) < len(ask.selectors) + len(selection.in_fields)
    return View(obj, "request", ask.path, ask, False, of_class, found, partial, work)


def _view(
    spec: ClaimSpec, ask: Ask | None, what: Literal["request", "alternative", "class"], work: Bench
) -> View:
    given = spec.selectors if ask is None else ask.selectors
    read = given[:LOOKED_AT]
    final = [each for each in read if each.expression is None or is_final(each.expression)]
    found = [written for each in final if (written := _written(each, work)) is not None]
    of_class = Class((), own=False) if ask is None else work.device_class(ask.device_class, spec.object)
    path = spec.path if ask is None else ask.path
    template = spec.object.ref.kind == TEMPLATE
    return View(spec.object, what, path, ask, template, of_class, found, len(found) < len(given), work)


@lru_cache(maxsize=_OBJECTS)
def _views(obj: KubeObject, work: Bench) -> tuple[View, ...]:
    spec = spec_of(obj)
    if spec is None:
        found = selections(obj, work.target.kubernetes)
        return tuple(_selected_view(obj, each, work) for each in found)
    if obj.ref.kind == CLASS:
        return (_view(spec, None, "class", work),)
    return tuple(
        _view(spec, ask, "request" if ask is request.ask else "alternative", work)
        for request in looked_at(spec)
        for ask in request.asks[:LOOKED_AT]
    )


def views(obj: KubeObject, run: Run) -> tuple[View, ...]:
    """The asks of a claim or template in their order, the one of a class, and what other objects select."""
    return _views(obj, bench(run))


@lru_cache(maxsize=_OBJECTS)
def _by_path(obj: KubeObject, work: Bench) -> Mapping[Path, View]:
    return {view.path: view for view in _views(obj, work)}


@lru_cache(maxsize=_OBJECTS)
def view_at(obj: KubeObject, path: Path, work: Bench) -> View | None:
    """The ask or class that a path leads to, or into."""
    by_path = _by_path(obj, work)
    return next((by_path[above] for above in ancestors(path) if above in by_path), None)
