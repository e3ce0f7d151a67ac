"""Names of the templates, claims and requests that a conversion makes: contract, point 8."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from dralint.kube.names import hashed, is_dns_label, is_dns_subdomain, shorten
from dralint.kube.objects import KubeObject
from dralint.yamltext.view import Plain

_NOT_LABEL = re.compile(r"[^a-z0-9]+")
# Placeholders of Helm and Jinja, of shells and OpenShift templates, of Kubernetes itself, and of people.
_TEMPLATED = re.compile(r"\{\{|\$\{|\$\(|\$[A-Za-z_]|[<>]")


def workload_name(obj: KubeObject) -> str | None:
    """The object's name, or its generateName without the dash; None where neither can be used."""
    name = obj.ref.name or (obj.generate_name or "").rstrip("-")
    return name if is_dns_subdomain(name) else None


def label(text: str) -> str | None:
    """A group, a role or a profile as part of a name: `GPU_workers` is `gpu-workers`; None if templated."""
    if _TEMPLATED.search(text):
        return None
    name = text if is_dns_label(text) else _NOT_LABEL.sub("-", text.lower()).strip("-")
    return name or None


def unusable_name(obj: KubeObject, part: str | None) -> str | None:
    """Why no template can be called after the object and its part, without a full stop; None where one can."""
    name = obj.ref.name or obj.generate_name
    if not name:
        return "the object has no name after which a template could be called"
    if workload_name(obj) is None:
        if _TEMPLATED.search(name):
            return f"the object's name {name} is a placeholder, and a template is called after it"
        return f"a template is called after the object, and {name} is no name that Kubernetes allows"
    if part and label(part) is None:
        return f"a template is called after the object's part, and {part} is no name"
    return None


def template_name(workload: str, part: str | None, container: str | None) -> str:
    """`<workload>[-<part>]-gpu[-<container>]`, shortened to 63 characters."""
    return shorten("-".join(piece for piece in (workload, part, "gpu", container) if piece))


def with_hash(name: str, spec: Plain) -> str:
    """The name for a spec whose plain name is taken by another one: it ends in 8 hex of the spec's SHA-256."""
    return hashed(name, json.dumps(spec, sort_keys=True))


class FreeNames:
    """Gives each name once: a name that is taken gets the smallest number from 2 up that is free."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def take(self, name: str) -> str:
        """The name, at most 63 characters, that is taken from here on."""
        free_name = shorten(name)
        number = self._next.get(name, 2)
        while free_name in self._taken:
            free_name = shorten(f"{name}-{number}")
            number += 1
        self._next[name] = number
        self._taken.add(free_name)
        return free_name
