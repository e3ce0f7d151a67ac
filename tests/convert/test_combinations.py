"""Options together: whatever is combined, pods hold and see what they did, and every request is accounted for once."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import jsonschema
import kubernetes_validate
import pytest
from kubernetes_validate import utils

from dralint.convert.convert import convert
from dralint.convert.options import Options
from dralint.kube.bundle import Context
from dralint.nvidia.target import make_target
from dralint.report.convert_json import report
from tests.convert.clusters import SINGLE, cluster, config, layouts
from tests.convert.combined import GPU, MIG, TEXT, Claims, Device, asked, documents, held, pods, seen
from tests.convert.conftest import parsed
from tests.convert.dumps import as_yaml
from tests.convert.test_convert_dump import in_one_go, in_parts, made_files

GATES = {"shared-claim": ["TimeSlicingSettings=true"], "consumable": ["driver:ConsumableShares=true"]}
ONE_LAYOUT = layouts(all_1g_10gb={"1g.10gb": 7}).replace("all-1g-10gb", "all-1g.10gb")


class Given(NamedTuple):
    """Files about the cluster: shares: the resource of which four are on a GPU; cut: one of nvidia.com/gpu is a slice."""

    plugin: str | None = None
    mig: str | None = None
    shares: str | None = None
    cut: bool = False

    @property
    def cluster(self):
        return read(self.plugin, self.mig)

    def profile_of(self, name):
        return "1g.10gb" if name == MIG or (self.cut and name == GPU) else None


read = cache(cluster)
CLUSTERS = {
    "nothing": Given(),
    "renamed": Given(config(renamed=True), shares=f"{GPU}.shared"),
    "shared": Given(config(), shares=GPU),
    "cut": Given(SINGLE, ONE_LAYOUT, cut=True),
}
BY_CLASS = {
    f"deviceclass.resource.kubernetes.io/{name}": profile
    for name, profile in (("gpu.nvidia.com", None), ("nvidia-mig-1g-10gb", "1g.10gb"))
}
PARTS = ("nvidia.com/gpumem", "nvidia.com/gpucores")
KNOWN_KINDS = ("resource.k8s.io/v1", "apps/v1", "batch/v1", "v1")
REPORT = jsonschema.Draft202012Validator(
    json.loads((Path(__file__).parents[2] / "schemas/convert.schema.json").read_text())
)


@cache
def target(sharing):
    return make_target(gates=GATES.get(sharing, ()))


def expected(name, sharing, given):
    """What a device of a claim is, in the place of a unit that was asked for by a name."""
    if sharing == "exclusive":
        return Device(given.profile_of(name))
    if name == given.shares:
        assert sharing in ("shared-claim", "consumable")
        return Device(None, True) if sharing == "shared-claim" else Device(None, False, "1")
    assert not name.endswith(".shared")
    taken = "4" if sharing == "consumable" and given.shares else ""
    return Device(given.profile_of(name), False, taken)


@cache
def fits_the_schema(text):
    kubernetes_validate.validate(json.loads(text), "1.36", strict=True)
    return True


def judge_pod(before, after, namespace, claims, sharing, given):
    """The pod sees and holds what it did; whether claims give it its devices."""
    now = seen(after, namespace, claims)
    old = [asked(each.mapping) for each in before.containers]
    moved = False
    per_device = {}
    for index, (was, names, devices) in enumerate(zip(old, now.names, now.devices, strict=True)):
        gone = {name: count for name, count in was.items() if name not in names and count}
        wanted = Counter()
        for name, count in gone.items():
            if name in PARTS:
                assert sharing == "exclusive"
                continue
            by_class = next(
                (
                    key
                    for key, profile in BY_CLASS.items()
                    if key in names and profile == given.profile_of(name)
                ),
                None,
            )
            if by_class is not None:
                assert names[by_class] == count
                assert sharing == "exclusive" or name not in (given.shares, f"{GPU}.shared")
                continue
            wanted[expected(name, sharing, given)] += count
            per_device.setdefault(name, []).append((before.containers[index].role, count))
        assert devices == wanted
        assert all(names[name] == was[name] for name in names if name in was)
        moved = moved or bool(devices)
    if moved:
        # The device plugin gives nothing beside claims.
        assert not any(count for names in now.names for name, count in names.items())
    wanted = Counter()
    for name, counts in per_device.items():
        wanted[expected(name, sharing, given)] += held(counts)
    assert now.held == wanted
    return moved


def names_of(pod):
    return [
        name for each in pod.containers for name in asked(each.mapping) if not name.startswith("deviceclass")
    ]


def judge(before, after, result, sharing, given):
    """The report accounts for each request of `before` once, and `after` has what it says."""
    old, new = documents(before), documents(after)
    claims = Claims(new)
    left = {(each["kind"], each["metadata"]["name"]): each for each in new}
    outcomes = {}
    for each in result.occurrences:
        outcomes.setdefault((each.object.kind, each.object.name), []).append(each)
    asking = 0
    for obj in old:
        key = (obj["kind"], obj["metadata"]["name"])
        asking_object = ("Job", "wrapped") if obj["kind"] == "AppWrapper" else key
        was, now = list(pods(obj)), list(pods(left[key]))
        moved = [
            judge_pod(one, other, obj["metadata"]["namespace"], claims, sharing, given)
            for one, other in zip(was, now, strict=True)
        ]
        count = sum(len(names_of(pod)) for pod in was)
        asking += count
        mine = outcomes.pop(asking_object, [])
        assert len(mine) == count
        stay = sum(len(names_of(pod)) for pod in now)
        assert [each.outcome for each in mine].count("converted") == count - stay, key
        assert any(moved) == any(each.claim is not None for each in mine)
    assert not outcomes
    assert claims.used == claims.all
    for each in new:
        if each["apiVersion"] in KNOWN_KINDS:
            assert fits_the_schema(json.dumps(each))
    told = json.loads(report(result, []))
    REPORT.validate(told)
    summary = told["summary"]
    assert summary["occurrences"] == asking
    assert asking == sum(summary[name] for name in ("converted", "kept", "needs-decision", "unsupported"))


@pytest.fixture(autouse=True, scope="module")
def schemas_are_read_once():
    read = utils.schema_contents
    utils.schema_contents = cache(read)
    yield
    utils.schema_contents = read


def run(text, options):
    result = convert([parsed(text)], Context.none(), options)
    (file,) = result.files
    assert file.error is None
    return result


MODES = ["auto", "claims", "extended-resource", "implicit"]
SHARING = ["refuse", "exclusive", "shared-claim", "consumable"]


# Node labels, hashes in names, companions and alternatives: each value with each mode, sharing and cluster.
REST = [
    {"node_labels": "translate"},
    {"node_labels": "keep", "suffix_hash": True, "toleration": False},
    {"node_labels": "both", "companions": True, "first_available": True},
    {"node_labels": "translate", "suffix_hash": True, "companions": True, "first_available": True},
]


def choices(mode, sharing):
    """The options with one mode and sharing, each with what is given of the cluster: half of all there are."""
    first = MODES.index(mode)
    for number, (given, step) in enumerate(itertools.product(CLUSTERS.values(), (0, 2))):
        # Over the modes each of the rest meets each cluster.
        rest = REST[(first + number // 2 + step) % len(REST)]
        yield Options(target(sharing), mode=mode, sharing=sharing, cluster=given.cluster, **rest), given


def left(result):
    """What the next run finds."""
    return Counter(each.outcome for each in result.occurrences if each.outcome != "converted")


together = pytest.mark.parametrize(("mode", "sharing"), [*itertools.product(MODES, SHARING)])


@together
def test_options_together(mode, sharing):
    for options, given in choices(mode, sharing):
        result = run(TEXT, options)
        after = result.files[0].after.decode()
        judge(TEXT, after, result, sharing, given)
        # Slices have a label of their own for their product.
        preferring = options.first_available and "steps-gpu" in after and not given.cut
        assert ("firstAvailable" in after) == preferring
        again = run(after, options)
        assert again.files[0].after.decode() == after
        assert left(again) == left(result)


def listed(objects, **more):
    """The objects as the items of a cluster's dump."""
    found = []
    for number, each in enumerate(objects):
        metadata = {**each["metadata"], "uid": f"uid-{number}", "resourceVersion": "1"}
        found.append({**each, "metadata": metadata})
    return as_yaml(found).encode()


