"""`--output-overlay`: what a component holds, where it lies, and what kustomize builds with it."""

from __future__ import annotations

import json
import os
import shutil

import jsonschema
import pytest
import yaml

from tests.kustomize import BuildError

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
        - name: server
          image: server:1
          resources:
            limits:
              nvidia.com/gpu: 1
"""
JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: ml}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: train:1
          resources: {limits: {nvidia.com/gpu: 2}}
"""
LISTED = {"base/kustomization.yaml": "resources: [chat.yaml]\n", "base/chat.yaml": DEPLOYMENT}
NEW = "resources: [../base]\ncomponents: [../dra]\n"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Writes files below the current directory; the directory."""
    monkeypatch.chdir(tmp_path)

    def written(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return written


POD = "/spec/template/spec"


def patched(op, path, value):
    """A line of a kustomization that patches Deployments."""
    patch = json.dumps([{"op": op, "path": path, "value": value}])
    return f"patches: {json.dumps([{'target': {'kind': 'Deployment'}, 'patch': patch}])}\n"


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def outcomes(dralint, *arguments):
    ran = dralint("convert", "--report", "report.json", *arguments)
    with open("report.json", encoding="utf-8") as file:
        found = json.load(file)["occurrences"]
    os.unlink("report.json")
    return ran, [(each["outcome"], each["reason"]) for each in found]


def by_kind(objects):
    return {item["kind"]: item for item in objects}


def pod_spec(objects):
    return by_kind(objects)["Deployment"]["spec"]["template"]["spec"]


def template_of(objects):
    return by_kind(objects)["ResourceClaimTemplate"]["metadata"]


def test_a_component(tree, dralint, kustomize, snapshot):
    folder = tree({**LISTED, "new/kustomization.yaml": NEW})
    before = contents(folder)
    ran = dralint("convert", "--output-overlay", "dra", "base")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == snapshot(name="summary")
    after = contents(folder)
    assert {name: text for name, text in after.items() if name in before} == before
    made = {name: text for name, text in after.items() if name not in before}
    assert made == snapshot(name="files")
    built = kustomize.build(folder / "new")
    dralint("convert", "--write", "base")
    assert built == kustomize.build(folder / "base")


def test_a_second_run_makes_the_same(tree, dralint):
    """Also where an overlay that uses the component lies in the same work tree."""
    folder = tree({**LISTED, "new/kustomization.yaml": NEW, ".git/HEAD": ""})
    assert dralint("convert", "--output-overlay", "dra", ".").code == 0
    made = contents(folder)
    assert "dra/base/templates.yaml" in made
    assert dralint("convert", "--output-overlay", "dra", ".").code == 0
    assert contents(folder) == made


@pytest.mark.parametrize(
    "more",
    [("--write",), ("--check",), ("--output-dir", "copies"), ("-",)],
    ids=lambda more: more[0],
)
def test_other_destinations(tree, dralint, more):
    folder = tree(LISTED)
    ran = dralint("convert", "--output-overlay", "dra", *more)
    assert ran.code == 2
    assert "cannot be combined" in ran.err
    assert contents(folder) == LISTED


@pytest.mark.parametrize(
    ("directory", "message"),
    [("", "the name is empty"), ("base", "lies in it"), ("file", "is no directory")],
)
def test_a_directory_that_cannot_be(tree, dralint, directory, message):
    files = {**LISTED, "file": ""}
    folder = tree(files)
    ran = dralint("convert", "--output-overlay", directory, "base")
    assert ran.code == 2
    assert message in ran.err
    assert contents(folder) == files


@pytest.mark.parametrize("name", ["kustomization.yaml", "templates.yaml", "claim-names.yaml"])
def test_files_of_others_are_never_replaced(tree, dralint, name):
    files = {**LISTED, f"dra/{name}": "resources: []\n"}
    folder = tree(files)
    ran = dralint("convert", "--output-overlay", "dra", "base")
    assert ran.code == 2
    assert f"dra/{name}: error: is there already and was not made by dralint" in ran.err
    assert contents(folder) == files


def test_other_files_in_the_directory_stay(tree, dralint):
    folder = tree({**LISTED, "dra/README.md": "ours\n"})
    assert dralint("convert", "--output-overlay", "dra", "base").code == 0
    assert contents(folder)["dra/README.md"] == "ours\n"


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_that_leads_out(tree, dralint, tmp_path):
    folder = tree(LISTED)
    (folder / "elsewhere").mkdir()
    (folder / "dra").mkdir()
    (folder / "dra/base").symlink_to(folder / "elsewhere")
    ran = dralint("convert", "--output-overlay", "dra", ".")
    assert ran.code == 2
    assert "a link leads out of the output directory" in ran.err
    assert list((folder / "elsewhere").iterdir()) == []


def test_nothing_to_convert(tree, dralint):
    files = {"base/chat.yaml": DEPLOYMENT.replace("nvidia.com/gpu", "cpu")}
    folder = tree(files)
    ran = dralint("convert", "--output-overlay", "dra", "base")
    assert ran.code == 0
    assert contents(folder) == files


def test_what_an_earlier_run_made_is_told(tree, dralint):
    folder = tree({"a/chat.yaml": DEPLOYMENT, "b/train.yaml": JOB})
    dralint("convert", "--output-overlay", "dra", ".")
    (folder / "b/train.yaml").unlink()
    ran = dralint("convert", "--output-overlay", "dra", ".")
    assert ran.code == 0
    told = [line.split(":")[0] for line in ran.err.splitlines() if "an earlier run made it" in line]
    assert told == ["dra/b/claim-names.yaml", "dra/b/kustomization.yaml", "dra/b/templates.yaml"]


@pytest.mark.parametrize(
    ("files", "named", "made"),
    [
        pytest.param({"a/x.yaml": DEPLOYMENT}, ["a"], {""}, id="one"),
        pytest.param({"a/x.yaml": DEPLOYMENT}, ["a/x.yaml"], {""}, id="a file"),
        pytest.param({"a/x.yaml": DEPLOYMENT}, ["."], {"a/"}, id="below what is named"),
        pytest.param({"a/x.yaml": DEPLOYMENT, "b/y.yaml": JOB}, ["a", "b"], {"a/", "b/"}, id="two"),
        pytest.param({"x.yaml": DEPLOYMENT, "b/y.yaml": JOB}, ["."], {"", "b/"}, id="one in the other"),
        pytest.param(
            {"a/kustomization.yaml": "resources: [sub/x.yaml]\n", "a/sub/x.yaml": DEPLOYMENT},
            ["a/sub"],
            {""},
            id="listed from above",
        ),
    ],
)
def test_a_component_lies_where_its_base_does(tree, dralint, files, named, made):
    folder = tree(files)
    ran = dralint("convert", "--output-overlay", "dra", *named)
    assert ran.code == 0
    assert all(f"dra/{directory}".rstrip("/") in ran.err for directory in made)
    names = {name.removeprefix("dra/") for name in contents(folder) if name.startswith("dra/")}
    assert {name.removesuffix("kustomization.yaml") for name in names if "kustomization" in name} == made


@pytest.mark.parametrize("base", ["", "namespace: team\n"], ids=["", "namespace"])
@pytest.mark.parametrize("renamed", ["", "namePrefix: p-\n", "nameSuffix: -s\nnamePrefix: p-\n"])
@pytest.mark.parametrize("new", ["", "namespace: other\n", "namePrefix: dev-\n", "nameSuffix: -n\n"])
def test_references_follow_names_and_namespaces(tree, dralint, kustomize, base, renamed, new):
    folder = tree(
        {
            **LISTED,
            "base/kustomization.yaml": f"resources: [chat.yaml]\n{base}{renamed}",
            "new/kustomization.yaml": NEW + new,
        }
    )
    assert dralint("convert", "--output-overlay", "dra", "base").code == 0
    built = kustomize.build(folder / "new")
    (claim,) = pod_spec(built)["resourceClaims"]
    template = template_of(built)
    assert claim["resourceClaimTemplateName"] == template["name"]
    assert template.get("namespace") == by_kind(built)["Deployment"]["metadata"].get("namespace")
    assert pod_spec(built)["containers"][0]["resources"] == {"claims": [{"name": "gpu"}]}


@pytest.mark.parametrize(
    "between",
    [
        pytest.param("namespace: other\n", id="another namespace"),
        pytest.param(
            patched("replace", f"{POD}/containers/0/resources/limits/nvidia.com~1gpu", 2), id="another count"
        ),
        pytest.param(patched("add", f"{POD}/containers/0", {"name": "first"}), id="another container first"),
        pytest.param(patched("add", f"{POD}/resourceClaims", [{"name": "nic"}]), id="another claim"),
    ],
)
def test_what_changed_before_stops_the_build(tree, dralint, kustomize, between):
    """A patch never does the wrong thing to an object that is not the one that was converted."""
    folder = tree(
        {
            **LISTED,
            "old/kustomization.yaml": f"resources: [../base]\n{between}",
            "new/kustomization.yaml": NEW.replace("../base", "../old"),
        }
    )
    dralint("convert", "--output-overlay", "dra", "base")
    kustomize.build(folder / "old")
    with pytest.raises(BuildError, match=r"testing value .* failed"):
        kustomize.build(folder / "new")


def test_a_workload_that_is_not_in_the_base_does_no_harm(tree, dralint, kustomize):
    folder = tree({"base/chat.yaml": DEPLOYMENT, "base/train.yaml": JOB, "new/kustomization.yaml": NEW})
    dralint("convert", "--output-overlay", "dra", "base")
    tree(LISTED)
    assert "claims" in pod_spec(kustomize.build(folder / "new"))["containers"][0]["resources"]


AMBIGUOUS = "so which one a patch is for is not clear"
HELD = [
    pytest.param(
        {"a.yaml": DEPLOYMENT.replace("name: chat", "generateName: chat-")},
        "kustomize takes no object without a name (line 1)",
        id="no name",
    ),
    pytest.param(
        {"a.yaml": f"{DEPLOYMENT}---\nx: 1\n"},
        "kustomize takes no object without a kind (line 17)",
        id="no object",
    ),
    pytest.param(
        {"a.yaml": f"{DEPLOYMENT}---\n- 1\n"}, "kustomize takes only objects (line 17)", id="a list"
    ),
    pytest.param(
        {"a.yaml": f"{DEPLOYMENT}---\na: [\n"}, "kustomize cannot read the file (line 18)", id="broken"
    ),
    pytest.param(
        {"a.yaml": DEPLOYMENT.replace("          image:", "          image: x\n          image:")},
        "kustomize refuses a key that stands twice (line 12)",
        id="a key twice",
    ),
    pytest.param({"a.yaml": DEPLOYMENT, "b.yaml": DEPLOYMENT}, AMBIGUOUS, id="one name"),
    pytest.param(
        {"a.yaml": DEPLOYMENT, "b.yaml": DEPLOYMENT.replace("name: chat", "name: chat\n  namespace: x")},
        AMBIGUOUS,
        id="one name, perhaps in one namespace",
    ),
    pytest.param(
        {"a.yaml": DEPLOYMENT, "kustomization.yaml": "resources: [b.yaml]\n"},
        "the kustomization beside the file does not list it",
        id="not listed",
    ),
]


@pytest.mark.parametrize(("files", "reason"), HELD)
def test_what_a_component_cannot_patch(tree, dralint, files, reason):
    folder = tree(files)
    ran, found = outcomes(dralint, "--output-overlay", "dra", ".")
    assert {outcome for outcome, _ in found} == {"needs-decision"}
    assert all(reason in each for _, each in found)
    assert ran.code == 1
    assert contents(folder) == files


def test_templates_of_one_name_and_another_content(tree, dralint):
    other = DEPLOYMENT.replace("Deployment", "StatefulSet").replace("gpu: 1", "gpu: 2")
    tree({"a.yaml": DEPLOYMENT, "b.yaml": other})
    _, found = outcomes(dralint, "--output-overlay", "dra", ".")
    assert [outcome for outcome, _ in found] == ["converted", "needs-decision"]
    assert "its template has the name of another one, for a.yaml:1:1" in found[1][1]


def test_one_name_in_two_namespaces(tree, dralint, kustomize):
    texts = [DEPLOYMENT.replace("name: chat", f"name: chat\n  namespace: {name}") for name in ("one", "two")]
    files = {"base/a.yaml": texts[0], "base/b.yaml": texts[1].replace("gpu: 1", "gpu: 2")}
    folder = tree(
        {
            **files,
            "base/kustomization.yaml": "resources: [a.yaml, b.yaml]\n",
            "new/kustomization.yaml": NEW,
        }
    )
    assert dralint("convert", "--output-overlay", "dra", "base").code == 0
    built = kustomize.build(folder / "new")
    dralint("convert", "--write", "base")
    assert kustomize.build(folder / "base") == built


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "apiVersion: v1\nkind: List\nitems:\n"
            + "".join(f"- {json.dumps(item)}\n" for item in (
                {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}},
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "my.pod"}, "spec": {"containers": [
                    {"name": "a", "image": "x", "resources": {"limits": {"nvidia.com/gpu": "1", "cpu": 1}}},
                    {"name": "b", "image": "x", "resources": {"limits": {"nvidia.com/mig-1g.24gb": 1}}},
                ]}},
            )),
            id="items",
        ),
        pytest.param(
            DEPLOYMENT.replace("      containers:", "      tolerations: [{key: a}]\n      containers:")
            .replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 1\n            claims: [{name: nic}]")
            .replace("      containers:", "      resourceClaims: [{name: nic, resourceClaimName: n}]\n      containers:"),
            id="lists that are there",
        ),
        pytest.param(
            DEPLOYMENT.replace("nvidia.com/gpu: 1", "nvidia.com/gpu: 0"), id="zero"
        ),
        pytest.param(
            DEPLOYMENT.replace("    spec:\n", "    spec:\n      nodeSelector: {nvidia.com/gpu.product: NVIDIA-L4}\n"),
            id="node labels",
        ),
        pytest.param(
            "apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\nmetadata: {name: aw}\nspec:\n"
            "  components:\n  - template:\n" + "".join(f"      {line}\n" for line in JOB.splitlines()),
            id="an object in another one",
        ),
        pytest.param(
            "apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t}\nobjects:\n"
            "- " + "".join(f"  {line}\n" for line in JOB.splitlines())[2:],
            id="objects in a template",
        ),
    ],
)  # fmt: skip
def test_what_comes_out_is_what_write_makes(tree, dralint, kustomize, text):
    folder = tree({**LISTED, "base/chat.yaml": text, "new/kustomization.yaml": NEW})
    ran, found = outcomes(dralint, "--output-overlay", "dra", "base")
    assert {outcome for outcome, _ in found} == {"converted"}, ran.err
    built = kustomize.build(folder / "new")
    assert "nvidia.com/gpu:" not in json.dumps(built)
    dralint("convert", "--write", "base")
    assert kustomize.build(folder / "base") == built


def test_the_report_names_the_components(tree, dralint, root):
    tree({"a/chat.yaml": DEPLOYMENT, "b/train.yaml": JOB})
    dralint("convert", "--output-overlay", "dra", "--report", "report.json", ".")
    with open("report.json", encoding="utf-8") as file:
        report = json.load(file)
    jsonschema.validate(report, json.loads((root / "schemas/convert.schema.json").read_text()))
    assert [(each["path"], each["base"]) for each in report["components"]] == [("dra/a", "a"), ("dra/b", "b")]
    assert [[obj["name"] for obj in each["objects"]] for each in report["components"]] == [
        ["chat"],
        ["train"],
    ]


def test_the_example(tree, dralint, kustomize, root):
    folder = tree({".git/HEAD": ""})
    shutil.copytree(root / "examples/two-clusters", folder / "example")
    example = folder / "example"
    before = contents(example)
    shutil.rmtree(example / "dra")
    os.chdir(example)
    assert dralint("convert", "--output-overlay", "dra", "base").code == 0
    assert contents(example) == before
    old, new = kustomize.build(example / "old"), kustomize.build(example / "new")
    assert "nvidia.com/gpu: " not in yaml.safe_dump(new)
    assert [item["metadata"]["namespace"] for item in (*old, *new)] == ["inference"] * 5
    # Its files stay: the component converts them.
    ran, found = outcomes(dralint, ".")
    assert ran.code == 0
    assert "inside a string" not in ran.err
    assert [outcome for outcome, _ in found] == ["kept"]
    assert "dra/kustomization.yaml" in found[0][1]


QUOTA = """\
apiVersion: v1
kind: ResourceQuota
metadata: {name: gpus}
spec:
  hard:
    requests.nvidia.com/gpu: 8
