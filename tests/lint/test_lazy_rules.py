"""Rules that are not parsed would have found nothing: heads are what the files say, words miss no finding."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from dralint.cli.check import command
from dralint.cli.checker import Checker
from dralint.cli.choice import Choice
from dralint.cli.config import Config
from dralint.cli.targets import TargetFlags
from dralint.kube.bundle import Bundle, Context
from dralint.kube.objects import ParsedFile
from dralint.kube.read import parse
from dralint.kube.words import prefilter_words
from dralint.lint import engine
from dralint.lint.finding import Finding
from dralint.lint.heads import head
from dralint.lint.rule import OWN, Head
from dralint.lint.rule_file import examples
from dralint.lint.rules import known_rules, load_rules, rule_files, whole
from dralint.lint.run import Run
from dralint.resources import directory
from dralint.source.file import SourceFile

RULES = load_rules()


def test_a_head_says_what_the_whole_rule_says() -> None:
    known = known_rules()
    assert [each.id for each in known] == [rule.id for rule in RULES]
    for each in known:
        rule = whole(each)
        assert each == rule or tuple(each) == (
            rule.id, rule.name, rule.layer, rule.words, rule.marks, rule.file
        )  # fmt: skip
    # The few that take a parser are parsed in every run.
    assert sum(not isinstance(each, Head) for each in known) <= 3


LINES = "id: ACME001\nname: a-rule\nlayer: api\nwords: [a/b, c.d-e]\n"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (LINES, ("a/b", "c.d-e")),
        (LINES.replace("words: [a/b, c.d-e]\n", ""), ()),
        (LINES.replace("layer: api\n", ""), None),
        (LINES.replace("[a/b, c.d-e]", """["a:", '"b']"""), ("a:", '"b')),
        (LINES.replace("[a/b, c.d-e]", '["a,b"]'), None),
        (LINES.replace("[a/b, c.d-e]", '["\\r---"]'), None),
        (LINES.replace("[a/b, c.d-e]", "[a, b] # both"), None),
        (LINES.replace("[a/b, c.d-e]", "\n- a\n- b"), None),
        (LINES.replace("[a/b, c.d-e]", "[a,\n  b]"), None),
        (LINES.replace("a-rule", "'a''rule'"), None),
        (LINES.replace("words", "why: >-\n  words: no key\nwords"), ("a/b", "c.d-e")),
    ],
)
def test_lines_that_take_a_parser_are_left_to_it(
    tmp_path: Path, lines: str, words: tuple[str, ...] | None
) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(f"{lines}examples:\n  words: [none]\n")
    found = head(str(file))
    assert (found and found.words) == words
    file = tmp_path / "b.yaml"
    file.write_text(lines)
    assert head(str(file)) is None


def checked(
    known: Any, sources: list[SourceFile], args: tuple[str, ...], *, migration: bool = True
) -> tuple[list[Finding], Run]:
    with command.make_context("check", list(args)) as context:
        said = context.params
    choice = Choice(**{name: said[name] for name in Choice._fields})._replace(migration=migration, select=())
    flags = TargetFlags(**{name: said[name] for name in TargetFlags._fields})
    checker = Checker(choice, flags, Config(), [], known)
    files = [parse(source, checker.words) for source in sources]
    run = Run(files, Bundle(files), Context.none(), checker.target, choice.complete, migration)
    return checker.judge(run).findings, run


def concerned(rule: Any, file: ParsedFile) -> bool:
    present = engine._present({*rule.words, *rule.marks}, [file])
    return engine._concerned(rule, present)


# Rules about two named files: what has their word stands in the other one, never in the context.
ELSEWHERE = {
    "DRA219",  # the inventory
    "DRA425",  # the ComputeDomain
}


def compare(sources: list[SourceFile], args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules parsed when they are concerned find what all rules find, and only where their words stand."""
    lazily, _ = checked(known_rules(), sources, args)
    with monkeypatch.context() as patch:
        patch.setattr(engine, "_concerned", lambda rule, present: True)
        everything, run = checked(RULES, sources, args)
    assert lazily == everything
    files = {file.file.name: file for file in run.files}
    rules = {rule.id: rule for rule in (*RULES, *OWN)}
    missed = {
        (each.rule, each.region.path)
        for each in everything
        if each.rule not in ELSEWHERE
        and each.region.path in files
        and not concerned(rules[each.rule], files[each.region.path])
    }
    assert missed == set()


