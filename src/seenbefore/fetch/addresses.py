"""Which IP addresses a fetcher may connect to: our own table, so that no version of Python decides it.

From the special-purpose registries of IANA for IPv4 and IPv6, the multicast and reserved ranges, and the addresses
at which cloud providers answer their own machines; as of 2026-11-30. What is not known to be public is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final

from ..errors import InvalidInput

IpAddress = IPv4Address | IPv6Address
IpNetwork = IPv4Network | IPv6Network

_REFUSED_4: Final = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud metadata"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)

_GLOBAL_6: Final = IPv6Network("2000::/3")
"""Everything else in IPv6 is reserved, local or not given out yet."""

_REFUSED_6: Final = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("2001::/23", "protocol assignments"),  # Teredo, benchmarking, ORCHID and more
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
    )
)

_MAPPED: Final = IPv6Network("::ffff:0:0/96")
_NAT64: Final = IPv6Network("64:ff9b::/96")
_TRANSLATING: Final = (
    _MAPPED,
    _NAT64,
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("::/96"),
    IPv6Network("::ffff:0:0:0/96"),
    IPv6Network("2002::/16"),
    IPv6Network("2001::/32"),
)
"""Prefixes behind which all of IPv4 stands; no operator may open them."""

_WIDEST: Final = {4: 8, 6: 7}
"""The shortest prefix an operator may open: 10.0.0.0/8 and fc00::/7, the widest private ranges there are."""


def why_refused(address: IpAddress | str, allowed: Sequence[IpNetwork] = ()) -> str:
    """Return why an address must not be connected to, '' when it may.

    >>> why_refused("10.1.2.3"), why_refused("8.8.8.8")
    ('private', '')

    An address that carries another one is judged by that:

    >>> why_refused("::ffff:127.0.0.1"), why_refused("64:ff9b::808:808")
    ('loopback', '')
    >>> why_refused("10.1.2.3", parse_networks(["10.1.2.0/24"]))
    ''

    Raises:
        ValueError: no IP address.
    """
    inner = unwrap_address(ip_address(address) if isinstance(address, str) else address)
    if any(inner in network for network in allowed if network.version == inner.version):
        return ""
    if isinstance(inner, IPv4Address):
        return next((reason for network, reason in _REFUSED_4 if inner in network), "")
    if inner.scope_id or inner not in _GLOBAL_6:
        return _name_6(inner)
    return next((reason for network, reason in _REFUSED_6 if inner in network), "")


def unwrap_address(address: IpAddress) -> IpAddress:
    """Return the IPv4 address that a mapped or NAT64 one stands for, else the address itself."""
    carries = isinstance(address, IPv6Address) and not address.scope_id and (address in _MAPPED or address in _NAT64)
    if carries:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _name_6(address: IPv6Address) -> str:
    if address.is_loopback:
        return "loopback"
    if address.is_link_local or address.is_site_local:
        return "link-local"
    if address.is_multicast:
        return "multicast"
    return "private" if address in IPv6Network("fc00::/7") else "not public"


def parse_networks(networks: Iterable[str]) -> tuple[IpNetwork, ...]:
    """Return the networks that an operator opens.

    >>> parse_networks(["10.1.2.0/24"])
    (IPv4Network('10.1.2.0/24'),)
    >>> parse_networks(["::ffff:0:0/96"])
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidInput: ::ffff:0:0/96: this would open all of IPv4; name the networks themselves

    Raises:
        InvalidInput: no network, one that is too wide, or one behind which others stand.
    """
    found: list[IpNetwork] = []
    for text in networks:
        try:
            network = ip_network(text.strip())
        except ValueError as error:
            raise InvalidInput(f"no network ({error}); write it like 10.1.2.0/24", text) from None
        translating = isinstance(network, IPv6Network) and any(map(network.overlaps, _TRANSLATING))
        if translating and network != IPv6Network("::1/128"):
            raise InvalidInput("this would open all of IPv4; name the networks themselves", text)
        if network.prefixlen < _WIDEST[network.version]:
            raise InvalidInput("too wide; name the networks that are yours", text)
        found.append(network)
    return tuple(found)
