#!/usr/bin/env python3
"""Runs dralint over ../shared/corpus and holds it to its promises, by means that share no code with it.

Only the command `dralint` is called; what it did is judged with PyYAML, difflib and Kubernetes' own schemas. Run by
tests/corpus/test_corpus.py, or by hand for the figures:  python tests/corpus/check_corpus.py
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from functools import cached_property
from importlib.resources import files
from pathlib import Path

import jsonschema
import lines
import pods
import reading
import referencing

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
# Kinds whose API takes a whole pod spec with resourceClaims; the source is facts/workloads.md, table (a).
FULL = set(
    """
    ClusterServingRuntime ClusterTrainingRuntime CronJob DaemonSet Deployment ElasticJob Experiment HyperPodPyTorchJob
    Job JobSet LLMInferenceService LLMInferenceServiceConfig LeaderWorkerSet MPIJob ModelServing Notebook Pod
    PodCliqueSet PodTemplate PyTorchJob RayCluster RayClusterFleet RayJob RayService ReplicaSet RoleBasedGroup
    ServingRuntime StatefulSet StormService TFJob TrainingRuntime Workflow WorkflowTemplate Workspace
    """.split()  # noqa: SIM905
)
SHARE_CONVERTED = 0.98
# The command line, once for each folder of standard input; a process for each would take a minute.
ALONE = """
import os, sys
from dralint.cli.main import run
for folder in sys.stdin.read().splitlines():
    os.chdir(folder)
    if run(["convert", "--quiet", *sys.argv[1:], "--write", *os.listdir()]) not in (0, 1):
        sys.exit(f"could not convert {folder}")
