"""standalone-chart-refuses: values with which the DRA driver's chart does not install."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dralint.lint.run import Run
from dralint.lint.subject import Hit, Subject

_TLS = "webhook.tls"
_IMEX = "resources.computeDomains.imex"
_WORDS = {
    f"{_TLS}.mode": ("cert-manager", "secret"),
    f"{_TLS}.certManager.issuerType": ("selfsigned", "clusterissuer", "issuer"),
    f"{_IMEX}.mode": ("driverManaged", "hostManaged"),
    f"{_IMEX}.isolation": ("domain",),
}


def _told(facts: Any) -> Iterator[tuple[str, str]]:
    """Which value, and why the chart fails on it."""
    values = facts["settings"]
    for removed, instead in (
        ("namespace", "the release's namespace"),
        ("nvidiaCtkPath", "nvidiaCDIHookPath"),
    ):
        if values[removed]:
            yield removed, f"{removed} is gone, use {instead}"
    for name, words in _WORDS.items():
        concerned = values["webhook.enabled"] is True if name.startswith(_TLS) else name in facts["given"]
        if concerned and values[name] not in words:
            yield name, f"{name} is {values[name]}, not {' or '.join(words)}"
    if values[f"{_IMEX}.mode"] == "hostManaged" and "HostManagedIMEXDaemon" not in facts["gates_on"]:
        yield f"{_IMEX}.mode", "imex.mode hostManaged needs the gate HostManagedIMEXDaemon"
    if values["webhook.enabled"] is True:
        yield from _tls(values)


def _tls(values: Any) -> Iterator[tuple[str, str]]:
    issuer = values[f"{_TLS}.certManager.issuerType"]
    of_others = values[f"{_TLS}.mode"] == "cert-manager" and issuer in ("clusterissuer", "issuer")
    if of_others and not values[f"{_TLS}.certManager.issuerName"]:
        yield f"{_TLS}.certManager.issuerType", f"issuerType {issuer} needs issuerName"
    if values[f"{_TLS}.mode"] == "secret":
        if not values[f"{_TLS}.secret.name"]:
            yield f"{_TLS}.mode", "tls.mode secret needs secret.name"
        elif not values[f"{_TLS}.secret.caBundle"]:
            yield f"{_TLS}.secret", "without secret.caBundle the API server does not trust the webhook"


def check(subject: Subject, _run: Run) -> Iterator[Hit]:
    """A hit for each value of the chart that keeps it from installing."""
    facts: Any = subject.facts
    if facts["what"] == "standalone-chart":
        for name, says in _told(facts):
            if name not in facts["templated"]:
                yield Hit(name, {"says": says})
