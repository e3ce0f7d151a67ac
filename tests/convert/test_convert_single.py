"""MIG strategy single: nvidia.com/gpu is a MIG device, where one profile is all that it can be."""

from __future__ import annotations

import pytest

from dralint.nvidia.target import make_target
from tests.convert.clusters import PLAIN, SINGLE, cluster, config, config_map, layouts
from tests.convert.test_convert_sharing import documents, only, pod

ONE = layouts(all_1g_10gb={"1g.10gb": 7}).replace("all-1g-10gb", "all-1g.10gb")
SEVERAL = layouts(disabled=None, small={"1g.10gb": 7}, large={"3g.40gb": 2})
NODES = "apiVersion: v1\nkind: Node\nmetadata: {name: %s, labels: {nvidia.com/mig.config: %s}}\n"
SELECTS = "  nodeSelector: {nvidia.com/mig.config: %s}\n"


def converted_profile(result):
    request = documents(result.text)[0]["spec"]["spec"]["devices"]["requests"][0]["exactly"]
    assert request["deviceClassName"] == "mig.nvidia.com"
    return only(result).claim.profile


def test_a_layout_whose_devices_have_no_names_of_profiles_tells_none(convert_text):
    positions = layouts(selected={"0": "2g.10gb", "4": "1g.5gb"})
    result = convert_text(pod(), cluster=cluster(SINGLE, positions))
    assert only(result).outcome == "needs-decision"
    assert "which profiles the MIG layout selected makes is not known (mig.yaml:3:3)" in only(result).reason
    files = {"app.yaml": pod("nvidia.com/mig-3g.20gb: 1"), "layouts.yaml": positions}
    assert "mig-layout" not in convert_text(files).topics
    files["layouts.yaml"] = layouts(selected={"1g.5gb": 7})
    assert "mig-layout" in convert_text(files).topics


POLICY = (
    "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec: {mig: {strategy: single}}\n"
)


@pytest.mark.parametrize(
    ("resources", "plugin", "open_"),
    [
        ("nvidia.com/gpu: 1", config(name="nvidia.com/mig-1g.10gb"), True),
        ("nvidia.com/gpu: 1", config(), True),
        ("nvidia.com/gpu.shared: 1", config(renamed=True), True),
        ("nvidia.com/gpu: 1", config_map(one=PLAIN, other=config(strategy="none")), True),
        ("nvidia.com/gpu: 1", config(name="nvidia.com/mig-1g.10gb", strategy="none"), False),
        ("nvidia.com/mig-1g.10gb: 1", PLAIN, False),
    ],
)
@pytest.mark.parametrize("sharing", ["refuse", "shared-claim", "consumable", "exclusive"])
def test_a_configuration_without_a_strategy_does_not_outweigh_that_of_the_files(
    convert_text, resources, plugin, open_, sharing
):
    files = {"app.yaml": pod(resources), "cluster.yaml": POLICY + "---\n" + NODES % ("a", "all-1g.10gb")}
    gates = (
        ["driver:TimeSlicingSettings=true"] if sharing == "shared-claim" else ["driver:ConsumableShares=true"]
    )
    result = convert_text(files, cluster=cluster(plugin), sharing=sharing, target=make_target(gates=gates))
    assert only(result).outcome == ("needs-decision" if open_ and sharing != "exclusive" else "converted")