"""
BY_NAME = ("extended-resource", "implicit")
MODES = ("auto", "claims", *BY_NAME)


class Command:
    """One call of dralint: what it printed and how it ended."""

    def __init__(self, *arguments, cwd, stdin=None):
        command = [sys.executable, "-m", "dralint", *arguments]
        done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, timeout=300, check=False)
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")
        self.name = " ".join(arguments)


def options_of(mode, sharing, classes):
    """The options of a conversion; with the GPU operator nobody else serves a resource name."""
    stack = ["--stack", "operator"] if mode in BY_NAME else []
    return ["--mode", mode, "--sharing", sharing, *stack, "--device-classes", str(classes)]


class Runs:
    """Manifests converted in a scratch directory: the results, and the reports of two runs.

    classes: the file of DeviceClasses, as bytes after each run
    """

    def __init__(self, scratch, mode, sharing, manifests):
        self.tree = write(manifests, Path(scratch) / f"converted-{sharing}")
        self.class_file = Path(scratch) / f"classes-{sharing}.yaml"
        self.options = options_of(mode, sharing, self.class_file)
        options = [*self.options, "--write"]
        first, second = Path(scratch) / f"first-{sharing}.json", Path(scratch) / f"second-{sharing}.json"
        self.first = Command("convert", *options, "--report", str(first), cwd=self.tree)
        self.after = {name: (self.tree / name).read_bytes() for name in manifests}
        self.classes = self.class_file.read_bytes() if self.class_file.exists() else b""
        self.second = Command("convert", *options, "--report", str(second), cwd=self.tree)
        self.again = {name: (self.tree / name).read_bytes() for name in manifests}
        self.classes_again = self.class_file.read_bytes() if self.class_file.exists() else b""
        self.report = json.loads(first.read_bytes())
        self.second_report = json.loads(second.read_bytes())
        self.changed = [name for name, data in self.after.items() if data != manifests[name]]
        self.occurrences = defaultdict(list)
        for occurrence in self.report["occurrences"]:
            self.occurrences[str(Path(occurrence["path"]))].append(occurrence)


def corpus():
    """All manifests of the corpus by name, relative to it."""
    found = (path for path in CORPUS.rglob("*") if path.suffix in (".yaml", ".yml", ".json"))
    return {str(path.relative_to(CORPUS)): path.read_bytes() for path in sorted(found)}


def write(manifests, folder):
    """Write manifests below a folder; not a copy of the files, which may be read-only."""
    for name, data in manifests.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return folder


def new_templates(before, after):
    """The templates of a file that its original does not have."""
    old = pods.templates(before)
    return {key: item for key, item in pods.templates(after).items() if key not in old}


class Corpus:
    """All checks; each returns the list of what is wrong, empty when the promise holds.

    original: another corpus of the same manifests and a mode of the same kind (BY_NAME or not), whose findings
    before the conversion hold here, too
    """

    def __init__(self, scratch, manifests, block=True, refuse=True, mode="auto", original=None):
        self.scratch = Path(scratch)
        self.manifests = manifests
        self.mode = mode
        self.original = original or self
        self.block = block  # in block style, where single lines can be judged
        self.sharings = ("exclusive", "refuse") if refuse else ("exclusive",)
        self.figures = {}

    @cached_property
    def exclusive(self):
        return Runs(self.scratch, self.mode, "exclusive", self.manifests)

    @cached_property
    def runs(self):
        others = [Runs(self.scratch, self.mode, sharing, self.manifests) for sharing in self.sharings[1:]]
        return [self.exclusive, *others]

    def no_crash(self):
        commands = [run for runs in self.runs for run in (runs.first, runs.second)]
        commands += [self.original._checked_before, self._checked_after]
        return [
            f"{command.name}: exit {command.code}: {command.err[-500:]}"
            for command in commands
            # PyYAML reads every file of the corpus, so that nothing is unreadable: 2 is wrong, too.
            if command.code not in (0, 1) or "Traceback" in command.err or "error:" in command.err
        ]

    def outside_bytes_equal(self):
        wrong = []
        for runs in self.runs:
            for name in runs.changed:
                before, after = self.manifests[name], runs.after[name]
                made = new_templates(self.manifests[name], after)
                if self.block:
                    wrong += [f"{name}: {line}" for line in lines.strangers(before, after)]
                if lines.endings(before) != lines.endings(after):
                    wrong.append(f"{name}: line endings {lines.endings(before)} -> {lines.endings(after)}")
                if pods.rest(before, made) != pods.rest(after, made):
                    wrong.append(f"{name}: differs in more than GPU requests, claims, tolerations, num-gpus")
            reported = {str(Path(entry["path"])) for entry in runs.report["files"] if entry["changed"]}
            wrong += [
                f"{name}: changed or reported as changed, not both" for name in reported ^ set(runs.changed)
            ]
        self.figures["files changed"] = len(self.exclusive.changed)
        return wrong

    def second_run_changes_nothing(self):
        return (
            [
                f"{name}: changed again"
                for runs in self.runs
                for name in self.manifests
                if runs.again[name] != runs.after[name]
            ]
            + [
                "the file of DeviceClasses: changed again"
                for runs in self.runs
                if runs.classes_again != runs.classes
            ]
            + [
                f"{entry['path']}: reported as changed again"
                for runs in self.runs
                for entry in runs.second_report["files"]
                if entry["changed"]
            ]
        )

    def the_diff_applies(self):
        """The diff that is printed, applied by git to the originals, gives the bytes that --write gives."""
        folder = write(self.manifests, self.scratch / "diffed")
        shown = Command("convert", *self.exclusive.options, cwd=folder)
        wrong = [
            f"{name}: changed by a run that only shows"
            for name, data in self.manifests.items()
            if (folder / name).read_bytes() != data
        ]
        # Outside of a repository, and by no settings of the person who runs this.
        alone = {"GIT_CEILING_DIRECTORIES": str(self.scratch), "GIT_CONFIG_GLOBAL": os.devnull}
        applied = subprocess.run(
            ["git", "apply", "--whitespace=nowarn", "-"],
            cwd=folder,
            input=shown.out,
            capture_output=True,
            check=False,
            env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1", **alone},
        )
        if applied.returncode or applied.stderr:
            wrong.append(f"git apply: exit {applied.returncode}: {applied.stderr.decode()[-500:]}")
        self.figures["diffs applied"] = shown.out.count(b"\n+++ b/")
        return wrong + [
            f"{name}: git apply gives other bytes than --write"
            for name, data in self.exclusive.after.items()
            if (folder / name).read_bytes() != data
        ]

    def alone_or_in_the_tree(self):
        asking = {name: data for name, data in self.manifests.items() if reading.requests(data)}
        folders = {name: self.scratch / "alone" / str(index) for index, name in enumerate(asking)}
        for name, folder in folders.items():
            write({Path(name).name: asking[name]}, folder)
        classes = self.scratch / "classes-alone.yaml"
        done = subprocess.run(
            [sys.executable, "-c", ALONE, *options_of(self.mode, "exclusive", classes)],
            input="\n".join(map(str, folders.values())).encode(),
            capture_output=True,
            timeout=300,
            check=False,
        )
        wrong = [f"exit {done.returncode}: {done.stderr.decode()[-500:]}"] if done.returncode else []
        if (classes.read_bytes() if classes.exists() else b"") != self.exclusive.classes:
            wrong.append("one run for each file gives other DeviceClasses than one for all")
        return wrong + [
            f"{name}: other bytes than in the tree"
            for name, folder in folders.items()
            if (folder / Path(name).name).read_bytes() != self.exclusive.after[name]
        ]

    def every_occurrence_once(self):
        wrong, total, unreadable = [], Counter(), []
        for runs in self.runs:
            for name in self.manifests:
                expected = reading.tally(reading.requests(self.manifests[name]))
                reported = Counter(occurrence["resource"] for occurrence in runs.occurrences[name])
                if reading.documents(self.manifests[name])[1]:
                    unreadable.append(name)
                elif expected != reported:
                    wrong.append(f"{name}: expected {dict(expected)}, reported {dict(reported)}")
                if runs is self.exclusive:
                    total += expected
        known = set(self.manifests)
        wrong += [
            f"{name}: reported, but not in the corpus"
            for name in self.exclusive.occurrences
            if name not in known
        ]
        self.figures["occurrences"] = dict(total)
        self.figures["not readable by PyYAML"] = sorted(set(unreadable))
        return wrong

    def occurrences_point_at_their_line(self):
        wrong = []
        for name, occurrences in self.exclusive.occurrences.items():
            text = self.manifests[name].decode("utf-8").split("\n")
            for occurrence in occurrences:
                line = text[occurrence["line"] - 1]
                bare = occurrence["resource"].removeprefix("nvidia.com/") + ":"
                if (
                    occurrence["resource"] not in line
                    and bare not in line
                    and "*" not in line
                    and "<<" not in line
                ):
                    wrong.append(f"{name}:{occurrence['line']}: {line.strip()}")
        return wrong

    def what_is_left_is_what_was_not_converted(self):
        wrong = []
        for runs in self.runs:
            for name in self.manifests:
                left = reading.tally(reading.requests(runs.after[name]))
                kept = Counter(
                    occurrence["resource"]
                    for occurrence in runs.occurrences[name]
                    if occurrence["outcome"] != "converted"
                )
                if left != kept:
                    wrong.append(f"{name}: {dict(left)} left in the file, {dict(kept)} reported")
        return wrong

    def same_devices_held_and_seen(self):
        wrong, counted = [], 0
        for runs in self.runs:
            for name in runs.changed:
                made = new_templates(self.manifests[name], runs.after[name])
                before, after = pods.pod_specs(self.manifests[name]), pods.pod_specs(runs.after[name])
                if len(before) != len(after):
                    wrong.append(f"{name}: {len(before)} pod specs before, {len(after)} after")
                    continue
                for old, new in zip(before, after, strict=True):
                    counted += runs is self.exclusive
                    kept = all(not seen for seen in pods.devices(new, {})[1].values())
                    if old.get("nodeSelector") != new.get("nodeSelector") and not (
                        kept and pods.devices(old, {})[0]
                    ):
                        wrong.append(f"{name}: the labels of a pod are gone whose GPUs are no claims")
                    if pods.devices(old, {}) != pods.devices(new, made):
                        wrong.append(f"{name}: {pods.devices(old, {})} -> {pods.devices(new, made)}")
        self.figures["pod specs compared"] = counted
        return wrong

    def templates_pass_the_schema(self):
        validator = kubernetes_schema("1.36", "resourceclaimtemplate-resource-v1")
        wrong, count = [], 0
        for name in self.exclusive.changed:
            for key, item in new_templates(self.manifests[name], self.exclusive.after[name]).items():
                count += 1
                # Scalars are text to `reading`; the count is a number to Kubernetes.
                numbered = json.loads(json.dumps(item), object_hook=_with_number)
                wrong += [f"{name}: {key}: {error.message}" for error in validator.iter_errors(numbered)]
        self.figures["templates"] = count
        return wrong

    def classes_pass_the_schema(self):
        validator = kubernetes_schema("1.36", "deviceclass-resource-v1")
        found = documents_of(self.exclusive.classes)
        self.figures["DeviceClasses"] = [item["metadata"]["name"] for item in found]
        needed = {
            need["resource"] for need in self.exclusive.report["deviceClasses"] if need["state"] == "needed"
        }
        wrong = [error.message for item in found for error in validator.iter_errors(item)]
        if len(found) != len(needed):
            wrong.append(f"{len(found)} DeviceClasses for {sorted(needed)}")
        return wrong

    @property
    def _check(self):
        """`check`; where requests stay or name a class, of a whole cluster in which only classes serve them."""
        more = ["--stack", "operator", "--complete"] if self.mode in BY_NAME else []
        return ["check", "--output-format", "json", *more]

    @cached_property
    def _checked_before(self):
        return Command(*self._check, cwd=write(self.manifests, self.scratch / "original"))

    @cached_property
    def _checked_after(self):
        beside = [self.exclusive.class_file] if self.exclusive.classes else []
        return Command(*self._check, ".", *map(str, beside), cwd=self.exclusive.tree)

    def _findings_before(self):
        return json.loads(self.original._checked_before.out)["findings"]

    def no_new_error_by_check(self):
        def errors(findings):
            return Counter(
                (
                    str(Path(finding["path"])),
                    finding["rule"],
                    (finding["object"] or {}).get("kind"),
                    (finding["object"] or {}).get("name"),
                    finding["message"],
                )
                for finding in findings
                if finding["layer"] in ("api", "runtime") and finding["severity"] == "error"
            )

        before = errors(self._findings_before())
        after = errors(json.loads(self._checked_after.out)["findings"])
        self.figures["errors by check"] = f"{before.total()} before, {after.total()} after"
        return [" ".join(map(str, entry)) for entry in (after - before)]

    def device_plugin_manifests_are_quiet(self):
        words = (b"resource.k8s.io", b"resourceClaim", b"resource.nvidia.com")
        quiet = {name for name in self.manifests if not any(word in self.manifests[name] for word in words)}
        loud = [finding for finding in self._findings_before() if finding["severity"] in ("warning", "error")]
        self.figures["findings elsewhere"] = sorted(
            f"{finding['path']}:{finding['line']} {finding['rule']} {finding['name']}"
            for finding in loud
            if str(Path(finding["path"])) not in quiet
        )
        return [
            f"{finding['path']}:{finding['line']} {finding['rule']} {finding['message']}"
            for finding in loud
            if str(Path(finding["path"])) in quiet
        ]

    def nearly_all_whole_requests_are_converted(self):
        whole = [
            (name, occurrence)
            for name, occurrences in self.exclusive.occurrences.items()
            for occurrence in occurrences
            if (occurrence["object"] or {}).get("kind") in FULL
            and reading.CONVERTIBLE.match(occurrence["resource"])
            and reading.WHOLE.match(str(occurrence["quantity"]).strip("\"'"))
        ]
        rest = [
            f"{name}:{occurrence['line']} {occurrence['outcome']}: {occurrence['reason']}"
            for name, occurrence in whole
            if occurrence["mode"] is None
        ]
        share = 1 - len(rest) / max(len(whole), 1)
        self.figures["converted"] = (
            f"{len(whole) - len(rest)} of {len(whole)} whole-number requests in kinds of class full"
        )
        self.figures["not converted"] = rest
        independent = sum(
            request.kind in FULL
            and bool(reading.CONVERTIBLE.match(request.resource) and reading.WHOLE.match(str(request.limit)))
            for name in self.manifests
            for request in reading.requests(self.manifests[name])
        )
        wrong = [] if share >= SHARE_CONVERTED else [f"only {share:.1%} converted", *rest]
        if independent != len(whole):
            wrong.append(f"{independent} such requests stand in the corpus, {len(whole)} were reported")
        return wrong


CHECKS = [
    "no_crash",
    "outside_bytes_equal",
    "second_run_changes_nothing",
    "the_diff_applies",
    "alone_or_in_the_tree",
    "every_occurrence_once",
    "occurrences_point_at_their_line",
    "what_is_left_is_what_was_not_converted",
    "same_devices_held_and_seen",
    "templates_pass_the_schema",
    "classes_pass_the_schema",
    "no_new_error_by_check",
    "device_plugin_manifests_are_quiet",
    "nearly_all_whole_requests_are_converted",
]
# What does not depend on the mode is seen once.
EACH_MODE = [name for name in CHECKS if name != "device_plugin_manifests_are_quiet"]


def _with_number(mapping):
    count = mapping.get("count")
    return {**mapping, "count": int(count)} if isinstance(count, str) and count.isdigit() else mapping


def documents_of(data):
    """The objects of a file of DeviceClasses."""
    return [item for item in reading.documents(data)[0] if item]


def kubernetes_schema(version, name):
    """A validator for one of kubernetes-validate's strict schemas; loading it once is what the package does not do."""
    folder = files("kubernetes_validate") / "kubernetes-json-schema" / f"v{version}.0-local-strict"
    schema, definitions = (
        json.loads((folder / f"{part}.json").read_text("utf-8")) for part in (name, "_definitions")
    )
    registry = referencing.Registry().with_resources(
        [
            (contents["$id"], referencing.Resource.from_contents(contents))
            for contents in (schema, definitions)
        ]
    )
    return jsonschema.Draft202012Validator(schema, registry=registry)


def main():
    if not CORPUS.is_dir():
        print(f"{CORPUS} is not here")
        return 2
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for mode, judged in corpora(Path(scratch), corpus()).items():
            print(f"--mode {mode}")
            for name in CHECKS if mode == MODES[0] else EACH_MODE:
                wrong = getattr(judged, name)()
                failed += bool(wrong)
                print(f"{'FAIL' if wrong else 'ok  '} {name.replace('_', ' ')}")
                for line in wrong:
                    print(f"       {line}")
            show(judged.figures)
    return 1 if failed else 0


def corpora(scratch, manifests):
    """A corpus for each mode, by its name; what does not depend on the mode is done by the first ones."""
    found = {}
    for mode in MODES:
        like = next((other for name, other in found.items() if (name in BY_NAME) == (mode in BY_NAME)), None)
        found[mode] = Corpus(scratch / mode, manifests, refuse=not found, mode=mode, original=like)
    return found


def show(figures):
    """Print what was counted on the way."""
    for name, value in figures.items():
        print(f"{name}: {value}" if not isinstance(value, list) else f"{name}: {len(value)}")
        if isinstance(value, list):
            for line in value:
                print(f"       {line}")


if __name__ == "__main__":
    sys.exit(main())
