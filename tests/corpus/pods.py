"""What the pods of a file hold and what their containers see, before and after a conversion.

Written from Kubernetes' rules alone: extended resources by limits, init containers reuse what main ones hold, native
sidecars run beside them; a claim is held whole, and a container sees the requests that it lists.
"""

import re
from collections import Counter

from reading import CONVERTIBLE, GPU, documents, mappings, objects, plugin_names

TOLERATION = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
_EMPTIED = {
    "limits",
    "requests",
    "resources",
    "claims",
    "resourceClaims",
    "draResources",
    "tolerations",
    "rayStartParams",
    "nodeSelector",
}
# The only label of the corpus by which pods with GPUs select and that a claim makes needless.
IMPLIED = {"nvidia.com/gpu.present": "true"}
_PROFILE = re.compile(r"device\.attributes\['gpu\.nvidia\.com'\]\.profile == '([^']+)'\Z")


def templates(data):
    """name -> object of every ResourceClaimTemplate of a file."""
    return {
        (item.get("metadata") or {}).get("name"): item
        for document in documents(data)[0]
        for _, item in objects(document)
        if item.get("kind") == "ResourceClaimTemplate"
    }


def _of_nim(service):
    """The pod that the NIM operator makes of a service's spec: each entry of draResources is its container's claim."""
    claims = [{"name": str(index), **entry} for index, entry in enumerate(service.get("draResources") or [])]
    resources = {**(service.get("resources") or {}), "claims": [{"name": claim["name"]} for claim in claims]}
    return {**service, "containers": [{"resources": resources}], "resourceClaims": claims}


def _of_predictor(predictor):
    """The pod that KServe makes of a predictor: its model is the container."""
    models = [value for value in predictor.values() if isinstance(value, dict) and "resources" in value]
    return {**predictor, "containers": models}


def _operator_pods(document):
    for _, item in objects(document):
        spec = item.get("spec") or {}
        if item.get("kind") == "NIMService":
            yield _of_nim(spec)
        if item.get("kind") == "NIMPipeline":
            yield from (_of_nim(service.get("spec") or {}) for service in spec.get("services") or [])
        predictor = spec.get("predictor") if item.get("kind") == "InferenceService" else None
        if isinstance(predictor, dict) and not isinstance(predictor.get("containers"), list):
            yield _of_predictor(predictor)


def pod_specs(data):
    """Every mapping with a list of containers, in the order of the file, and what operators make pods of."""
    found = []
    for document in documents(data)[0]:
        found += [item for _, item in mappings(document) if isinstance(item.get("containers"), list)]
        found += _operator_pods(document)
    return found


def _resource(request):
    """A template's request as the extended resource it stands for, and its count."""
    exact = request["exactly"]
    count = int(exact.get("count", 1))
    if exact["deviceClassName"] == "gpu.nvidia.com" and not exact.get("selectors"):
        return "nvidia.com/gpu", count
    (selector,) = exact["selectors"]
    match = _PROFILE.match(selector["cel"]["expression"])
    assert exact["deviceClassName"] == "mig.nvidia.com", exact
    assert match, exact
    return "nvidia.com/mig-" + match[1].replace("+", "."), count


def _limits(container):
    limits = (container.get("resources") or {}).get("limits")
    return Counter(
        {
            name: int(count)
            for written, count in (limits if isinstance(limits, dict) else {}).items()
            for name in [plugin_names(str(written))]
            if CONVERTIBLE.match(name) and str(count).isdigit()
        }
    )


def _held_by_limits(pod, counts):
    """Per resource: the larger of (an init container + the sidecars before it) and (sidecars + main containers)."""
    sidecars, largest = Counter(), Counter()
    for index, container in enumerate(pod.get("initContainers") or []):
        if container.get("restartPolicy") == "Always":
            sidecars += counts["initContainers", index]
        else:
            largest |= counts["initContainers", index] + sidecars
    for index, _ in enumerate(pod["containers"]):
        sidecars += counts["containers", index]
    return +(largest | sidecars)


def devices(pod, made):
    """(held, seen per container) of a pod; `made` are the templates that count, the others are not of GPUs."""
    claims = {}
    for claim in pod.get("resourceClaims") or []:
        template = made.get(claim.get("resourceClaimTemplateName"))
        if template:
            requests = template["spec"]["spec"]["devices"]["requests"]
            claims[claim["name"]] = {request["name"]: _resource(request) for request in requests}
    limits, seen = {}, {}
    for group in ("initContainers", "containers"):
        for index, container in enumerate(pod.get(group) or []):
            limits[group, index] = seen[group, index] = _limits(container)
            for entry in (container.get("resources") or {}).get("claims") or []:
                for name, (resource, count) in claims.get(entry["name"], {}).items():
                    if entry.get("request") in (None, name):
                        seen[group, index] = seen[group, index] + Counter({resource: count})
    held = _held_by_limits(pod, limits)
    for requests in claims.values():
        for resource, count in requests.values():
            held[resource] += count
    return +held, {place: +counts for place, counts in seen.items()}


def _without_gpus(value, made, names):
    """A value without all that a conversion may take or add, so that the rest can be compared."""
    if isinstance(value, list):
        return [_without_gpus(item, made, names) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("containers"), list) or isinstance(value.get("resourceClaims"), list):
        names = {
            claim.get("name")
            for claim in value.get("resourceClaims") or []
            if claim.get("resourceClaimTemplateName") in made
        }
    kept = {
        key: _without_gpus(_untouched(key, child, made, names), made, names) for key, child in value.items()
    }
    return {key: child for key, child in kept.items() if child or key not in _EMPTIED}


def _untouched(key, value, made, names):
    """What a conversion must leave of one field."""
    if isinstance(value, list):
        if key in ("resourceClaims", "draResources"):
            return [claim for claim in value if claim.get("resourceClaimTemplateName") not in made]
        if key == "claims":
            return [claim for claim in value if claim.get("name") not in names]
        if key == "tolerations":
            return [toleration for toleration in value if toleration != TOLERATION]
    if isinstance(value, dict):
        if key in ("limits", "requests"):
            return {name: count for name, count in value.items() if not GPU.match(plugin_names(str(name)))}
        if key == "nodeSelector":
            return {label: text for label, text in value.items() if IMPLIED.get(label) != text}
        if key == "rayStartParams":
            return {name: text for name, text in value.items() if name != "num-gpus"}
    return value


def rest(data, made):
    """The objects of a file without the templates of `made` and without the fields a conversion touches.

    The items of a List count as objects of the file: a JSON file with one object becomes a List.
    """
    found = []
    for document in documents(data)[0]:
        is_list = isinstance(document, dict) and document.get("kind") == "List"
        found += document.get("items") or [] if is_list else [document]
    return [_without_gpus(item, made, set()) for item in found if not _is_made(item, made)]


def _is_made(item, made):
    return (
        isinstance(item, dict)
        and item.get("kind") == "ResourceClaimTemplate"
        and (item.get("metadata") or {}).get("name") in made
    )