@pytest.mark.parametrize(
    ("plugin", "mig", "more"),
    [
        pytest.param(SINGLE, ONE, "", id="one layout"),
        pytest.param(config_map(any=SINGLE), config_map(config=ONE), "", id="both in ConfigMaps"),
        pytest.param(SINGLE, SEVERAL, SELECTS % "small", id="the pod selects a layout"),
        pytest.param(
            SINGLE, None, SELECTS % "all-1g.10gb", id="the pod selects a layout that tells by its name"
        ),
        pytest.param(SINGLE, NODES % ("a", "all-1g.10gb"), "", id="a node's label"),
        pytest.param(
            SINGLE, SEVERAL + "---\n" + NODES % ("a", "small"), "", id="a node's label, and layouts"
        ),
        pytest.param(
            SINGLE,
            "---\n".join([SEVERAL, NODES % ("a", "small"), NODES % ("b", "large")]),
            SELECTS % "small",
            id="the pod selects some of the nodes",
        ),
        pytest.param(
            None,
            "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec: {mig: {strategy: single}}\n---\n" + ONE,
            "",
            id="ClusterPolicy",
        ),
        pytest.param("config: {map: {any: {version: v1}}}\nmigStrategy: single\n", ONE, "", id="Helm values"),
        pytest.param(
            None,
            None,
            "  nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3-MIG-1g.10gb}\n",
            id="product",
        ),
        pytest.param(
            None,
            ONE,
            "  nodeSelector: {nvidia.com/mig.strategy: single}\n",
            id="the pod selects the strategy",
        ),
    ],
)
def test_one_profile_is_a_claim_of_it(convert_text, plugin, mig, more):
    result = convert_text(pod("nvidia.com/gpu: 2", more), cluster=cluster(plugin, mig))
    assert result.outcomes == ["converted"]
    assert converted_profile(result) == "1g.10gb"
    assert only(result).claim.count == 2
    assert "one unit is a MIG device 1g.10gb" in only(result).reason
    assert (":" in only(result).reason.partition("(")[2]) or "line 5" in only(result).reason


@pytest.mark.parametrize(
    ("mig", "more", "reason"),
    [
        (None, "", "no MIG layout is known"),
        (SEVERAL, "", "may be 1g.10gb, 3g.40gb, whole cards"),
        (SEVERAL.partition("  large")[0], "", "may be 1g.10gb, whole cards"),
        (SEVERAL, SELECTS % "tiny", "which profiles the MIG layout tiny makes is not known"),
        (layouts(balanced={"1g.10gb": 2, "3g.40gb": 1}), "", "may be 1g.10gb, 3g.40gb"),
        (
            "---\n".join([NODES % ("a", "all-1g.10gb"), NODES % ("b", "all-3g.40gb")]),
            "",
            "may be 1g.10gb, 3g.40gb",
        ),
        ("---\n".join([NODES % ("a", "all-1g.10gb"), NODES % ("b", "all-disabled")]), "", "whole cards"),
    ],
)
def test_several_or_unknown_profiles_wait(convert_text, mig, more, reason):
    occurrence = only(convert_text(pod(more=more), cluster=cluster(SINGLE, mig)))
    assert occurrence.outcome.value == "needs-decision"
    assert reason in occurrence.reason
    assert "plugin.yaml:1:1" in occurrence.reason
    assert "--mig-config" in occurrence.next


def test_cards_that_stay_whole(convert_text):
    result = convert_text(pod(), cluster=cluster(SINGLE, NODES % ("a", "all-disabled")))
    assert (result.outcomes, only(result).claim.profile) == (["converted"], None)


def test_other_strategies_leave_it_whole(convert_text):
    for plugin in (PLAIN, SINGLE.replace("single", "mixed"), SINGLE.replace("single", "none")):
        result = convert_text(pod(), cluster=cluster(plugin, ONE))
        assert (result.outcomes, only(result).claim.profile) == (["converted"], None)


def test_a_mig_device_by_the_plain_name_keeps_its_labels_meaning(convert_text):
    more = "  nodeSelector: {nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3-MIG-1g.10gb}\n"
    result = convert_text(pod(more=more))
    assert "productName == 'NVIDIA H100 80GB HBM3'" in result.text
    assert "nodeSelector" not in result.text
    assert "toleration" not in result.topics


def test_time_sliced_mig_devices(convert_text):
    known = cluster(config(strategy="single"), ONE)
    target = make_target(gates=["driver:ConsumableShares=true"])
    result = convert_text(pod(), cluster=known, sharing="consumable", target=target)
    assert converted_profile(result) == "1g.10gb"
    assert only(result).claim.capacity == (("shares", "1"),)
    refused = only(convert_text(pod(), cluster=known, sharing="shared-claim", target=target))
    assert "does not share MIG devices" in refused.reason


MIG = "nvidia.com/mig-%s: 1"


