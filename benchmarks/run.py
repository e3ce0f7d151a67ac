"""Measure dralint's speed as ratios to other programs on the same machine in the same run.

    python benchmarks/run.py [--repeat 5] [--files 10000]

dralint is run with the Python that runs this script. check-jsonschema and kubeconform are compared
with if they are on PATH; where they are not, the row says so. Each figure is the least wall-clock
time of several runs, after one that is not counted: other work on the machine only ever adds to it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: model-{number}
  namespace: serving
  labels: {{app: model-{number}, team: "platform"}}
spec:
  replicas: 2
  selector:
    matchLabels: {{app: model-{number}}}
  template:
    metadata:
      labels: {{app: model-{number}}}
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "8080"
    spec:
      serviceAccountName: model
      containers:
        - name: server
          image: registry.example.com/model:{number}
          args: ["--model", "/models/{number}", "--port", "8080"]  # one process for each card
          env:
            - name: MODEL
              value: "{number}"
            - name: NAMESPACE
              valueFrom:
                fieldRef: {{fieldPath: metadata.namespace}}
          ports:
            - containerPort: 8080
          resources:
            requests: {{cpu: "4", memory: 16Gi}}
            limits:
              memory: 32Gi
              nvidia.com/gpu: {gpus}
          volumeMounts:
            - {{name: models, mountPath: /models, readOnly: true}}
      volumes:
        - name: models
          persistentVolumeClaim:
            claimName: models
      tolerations:
        - key: nvidia.com/gpu
          operator: Exists
"""
SERVICE = """\
apiVersion: v1
kind: Service
metadata:
  name: service-{number}
  namespace: serving
spec:
  selector: {{app: model-{number}}}
  ports:
    - name: http
      port: 80
      targetPort: 8080
"""


# A program that is installed has its bytecode on disk.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Row(NamedTuple):
    """One line of the table; seconds, None where the other program is not there."""

    work: str
    ours: float
    other: str
    theirs: float | None
    most: float


def best(command: Sequence[str], repeat: int, codes: tuple[int, ...] = (0,)) -> float:
    """The least wall-clock seconds of a command; raises SystemExit when it fails."""
    seconds = []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False
        )
        seconds.append(time.perf_counter() - start)
        if done.returncode not in codes:
            sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode()}")
    return min(seconds[1:])


def deployments(count: int) -> str:
    return "---\n".join(DEPLOYMENT.format(number=number, gpus=1 + number % 8) for number in range(count))


def make_tree(folder: Path, files: int) -> None:
    """Files in folders of a hundred; every fiftieth asks for GPUs."""
    for number in range(files):
        path = folder / f"team-{number // 100}" / f"manifest-{number}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((SERVICE if number % 50 else DEPLOYMENT).format(number=number, gpus=1))


def optional(command: Sequence[str], repeat: int) -> float | None:
    return best(command, repeat, (0, 1)) if shutil.which(command[0]) else None


def kubeconform(path: Path) -> list[str]:
    """The fairest call: schemas from its cache directory, unknown kinds skipped."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "kubeconform"
    cache.mkdir(parents=True, exist_ok=True)
    return ["kubeconform", "-cache", str(cache), "-ignore-missing-schemas", str(path)]


def measure(folder: Path, repeat: int, files: int) -> list[Row]:
    check = [sys.executable, "-m", "dralint", "check", "--quiet", "--context", "none"]
    one, thousand, tree = folder / "one.yaml", folder / "thousand.yaml", folder / "tree"
    one.write_text(deployments(1))
    thousand.write_text(deployments(1000))
    make_tree(tree, files)
    few = max(1, repeat // 2)
    one_file = best([*check, str(one)], repeat)
    tree_time, thousand_time = best([*check, str(tree)], few), best([*check, str(thousand)], few)
    return [
        Row("one file with a GPU Deployment", one_file, "python -c pass", best([sys.executable, "-c", "pass"], repeat), 10),
        Row("the same", one_file, "check-jsonschema --version", optional(["check-jsonschema", "--version"], repeat), 0.5),
        Row(f"a tree of {files:,} files, 2 % with GPUs", tree_time, "kubeconform", optional(kubeconform(tree), few), 0.25),
        Row("1,000 GPU Deployments in one file", thousand_time, "kubeconform", optional(kubeconform(thousand), few), 1.5),
    ]  # fmt: skip


def table(rows: Sequence[Row]) -> str:
    lines = ["| work | dralint | compared with | its time | ratio | at most |", "|---|---|---|---|---|---|"]
    for row in rows:
        theirs, ratio = "not on PATH", "not measured"
        if row.theirs is not None:
            theirs, share = f"{row.theirs:.3f} s", row.ours / row.theirs
            ratio = f"{share:.2f} {'ok' if share <= row.most else 'TOO SLOW'}"
        lines.append(f"| {row.work} | {row.ours:.3f} s | {row.other} | {theirs} | {ratio} | {row.most} |")
    return "\n".join(lines)


def main(show: Callable[[str], None] = print) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each short command")
    parser.add_argument("--files", type=int, default=10_000, help="files of the tree")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), options.repeat, options.files)
    show(table(rows))
    return int(any(row.theirs is not None and row.ours / row.theirs > row.most for row in rows))


if __name__ == "__main__":
    sys.exit(main())
