"""The pod specs of public manifests stand where the index of the corpus says."""

from __future__ import annotations

import csv
import re

from dralint.kube.kinds import kind_of
from dralint.kube.places import containers, pod_specs
from dralint.kube.read import parse
from dralint.source.file import SourceFile
from dralint.yamltext.node import MAP
from dralint.yamltext.view import entries, field_path, get

INDEX = re.compile(r"\[\d+\]")
# The index counts these resource names.
GPU = re.compile(r"nvidia\.com/(gpu|mig-)")


def asks_for_gpus(container):
    maps = [get(container.node, "resources", part) for part in ("limits", "requests")]
    return any(GPU.match(name) for each in maps if each and each.kind == MAP for name in entries(each))


def test_pod_specs_of_the_corpus(shared):
    with open(shared / "corpus" / "index.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 313
    total = 0
    for row in rows:
        path = shared / "corpus" / row["file"]
        parsed = parse(SourceFile(row["file"], path, path.read_bytes()))
        places = {
            INDEX.sub("[]", field_path(pod.path))
            for obj in parsed.objects
            for pod in pod_specs(obj)
            if any(asks_for_gpus(container) for container in containers(pod))
        }
        # `[resources]` marks a bare mapping that belongs to no pod spec.
        listed = {
            place.partition(":")[2]
            for place in row["podspec_or_resources_paths"].split(";")
            if place and not place.endswith("[resources]")
        }
        assert places == listed, row["file"]
        total += len(listed)
    assert total > 160


def test_every_kind_of_the_corpus_that_requests_gpus_is_listed(shared):
    unlisted = set()
    for row in csv.DictReader((shared / "corpus" / "index.csv").read_text().splitlines()):
        path = shared / "corpus" / row["file"]
        for obj in parse(SourceFile(row["file"], path, path.read_bytes())).objects:
            for pod in pod_specs(obj):
                if kind_of(obj) is None and any(asks_for_gpus(each) for each in containers(pod)):
                    unlisted.add(f"{obj.group}/{obj.ref.kind}")
    assert unlisted == set()
