"""URLs as Go's net/url reads them.

Sources: kubernetes apiserver/pkg/cel/library/urls.go; Go's net/url (parse, parseAuthority, parseHost, ParseQuery).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from dralint.cel.device.equality import STRICT
from dralint.cel.device.registry import function
from dralint.cel.device.values import GO_TYPE_NAMES, TYPE_NAMES, CelError

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*\Z", re.ASCII)
_PORT = re.compile(r"(?::[0-9]*)?\Z", re.ASCII)
_ESCAPE = re.compile(r"%(?:[0-9a-fA-F]{2})?", re.ASCII)
# Go: shouldEscape(c, encodeHost) is false for these; with others a host is not valid.
_HOST = re.compile(r"[A-Za-z0-9._~!$&'()*+,;=:\[\]<>\"%\x80-\U0010ffff-]*\Z")
_USER = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*\Z")
_UNESCAPED_PATH = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~$&+,/:;=@")
_VALID_PATH = _UNESCAPED_PATH | frozenset("!'()*[]%")


class Url(NamedTuple):
    """kubernetes.URL; path: decoded; raw_path: as written where that differs from Go's own encoding."""

    scheme: str
    opaque: str
    user: str | None
    host: str
    path: str
    raw_path: str
    query: str
    fragment: str


TYPE_NAMES[Url] = "kubernetes.URL"
GO_TYPE_NAMES[Url] = "cel.URL"
STRICT.add(Url)


def _invalid(text: str, why: str) -> CelError:
    return CelError(f'URL parse error during conversion from string: parse "{text}": {why}')


def _unescape(text: str, plus: bool = False) -> str:
    """Raises ValueError for an escape that is none."""
    if plus:
        text = text.replace("+", " ")
    if "%" not in text:
        return text
    for found in _ESCAPE.finditer(text):
        if len(found.group()) != 3:
            raise ValueError(f'invalid URL escape "{text[found.start() : found.start() + 3]}"')
    raw = re.sub(rb"%([0-9a-fA-F]{2})", lambda match: bytes.fromhex(match[1].decode()), text.encode())
    return raw.decode("utf-8", "replace")


def _host(text: str) -> str:
    if text.startswith("["):
        closing = text.rfind("]")
        if closing < 0:
            raise ValueError("missing ']' in host")
        if not _PORT.match(text[closing + 1 :]):
            raise ValueError(f'invalid port "{text[closing + 1 :]}" after host')
        return text
    colon = text.rfind(":")
    if colon >= 0 and not _PORT.match(text[colon:]):
        raise ValueError(f'invalid port "{text[colon:]}" after host')
    for found in _ESCAPE.finditer(text):
        # Only escapes of bytes that are not ASCII may stand in a host.
        if len(found.group()) != 3 or int(found.group()[1:], 16) < 0x80:
            raise ValueError(f'invalid URL escape "{text[found.start() : found.start() + 3]}"')
    if not _HOST.match(text):
        raise ValueError("invalid character in host name")
    return _unescape(text)


def _scheme(text: str) -> tuple[str, str]:
    """(scheme, rest): what is before the first colon, where only letters, digits and +-. stand before it."""
    for index, character in enumerate(text):
        if character.isascii() and character.isalpha():
            continue
        if character in "0123456789+-.":
            if index == 0:
                return "", text
        elif character == ":":
            if index == 0:
                raise ValueError("missing protocol scheme")
            return text[:index], text[index + 1 :]
        else:
            return "", text
    return "", text


def parse(text: str) -> Url:
    """A URL with a scheme or an absolute path, as `ParseRequestURI` wants it. Raises CelError."""
    try:
        return _parse(text)
    except ValueError as error:
        raise _invalid(text, str(error)) from None


def _parse(text: str) -> Url:
    if any(ord(character) < 0x20 or ord(character) == 0x7F for character in text):
        raise ValueError("net/url: invalid control character in URL")
    if not text:
        raise ValueError("empty url")
    # Kubernetes parses twice: once as a request, where a fragment is no fragment, and once as a URL.
    _split(text, via_request=True)
    body, _, fragment = text.partition("#")
    return _split(body, via_request=False)._replace(fragment=_unescape(fragment))


def _split(text: str, via_request: bool) -> Url:
    if text == "*":
        return Url("", "", None, "", "*", "", "", "")
    scheme, rest = _scheme(text)
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme.lower(), rest, None, "", "", "", query, "")
        if via_request:
            raise ValueError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise ValueError("first path segment in URL cannot contain colon")
    user, host = None, ""
    if (scheme or (not via_request and not rest.startswith("///"))) and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        rest = slash + path
        before, at, after = authority.rpartition("@")
        host = _host(after if at else authority)
        if at:
            if not _USER.match(before):
                raise ValueError("net/url: invalid userinfo")
            user = _unescape(before)
    path = _unescape(rest)
    return Url(scheme.lower(), "", user, host, path, "" if rest == _escaped(path) else rest, query, "")


def _escaped(path: str) -> str:
    return "".join(
        c if c in _UNESCAPED_PATH else "".join(f"%{byte:02X}" for byte in c.encode()) for c in path
    )


function("url", str)(parse)


@function("isURL", str)
def _is_url(text: str) -> bool:
    try:
        parse(text)
    except CelError:
        return False
    return True


@function("getScheme", Url)
def _get_scheme(url: Url) -> str:
    return url.scheme


@function("getHost", Url)
def _get_host(url: Url) -> str:
    return url.host


def _host_and_port(host: str) -> tuple[str, str]:
    colon = host.rfind(":")
    port = ""
    if colon >= 0 and _PORT.match(host[colon:]):
        host, port = host[:colon], host[colon + 1 :]
    return (host[1:-1] if host.startswith("[") and host.endswith("]") else host), port


@function("getHostname", Url)
def _get_hostname(url: Url) -> str:
    return _host_and_port(url.host)[0]


@function("getPort", Url)
def _get_port(url: Url) -> str:
    return _host_and_port(url.host)[1]


@function("getEscapedPath", Url)
def _get_escaped_path(url: Url) -> str:
    if url.raw_path and all(c in _VALID_PATH for c in url.raw_path):
        return url.raw_path
    return "*" if url.path == "*" else _escaped(url.path)


@function("getQuery", Url)
def _get_query(url: Url) -> dict[str, Any]:
    """Values by name; a part that cannot be decoded is left out."""
    found: dict[str, Any] = {}
    for part in url.query.split("&"):
        if not part or ";" in part:
            continue
        name, _, value = part.partition("=")
        try:
            key, content = _unescape(name, plus=True), _unescape(value, plus=True)
        except ValueError:
            continue
        found.setdefault(key, []).append(content)
    return found
