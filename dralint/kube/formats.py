"""Formats of text fields, as the API server checks them: names, keys, versions, resource names."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from dralint.kube.names import LABEL_LENGTH, is_dns_label, is_dns_subdomain

_QUALIFIED = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?\Z")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}\Z")
# https://semver.org, the expression of version 2.0.0.
_SEMVER = re.compile(
    r"(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)"
    r"(?:-(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?"
    r"(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?\Z"
)
# Names in this domain are the API's own, and `requests.` is the prefix of quota keys:
# k8s.io/kubernetes pkg/apis/core/v1/helper/helpers.go, IsExtendedResourceName.
_NATIVE = "kubernetes.io/"
_QUOTA = "requests."


def is_qualified_name(name: str) -> bool:
    """A label key: a name of at most 63 characters, after a DNS subdomain and a slash or without."""
    prefix, slash, rest = name.rpartition("/")
    return _QUALIFIED.match(rest) is not None and (not slash or is_dns_subdomain(prefix))


def is_label_value(text: str) -> bool:
    """Letters, digits, dashes, underscores and dots, at most 63; or nothing."""
    return not text or _QUALIFIED.match(text) is not None


def is_driver_name(name: str) -> bool:
    """A DNS subdomain of at most 63 characters; capitals pass, as in the names of storage drivers."""
    return len(name) <= LABEL_LENGTH and is_dns_subdomain(name.lower())


def is_pool_name(name: str) -> bool:
    """DNS subdomains separated by slashes, at most 253 characters in all."""
    return len(name) <= 253 and all(is_dns_subdomain(part) for part in name.split("/"))


def is_attribute_name(name: str) -> bool:
    """Of an attribute or capacity in a slice: a C identifier of at most 32, with its domain or without."""
    domain, slash, identifier = name.rpartition("/")
    if slash and not (len(domain) <= LABEL_LENGTH and is_dns_subdomain(domain)):
        return False
    return _IDENTIFIER.match(identifier) is not None


def is_full_attribute_name(name: str) -> bool:
    """Of an attribute in a constraint: domain, slash, C identifier."""
    return "/" in name and is_attribute_name(name)


def is_extended_resource_name(name: str) -> bool:
    """What IsExtendedResourceName accepts: one slash, a domain that is not Kubernetes' own."""
    if name.count("/") != 1 or _NATIVE in name or name.startswith(_QUOTA):
        return False
    return is_qualified_name(_QUOTA + name)


def is_name_prefix(name: str) -> bool:
    """A generateName: what the API server adds makes a DNS subdomain of it."""
    return is_dns_subdomain(f"{name}a")


FORMATS: Mapping[str, Callable[[str], bool]] = {
    "annotation-key": lambda text: is_qualified_name(text.lower()),
    "attribute": is_full_attribute_name,
    "attribute-name": is_attribute_name,
    "device-class": is_dns_subdomain,
    "driver": is_driver_name,
    "extended-resource": is_extended_resource_name,
    "label": is_dns_label,
    "label-key": is_qualified_name,
    "label-value": is_label_value,
    "name-prefix": is_name_prefix,
    "object-reference": is_dns_subdomain,
    "pool": is_pool_name,
    "semver": lambda text: _SEMVER.match(text) is not None,
    "subdomain": is_dns_subdomain,
}
