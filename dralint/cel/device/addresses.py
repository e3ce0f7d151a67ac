"""IP addresses and CIDRs.

Sources: kubernetes apiserver/pkg/cel/library/ip.go and cidr.go; Go's net/netip.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any, NamedTuple

from dralint.cel.device.equality import STRICT
from dralint.cel.device.registry import function
from dralint.cel.device.values import GO_TYPE_NAMES, TYPE_NAMES, CelError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_BITS = re.compile(r"(?:0|[1-9][0-9]{0,2})\Z", re.ASCII)
_ADDRESS = re.compile(r"[0-9a-fA-F:.]{1,64}\Z", re.ASCII)


class Ip(NamedTuple):
    """net.IP"""

    address: Any


class Cidr(NamedTuple):
    """net.CIDR: an address, of which `bits` count."""

    address: Any
    bits: int


for _type, _name, _go_name in ((Ip, "net.IP", "cel.IP"), (Cidr, "net.CIDR", "cel.CIDR")):
    TYPE_NAMES[_type] = _name
    GO_TYPE_NAMES[_type] = _go_name
    STRICT.add(_type)


def _address(text: str, what: str) -> Address:
    if "%" in text:
        raise CelError(f'{what} "{text}" parse error: IP address with zone value is not allowed')
    try:
        address = ipaddress.ip_address(text if _ADDRESS.match(text) else "")
    except ValueError:
        raise CelError(
            f'{what} "{text}" parse error during conversion from string: unable to parse IP'
        ) from None
    if address.version == 6 and address.ipv4_mapped is not None:
        raise CelError(f'{what} "{text}" parse error: IPv4-mapped IPv6 address is not allowed')
    return address


@function("ip", str)
def _ip(text: str) -> Ip:
    return Ip(_address(text, "IP Address"))


@function("isIP", str)
def _is_ip(text: str) -> bool:
    try:
        _ip(text)
    except CelError:
        return False
    return True


@function("ip.isCanonical", str)
def _is_canonical(text: str) -> bool:
    return str(_ip(text).address) == text


@function("string", Ip)
def _ip_to_string(ip: Ip) -> str:
    return str(ip.address)


@function("family", Ip)
def _family(ip: Ip) -> int:
    return int(ip.address.version)


@function("isUnspecified", Ip)
def _is_unspecified(ip: Ip) -> bool:
    return bool(ip.address.is_unspecified)


@function("isLoopback", Ip)
def _is_loopback(ip: Ip) -> bool:
    return bool(ip.address.is_loopback)


@function("isLinkLocalMulticast", Ip)
def _is_link_local_multicast(ip: Ip) -> bool:
    packed: bytes = ip.address.packed
    if ip.address.version == 4:
        return packed[:3] == b"\xe0\x00\x00"
    return packed[0] == 0xFF and packed[1] & 0x0F == 0x02


@function("isLinkLocalUnicast", Ip)
def _is_link_local_unicast(ip: Ip) -> bool:
    packed: bytes = ip.address.packed
    if ip.address.version == 4:
        return packed[:2] == b"\xa9\xfe"
    return packed[0] == 0xFE and packed[1] & 0xC0 == 0x80


@function("isGlobalUnicast", Ip)
def _is_global_unicast(ip: Ip) -> bool:
    broadcast = ip.address.version == 4 and ip.address.packed == b"\xff" * 4
    others = ip.address.is_unspecified or ip.address.is_loopback or ip.address.is_multicast
    return not (broadcast or others or _is_link_local_unicast(ip))


@function("cidr", str)
def _cidr(text: str) -> Cidr:
    base, slash, bits = text.rpartition("/")
    if not slash or not _BITS.match(bits):
        raise CelError(f'network address parse error during conversion from string: "{text}"')
    address = _address(base, "network address")
    if int(bits) > address.max_prefixlen:
        raise CelError(f'network address parse error during conversion from string: "{text}": prefix length')
    return Cidr(address, int(bits))


@function("isCIDR", str)
def _is_cidr(text: str) -> bool:
    try:
        _cidr(text)
    except CelError:
        return False
    return True


@function("string", Cidr)
def _cidr_to_string(cidr: Cidr) -> str:
    return f"{cidr.address}/{cidr.bits}"


def _masked(address: Address, bits: int) -> int:
    shift = address.max_prefixlen - bits
    return int(address) >> shift << shift


def _covers(cidr: Cidr, address: Any) -> bool:
    if cidr.address.version != address.version:
        return False
    return _masked(cidr.address, cidr.bits) == _masked(address, cidr.bits)


@function("containsIP", Cidr, Ip)
def _contains_ip(cidr: Cidr, ip: Ip) -> bool:
    return _covers(cidr, ip.address)


@function("containsIP", Cidr, str)
def _contains_ip_text(cidr: Cidr, text: str) -> bool:
    return _covers(cidr, _ip(text).address)


@function("containsCIDR", Cidr, Cidr)
def _contains_cidr(cidr: Cidr, other: Cidr) -> bool:
    return _covers(cidr, other.address) and cidr.bits <= other.bits


@function("containsCIDR", Cidr, str)
def _contains_cidr_text(cidr: Cidr, text: str) -> bool:
    return _contains_cidr(cidr, _cidr(text))


@function("ip", Cidr)
def _cidr_ip(cidr: Cidr) -> Ip:
    return Ip(cidr.address)


@function("masked", Cidr)
def _cidr_masked(cidr: Cidr) -> Cidr:
    return Cidr(type(cidr.address)(_masked(cidr.address, cidr.bits)), cidr.bits)


@function("prefixLength", Cidr)
def _prefix_length(cidr: Cidr) -> int:
    return cidr.bits
