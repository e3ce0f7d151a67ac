"""--device-plugin-config and --sharing: what a unit of a resource is, and what takes its place."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import yaml

from dralint.nvidia.target import make_target
from tests.convert.clusters import PLAIN, cluster, config, config_map

TIME_SLICING = make_target(gates=["driver:TimeSlicingSettings=true"])
MPS = make_target(gates=["driver:MPSSupport=true"])
SHARES = make_target(gates=["driver:ConsumableShares=true"])
EVERY = make_target(
    gates=["driver:TimeSlicingSettings=true", "driver:MPSSupport=true", "driver:ConsumableShares=true"]
)


def pod(resources="nvidia.com/gpu: 1", more="", name="chat"):
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec:\n{more}  containers:\n"
        f"  - name: main\n    image: train:1\n    resources:\n      limits: {{{resources}}}\n"
    )


def deployment(
    replicas="  replicas: 2\n", more="", resources="nvidia.com/gpu: 1", name="chat", kind="Deployment"
):
    return (
        f"apiVersion: apps/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n{replicas}"
        f"  selector: {{matchLabels: {{app: chat}}}}\n  template:\n    metadata: {{labels: {{app: chat}}}}\n    spec:\n{more}"
        f"      containers:\n      - name: main\n        image: chat:1\n        resources: {{limits: {{{resources}}}}}\n"
    )


def only(result):
    (occurrence,) = result.occurrences
    return occurrence


def documents(text):
    return list(yaml.safe_load_all(text))


# What the configuration says with certainty.


@pytest.mark.parametrize("sharing", ["refuse", "exclusive", "shared-claim", "consumable"])
def test_what_a_configuration_does_not_share_is_whole(convert_text, sharing):
    for plugin in (PLAIN, config(name="nvidia.com/mig-1g.5gb"), config_map(default=PLAIN)):
        result = convert_text(pod(), sharing=sharing, cluster=cluster(plugin))
        assert result.outcomes == ["converted"]
        assert "plugin.yaml" in only(result).reason
        assert not only(result).claim.capacity
    assert result.text == convert_text(pod()).text


def test_a_given_configuration_decides_over_evidence_among_the_files(convert_text):
    files = {"pod.yaml": pod(), "other.yaml": config()}
    assert convert_text(files).outcomes == ["needs-decision"]
    assert convert_text(files, cluster=cluster(PLAIN)).outcomes == ["converted"]


@pytest.mark.parametrize("way", ["timeSlicing", "mps"])
@pytest.mark.parametrize("form", [str, lambda text: config_map(any=text)], ids=["plain", "ConfigMap"])
def test_shared_units_wait_and_the_options_are_spelled_out(convert_text, way, form):
    occurrence = only(convert_text(pod(), cluster=cluster(form(config(way)))))
    assert occurrence.outcome.value == "needs-decision"
    assert f"by {way}, 4 to a device (plugin.yaml:" in occurrence.reason
    assert "exclusive" in occurrence.next
    assert "shared-claim" in occurrence.next
    gate = "TimeSlicingSettings" if way == "timeSlicing" else "MPSSupport"
    assert f"alpha gate {gate}" in occurrence.next
    assert ("CONSUMABLE_SHARES=4" in occurrence.next) == (way == "timeSlicing")


def test_without_a_configuration_the_options_name_it(convert_text):
    for text in (
        pod("nvidia.com/gpu.shared: 1"),
        pod(more="  nodeSelector: {nvidia.com/gpu.replicas: '4'}\n"),
    ):
        for sharing in ("refuse", "shared-claim", "consumable"):
            occurrence = only(convert_text(text, sharing=sharing))
            assert occurrence.outcome.value == "needs-decision"
            assert "--device-plugin-config" in occurrence.next


@pytest.mark.parametrize("sharing", ["refuse", "shared-claim"])
def test_a_shared_name_leaves_the_plain_one_whole(convert_text, sharing):
    known = cluster(config(renamed=True))
    plain = only(convert_text(pod(), sharing=sharing, cluster=known, target=EVERY))
    assert plain.outcome.value == "converted"
    assert (plain.claim.shared, plain.claim.count) == (False, 1)
    other = only(
        convert_text(pod("nvidia.com/gpu.shared: 1"), sharing=sharing, cluster=known, target=TIME_SLICING)
    )
    assert other.outcome.value == ("needs-decision" if sharing == "refuse" else "converted")
    assert sharing == "refuse" or other.claim.shared


def test_a_name_that_no_configuration_makes(convert_text):
    occurrence = only(convert_text(pod("nvidia.com/gpu.shared: 1"), cluster=cluster(PLAIN)))
    assert occurrence.outcome.value == "needs-decision"
    assert "no configuration given makes nvidia.com/gpu.shared: plugin.yaml:1:1" in occurrence.reason


def test_rename_and_devices_are_ignored_as_the_plugin_does(convert_text):
    text = config().replace("replicas: 4", "rename: nvidia.com/slice, devices: [0], replicas: 4")
    assert "4 to a device" in only(convert_text(pod(), cluster=cluster(text))).reason


def test_mps_wins_over_time_slicing(convert_text):
    both = config("mps", 2) + config().partition("sharing:\n")[2]
    assert "by mps, 2 to a device" in only(convert_text(pod(), cluster=cluster(both))).reason


@pytest.mark.parametrize("sharing", ["refuse", "exclusive", "shared-claim", "consumable"])
@pytest.mark.parametrize(
    "text",
    [config("mps"), config(fails=True), config("mps", renamed=False, fails=True)],
    ids=["mps", "set", "both"],
)
def test_more_than_one_was_refused_and_never_ran(convert_text, text, sharing):
    result = convert_text(pod("nvidia.com/gpu: 2"), sharing=sharing, cluster=cluster(text), target=EVERY)
    assert only(result).outcome.value == "needs-decision"
    assert "the pod never ran with 2" in only(result).reason
    assert "plugin.yaml" in only(result).reason


GPU_NODE = "  nodeSelector: {nvidia.com/gpu.present: 'true'}\n"


def test_a_teams_own_resource_is_none_of_the_plugins(convert_text):
    from dralint.nvidia.resources import register

    register([{"name": "acme.com/gpu", "base": "gpu"}])
    try:
        result = convert_text(pod("acme.com/gpu: 1", GPU_NODE), cluster=cluster(PLAIN))
        assert only(result).reason == "a claim takes its place"
    finally:
        register([])


# Several configurations.

BOTH = config_map(any=config(), plain=PLAIN)


def test_configurations_that_disagree_hold_back(convert_text):
    occurrence = only(convert_text(pod(), cluster=cluster(BOTH)))
    assert occurrence.outcome.value == "needs-decision"
    assert "disagree" in occurrence.reason
    assert "plugin.yaml:10:11" in occurrence.reason
    assert "plugin.yaml:11:3" in occurrence.reason
    assert "nvidia.com/device-plugin.config in the pod: any or plain" in occurrence.next
    exclusive = convert_text(pod(), cluster=cluster(BOTH), sharing="exclusive")
    assert exclusive.outcomes == ["converted"]


AFFINITY = (
    "  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n"
    "        - matchExpressions:\n          - {key: nvidia.com/device-plugin.config, operator: %s}\n"
)


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ("  nodeSelector: {nvidia.com/device-plugin.config: plain}\n", "converted"),
        ("  nodeSelector: {nvidia.com/device-plugin.config: any}\n", "needs-decision"),
        ("  nodeSelector: {nvidia.com/device-plugin.config: other}\n", "needs-decision"),
        (AFFINITY % "In, values: [plain]", "converted"),
        (AFFINITY % "NotIn, values: [any]", "converted"),
        (AFFINITY % "In, values: [any, plain]", "needs-decision"),
        (AFFINITY % "Exists", "needs-decision"),
    ],
)
def test_the_pods_own_selectors_choose_one(convert_text, more, outcome):
    occurrence = only(convert_text(pod(more=more), cluster=cluster(BOTH)))
    assert occurrence.outcome.value == outcome
    if "other" in more:
        assert "not among those given" in occurrence.reason
        assert "line 5" in occurrence.reason


def test_a_preference_chooses_nothing(convert_text):
    more = (
        "  affinity:\n    nodeAffinity:\n      preferredDuringSchedulingIgnoredDuringExecution:\n      - weight: 1\n"
        "        preference:\n          matchExpressions:\n"
        "          - {key: nvidia.com/device-plugin.config, operator: In, values: [plain]}\n"
    )
    assert convert_text(pod(more=more), cluster=cluster(BOTH)).outcomes == ["needs-decision"]


def test_configurations_that_agree_decide(convert_text):
    agree = config_map(a=PLAIN, b=config(name="nvidia.com/mig-1g.5gb"))
    assert convert_text(pod(), cluster=cluster(agree)).outcomes == ["converted"]
    # A name that only one of them makes is found on its nodes only.
    renamed = config_map(a=PLAIN, b=config(renamed=True))
    assert (
        "by timeSlicing"
        in only(convert_text(pod("nvidia.com/gpu.shared: 1"), cluster=cluster(renamed))).reason
    )
    assert convert_text(pod(), cluster=cluster(renamed)).outcomes == ["converted"]


def test_different_replicas_are_shared_and_nothing_more(convert_text):
    differ = cluster(config_map(a=config(), b=config(replicas=8)))
    for sharing in ("refuse", "shared-claim", "consumable"):
        result = convert_text(pod(), cluster=differ, sharing=sharing, target=EVERY)
        assert result.outcomes == ["needs-decision"]
    assert convert_text(pod(), cluster=differ, sharing="exclusive").outcomes == ["converted"]


# One claim for the pods of a workload.


@pytest.mark.parametrize(("way", "target"), [("timeSlicing", TIME_SLICING), ("mps", MPS)])
def test_a_shared_claim(convert_text, way, target, snapshot):
    result = convert_text(deployment(), sharing="shared-claim", cluster=cluster(config(way)), target=target)
    assert result.text == snapshot
    assert only(result).claim.shared
    notes = [note.message for note in result.notes if note.topic == "sharing"]
    assert "pins them to one node, and at most 256 pods" in notes[0]
    assert len(notes) == (2 if way == "mps" else 1)


@pytest.mark.parametrize("way", ["timeSlicing", "mps"])
def test_a_gate_that_is_off_refuses_and_says_how(convert_text, way):
    occurrence = only(convert_text(deployment(), sharing="shared-claim", cluster=cluster(config(way))))
    gate = "TimeSlicingSettings" if way == "timeSlicing" else "MPSSupport"
    assert occurrence.outcome.value == "needs-decision"
    assert f"alpha gate {gate}, which is off" in occurrence.reason
    assert f"featureGates.{gate}=true" in occurrence.next
    assert f"--gate driver:{gate}=true" in occurrence.next


@pytest.mark.parametrize("way", ["timeSlicing", "mps"])
def test_a_driver_that_splits_devices_takes_no_setting_for_one_claim(convert_text, way):
    known = cluster(config(way))
    occurrence = only(convert_text(deployment(), sharing="shared-claim", cluster=known, target=EVERY))
    assert occurrence.outcome.value == "needs-decision"
    assert "with its gate ConsumableShares the driver may give the GPU to other claims" in occurrence.reason


CRON = (
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: nightly}\nspec:\n  schedule: '0 3 * * *'\n%s"
    "  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          containers:\n"
    "          - {name: main, image: x:1, resources: {limits: {nvidia.com/gpu: 1}}}\n"
)
JOB = (
    "apiVersion: batch/v1\nkind: Job\nmetadata: {%s}\nspec:\n  parallelism: %s\n  template:\n    spec:\n"
    "      restartPolicy: Never\n      containers:\n"
    "      - {name: main, image: x:1, resources: {limits: {nvidia.com/gpu: 1}}}\n"
)
APART = (
    "      affinity:\n        podAntiAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n"
    "          - {topologyKey: kubernetes.io/hostname}\n"
)
SPREAD = "      topologySpreadConstraints:\n      - {maxSkew: 1, topologyKey: kubernetes.io/hostname}\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (deployment("  replicas: 5\n"), "5 pods need more than one GPU"),
        (deployment("  replicas: 0\n"), "spec.replicas does not tell"),
        (deployment("  replicas: '${N}'\n"), "spec.replicas does not tell"),
        (deployment("", kind="DaemonSet"), "how many pods of DaemonSet run at once"),
        (deployment(more=APART), "podAntiAffinity"),
        (deployment(more=SPREAD), "topologySpreadConstraints"),
        (CRON % "", "spec.concurrencyPolicy is not Forbid or Replace"),
        (JOB % ("generateName: train-", 1), "generateName"),
        (JOB % ("name: train", 5), "5 pods"),
        (
            deployment(
                more="      initContainers:\n"
                "      - {name: side, image: y:1, restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}\n"
            ),
            "several devices",
        ),
        (deployment(resources="nvidia.com/gpu: 2"), "2 parts may be of one device or of several"),
    ],
)
def test_a_shared_claim_that_would_be_wrong_is_not_written(convert_text, text, reason):
    result = convert_text(text, sharing="shared-claim", cluster=cluster(config()), target=TIME_SLICING)
    assert set(result.outcomes) == {"needs-decision"}
    assert any(reason in each.reason for each in result.occurrences)


@pytest.mark.parametrize(
    "text",
    [
        pod(),
        deployment(""),
        deployment("  replicas: 4\n"),
        deployment(kind="StatefulSet"),
        deployment("  replicas: 1\n", more=APART),
        deployment(more=SPREAD.replace("maxSkew: 1", "whenUnsatisfiable: ScheduleAnyway, maxSkew: 1")),
        CRON % "  concurrencyPolicy: Forbid\n",
        JOB % ("name: train", 4),
    ],
)
def test_a_shared_claim_that_fits(convert_text, text):
    result = convert_text(text, sharing="shared-claim", cluster=cluster(config()), target=TIME_SLICING)
    assert result.outcomes == ["converted"]
    claim = documents(result.text)[0]
    assert (claim["kind"], claim["metadata"]["name"]) == ("ResourceClaim", only(result).claim.template)


def test_no_more_than_256_pods_with_those_of_a_roll_out(convert_text):
    def run(replicas, strategy=""):
        text = deployment(f"  replicas: {replicas}\n{strategy}")
        known = cluster(config(replicas=1000))
        return only(convert_text(text, sharing="shared-claim", cluster=known, target=TIME_SLICING))

    assert run(204).outcome.value == "converted"
    assert "257 pods with those of a roll-out" in run(205).reason
    assert run(256, "  strategy: {type: Recreate}\n").outcome.value == "converted"
    assert run(256, "  strategy: {rollingUpdate: {maxSurge: 0}}\n").outcome.value == "converted"


@pytest.mark.parametrize(
    "scaler",
    [
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: s}\nspec:\n  scaleTargetRef: {kind: Deployment, name: chat}\n",
        "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s}\nspec: {scaleTargetRef: {name: chat}}\n",
    ],
)
def test_a_scaler_makes_the_number_of_pods_unknown(convert_text, scaler):
    files = {"app.yaml": deployment(), "scaler.yaml": scaler}
    result = convert_text(files, sharing="shared-claim", cluster=cluster(config()), target=TIME_SLICING)
    assert "sets how many pods there are (scaler.yaml:1:1)" in only(result).reason


@pytest.mark.parametrize(
    ("kustomization", "outcome"),
    [
        ("replicas:\n- {name: chat, count: 9}\n", "needs-decision"),
        ("replicas:\n- {name: other, count: 9}\n", "converted"),
        ("patches:\n- {path: scale.yaml}\n", "needs-decision"),
        ("patches:\n- {patch: '[{op: replace, path: /spec/replicas, value: 9}]'}\n", "needs-decision"),
        ("patches:\n- {target: {name: other}, path: scale.yaml}\n", "converted"),
        ("labels: []\n", "converted"),
    ],
)
def test_a_kustomization_may_set_the_number_of_pods(convert_text, tmp_path, kustomization, outcome):
    (tmp_path / "app.yaml").write_text(deployment())
    (tmp_path / "scale.yaml").write_text(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: chat}\nspec: {replicas: 9}\n"
    )
    (tmp_path / "kustomization.yaml").write_text(f"resources: [app.yaml]\n{kustomization}")
    result = convert_text(
        {"app.yaml": deployment()},
        paths={"app.yaml": tmp_path / "app.yaml"},
        sharing="shared-claim",
        cluster=cluster(config()),
        target=TIME_SLICING,
    )
    assert result.outcomes == [outcome]
    if outcome != "converted":
        assert (
            "kustomization.yaml:3:" in only(result).reason or "kustomization.yaml:2:" in only(result).reason
        )


def test_a_claim_is_used_by_one_workload_only(convert_text):
    text = "---\n".join((deployment(), deployment(kind="StatefulSet"), deployment(name="chat")))
    result = convert_text(text, sharing="shared-claim", cluster=cluster(config()), target=TIME_SLICING)
    names = [each.claim.template for each in result.occurrences]
    assert len(set(names)) == 3
    made = [each["metadata"]["name"] for each in documents(result.text) if each["kind"] == "ResourceClaim"]
    assert made == names


def test_a_name_by_content_changes_with_the_drivers_setting(convert_text):
    names = set()
    for way, replicas in (("timeSlicing", 4), ("mps", 4), ("mps", 5)):
        result = convert_text(
            deployment(),
            sharing="shared-claim",
            cluster=cluster(config(way, replicas)),
            target=TIME_SLICING if way == "timeSlicing" else MPS,
            suffix_hash=True,
        )
        names.add(only(result).claim.template)
    assert len(names) == 3


def test_the_same_claim_in_two_files_is_told(convert_text):
    files = {"a.yaml": deployment(), "b.yaml": deployment(kind="StatefulSet")}
    result = convert_text(files, sharing="shared-claim", cluster=cluster(config()), target=TIME_SLICING)
    (note,) = [note for note in result.notes if note.topic == "names"]
    assert (note.path, "a.yaml:" in note.message) == ("b.yaml", True)


def test_alternatives_and_the_drivers_setting(convert_text):
    more = (
        "      affinity:\n        nodeAffinity:\n          preferredDuringSchedulingIgnoredDuringExecution:\n"
        "          - weight: 1\n            preference:\n              matchExpressions:\n"
        "              - {key: nvidia.com/gpu.family, operator: In, values: [hopper]}\n"
    )
    result = convert_text(
        deployment(more=more),
        sharing="shared-claim",
        cluster=cluster(config()),
        target=TIME_SLICING,
        first_available=True,
    )
    claim = documents(result.text)[0]
    assert "firstAvailable" in claim["spec"]["devices"]["requests"][0]
    assert "requests" not in claim["spec"]["devices"]["config"][0]


# A share for each.


def test_a_share_of_a_device(convert_text, snapshot):
    result = convert_text(deployment(), sharing="consumable", cluster=cluster(config()), target=SHARES)
    assert result.text == snapshot
    assert only(result).claim.capacity == (("shares", "1"),)
    assert "the DRA driver runs with CONSUMABLE_SHARES=4 on all nodes" in result.assumptions


def test_whole_devices_take_all_shares(convert_text):
    known = cluster(config(renamed=True))
    text = pod("nvidia.com/gpu: 2") + "---\n" + pod("nvidia.com/gpu.shared: 1", name="small")
    result = convert_text(text, sharing="consumable", cluster=known, target=SHARES)
    assert [dict(each.claim.capacity) for each in result.occurrences] == [{"shares": "4"}, {"shares": "1"}]


@pytest.mark.parametrize(
    ("text", "target", "reason", "advice"),
    [
        (config(), make_target(), "alpha gate ConsumableShares, which is off", "CONSUMABLE_SHARES=4"),
        (
            config(),
            make_target(dra_driver="0.4.1"),
            "DRA driver 0.4.1 has no gate ConsumableShares",
            "exclusive",
        ),
        (
            config(),
            make_target("1.35", gates=["driver:ConsumableShares=true"]),
            "DRAConsumableCapacity, which 1.35 has off",
            "--gate kubernetes:DRAConsumableCapacity=true",
        ),
        (config("mps"), SHARES, "MPS needs one claim together", "shared-claim"),
        (
            config() + "    - {name: nvidia.com/mig-1g.5gb, replicas: 2}\n",
            SHARES,
            "several",
            "exclusive",
        ),
    ],
)
def test_a_share_that_cannot_be_asked_for(convert_text, text, target, reason, advice):
    result = convert_text(deployment(), sharing="consumable", cluster=cluster(text), target=target)
    occurrence = only(result)
    assert occurrence.outcome.value == "needs-decision"
    assert reason in occurrence.reason
    assert advice in occurrence.next


# Devices before and after.


def _before(way, replicas, renamed, fails, name, count):
    """What the plugin gave, by its documentation: devices for each pod; None: it refused the pod, or has no such name."""
    shared = name.endswith(".shared") == renamed
    if name.endswith(".shared") and not renamed:
        return None
    if not shared:
        return Fraction(count)
    refuses = fails if fails is not None else way == "mps"
    return None if refuses and count > 1 else Fraction(count, replicas)


def _after(text, pods, shares):
    """What the claims of the converted text hold for each pod."""
    claim = next(each for each in documents(text) if each["kind"].startswith("ResourceClaim"))
    spec = claim["spec"].get("spec", claim["spec"])
    held = Fraction(0)
    for request in spec["devices"]["requests"]:
        asked = request["exactly"]
        part = Fraction(int(asked["capacity"]["requests"]["shares"]), shares) if "capacity" in asked else 1
        held += asked["count"] * part
    return held / pods if claim["kind"] == "ResourceClaim" else held


@pytest.mark.parametrize("sharing", ["refuse", "exclusive", "shared-claim", "consumable"])
@pytest.mark.parametrize("way", ["timeSlicing", "mps"])
def test_devices_before_and_after(convert_text, way, sharing):
    target = {"consumable": SHARES, "shared-claim": TIME_SLICING if way == "timeSlicing" else MPS}.get(
        sharing
    )
    names = ["nvidia.com/gpu", "nvidia.com/gpu.shared"]
    cases = itertools.product((2, 3, 8), (False, True), (None, False, True), names, (1, 2), (1, 2, 5))
    converted = 0
    for replicas, renamed, fails, name, count, pods in cases:
        text = deployment(f"  replicas: {pods}\n", resources=f"{name}: {count}")
        known = cluster(config(way, replicas, renamed=renamed, fails=fails))
        options = {"target": target} if target else {}
        result = convert_text(text, sharing=sharing, cluster=known, **options)
        before = _before(way, replicas, renamed, fails, name, count)
        if result.outcomes == ["needs-decision"]:
            # Nothing but parts of devices, and what never ran, is left to a person.
            assert before is None or before.denominator != 1 or before < count
            continue
        converted += 1
        after = _after(result.text, pods, replicas)
        if sharing == "exclusive":
            assert after == count
        elif sharing == "shared-claim" and before != count:
            # All pods on one GPU, and no more of them than the plugin let on one.
            assert after * pods == 1
            assert before <= after
        else:
            assert after == before
    assert converted


# Requests that go on asking by name.


@pytest.mark.parametrize("mode", ["extended-resource", "implicit"])
@pytest.mark.parametrize("sharing", ["shared-claim", "consumable"])
def test_a_request_by_name_has_no_part_of_a_device(convert_text, mode, sharing):
    known = cluster(config())
    result = convert_text(deployment(), mode=mode, sharing=sharing, cluster=known, target=EVERY)
    assert result.outcomes == ["needs-decision"]
    assert "a request by resource name asks for whole devices" in only(result).reason
    whole = convert_text(deployment(), mode=mode, sharing=sharing, cluster=cluster(PLAIN), target=EVERY)
    assert whole.outcomes == ["kept" if mode == "extended-resource" else "converted"]


@pytest.mark.parametrize("mode", ["extended-resource", "implicit"])
def test_a_whole_device_by_name_where_every_device_is_split(convert_text, mode):
    known = cluster(config(renamed=True))
    result = convert_text(deployment(), mode=mode, sharing="consumable", cluster=known, target=SHARES)
    assert "takes one share of a device" in only(result).reason


def test_requests_outside_of_pods_are_decided_by_the_configuration_too(convert_text):
    text = (
        "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: s}\nspec:\n"
        "  executor: {gpu: {name: nvidia.com/gpu, quantity: 1}}\n"
    )
    for plugin, outcome in ((config(), "needs-decision"), (PLAIN, "kept")):
        result = convert_text(text, cluster=cluster(plugin))
        assert result.outcomes == [outcome], result.occurrences


@pytest.mark.parametrize(
    "label",
    [
        "nvidia.com/gpu.product: Tesla-T4",
        "nvidia.com/gpu.sharing-strategy: none",
        "nvidia.com/gpu.replicas: '1'",
    ],
)
@pytest.mark.parametrize("sharing", ["refuse", "shared-claim", "consumable"])
def test_a_pod_that_selects_unshared_nodes_gets_no_share(convert_text, label, sharing):
    target = SHARES if sharing == "consumable" else TIME_SLICING
    shared = cluster(config())
    more = f"  nodeSelector: {{{label}}}\n"
    occurrence = only(convert_text(pod(more=more), cluster=shared, sharing=sharing, target=target))
    assert occurrence.outcome.value == "needs-decision"
    assert label.partition(":")[0] in occurrence.reason
    assert convert_text(pod(more=more), cluster=shared, sharing="exclusive").outcomes == ["converted"]


def test_the_report_tells_of_each_resource_what_its_own_request_takes(convert_text):
    both = pod("nvidia.com/gpu: 1, nvidia.com/gpu.shared: 1")
    known = cluster(config(renamed=True))
    result = convert_text(both, cluster=known, sharing="consumable", target=SHARES)
    found = {each.resource: dict(each.claim.capacity) for each in result.occurrences}
    assert found == {"nvidia.com/gpu": {"shares": "4"}, "nvidia.com/gpu.shared": {"shares": "1"}}