def _by_arguments() -> Mapping[tuple[str, ...], list[SourceFile]]:
    """The files of all examples, one for each object, by the arguments that they are checked with."""
    found: dict[tuple[str, ...], list[SourceFile]] = defaultdict(list)
    for rule in RULES:
        for number, example in enumerate(each for some in examples(rule).values() for each in some):
            found[tuple(example.get("args", ()))] += _cut(f"{rule.id}-{number}", example)
    return found


def _cut(folder: str, example: Mapping[str, Any]) -> Iterator[SourceFile]:
    for name, text in example["files"].items():
        for number, piece in enumerate(re.split(r"^---\n", text, flags=re.MULTILINE)):
            yield SourceFile(f"{folder}/{number}-{name}", None, piece.encode())


GROUPS = _by_arguments()


@pytest.mark.parametrize("args", GROUPS, ids=" ".join)
def test_the_words_of_a_rule_stand_where_its_examples_have_findings(
    args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(GROUPS[args], args, monkeypatch)


def test_and_where_public_manifests_have_some(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = sorted(
        path for path in (shared / "corpus").rglob("*") if path.suffix in {".yaml", ".yml", ".json"}
    )
    sources = [SourceFile(str(path), str(path), path.read_bytes()) for path in paths]
    compare(sources, (), monkeypatch)


LOOKING_FURTHER = [rule for rule in RULES if "context" in rule.needs]


@pytest.mark.parametrize("rule", LOOKING_FURTHER, ids=[rule.name for rule in LOOKING_FURTHER])
def test_words_that_stand_in_the_context_only_miss_nothing(
    dralint: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rule: Any
) -> None:
    """Each file of an example alone, the others beside it."""

    def found(file: str, example: Mapping[str, Any]) -> str:
        arguments = ("--quiet", "--select", rule.id, "--context", ".", "--output-format", "concise")
        lines: str = dralint("check", file, *example.get("args", ()), *arguments).out
        return lines

    for number, example in enumerate(examples(rule)["bad"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        files = [*_cut("", example)]
        for source in files:
            Path(source.name.strip("/")).write_bytes(source.data)
        for source in files if len(files) > 1 else ():
            lazily = found(source.name.strip("/"), example)
            with monkeypatch.context() as patch:
                patch.setattr(engine, "_concerned", lambda rule, present: True)
                assert lazily == found(source.name.strip("/"), example)


# What every cluster has: a word that stands here would make dralint parse nearly every file of a repository.
ORDINARY = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: monitoring, labels: {app.kubernetes.io/part-of: agent}}
spec:
  replicas: 2
  selector: {matchLabels: {app: agent}}
  template:
    spec:
      priorityClassName: high
      runtimeClassName: gvisor
      schedulerName: default-scheduler
      serviceAccountName: agent
      initContainers: [{name: init, image: "registry.example/init:1"}]
      containers:
      - name: agent
        image: registry.example/agent:1
        command: [sh, -c, "exec agent --count 3 --capacity 10"]
        env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
        resources: {requests: {cpu: "1"}, limits: {memory: 1Gi}}
        volumeMounts: [{name: data, mountPath: /data}]
      volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
      tolerations: [{operator: Exists}]
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname}]
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce]}}]
---
kind: ResourceQuota
spec: {hard: {requests.cpu: "10", count/services: "4"}}
---
kind: ClusterRole
rules: [{apiGroups: [""], resources: [persistentvolumeclaims, configmaps], verbs: [get]}]
---
kind: PersistentVolume
spec: {capacity: {storage: 1Gi}, claimRef: {name: data}}
---
kind: ValidatingWebhookConfiguration
webhooks: [{name: webhook.example.com, clientConfig: {service: {name: webhook}}, matchConditions: []}]
---
kind: ValidatingAdmissionPolicy
spec: {matchConstraints: {resourceRules: []}, validations: [{expression: "object.spec.replicas <= 5"}]}
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
spec: {rules: [{match: {any: [{resources: {kinds: [Pod], selectors: {}}}]}}]}
---
apiVersion: karpenter.sh/v1
kind: NodePool
spec: {template: {spec: {requirements: [], kubelet: {}}}}
---
kind: Node
status: {allocatable: {cpu: "4"}, capacity: {cpu: "4"}, nodeInfo: {kubeletVersion: v1.36.1}}
---
kind: Secret
type: Opaque
data: {opaque: e30=}
---
kind: ConfigMap
data: {config: "namespace: a\nconstraints: []\nselectors: []\nclaims_supported: [sub]\nmode: MPS\n"}
"""


def test_no_word_of_a_rule_makes_ordinary_manifests_worth_reading() -> None:
    common = {word: rule.id for rule in RULES for word in rule.words if word in ORDINARY}
    assert not common, "name them as `marks`"
    assert not any(word.decode() in ORDINARY for word in prefilter_words())


# A workload that has not moved, with what such workloads often have.
GPU_DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: model, namespace: serving, labels: {app: model}}
spec:
  replicas: 2
  selector: {matchLabels: {app: model}}
  template:
    metadata: {labels: {app: model}, annotations: {prometheus.io/scrape: "true"}}
    spec:
      runtimeClassName: nvidia
      priorityClassName: high
      schedulerName: default-scheduler
      serviceAccountName: model
      nodeSelector: {nvidia.com/gpu.present: "true"}
      tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}]
      containers:
      - name: server
        image: registry.example/model:1
        args: [--port, "8080"]
        env: [{name: NVIDIA_VISIBLE_DEVICES, value: all}]
        resources: {limits: {nvidia.com/gpu: 1, memory: 32Gi}, requests: {cpu: "4"}}
        volumeMounts: [{name: models, mountPath: /models}]
      volumes: [{name: models, persistentVolumeClaim: {claimName: models}}]
"""
# Modules that cost much and are not needed as long as nothing is found.
SLOW = (
    "cel_expr_python", "celpy", "difflib", "dralint.lint.finding", "dralint.kube.dra", "hashlib", "json",
    "jsonschema", "pathlib", "pathspec",
)  # fmt: skip


