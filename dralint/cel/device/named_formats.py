"""Kubernetes' named formats (`format.dns1123Label().validate(x)`).

Sources: kubernetes apiserver/pkg/cel/library/format.go; apimachinery pkg/util/validation and pkg/api/validation.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from dralint.cel.device.equality import STRICT
from dralint.cel.device.registry import function
from dralint.cel.device.values import EMPTY, GO_TYPE_NAMES, TYPE_NAMES, CelError, Optional

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_DNS1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_NAME})?"
_UUID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\Z", re.ASCII | re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z", re.ASCII)

_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
    "and must start and end with an alphanumeric character"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "
    "and must start and end with an alphanumeric character"
)
_DNS1035_TEXT = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
    "start with an alphabetic character, and end with an alphanumeric character"
)
_NAME_TEXT = (
    "name part must consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)
_VALUE_TEXT = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character"
)


class NamedFormat(NamedTuple):
    """kubernetes.NamedFormat"""

    name: str


TYPE_NAMES[NamedFormat] = "kubernetes.NamedFormat"
GO_TYPE_NAMES[NamedFormat] = "*cel.Format"
STRICT.add(NamedFormat)

Check = Callable[[str], list[str]]


def _pattern(pattern: str, limit: int, text: str) -> Check:
    compiled = re.compile(rf"(?:{pattern})\Z", re.ASCII)

    def check(value: str) -> list[str]:
        problems = []
        if len(value.encode()) > limit:
            problems.append(f"must be no more than {limit} characters")
        if not _linear(value, limit) or not compiled.match(value):
            problems.append(f"{text} (regex used for validation is '{pattern}')")
        return problems

    return check


def _linear(value: str, limit: int) -> bool:
    """Far beyond the limit the answer is known without Python's backtracking."""
    return len(value) <= 4 * limit


def _prefix(check: Check) -> Check:
    """The check of a name that something will be appended to: a last dash is allowed."""
    return lambda value: check(f"{value[:-1]}a" if len(value) > 1 and value.endswith("-") else value)


_subdomain = _pattern(_SUBDOMAIN, 253, _SUBDOMAIN_TEXT)
_name = _pattern(_NAME, 63, _NAME_TEXT)


def _qualified_name(value: str) -> list[str]:
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        return ["a qualified name must consist of an optional DNS subdomain prefix and '/' and a name"]
    problems = []
    if slash and not prefix:
        problems.append("prefix part must be non-empty")
    elif slash:
        problems += [f"prefix part {each}" for each in _subdomain(prefix)]
    if not name:
        problems.append("name part must be non-empty")
    return problems + [f"name part {each}" if each.startswith("must") else each for each in _name(name)]


def _uri(value: str) -> list[str]:
    from dralint.cel.device import urls

    try:
        urls.parse(value)
    except CelError as error:
        return [error.message]
    return []


def _uuid(value: str) -> list[str]:
    return [] if _UUID.match(value) else ["does not match the UUID format"]


def _byte(value: str) -> list[str]:
    try:
        base64.b64decode(value.replace("\r", "").replace("\n", ""), validate=True)
    except ValueError:
        return ["invalid base64"]
    return []


def _date(value: str) -> list[str]:
    try:
        if _DATE.match(value):
            date.fromisoformat(value)
            return []
    except ValueError:
        pass
    return ["invalid date"]


def _datetime(value: str) -> list[str]:
    from dralint.cel.device import moments

    try:
        moments.parse_timestamp(value.replace("t", "T").replace("z", "Z"))
    except CelError:
        return ["invalid datetime"]
    return []


_label = _pattern(_LABEL, 63, _LABEL_TEXT)
_dns1035 = _pattern(_DNS1035, 63, _DNS1035_TEXT)
_CHECKS: dict[str, Check] = {
    "dns1123Label": _label,
    "dns1123Subdomain": _subdomain,
    "dns1035Label": _dns1035,
    "qualifiedName": _qualified_name,
    "dns1123LabelPrefix": _prefix(_label),
    "dns1123SubdomainPrefix": _prefix(_subdomain),
    "dns1035LabelPrefix": _prefix(_dns1035),
    "labelValue": _pattern(_VALUE, 63, _VALUE_TEXT),
    "uri": _uri,
    "uuid": _uuid,
    "byte": _byte,
    "date": _date,
    "datetime": _datetime,
}


@function("format.named", str)
def _named(name: str) -> Optional:
    return Optional(NamedFormat(name)) if name in _CHECKS else EMPTY


def _constant(name: str) -> Callable[[], NamedFormat]:
    return lambda: NamedFormat(name)


for _format in _CHECKS:
    function(f"format.{_format}")(_constant(_format))


@function("validate", NamedFormat, str)
def _validate(named: NamedFormat, value: str) -> Optional:
    problems = _CHECKS[named.name](value)
    return Optional(problems) if problems else EMPTY