@pytest.mark.parametrize(
    ("profile", "given", "named", "told"),
    [
        ("1g.10gb", ONE, None, False),
        ("3g.40gb", ONE, None, True),
        ("3g.40gb", None, ONE, True),
        ("3g.40gb", None, config_map(config=ONE), True),
        ("3g.40gb", SEVERAL, ONE, False),
        ("1g.10gb", None, None, False),
        ("3g.40gb", None, NODES % ("a", "all-1g.10gb"), True),
        ("1g.10gb", None, NODES % ("a", "all-1g.10gb"), False),
        ("3g.40gb", ONE, NODES % ("a", "custom"), False),
        ("1g.10gb", layouts(disabled=None), None, False),
    ],
)
def test_a_profile_that_no_layout_makes_is_told(convert_text, profile, given, named, told):
    files = {"pod.yaml": pod(MIG % profile), **({"mig.yaml": named} if named else {})}
    result = convert_text(files, cluster=cluster(mig=given))
    assert result.outcomes == ["converted"]
    notes = [note for note in result.notes if note.topic == "mig-layout"]
    assert bool(notes) == told
    for note in notes:
        assert (note.path, note.weight) == ("pod.yaml", "warning")
        assert f"no known MIG layout makes {profile}, only 1g.10gb (mig.yaml:" in note.message


def test_the_layouts_that_make_others_are_counted(convert_text):
    given = layouts(disabled=None, small={"1g.10gb": 7}, large={"3g.40gb": 2})
    result = convert_text({"pod.yaml": pod(MIG % "2g.20gb")}, cluster=cluster(mig=given))
    (note,) = [note for note in result.notes if note.topic == "mig-layout"]
    assert "only 1g.10gb, 3g.40gb (mig.yaml:7:3 and 1 more)" in note.message


def test_dynamic_mig_makes_what_is_asked_for(convert_text):
    target = make_target(gates=["driver:DynamicMIG=true"])
    result = convert_text(pod(MIG % "3g.40gb"), cluster=cluster(mig=ONE), target=target)
    assert "mig-layout" not in result.topics


@pytest.mark.parametrize("mode", ["extended-resource", "implicit"])
def test_a_class_that_serves_the_name_hands_out_whole_gpus(convert_text, mode):
    occurrence = only(convert_text(pod(), mode=mode, cluster=cluster(SINGLE, ONE)))
    assert occurrence.outcome.value == "needs-decision"
    assert "hands out whole GPUs" in occurrence.reason
    assert "--mode claims" in occurrence.next


QUOTA = (
    "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {requests.nvidia.com/gpu: 4}}\n"
)


@pytest.mark.parametrize("sharing", ["refuse", "exclusive"])
@pytest.mark.parametrize(("plugin", "edited"), [(SINGLE, False), (PLAIN, True)])
def test_a_quota_of_mig_devices_is_not_edited(convert_text, plugin, edited, sharing):
    files = {"pod.yaml": pod(), "quota.yaml": QUOTA}
    known = cluster(plugin, ONE)
    result = convert_text(files, cluster=known, sharing=sharing, companions=True)
    assert (result.texts["quota.yaml"] != QUOTA) == edited


@pytest.mark.parametrize(
    "more",
    [
        "  nodeSelector: {nvidia.com/gpu.product: Tesla-T4}\n",
        "  nodeSelector: {nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB}\n",
        "  nodeSelector: {nvidia.com/mig.strategy: none}\n",
        "  nodeSelector: {nvidia.com/mig.strategy: mixed}\n",
        "  nodeSelector: {nvidia.com/mig.capable: 'false'}\n",
        "  nodeSelector: {nvidia.com/mig.config: all-disabled}\n",
    ],
)
@pytest.mark.parametrize("plugin", [SINGLE, None])
def test_a_pod_that_selects_uncut_cards_gets_whole_ones(convert_text, more, plugin):
    strategy = "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nspec: {mig: {strategy: single}}\n---\n"
    result = convert_text(pod(more=more), cluster=cluster(plugin, ONE if plugin else strategy + ONE))
    request = documents(result.text)[0]["spec"]["spec"]["devices"]["requests"][0]["exactly"]
    assert request["deviceClassName"] == "gpu.nvidia.com"
    assert only(result).claim.profile is None


@pytest.mark.parametrize("value", ["NVIDIA-H100-80GB-HBM3-MIG-1g.10gb", "NVIDIA-H100-80GB-HBM3-MIG-INVALID"])
def test_a_product_that_is_cut_is_no_whole_card(convert_text, value):
    more = f"  nodeSelector: {{nvidia.com/gpu.product: {value}}}\n"
    result = convert_text(pod(more=more), cluster=cluster(SINGLE, ONE))
    assert "deviceClassName: gpu.nvidia.com" not in result.text