@together
def test_options_together_on_dumps(mode, sharing):
    data = listed(documents(TEXT))
    for options, given in [*choices(mode, sharing)][::3]:
        whole = in_one_go(data, options)
        in_place = in_parts(data, options)
        assert in_place.files[0].after == whole.files[0].after
        assert left(in_place) == left(whole) == left(run(TEXT, options))
        judge(data.decode(), whole.files[0].after.decode(), whole, sharing, given)
        again = in_parts(whole.files[0].after, options)
        assert (again.files[0].after, left(again)) == (whole.files[0].after, left(whole))
        texts, order = made_files(data, options)
        plain = run(TEXT, options).files[0].after.decode()
        assert by_name("---\n".join(texts.values())) == {
            name: each for name, each in by_name(plain).items() if name[0] != "ResourceQuota"
        }
        commands = [line for line in order if line.startswith("kubectl")]
        assert len(commands) == len({*commands})


def by_name(text):
    return {(each["kind"], each["metadata"]["name"]): each for each in documents(text)}


@pytest.mark.parametrize("sharing", SHARING)
def test_options_together_in_components(tmp_path, kustomize, dralint, sharing):
    """Kustomize with a component builds what --write makes of the base."""
    for number, mode in enumerate(MODES):
        rest = [[], ["--suffix-hash"], ["--companions"], ["--suffix-hash", "--companions"]][number]
        known = "renamed" if number % 2 else "shared"
        folder = tmp_path / mode
        (folder / "base").mkdir(parents=True)
        (folder / "base/app.yaml").write_text(TEXT)
        (folder / "base/kustomization.yaml").write_text("resources: [app.yaml]\n")
        (folder / "plugin.yaml").write_text(str(CLUSTERS[known].plugin))
        gates = [f"--gate={gate}" for gate in GATES.get(sharing, ())]
        arguments = ["convert", "-q", "--mode", mode, "--sharing", sharing, *rest, *gates]
        arguments += ["--device-plugin-config", folder / "plugin.yaml", folder / "base"]
        assert dralint(*arguments, "--output-overlay", folder / "dra").code in (0, 1)
        if (folder / "dra").exists():
            (folder / "new").mkdir()
            (folder / "new/kustomization.yaml").write_text("resources: [../base]\ncomponents: [../dra]\n")
            built = kustomize.build(folder / "new")
        else:
            built = kustomize.build(folder / "base")
        assert dralint(*arguments, "--write").code in (0, 1)
        assert kustomize.build(folder / "base") == built
