"""A strategic-merge patch over its base, as kustomize makes one object of them: for what a conversion looks at."""

from __future__ import annotations

from dralint.kube.places import GROUPS
from dralint.yamltext.view import Plain

# Lists of a pod spec that are merged by the names of their items; all that a conversion changes or reads otherwise
# is replaced: tolerations, resourceClaims, a container's claims, terms of affinities.
# Source: k8s.io/api core/v1, patchStrategy and patchMergeKey; kustomize takes them from kyaml/openapi.
_BY_NAME = (*GROUPS, "env", "volumes")
_RESOURCES = ("limits", "requests")


class Unmergeable(Exception):
    """Why the two do not make one object, or none that is foreseen here; no full stop."""


def _named(items: list[Plain], key: str) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    for item in items:
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or name in found:
            raise Unmergeable(f"an item of {key} has no name of its own")
        found[name] = item
    return found


def _lists(base: list[Plain], patch: list[Plain], key: str) -> list[Plain]:
    """The patch's items come first, in its order, and then what only the base has."""
    mine, its = _named(base, key), _named(patch, key)
    both: list[Plain] = [merged(mine.get(name), item) for name, item in its.items()]
    return both + [item for name, item in mine.items() if name not in its]


def merged(base: Plain, patch: Plain, key: str = "") -> Plain:
    """The value that a patch makes of the base's; key: that it stands under.

    Raises Unmergeable for directives, and for lists whose items have no names.
    """
    if isinstance(patch, dict):
        if any(name.startswith("$") for name in patch):
            raise Unmergeable("it holds a directive")
        found = dict(base) if isinstance(base, dict) else {}
        for name, value in patch.items():
            if value is None:
                found.pop(name, None)
            else:
                found[name] = merged(found.get(name), value, name)
        return found
    if isinstance(patch, list) and key in _BY_NAME:
        return _lists(base if isinstance(base, list) else [], patch, key)
    return patch


def without_empty(item: Plain) -> Plain:
    """The same without empty limits and requests, which ask for nothing."""
    if isinstance(item, dict):
        return {
            name: without_empty(value)
            for name, value in item.items()
            if not (name in _RESOURCES and value == {})
        }
    return [without_empty(each) for each in item] if isinstance(item, list) else item
