"""Which of several named things of the cluster the nodes have that a pod lets in."""

from __future__ import annotations

from collections.abc import Iterable

from dralint.convert.translate.demands import Constraints, Demand
from dralint.convert.translate.read import constraints_of
from dralint.convert.translate.values import CUT, product
from dralint.kube.places import PodSpec
from dralint.nvidia.node_labels import Device
from dralint.nvidia.plugin_config import as_strategy

PRODUCT = "nvidia.com/gpu.product"
STRATEGY = "nvidia.com/mig.strategy"
CAPABLE = "nvidia.com/mig.capable"
SHARING = "nvidia.com/gpu.sharing-strategy"
REPLICAS = "nvidia.com/gpu.replicas"
# The labels that tell whether the cards of a node are cut, and whether they are shared.
TELLING = (PRODUCT, STRATEGY, CAPABLE, SHARING, REPLICAS)
# What the product label ends in where cards are shared under their plain name.
_SHARED = "-SHARED"


def _lets_in(demand: Demand, value: str) -> bool:
    """Whether a node whose label has the value may meet the demand."""
    if demand.operator == "In":
        return value in demand.values
    return value not in demand.values if demand.operator == "NotIn" else True


def _among(constraints: Constraints, key: str) -> list[list[Demand]]:
    """The demands on a label: a node must meet all of one of the lists."""
    always = [each for each in constraints.selector if each.key == key]
    terms = constraints.terms or ()
    return [[*always, *(each for each in term.demands if each.key == key)] for term in terms] or [always]


class Choosing:
    """What a pod demands of its node's labels; preferences are no demands."""

    def __init__(self, pod: PodSpec | None) -> None:
        """pod: None for a request in no pod, which demands nothing that is known."""
        self._constraints = constraints_of(pod) if pod is not None else Constraints()
        self._file = pod.object.file if pod is not None else None

    def demands(self, labels: Iterable[str]) -> bool:
        """Whether the pod demands something of one of these labels of its node."""
        return any(group for label in labels for group in _among(self._constraints, label))

    def allows(self, label: str, value: str) -> bool:
        """Whether a node may be the pod's whose label has the value."""
        return any(all(_lets_in(each, value) for each in group) for group in _among(self._constraints, label))

    def named(self, label: str) -> list[str] | None:
        """The only values that the label of the pod's node may have; None where it may have others, or none."""
        found: dict[str, None] = {}
        for group in _among(self._constraints, label):
            ins = [each for each in group if each.operator == "In"]
            if not ins:
                return None
            allowed = set(ins[0].values).intersection(*(each.values for each in ins[1:]))
            allowed.difference_update(*(each.values for each in group if each.operator == "NotIn"))
            found.update(dict.fromkeys(value for value in ins[0].values if value in allowed))
        return [*found]

    def where(self, label: str) -> str:
        """The line of the pod's first demand on the label, in words; "" where it has none."""
        for group in _among(self._constraints, label):
            for each in group:
                return f"line {self._file.place(each.at).line}" if self._file is not None else ""
        return ""

    def sliced(self) -> list[str] | None:
        """The profiles of the slices that are all that `nvidia.com/gpu` can be on the pod's node; None: not told.

        Only nodes of MIG strategy single have a product label that ends in a profile.
        """
        names = self.named(PRODUCT)
        if not names:
            return None
        products = [product(name, Device("slice"), of_slices=True) for name in names]
        profiles = [each.profile for each in products if each is not None and each.profile is not None]
        return [*dict.fromkeys(profiles)] if len(profiles) == len(names) else None

    @property
    def single(self) -> bool:
        """The pod's own selectors say that the MIG strategy is single."""
        names = self.named(STRATEGY)
        return names is not None and [as_strategy(name) for name in names] == ["single"]

    def uncut(self) -> str | None:
        """The label by which the pod selects only nodes where `nvidia.com/gpu` is a whole card; None: by none.

        On a node of MIG strategy single whose cards are cut, the product label says so, whatever the profile.
        """
        products = self.named(PRODUCT)
        if products and not any(CUT in each for each in products):
            return PRODUCT
        strategies = self.named(STRATEGY)
        if strategies and not any(as_strategy(each) in ("single", None) for each in strategies):
            return STRATEGY
        return CAPABLE if self.named(CAPABLE) == ["false"] else None

    def unshared(self) -> str | None:
        """The label by which the pod selects only nodes that do not share `nvidia.com/gpu`; None: by none."""
        products = self.named(PRODUCT)
        if products and not any(each.endswith(_SHARED) for each in products):
            return PRODUCT
        if self.named(SHARING) == ["none"]:
            return SHARING
        return REPLICAS if self.named(REPLICAS) == ["1"] else None
