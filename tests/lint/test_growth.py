"""The work of `check` grows as its input does: no function is called once for each pair of things."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import CodeType, FrameType

import pytest

import dralint as package

# Of parts of one object more than are looked at of a list that the API server refuses for its length.
FEW_OBJECTS, FEW_PARTS, TIMES = 60, 210, 3
# Room for what is worked out anew for some inputs only.
MOST = TIMES + 1
HERE = os.path.dirname(package.__file__)
LINE = "\n"
Cases = dict[str, Callable[[int], str]]


def template(name: str = "t", requests: str = "", more: str = "", namespace: str = "a") -> str:
    requests = requests or "{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}"
    return (
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\n"
        f"metadata: {{name: {name}, namespace: {namespace}}}\n"
        f"spec: {{spec: {{devices: {{requests: [{requests}]{more}}}}}}}\n"
    )


def pod(name: str, claims: str = "", containers: str = "", namespace: str = "a") -> str:
    claims = claims or "{name: gpu, resourceClaimTemplateName: t}"
    containers = containers or container("main")
    return (
        f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {namespace}}}\n"
        f"spec: {{resourceClaims: [{claims}], containers: [{containers}]}}\n"
    )


def container(name: str, claims: str = "{name: gpu}") -> str:
    return f"{{name: {name}, image: x, resources: {{claims: [{claims}]}}}}"


def listed(form: str, count: int) -> str:
    return ", ".join(form.replace("#", str(number)) for number in range(count))


def documents(texts: Iterable[str]) -> str:
    return "---\n".join(texts)


def shared_claim(name: str) -> str:
    return template(name).replace("ClaimTemplate", "Claim").replace("spec: {spec: {", "spec: {")[:-2] + "\n"


def monitoring(name: str) -> str:
    labels = "resource.kubernetes.io/admin-access: 'true'"
    return f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}, labels: {{{labels}}}}}\n"


REQUEST = "{name: r#, exactly: {deviceClassName: gpu.nvidia.com}}"
SELECTING = (
    "{name: r#, exactly: {deviceClassName: gpu.nvidia.com, selectors: [{cel: {expression: "
    '\'device.attributes["gpu.nvidia.com"].architecture == "Hopper"\'}}]}}'
)
OPAQUE = (
    "opaque: {driver: gpu.nvidia.com, parameters: {apiVersion: resource.nvidia.com/v1beta1, kind: GpuConfig, "
    "sharing: {strategy: TimeSlicing}}}"
)
OBJECTS: Cases = {
    "pods of one template": lambda n: documents([template(), *(pod(f"p{i}") for i in range(n))]),
    "pods of one claim": lambda n: documents(
        [
            shared_claim("c"),
            *(pod(f"p{i}", "{name: gpu, resourceClaimName: c}") for i in range(n)),
        ]
    ),
    "pods of templates with one name": lambda n: documents(
        text for i in range(n) for text in (template(namespace=f"n{i}"), pod("p", namespace=f"n{i}"))
    ),
    "templates of one name, and pods": lambda n: documents(
        text for i in range(n) for text in (template(), pod(f"p{i}"))
    ),
    "references to other namespaces": lambda n: documents(
        text for i in range(n) for text in (template(namespace=f"n{i}"), pod("p", namespace=f"m{i}"))
    ),
    "namespaces for monitoring": lambda n: documents(
        text
        for i in range(n)
        for text in (
            monitoring(f"n{i}"),
            template(
                requests="{name: gpu, exactly: {deviceClassName: gpu.nvidia.com, adminAccess: true}}",
                namespace=f"n{i}",
            ),
            pod("p", namespace=f"n{i}"),
        )
    ),
    "suppressions that are used": lambda n: documents(
        f"{pod(f'p{i}')[:-1]} # dralint: ignore[claim-ref-not-found] a reason\n" for i in range(n)
    ),
    "suppressions that are not": lambda n: documents(
        f"# dralint: ignore[claim-ref-ambiguous] a reason\n{pod(f'p{i}')}" for i in range(n)
    ),
    "suppressions in a list": lambda n: (
        "apiVersion: v1\nkind: List\nitems:\n"
        + "".join(
            f"- # dralint: ignore[claim-ref-not-found] a reason\n  {pod(f'p{i}')[:-1].replace(LINE, LINE + '  ')}\n"
            for i in range(n)
        )
    ),
}
PARTS: Cases = {
    "claims of a pod": lambda n: documents(
        [
            template(),
            pod(
                "p",
                listed("{name: c#, resourceClaimTemplateName: t}", n),
                container("main", listed("{name: c#}", n)),
            ),
        ]
    ),
    "containers with a claim": lambda n: documents(
        [
            template(),
            pod("p", containers=", ".join(container(f"c{i}") for i in range(n))),
        ]
    ),
    "containers with a request each": lambda n: documents(
        [
            template(requests=listed(REQUEST, n)),
            pod(
                "p",
                containers=", ".join(container(f"c{i}", f"{{name: gpu, request: r{i}}}") for i in range(n)),
            ),
        ]
    ),
    "requests with selectors": lambda n: template(requests=listed(SELECTING, n)),
    "configs of a request each": lambda n: template(
        requests=listed(REQUEST, n), more=f", config: [{listed('{requests: [r#], ' + OPAQUE + '}', n)}]"
    ),
    "configs of all requests": lambda n: template(
        requests=listed(REQUEST, n), more=f", config: [{listed('{' + OPAQUE + '}', n)}]"
    ),
    "suppressions in one object": lambda n: (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
        + "".join(
            f"  - {container(f'c{i}', '{name: no}')} # dralint: ignore[container-claim-repeated] a reason\n"
            for i in range(n)
        )
        + "  resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]\n"
    ),
    "constraints": lambda n: template(
        requests=listed(REQUEST, n),
        more=", constraints: ["
        + listed("{requests: [r#], matchAttribute: resource.kubernetes.io/pcieRoot}", n)
        + "]",
    ),
}


def calls(work: Callable[[], object]) -> Counter[CodeType]:
    """How often each function of dralint is called, or goes on where it is a generator."""
    found: Counter[CodeType] = Counter()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            found[frame.f_code] += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return Counter({code: number for code, number in found.items() if code.co_filename.startswith(HERE)})


@pytest.mark.parametrize("case", [*OBJECTS, *PARTS])
def test_three_times_the_input_is_three_times_the_work(dralint, tmp_path: Path, case: str) -> None:
    text_of, size = (OBJECTS[case], FEW_OBJECTS) if case in OBJECTS else (PARTS[case], FEW_PARTS)

    def check(count: int) -> Counter[CodeType]:
        file = tmp_path / f"{count}.yaml"
        file.write_text(text_of(count))
        return calls(lambda: dralint("check", file, "--context", "none", "--migration", "-q"))

    check(1)  # What only the first run loads.
    few, many = check(size), check(size * TIMES)
    grown = {
        f"{os.path.relpath(code.co_filename, HERE)}:{code.co_firstlineno} {code.co_name}": (few[code], number)
        for code, number in many.items()
        if number > MOST * max(few[code], 2 * size)
    }
    assert grown == {}
