"""Measure `dralint convert -` on a generated dump of a cluster, as JSON and as YAML.

    python benchmarks/dump.py [--workloads 10000] [--plain 0] [--managed] [--keep DIR]

The dump is what `kubectl get ... -A -o json` prints, status and the last-applied annotation included, with
--managed as `--show-managed-fields` makes it. Each run's wall-clock seconds, user seconds and most memory are shown, beside
the same of a tenth of the workloads: the work is linear, so the ratio is to be 10, and may be 13 at most.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

_TIME = "2026-05-04T10:11:12Z"
_MOST_RATIO = 13


def _fields(value: Any) -> Any:
    """The managedFields of a value, as the API server notes them."""
    if isinstance(value, dict):
        return {f"f:{key}": _fields(child) for key, child in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], dict):
        named = {f'k:{{"name":"{item.get("name", index)}"}}': item for index, item in enumerate(value)}
        return {key: {".": {}, **_fields(item)} for key, item in named.items()}
    return {}


def _pod(number: int, gpus: int) -> dict[str, Any]:
    resources: dict[str, Any] = {"limits": {"memory": "32Gi"}, "requests": {"cpu": "4", "memory": "16Gi"}}
    if gpus:
        for side in resources.values():
            side["nvidia.com/gpu"] = str(gpus)
    container = {
        "args": ["--model", f"/models/{number}", "--port", "8080"],
        "env": [
            {"name": "MODEL", "value": str(number)},
            {"name": "NAMESPACE", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}},
        ],
        "image": f"registry.example.com/model:{number}",
        "imagePullPolicy": "IfNotPresent",
        "name": "server",
        "ports": [{"containerPort": 8080, "name": "http", "protocol": "TCP"}],
        "resources": resources,
        "terminationMessagePath": "/dev/termination-log",
        "terminationMessagePolicy": "File",
        "volumeMounts": [{"mountPath": "/models", "name": "models", "readOnly": True}],
    }  # fmt: skip
    return {
        "containers": [container],
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "serviceAccount": "model",
        "serviceAccountName": "model",
        "terminationGracePeriodSeconds": 30,
        "volumes": [{"name": "models", "persistentVolumeClaim": {"claimName": "models"}}],
    }


def _condition(kind: str, reason: str) -> dict[str, Any]:
    message = f"{reason}: the deployment has its minimum availability, and all of its pods are ready to serve"
    times = {"lastTransitionTime": _TIME, "lastUpdateTime": _TIME}
    return {**times, "message": message, "reason": reason, "status": "True", "type": kind}


def workload(number: int, gpus: int, managed: bool) -> dict[str, Any]:
    """A live Deployment, as the API server prints it."""
    name, namespace = f"model-{number}", f"team-{number % 50}"
    labels = {"app": name, "app.kubernetes.io/part-of": "serving", "team": f"team-{number % 50}"}
    spec = {
        "progressDeadlineSeconds": 600,
        "replicas": 2,
        "revisionHistoryLimit": 10,
        "selector": {"matchLabels": {"app": name}},
        "strategy": {"rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}, "type": "RollingUpdate"},
        "template": {
            "metadata": {"annotations": {"prometheus.io/scrape": "true"}, "labels": labels},
            "spec": _pod(number, gpus),
        },
    }
    head = {"apiVersion": "apps/v1", "kind": "Deployment"}
    applied = {**head, "metadata": {"name": name, "namespace": namespace, "labels": labels}, "spec": spec}
    status = {
        "availableReplicas": 2,
        "conditions": [
            _condition("Available", "MinimumReplicasAvailable"),
            _condition("Progressing", "NewReplicaSet"),
        ],
        "observedGeneration": 3,
        "readyReplicas": 2,
        "replicas": 2,
        "updatedReplicas": 2,
    }
    field = {"apiVersion": "apps/v1", "fieldsType": "FieldsV1", "operation": "Update", "time": _TIME}
    fields = [
        {**field, "fieldsV1": {"f:spec": _fields(spec)}, "manager": "kubectl-client-side-apply"},
        {**field, "fieldsV1": {"f:status": _fields(status)}, "manager": "kube-controller-manager"},
    ]
    return {
        **head,
        "metadata": {
            "annotations": {
                "deployment.kubernetes.io/revision": "3",
                "kubectl.kubernetes.io/last-applied-configuration": json.dumps(applied) + "\n",
            },
            "creationTimestamp": _TIME,
            "generation": 3,
            "labels": labels,
            **({"managedFields": fields} if managed else {}),
            "name": name,
            "namespace": namespace,
            "resourceVersion": str(700_000 + number),
            "uid": f"0c8f1c5a-0000-4000-8000-{number:012d}",
        },
        "spec": spec,
        "status": status,
    }


def _scalar(value: Any) -> str:
    """A scalar in block style: quoted unless it is a plain word."""
    if isinstance(value, str):
        plain = value.replace("-", "").replace(".", "").replace("/", "").isalnum() and value[0].isalpha()
        return value if plain and value not in ("true", "false", "null", "yes", "no") else json.dumps(value)
    return json.dumps(value)


def _lines(value: Any, indent: str) -> Iterator[str]:
    """A mapping or list as kubectl writes it: lists as far left as their keys."""
    if isinstance(value, dict):
        for key, child in value.items():
            name = _scalar(key)
            if isinstance(child, (dict, list)) and child:
                yield f"{indent}{name}:"
                yield from _lines(child, indent + "  " if isinstance(child, dict) else indent)
            else:
                yield f"{indent}{name}: {_scalar(child)}"
    else:
        for item in value:
            if isinstance(item, (dict, list)):
                first, *rest = _lines(item, indent + "  ")
                yield f"{indent}- {first.lstrip()}"
                yield from rest
            else:
                yield f"{indent}- {_scalar(item)}"


def dump(workloads: int, plain: int, form: str, *, managed: bool) -> str:
    """A List of that many workloads, of which `plain` in a hundred ask for no GPU; form: json or yaml."""
    items = [
        workload(number, 0 if number % 100 < plain else 1 + number % 8, managed)
        for number in range(workloads)
    ]
    value = {"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}
    return json.dumps(value, indent=4) + "\n" if form == "json" else "\n".join(_lines(value, "")) + "\n"


class Run(NamedTuple):
    """wall, user: seconds; memory: the most that was resident, in MiB."""

    wall: float
    user: float
    memory: int


def measure(path: Path) -> Run:
    """One run of `convert -` in a process of its own; raises SystemExit when it fails."""
    start = time.perf_counter()
    with path.open("rb") as given:
        process = subprocess.Popen(
            [sys.executable, "-m", "dralint", "convert", "-", "--no-config"], stdin=given, stdout=subprocess.DEVNULL
        )  # fmt: skip
        _, code, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(code):
        sys.exit(f"convert ended with {os.waitstatus_to_exitcode(code)}")
    return Run(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--workloads", type=int, default=10_000)
    parser.add_argument("--plain", type=int, default=0, help="workloads in a hundred that ask for no GPU")
    parser.add_argument("--managed", action="store_true", help="with managedFields")
    parser.add_argument("--keep", type=Path, help="write the dumps to this directory, and keep them")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    slow = False
    print(
        "| dump | size | seconds | user seconds | memory | to a tenth of it | at most |\n|---|---|---|---|---|---|---|"
    )
    with tempfile.TemporaryDirectory() as folder:
        directory = options.keep or Path(folder)
        for form in ("json", "yaml"):
            runs = []
            for workloads in (options.workloads // 10, options.workloads):
                path = directory / f"dump-{workloads}.{form}"
                path.write_text(dump(workloads, options.plain, form, managed=options.managed))
                runs.append((measure(path), path.stat().st_size))
            (small, _), (large, size) = runs
            ratio = large.user / small.user
            slow = slow or ratio > _MOST_RATIO
            cells = (f"{size / 1e6:.0f} MB", f"{large.wall:.1f}", f"{large.user:.1f}", f"{large.memory} MiB")
            print(
                f"| {options.workloads:,} workloads, {form} | {' | '.join(cells)} | {ratio:.1f} | {_MOST_RATIO} |"
            )
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