"""


def test_what_stands_beside_follows_too(tree, dralint, kustomize):
    folder = tree({**LISTED, "base/chat.yaml": f"{QUOTA}---\n{DEPLOYMENT}", "new/kustomization.yaml": NEW})
    assert dralint("convert", "--companions", "--output-overlay", "dra", "base").code == 0
    built = kustomize.build(folder / "new")
    assert len(by_kind(built)["ResourceQuota"]["spec"]["hard"]) > 1
    dralint("convert", "--companions", "--write", "base")
    assert kustomize.build(folder / "base") == built


def test_what_stands_beside_and_is_left_out_is_told(tree, dralint):
    tree({"a.yaml": f"{QUOTA}---\n{DEPLOYMENT.replace('name: chat', 'generateName: chat-')}"})
    ran = dralint("convert", "--companions", "--output-overlay", "dra", ".")
    assert ran.code == 1
    assert "by --companions" not in ran.err
    assert "not in the component, since kustomize takes no object without a name" in ran.err


def test_a_claim_for_several_pods(tree, dralint, kustomize, root):
    example = root / "examples/shared-inference"
    folder = tree(
        {
            **LISTED,
            "base/chat.yaml": (example / "workload.yaml").read_text(),
            "new/kustomization.yaml": f"{NEW}namePrefix: dev-\n",
            "plain/kustomization.yaml": NEW,
        }
    )
    options = (
        "--device-plugin-config",
        example / "plugin.yaml",
        "--sharing",
        "shared-claim",
        "--gate",
        "driver:TimeSlicingSettings=true",
    )
    ran = dralint("convert", *options, "--output-overlay", "dra", "base")
    assert ran.code == 0, ran.err
    built, plain = kustomize.build(folder / "new"), kustomize.build(folder / "plain")
    name = by_kind(built)["ResourceClaim"]["metadata"]["name"]
    assert name.startswith("dev-")
    assert f"resourceClaimName: {name}\n" in yaml.safe_dump(built)
    dralint("convert", *options, "--write", "base")
    assert kustomize.build(folder / "base") == plain
