"""Where pod specs and containers are, kind by kind and in every disguise."""

from __future__ import annotations

import pytest

from dralint.kube.kinds import ClaimsForm
from dralint.kube.places import containers, operator_pods, pod_specs
from dralint.yamltext.view import field_path, get
from tests.kube.reading import first, objects

POD = "{containers: [{name: main}]}"


def shown(text):
    """(path, schema, part, metadata, replicas) of every pod spec, a + after replicas that are many."""
    return [
        (
            field_path(pod.path),
            pod.schema,
            pod.part,
            field_path(pod.metadata) if pod.metadata else None,
            f"{pod.replicas}{'+' if pod.many else ''}",
        )
        for obj in objects(text)
        for pod in pod_specs(obj)
    ]


def manifest(api_version, kind, body):
    return f"apiVersion: {api_version}\nkind: {kind}\n{body}\n"


KINDS = {
    "Deployment": (
        ("apps/v1", "Deployment", f"spec: {{template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "1")],
    ),
    "Deployment with replicas": (
        ("apps/v1", "Deployment", f"spec: {{replicas: 3, template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "3+")],
    ),
    "Deployment with templated replicas": (
        ("apps/v1", "Deployment", f"spec: {{replicas: '{{{{ .x }}}}', template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "None")],
    ),
    "Deployment scaled to zero": (
        ("apps/v1", "Deployment", f"spec: {{replicas: 0, template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "0")],
    ),
    "DaemonSet": (
        ("apps/v1", "DaemonSet", f"spec: {{template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "None+")],
    ),
    "Pod": (("v1", "Pod", f"spec: {POD}"), [("spec", "full", None, "metadata", "1")]),
    "PodTemplate": (
        ("v1", "PodTemplate", f"template: {{spec: {POD}}}"),
        [("template.spec", "full", None, "template.metadata", "None")],
    ),
    "Job": (
        ("batch/v1", "Job", f"spec: {{parallelism: 4, template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "4+")],
    ),
    "CronJob": (
        ("batch/v1", "CronJob", f"spec: {{jobTemplate: {{spec: {{template: {{spec: {POD}}}}}}}}}"),
        [
            (
                "spec.jobTemplate.spec.template.spec",
                "full",
                None,
                "spec.jobTemplate.spec.template.metadata",
                "1",
            )
        ],
    ),
    "JobSet": (
        (
            "jobset.x-k8s.io/v1alpha2",
            "JobSet",
            (
                "spec: {replicatedJobs: ["
                f"{{name: driver, template: {{spec: {{template: {{spec: {POD}}}}}}}}},"
                f"{{name: work, replicas: 2, template: {{spec: {{parallelism: 3, template: {{spec: {POD}}}}}}}}}]}}"
            ),
        ),
        [
            (
                "spec.replicatedJobs[0].template.spec.template.spec",
                "full",
                "driver",
                "spec.replicatedJobs[0].template.spec.template.metadata",
                "1",
            ),
            (
                "spec.replicatedJobs[1].template.spec.template.spec",
                "full",
                "work",
                "spec.replicatedJobs[1].template.spec.template.metadata",
                "6+",
            ),
        ],
    ),
    "LeaderWorkerSet": (
        (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            (
                f"spec: {{replicas: 2, leaderWorkerTemplate: {{size: 4, leaderTemplate: {{spec: {POD}}}, "
                f"workerTemplate: {{spec: {POD}}}}}}}"
            ),
        ),
        [
            (
                "spec.leaderWorkerTemplate.leaderTemplate.spec",
                "full",
                "leader",
                "spec.leaderWorkerTemplate.leaderTemplate.metadata",
                "2+",
            ),
            (
                "spec.leaderWorkerTemplate.workerTemplate.spec",
                "full",
                "worker",
                "spec.leaderWorkerTemplate.workerTemplate.metadata",
                "6+",
            ),
        ],
    ),
    "LeaderWorkerSet, one worker beside the leader": (
        (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            f"spec: {{leaderWorkerTemplate: {{size: 2, leaderTemplate: {{}}, workerTemplate: {{spec: {POD}}}}}}}",
        ),
        [
            (
                "spec.leaderWorkerTemplate.workerTemplate.spec",
                "full",
                "worker",
                "spec.leaderWorkerTemplate.workerTemplate.metadata",
                "1",
            )
        ],
    ),
    "LeaderWorkerSet without a leader template": (
        (
            "leaderworkerset.x-k8s.io/v1",
            "LeaderWorkerSet",
            f"spec: {{leaderWorkerTemplate: {{size: 2, workerTemplate: {{spec: {POD}}}}}}}",
        ),
        [
            (
                "spec.leaderWorkerTemplate.workerTemplate.spec",
                "full",
                "worker",
                "spec.leaderWorkerTemplate.workerTemplate.metadata",
                "2+",
            )
        ],
    ),
    "MPIJob": (
        (
            "kubeflow.org/v2beta1",
            "MPIJob",
            (
                f"spec: {{mpiReplicaSpecs: {{Launcher: {{template: {{spec: {POD}}}}}, "
                f"Worker: {{replicas: 2, template: {{spec: {POD}}}}}}}}}"
            ),
        ),
        [
            (
                "spec.mpiReplicaSpecs.Launcher.template.spec",
                "full",
                "launcher",
                "spec.mpiReplicaSpecs.Launcher.template.metadata",
                "1",
            ),
            (
                "spec.mpiReplicaSpecs.Worker.template.spec",
                "full",
                "worker",
                "spec.mpiReplicaSpecs.Worker.template.metadata",
                "2+",
            ),
        ],
    ),
    "MPIJob v1alpha1": (
        ("kubeflow.org/v1alpha1", "MPIJob", f"spec: {{template: {{spec: {POD}}}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "1")],
    ),
    "RayCluster": (
        (
            "ray.io/v1",
            "RayCluster",
            (
                f"spec: {{headGroupSpec: {{template: {{spec: {POD}}}}}, "
                f"workerGroupSpecs: [{{groupName: small, replicas: 2, template: {{spec: {POD}}}}}]}}"
            ),
        ),
        [
            ("spec.headGroupSpec.template.spec", "full", "head", "spec.headGroupSpec.template.metadata", "1"),
            (
                "spec.workerGroupSpecs[0].template.spec",
                "full",
                "small",
                "spec.workerGroupSpecs[0].template.metadata",
                "2+",
            ),
        ],
    ),
    "a group without a name": (
        ("ray.io/v1", "RayCluster", f"spec: {{workerGroupSpecs: [{{template: {{spec: {POD}}}}}]}}"),
        [
            (
                "spec.workerGroupSpecs[0].template.spec",
                "full",
                None,
                "spec.workerGroupSpecs[0].template.metadata",
                "1",
            )
        ],
    ),
    "RoleBasedGroup v1alpha2": (
        (
            "workloads.x-k8s.io/v1alpha2",
            "RoleBasedGroup",
            (
                "spec: {roles: ["
                f"{{name: a, standalonePattern: {{template: {{spec: {POD}}}}}}},"
                f"{{name: b, leaderWorkerPattern: {{size: 2, template: {{spec: {POD}}}}}}},"
                f"{{name: c, standalonePattern: {{templateRef: {{patch: {{spec: {POD}}}}}}}}}]}}"
            ),
        ),
        [
            (
                "spec.roles[0].standalonePattern.template.spec",
                "full",
                "a",
                "spec.roles[0].standalonePattern.template.metadata",
                "1",
            ),
            (
                "spec.roles[1].leaderWorkerPattern.template.spec",
                "full",
                "b",
                "spec.roles[1].leaderWorkerPattern.template.metadata",
                "2+",
            ),
            (
                "spec.roles[2].standalonePattern.templateRef.patch.spec",
                "full",
                "c",
                "spec.roles[2].standalonePattern.templateRef.patch.metadata",
                "1",
            ),
        ],
    ),
    "ModelServing": (
        (
            "workload.serving.volcano.sh/v1alpha1",
            "ModelServing",
            (
                f"spec: {{template: {{roles: [{{name: decode, workerReplicas: 3, entryTemplate: {{spec: {POD}}}, "
                f"workerTemplate: {{spec: {POD}}}}}]}}}}"
            ),
        ),
        [
            (
                "spec.template.roles[0].entryTemplate.spec",
                "full",
                "decode-entry",
                "spec.template.roles[0].entryTemplate.metadata",
                "1",
            ),
            (
                "spec.template.roles[0].workerTemplate.spec",
                "full",
                "decode-worker",
                "spec.template.roles[0].workerTemplate.metadata",
                "3+",
            ),
        ],
    ),
    "PodCliqueSet": (
        (
            "grove.io/v1alpha1",
            "PodCliqueSet",
            f"spec: {{template: {{cliques: [{{name: p, spec: {{replicas: 2, podSpec: {POD}}}}}]}}}}",
        ),
        [("spec.template.cliques[0].spec.podSpec", "full", "p", None, "2+")],
    ),
    "LLMInferenceService": (
        (
            "serving.kserve.io/v1alpha2",
            "LLMInferenceService",
            f"spec: {{template: {POD}, worker: {POD}, prefill: {{template: {POD}, worker: {POD}}}}}",
        ),
        [
            ("spec.template", "full", None, None, "1"),
            ("spec.worker", "full", "worker", None, "None+"),
            ("spec.prefill.template", "full", "prefill", None, "1"),
            ("spec.prefill.worker", "full", "prefill-worker", None, "None+"),
        ],
    ),
    "InferenceService with a model": (
        (
            "serving.kserve.io/v1beta1",
            "InferenceService",
            "spec: {predictor: {model: {modelFormat: {name: x}}}}",
        ),
        [("spec.predictor", "split", "predictor", None, "None")],
    ),
    "InferenceService with containers": (
        ("serving.kserve.io/v1beta1", "InferenceService", f"spec: {{predictor: {POD}}}"),
        [("spec.predictor", "full", "predictor", None, "None")],
    ),
    "ServingRuntime": (
        ("serving.kserve.io/v1alpha1", "ServingRuntime", f"spec: {POD}"),
        [("spec", "full", None, None, "None")],
    ),
    "Workflow": (
        (
            "argoproj.io/v1alpha1",
            "Workflow",
            (
                "spec: {templates: [{name: a, container: {image: x}}, {name: b, steps: [[{name: s}]]}, "
                "{name: c, script: {source: x}}]}"
            ),
        ),
        [
            ("spec.templates[0]", "full", "a", "spec.templates[0].metadata", "None"),
            ("spec.templates[2]", "full", "c", "spec.templates[2].metadata", "None"),
        ],
    ),
    "ElasticJob": (
        (
            "elastic.pytorch.org/v1alpha1",
            "ElasticJob",
            f"spec: {{replicaSpecs: {{Worker: {{replicas: 2, template: {{apiVersion: v1, kind: Pod, spec: {POD}}}}}}}}}",
        ),
        [
            (
                "spec.replicaSpecs.Worker.template.spec",
                "full",
                "worker",
                "spec.replicaSpecs.Worker.template.metadata",
                "2+",
            )
        ],
    ),
    "Workspace": (
        ("kaito.sh/v1beta1", "Workspace", f"inference: {{template: {{spec: {POD}}}}}"),
        [("inference.template.spec", "full", None, "inference.template.metadata", "1")],
    ),
    "Server": (
        ("mlops.seldon.io/v1alpha1", "Server", f"spec: {{podSpec: {POD}}}"),
        [("spec.podSpec", "narrow", None, None, "1")],
    ),
    "AppWrapper": (
        (
            "workload.codeflare.dev/v1beta2",
            "AppWrapper",
            (
                "spec: {components: [{template: {apiVersion: batch/v1, kind: Job, "
                f"spec: {{template: {{spec: {POD}}}}}}}}}]}}"
            ),
        ),
        [
            (
                "spec.components[0].template.spec.template.spec",
                "full",
                None,
                "spec.components[0].template.spec.template.metadata",
                "1",
            )
        ],
    ),
    "Katib": (
        (
            "kubeflow.org/v1beta1",
            "Experiment",
            (
                "spec: {trialTemplate: {trialSpec: {apiVersion: batch/v1, kind: Job, "
                f"spec: {{template: {{spec: {POD}}}}}}}}}}}"
            ),
        ),
        [
            (
                "spec.trialTemplate.trialSpec.spec.template.spec",
                "full",
                None,
                "spec.trialTemplate.trialSpec.spec.template.metadata",
                "1",
            )
        ],
    ),
    "an item of a list": (
        ("v1", "List", f"items: [{{apiVersion: v1, kind: Pod, spec: {POD}}}]"),
        [("items[0].spec", "full", None, "items[0].metadata", "1")],
    ),
    "a part of a kind without any pod spec": (
        ("apps/v1", "Deployment", "spec: {replicas: 2}"),
        [],
    ),
    "a kustomize patch of init containers alone": (
        ("apps/v1", "Deployment", "spec: {template: {spec: {initContainers: [{name: a}]}}}"),
        [("spec.template.spec", "full", None, "spec.template.metadata", "1")],
    ),
    "unlisted kind": (
        ("example.com/v1", "Trainer", f"spec: {{groups: [{{pod: {{spec: {POD}}}}}, {{inline: {POD}}}]}}"),
        [
            ("spec.groups[0].pod.spec", "unknown", None, "spec.groups[0].pod.metadata", "None"),
            ("spec.groups[1].inline", "unknown", None, None, "None"),
        ],
    ),
    "unlisted version": (
        ("workloads.x-k8s.io/v9", "RoleBasedGroup", f"spec: {{members: [{{spec: {POD}}}]}}"),
        [("spec.members[0].spec", "unknown", None, "spec.members[0].metadata", "None")],
    ),
    "listed kind with another layout": (
        ("batch.volcano.sh/v1alpha1", "Job", f"spec: {{plan: {{spec: {POD}}}}}"),
        [("spec.plan.spec", "unknown", None, "spec.plan.metadata", "None")],
    ),
    "no kind": (
        ("x", "''", f"spec: {POD}"),
        [("spec", "unknown", None, "metadata", "None")],
    ),
    "HelmRelease, containers as a mapping": (
        (
            "helm.toolkit.fluxcd.io/v2",
            "HelmRelease",
            "spec: {values: {controllers: {a: {containers: {app: {image: x}}}}}}",
        ),
        [],
    ),
    "HelmRelease, containers as a list": (
        ("helm.toolkit.fluxcd.io/v2", "HelmRelease", f"spec: {{values: {POD}}}"),
        [],
    ),
    "policy with a pattern of a pod": (
        ("kyverno.io/v1", "ClusterPolicy", f"spec: {{rules: [{{validate: {{pattern: {{spec: {POD}}}}}}}]}}"),
        [],
    ),
    "OpenShift template": (
        ("v1", "Template", f"objects: [{{apiVersion: v1, kind: Pod, spec: {POD}}}]"),
        [("objects[0].spec", "full", None, "objects[0].metadata", "1")],
    ),
    "definition of a custom resource": (
        (
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            (
                "spec: {versions: [{schema: {properties: {containers: {items: {}, type: array}}, "
                "example: {containers: [{name: x}]}}}]}"
            ),
        ),
        [],
    ),
    "containers of the wrong shape": (
        (
            "example.com/v1",
            "X",
            "spec: {a: {containers: text}, b: {containers: []}, c: {containers: [a]}, d: {containers: {x: {}}}}",
        ),
        [],
    ),
    "a pod spec of the wrong shape": (("v1", "Pod", "spec: [1]"), []),
    "a path of the wrong shape": (("apps/v1", "Deployment", "spec: {template: text}"), []),
}


@pytest.mark.parametrize("case", KINDS)
def test_pod_specs(case):
    text, expected = KINDS[case]
    assert shown(manifest(*text)) == expected


def test_each_use_of_an_alias_is_a_place_of_its_own():
    text = manifest(
        "ray.io/v1",
        "RayCluster",
        f"spec:\n  headGroupSpec:\n    template: &t {{spec: {POD}}}\n"
        "  workerGroupSpecs:\n  - {groupName: a, template: *t}\n  - {groupName: b, template: {<<: *t}}",
    )
    found = pod_specs(first(text))
    assert [pod.part for pod in found] == ["head", "a", "b"]
    assert len({id(pod.node) for pod in found}) == 1
    assert [field_path(containers(pod)[0].path) for pod in found] == [
        "spec.headGroupSpec.template.spec.containers[0]",
        "spec.workerGroupSpecs[0].template.spec.containers[0]",
        "spec.workerGroupSpecs[1].template.spec.containers[0]",
    ]


def test_gpu_count_of_ray():
    text = manifest(
        "ray.io/v1",
        "RayService",
        f"spec: {{rayClusterConfig: {{headGroupSpec: {{template: {{spec: {POD}}}}}, "
        f"workerGroupSpecs: [{{groupName: a, template: {{spec: {POD}}}}}]}}}}",
    )
    assert [field_path(pod.gpu_count) for pod in pod_specs(first(text))] == [
        "spec.rayClusterConfig.headGroupSpec.rayStartParams.num-gpus",
        "spec.rayClusterConfig.workerGroupSpecs[0].rayStartParams.num-gpus",
    ]


CONTAINERS = """\
apiVersion: v1
kind: Pod
spec:
  containers: &c
  - name: main
  - {image: unnamed}
  - text
  - <<: {name: merged}
  initContainers:
  - name: setup
  - {name: side, restartPolicy: Always}
  - {name: sometimes, restartPolicy: OnFailure}
  ephemeralContainers: *c
"""


def test_containers():
    obj = first(CONTAINERS)
    found = containers(pod_specs(obj)[0])
    assert [(c.group, c.index, c.name, c.sidecar) for c in found] == [
        ("containers", 0, "main", False),
        ("containers", 1, None, False),
        ("containers", 3, "merged", False),
        ("initContainers", 0, "setup", False),
        ("initContainers", 1, "side", True),
        ("initContainers", 2, "sometimes", False),
        ("ephemeralContainers", 0, "main", False),
        ("ephemeralContainers", 1, None, False),
        ("ephemeralContainers", 3, "merged", False),
    ]
    assert all(get(obj.node, *c.path) is c.node for c in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            manifest(
                "argoproj.io/v1alpha1",
                "Workflow",
                "spec: {templates: [{name: a, script: {}, initContainers: [{name: i}], sidecars: [{name: s}]}]}",
            ),
            [
                ("spec.templates[0].script", "containers", 0, "script"),
                ("spec.templates[0].sidecars[0]", "containers", 0, "s"),
                ("spec.templates[0].initContainers[0]", "initContainers", 0, "i"),
            ],
        ),
        (
            manifest(
                "serving.kserve.io/v1beta1", "InferenceService", "spec: {predictor: {model: {name: m}}}"
            ),
            [("spec.predictor.model", "containers", 0, "m")],
        ),
        (
            manifest("serving.kserve.io/v1beta1", "InferenceService", "spec: {predictor: {pytorch: {}}}"),
            [("spec.predictor.pytorch", "containers", 0, "pytorch")],
        ),
    ],
)
def test_containers_that_are_no_list(text, expected):
    [pod] = pod_specs(first(text))
    assert [(field_path(c.path), c.group, c.index, c.name) for c in containers(pod)] == expected


@pytest.mark.parametrize("value", ["text", "null", "{a: 1}", "[[], text, null]"])
def test_containers_of_the_wrong_shape(value):
    [pod] = pod_specs(first(manifest("v1", "Pod", f"spec: {{containers: {value}}}")))
    assert containers(pod) == []


def test_mappings_of_which_an_operator_makes_pods():
    obj = first(
        "apiVersion: apps.nvidia.com/v1alpha1\nkind: NIMPipeline\nmetadata: {name: rag}\n"
        "spec: {services: [{name: llm, spec: {resources: {}, initContainers: [{name: pull}]}}]}\n"
    )
    assert pod_specs(obj) == []
    (pod,) = operator_pods(obj)
    assert (field_path(pod.path), pod.part, pod.claims) == (
        "spec.services[0].spec",
        "llm",
        ClaimsForm(("draResources",), named=False),
    )
    assert [(field_path(each.path), each.name) for each in containers(pod)] == [
        ("spec.services[0].spec", None),
        ("spec.services[0].spec.initContainers[0]", "pull"),
    ]


def test_how_claims_are_written():
    usual = ClaimsForm(("resourceClaims",), named=True)
    for api_version, kind, spec, form in (
        ("v1", "Pod", "{containers: [{name: a}]}", usual),
        ("serving.kserve.io/v1beta1", "InferenceService", "{predictor: {model: {}}}", usual),
        ("serving.knative.dev/v1", "Service", "{template: {spec: {containers: [{name: a}]}}}", None),
        ("acme.example/v1", "Unknown", "{containers: [{name: a}]}", None),
    ):
        (pod,) = pod_specs(first(f"apiVersion: {api_version}\nkind: {kind}\nspec: {spec}\n"))
        assert pod.claims == form
