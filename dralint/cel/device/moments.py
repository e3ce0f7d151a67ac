"""Timestamps and durations: their texts, their parts, time zones.

Sources: cel-go common/types/timestamp.go and duration.go; Go's time.Parse(RFC3339) and time.ParseDuration.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from dralint.cel.device.operators import checked_duration, checked_timestamp
from dralint.cel.device.registry import function
from dralint.cel.device.values import MAX_INT, CelError, Duration, Timestamp

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND, _MILLISECOND, _MINUTE, _HOUR = 10**9, 10**6, 60 * 10**9, 3600 * 10**9
_UNITS = {
    "ns": 1,
    "us": 1000,
    "µs": 1000,
    "μs": 1000,
    "ms": _MILLISECOND,
    "s": _SECOND,
    "m": _MINUTE,
    "h": _HOUR,
}
_DURATION = re.compile(r"([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_TIMESTAMP = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))\Z", re.ASCII
)
_OFFSET_HOURS = 24


@function("duration", str)
def parse_duration(text: str) -> Duration:
    """`1h30m`, as Go reads it. Raises CelError."""
    body = text[1:] if text[:1] in ("+", "-") else text
    total, position = 0, 0
    if not body:
        raise CelError(f'time: invalid duration "{text}"')
    if body != "0":
        while position < len(body):
            found = _DURATION.match(body, position)
            if not found or not (found[1] or found[2]):
                raise CelError(f'time: invalid duration "{text}"')
            unit, fraction = _UNITS[found[3]], (found[2] or "")[:18]
            if len(found[1]) > 20:
                raise CelError(f'time: invalid duration "{text}"')
            total += int(found[1] or 0) * unit + int(fraction or 0) * unit // 10 ** len(fraction)
            position = found.end()
            if total > MAX_INT + 1:
                raise CelError(f'time: invalid duration "{text}"')
    value = -total if text[0] == "-" else total
    if value > MAX_INT:
        raise CelError(f'time: invalid duration "{text}"')
    return Duration(value)


@function("duration", int)
def _seconds_to_duration(value: int) -> Duration:
    return checked_duration(value * _SECOND)


@function("string", Duration)
def _duration_to_string(value: Duration) -> str:
    whole, rest = divmod(abs(int(value)), _SECOND)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{'-' if value < 0 else ''}{whole}{fraction}s"


@function("timestamp", str)
def parse_timestamp(text: str) -> Timestamp:
    """A time as RFC 3339 writes it. Raises CelError."""
    found = _TIMESTAMP.match(text)
    if not found:
        raise CelError(f'parsing time "{text}" as "2006-01-02T15:04:05Z07:00": cannot parse')
    *parts, fraction, sign, hours, minutes = found.groups()
    try:
        moment = datetime(*map(int, parts), tzinfo=UTC)  # type: ignore[arg-type,misc]
    except ValueError:
        raise CelError(f'parsing time "{text}": out of range') from None
    nanoseconds = (moment - _EPOCH) // timedelta(seconds=1) * _SECOND + int(
        (fraction or "0")[:9].ljust(9, "0")
    )
    if sign:
        if int(hours) > _OFFSET_HOURS or int(minutes) >= 60:
            raise CelError(f'parsing time "{text}": time zone offset out of range')
        offset = int(hours) * _HOUR + int(minutes) * _MINUTE
        nanoseconds += -offset if sign == "+" else offset
    return checked_timestamp(nanoseconds)


@function("timestamp", int)
def _seconds_to_timestamp(value: int) -> Timestamp:
    return checked_timestamp(value * _SECOND)


@function("string", Timestamp)
def _timestamp_to_string(value: Timestamp) -> str:
    seconds, rest = divmod(int(value), _SECOND)
    moment = _EPOCH + timedelta(seconds=seconds)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    return f"{moment.year:04d}-{moment:%m-%dT%H:%M:%S}{fraction}Z"


@lru_cache(maxsize=64)
def _zone(name: str) -> tzinfo:
    """A time zone by its name (`Europe/Berlin`) or offset (`+02:00`). Raises CelError."""
    hours, colon, minutes = name.partition(":")
    if colon:
        try:
            offset = int(hours) * 60 + (-int(minutes) if hours.startswith("-") else int(minutes))
            return timezone(timedelta(minutes=offset))
        except ValueError:
            raise CelError(f'strconv.Atoi: parsing "{name}": invalid syntax') from None
    if name in ("", "UTC"):
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise CelError(f"unknown time zone {name}") from None


_PARTS: dict[str, Callable[[datetime], int]] = {
    "getFullYear": lambda moment: moment.year,
    "getMonth": lambda moment: moment.month - 1,
    "getDayOfYear": lambda moment: moment.timetuple().tm_yday - 1,
    "getDayOfMonth": lambda moment: moment.day - 1,
    "getDate": lambda moment: moment.day,
    "getDayOfWeek": lambda moment: (moment.weekday() + 1) % 7,
    "getHours": lambda moment: moment.hour,
    "getMinutes": lambda moment: moment.minute,
    "getSeconds": lambda moment: moment.second,
    "getMilliseconds": lambda moment: moment.microsecond // 1000,
}


def _of_timestamp(part: Callable[[datetime], int]) -> Callable[..., int]:
    def get(value: Timestamp, zone: str = "") -> int:
        # Python knows the years 1 to 9999 only, which a zone can leave by hours; Go goes on.
        try:
            moment = (_EPOCH + timedelta(microseconds=int(value) // 1000)).astimezone(_zone(zone))
        except OverflowError:
            raise CelError("timestamp overflow") from None
        return part(moment)

    return get


def _of_duration(unit: int) -> Callable[[Duration], int]:
    def get(value: Duration) -> int:
        whole = abs(int(value)) // unit
        return -whole if value < 0 else whole

    return get


for _name, _part in _PARTS.items():
    _get = _of_timestamp(_part)
    function(_name, Timestamp)(_get)
    function(_name, Timestamp, str)(_get)
for _name, _unit in {"getHours": _HOUR, "getMinutes": _MINUTE, "getSeconds": _SECOND}.items():
    function(_name, Duration)(_of_duration(_unit))
function("getMilliseconds", Duration)(_of_duration(_MILLISECOND))
