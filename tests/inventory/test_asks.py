"""The selectors of claims: each request's after those of its class, in every API version."""

from __future__ import annotations

from dralint.inventory.asks import Ask, asks_of, class_finder
from dralint.inventory.device import Note
from dralint.kube.bundle import Bundle
from dralint.kube.read import parse
from tests.inventory.inventories import files

TEMPLATE = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t, namespace: ml}
spec:
  spec:
    devices:
      requests:
      - name: gpu
        exactly:
          deviceClassName: gpu.nvidia.com
          selectors:
          - cel: {expression: "one"}
          - cel:
              expression: two
      - name: some
        firstAvailable:
        - name: big
          deviceClassName: mine
          selectors: [{cel: {expression: three}}]
        - name: any
          deviceClassName: mine
"""
CLASS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: mine}
spec:
  selectors: [{cel: {expression: of the class}}]
"""
OLD_CLAIM = """\
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c}
spec:
  devices:
    requests:
    - name: gpu
      deviceClassName: mig.nvidia.com
"""
GPU = 'device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu"'
MIG = GPU.replace('"gpu"', '"mig"')
CHANNEL = (
    'device.driver == "compute-domain.nvidia.com" && '
    'device.attributes["compute-domain.nvidia.com"].type == "channel"'
)


def asked(*texts: str, context: str = "") -> tuple[list[Ask], list[Note]]:
    bundle = Bundle([parse(file) for file in files(*texts)])
    around = Bundle([parse(file) for file in files(context)])
    notes: list[Note] = []
    return list(asks_of(bundle.objects, class_finder(bundle, lambda: around), notes)), notes


def rows(asks: list[Ask]) -> list[tuple[str | None, list[str]]]:
    return [
        (ask.source and ask.source.request, [written.text for written in ask.all_selectors]) for ask in asks
    ]


def test_each_request_is_asked_after_its_class() -> None:
    asks, notes = asked(TEMPLATE, CLASS)
    assert rows(asks) == [
        ("gpu", [GPU, "one", "two"]),
        ("some/big", ["of the class", "three"]),
        ("some/any", ["of the class"]),
        (None, ["of the class"]),
    ]
    assert notes == []


def test_where_an_ask_stands() -> None:
    (first, *_), _ = asked(TEMPLATE, CLASS)
    assert first.source is not None
    assert str(first.source.place) == "0.yaml:12:31"
    assert (first.source.object.kind, first.source.object.namespace, first.source.object.name) == (
        "ResourceClaimTemplate", "ml", "t",
    )  # fmt: skip
    assert [written.node is None for written in first.all_selectors] == [True, False, False]


def test_a_flat_request_without_selectors_is_its_class() -> None:
    asks, _ = asked(OLD_CLAIM)
    assert rows(asks) == [("gpu", [MIG])]
    assert str(asks[0].source and asks[0].source.place) == "0.yaml:7:7"


def test_a_class_of_the_compute_domain_driver() -> None:
    asks, _ = asked(OLD_CLAIM.replace("mig.nvidia.com", "compute-domain-default-channel.nvidia.com"))
    assert rows(asks) == [("gpu", [CHANNEL])]


def test_a_class_of_the_context() -> None:
    asks, notes = asked(TEMPLATE, context=CLASS)
    assert ("some/any", ["of the class"]) in rows(asks)
    assert notes == []


def test_a_class_of_ones_own_replaces_the_drivers() -> None:
    asks, _ = asked(OLD_CLAIM, CLASS.replace("name: mine", "name: mig.nvidia.com"))
    assert rows(asks)[0] == ("gpu", ["of the class"])


def test_a_class_that_nobody_knows_is_noted() -> None:
    asks, notes = asked(TEMPLATE)
    # Without a selector of its own there is nothing to ask.
    assert rows(asks) == [("gpu", [GPU, "one", "two"]), ("some/big", ["three"])]
    what = "DeviceClass mine is not known, so only the request's own selectors count"
    assert [note.what for note in notes] == [what, what]
    assert str(notes[0].place) == "0.yaml:19:42"


def test_what_is_no_expression_asks_for_nothing() -> None:
    text = TEMPLATE.replace("expression: two", "expression: [two]").replace('expression: "one"', "nothing: 1")
    asks, _ = asked(text, CLASS)
    assert rows(asks)[0] == ("gpu", [GPU])


def test_templates_of_charts_and_other_objects_are_passed_over() -> None:
    asks, notes = asked(
        TEMPLATE.replace("name: t,", "name: {{ .Release.Name }},"), "kind: Pod\napiVersion: v1\n"
    )
    assert asks == notes == []
