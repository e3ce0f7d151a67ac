"""The view that a subject was made from, for checks and fixes: by its path, without walking the object again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from dralint.kube.dra import ClaimSpec, Config, Request, claim_spec
from dralint.kube.objects import KubeObject
from dralint.kube.places import Container, PodSpec, containers, pod_specs
from dralint.lint.subject import Subject
from dralint.yamltext.view import Path

# Subjects come object by object: a few objects are enough to remember.
_OBJECTS = 4


def spec_of(obj: KubeObject) -> ClaimSpec | None:
    """The claim spec of an object."""
    return claim_spec(obj)


@lru_cache(maxsize=_OBJECTS)
def _requests(obj: KubeObject) -> Mapping[Path, Request]:
    spec = spec_of(obj)
    return {request.path: request for request in spec.requests} if spec else {}


@lru_cache(maxsize=_OBJECTS)
def _configs(obj: KubeObject) -> Mapping[Path, Config]:
    spec = spec_of(obj)
    return {config.path: config for config in spec.configs} if spec else {}


@lru_cache(maxsize=_OBJECTS)
def _pods(obj: KubeObject) -> Mapping[Path, PodSpec]:
    return {pod.path: pod for pod in pod_specs(obj)}


@lru_cache(maxsize=_OBJECTS)
def _containers(obj: KubeObject) -> Mapping[Path, Container]:
    return {container.path: container for pod in _pods(obj).values() for container in containers(pod)}


def request_of(subject: Subject) -> Request:
    """The request at the subject's path, or the one that holds it."""
    requests = _requests(subject.object)
    return next(requests[path] for path in ancestors(subject.path) if path in requests)


def config_of(subject: Subject) -> Config:
    """The config of a subject of kind `config`."""
    return _configs(subject.object)[subject.path]


def pod_of(subject: Subject) -> PodSpec:
    """The pod spec that holds the subject."""
    pods = _pods(subject.object)
    return next(pods[path] for path in ancestors(subject.path) if path in pods)


def container_of(subject: Subject) -> Container:
    """The container of a subject of kind `container`."""
    return _containers(subject.object)[subject.path]


def ancestors(path: Path) -> list[Path]:
    """The path itself and what is above it, nearest first."""
    return [path[:length] for length in range(len(path), -1, -1)]
