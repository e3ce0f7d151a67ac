"""Names as Kubernetes allows them, and how a name that is too long is shortened."""

from __future__ import annotations

import re

LABEL_LENGTH = 63
SUBDOMAIN_LENGTH = 253
_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\Z")
_SUBDOMAIN = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*\Z")
_HASH_LENGTH = 8


def is_dns_label(name: str) -> bool:
    """Names of requests, pod claims and containers: RFC 1123 label, at most 63 characters."""
    return len(name) <= LABEL_LENGTH and _LABEL.match(name) is not None


def is_dns_subdomain(name: str) -> bool:
    """Names of objects and classes: labels joined by dots, at most 253 characters in all.

    A part may be longer than 63 here: IsDNS1123Subdomain of k8s.io/apimachinery checks only the whole.
    """
    return len(name) <= SUBDOMAIN_LENGTH and _SUBDOMAIN.match(name) is not None


def digest(text: str) -> str:
    """The first 8 hexadecimal digits of the SHA-256 of a text."""
    import hashlib  # three milliseconds that a check without such a name does not need

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]


def hashed(name: str, told_by: str, limit: int = LABEL_LENGTH) -> str:
    """The beginning of a name, a dash, and 8 hex of the SHA-256 of what tells it from others of that name.

    With the limit of 63 the beginning is the first 54 characters. A dot at its end goes, since no part
    of a name begins with a dash; dashes may follow each other.
    """
    return f"{name[: limit - _HASH_LENGTH - 1].rstrip('.')}-{digest(told_by)}"


def shorten(name: str, limit: int = LABEL_LENGTH) -> str:
    """The name itself if it fits, else its beginning with 8 hex of the whole name's SHA-256."""
    return name if len(name) <= limit else hashed(name, name, limit)
