"""What `kubectl get ... -A -o yaml|json` prints of a small cluster, for the tests of dumps."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from typing import Any

from ruamel.yaml import YAML

APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
Object = dict[str, Any]


def pod_spec(gpus: int | str = 1, **more: Any) -> Object:
    resources = {"limits": {"nvidia.com/gpu": str(gpus)}, "requests": {"nvidia.com/gpu": str(gpus)}}
    container = {"image": "registry.example/work:1", "name": "work", "resources": resources}
    return {"containers": [container], "restartPolicy": "Always", **more}


def template(spec: Object, **labels: str) -> Object:
    return {"metadata": {"creationTimestamp": None, "labels": {"app": "work", **labels}}, "spec": spec}


def live(
    api_version: str,
    kind: str,
    name: str,
    spec: Object,
    *,
    owner: Object | None = None,
    namespace: str | None = "team",
    status: Object | None = None,
    annotations: dict[str, str] | None = None,
    **more: Any,
) -> Object:
    """An object as the API server prints it, with what it and controllers write."""
    metadata: Object = {"creationTimestamp": "2026-05-04T10:11:12Z", "generation": 2}
    if annotations is not None:
        metadata["annotations"] = annotations
    managed = {"f:spec": {"f:limits": {"f:nvidia.com/gpu": {}}}}
    metadata["managedFields"] = [{"fieldsType": "FieldsV1", "fieldsV1": managed, "manager": "kubectl"}]
    metadata["name"] = name
    if namespace is not None:
        metadata["namespace"] = namespace
    if owner is not None:
        reference = {key: owner["metadata"][key] for key in ("name", "uid")}
        reference |= {key: owner[key] for key in ("apiVersion", "kind")}
        metadata["ownerReferences"] = [{**reference, "blockOwnerDeletion": True, "controller": True}]
    metadata |= {"resourceVersion": "4711", "uid": f"uid-{kind.lower()}-{name}"}
    found = {"apiVersion": api_version, "kind": kind, "metadata": metadata, **more}
    return {**found, **({"spec": spec} if spec else {}), "status": status or {"observedGeneration": 2}}


def deployment(name: str = "chat", gpus: int | str = 1, **more: Any) -> Object:
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "work"}}, "template": template(pod_spec(gpus))}
    applied = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}
    annotations = {"deployment.kubernetes.io/revision": "3", APPLIED: json.dumps(applied) + "\n"}
    return live("apps/v1", "Deployment", name, spec, annotations=annotations, **more)


def owned_pod(owner: Object, name: str, **more: Any) -> Object:
    """A running pod: its status repeats the resources of its containers."""
    resources = pod_spec()["containers"][0]["resources"]
    status = {"containerStatuses": [{"name": "work", "resources": resources}], "phase": "Running"}
    return live("v1", "Pod", name, pod_spec(nodeName="node-1"), owner=owner, status=status, **more)


def replica_set(owner: Object, name: str) -> Object:
    spec = {"selector": {"matchLabels": {"app": "work"}}, "template": template(pod_spec())}
    return live("apps/v1", "ReplicaSet", name, spec, owner=owner)


def job(name: str, **more: Any) -> Object:
    uid = {"batch.kubernetes.io/controller-uid": f"uid-job-{name}", "job-name": name}
    spec = {
        "completions": 1,
        "selector": {"matchLabels": {"batch.kubernetes.io/controller-uid": f"uid-job-{name}"}},
        "template": template(pod_spec() | {"restartPolicy": "Never"}, **uid),
    }
    return live("batch/v1", "Job", name, spec, **more)


def cluster() -> list[Object]:
    """A workload of each sort, with what controllers made for it."""
    chat = deployment()
    replicas = replica_set(chat, "chat-1")
    cron = live(
        "batch/v1",
        "CronJob",
        "nightly",
        {
            "jobTemplate": {
                "metadata": {},
                "spec": {"template": template(pod_spec() | {"restartPolicy": "Never"})},
            },
            "schedule": "0 3 * * *",
        },
    )
    run = job("nightly-29", owner=cron)
    store = live(
        "apps/v1",
        "StatefulSet",
        "store",
        {
            "selector": {"matchLabels": {"app": "work"}},
            "serviceName": "store",
            "template": template(pod_spec(2)),
            "volumeClaimTemplates": [
                {"metadata": {"creationTimestamp": None, "name": "data"}, "status": {"phase": "Pending"}}
            ],
        },
    )
    revision = {"data": {"spec": {"template": template(pod_spec(2))}}, "revision": 1}
    finished = {"conditions": [{"status": "True", "type": "Complete"}]}
    other = live("example.com/v1", "Trainer", "big", {"gpus": 2})
    return [
        chat,
        replicas,
        owned_pod(replicas, "chat-1-abc"),
        cron,
        run,
        owned_pod(run, "nightly-29-abc"),
        store,
        live("apps/v1", "ControllerRevision", "store-1", {}, owner=store, **revision),
        owned_pod(store, "store-0"),
        job("train"),
        job("done", status=finished),
        live("v1", "Pod", "debug", pod_spec(nodeName="node-2"), status={"phase": "Running"}),
        live("v1", "Pod", "failed", pod_spec(nodeName="node-2"), status={"phase": "Failed"}),
        live("v1", "Pod", "dcgm-node-3", pod_spec(), annotations={"kubernetes.io/config.mirror": "1"}, status={"phase": "Running"}),
        live("apps/v1", "StatefulSet", "big-worker", {"selector": {}, "template": template(pod_spec())}, owner=other),
        live("v1", "Service", "chat", {"ports": [{"port": 80}]}),
    ]  # fmt: skip


def as_json(objects: Sequence[Object], indent: int | None = 4) -> str:
    value = {"apiVersion": "v1", "items": list(objects), "kind": "List", "metadata": {"resourceVersion": ""}}
    separators = (",", ":") if indent is None else None
    return json.dumps(value, indent=indent, separators=separators) + "\n"


def as_yaml(objects: Sequence[Object]) -> str:
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.width = 10_000
    stream = io.StringIO()
    # Written anew, so that nothing becomes an alias.
    yaml.dump(json.loads(as_json(objects)), stream)
    return stream.getvalue()