def test_a_workload_of_the_device_plugin_concerns_few_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(engine, "whole", lambda rule: opened.append(rule.id) or whole(rule))
    found, _ = checked(
        known_rules(), [SourceFile("a.yaml", None, GPU_DEPLOYMENT.encode())], (), migration=False
    )
    assert found == []
    assert len(opened) <= 5, f"{opened}: more `marks` would let some of them be passed over"
    assert len(rule_files(directory("rules"))) == len(RULES)


def test_and_imports_little(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GPU_DEPLOYMENT)
    program = (
        "import sys; before = set(sys.modules); from dralint.cli.main import run; run(sys.argv[1:]);"
        f"print(sorted({{*{SLOW!r}}} & set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--quiet", "a.yaml"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "[]"


def test_claims_are_read_without_the_rooms_of_convert(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(f"{GPU_DEPLOYMENT}---{CLAIM}")
    program = (
        "import sys; from dralint.cli.main import run; run(sys.argv[1:]);"
        "print([name for name in sys.modules if name in ('dralint.convert.work', 'dralint.convert.model')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "check", "--quiet", "--output-format", "json", "a.yaml"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "[]"


SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: node-a-gpu}
spec:
  driver: gpu.nvidia.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {type: {string: gpu}, productName: {string: NVIDIA H100 80GB HBM3}}
    capacity: {memory: {value: 80Gi}}
"""
CLAIM = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: slice}
spec: {devices: {requests: [{name: slice, exactly: {deviceClassName: mig.nvidia.com}}]}}
"""


def test_an_inventory_counts_as_if_it_were_among_the_files(
    dralint: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim itself has none of the words of the rules that look for its devices."""
    monkeypatch.chdir(tmp_path)
    Path("slice.yaml").write_text(SLICE)
    Path("claim.yaml").write_text(CLAIM)
    arguments = ("check", "--quiet", "--output-format", "concise", "--select", "selector-matches-nothing")
    given = dralint(*arguments, "claim.yaml", "--inventory", "slice.yaml").out
    assert given.startswith("claim.yaml:5:")
    assert given == dralint(*arguments, "claim.yaml", "slice.yaml").out
