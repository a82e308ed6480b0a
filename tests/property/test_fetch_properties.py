"""However an address is written, only a checked public one is connected to, and only Refused is raised."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import httpcore2
from hypothesis import given
from hypothesis import strategies as st

from seenbefore.errors import FetchFailed, Refused
from seenbefore.fetch.addresses import why_refused
from seenbefore.fetch.base import FetchKind
from seenbefore.fetch.client import SafeFetcher
from seenbefore.fetch.target import parse_target

PRIVATE: Final = st.sampled_from(["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "172.16.9.9", "0.0.0.0"])


def spellings(quad: str) -> list[str]:
    """Ways to write an IPv4 address, of which some parser understands each."""
    number = int(IPv4Address(quad))
    a, b, c, d = (int(part) for part in quad.split("."))
    wide = number.to_bytes(4, "big").hex()
    high, low = wide[:4], wide[4:]
    return [
        quad, f"{quad}.", str(number), hex(number), f"0{number:o}", f"{a}.{number & 0xFFFFFF}",
        f"{a}.{b}.{c * 256 + d}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}", f"{a:#x}.{b:#x}.{c:#x}.{d:#x}", f"0{a}.{b}.{c}.{d}", f"{a + 256}.{b}.{c}.{d}",
        quad.replace(".", "\u3002"), quad.replace(".", "\uff0e"), quad.replace(".", "%2e"),
        "".join(chr(0xFF10 + int(x)) if x.isdigit() else x for x in quad),
        f"[::ffff:{quad}]", f"[::{quad}]", f"[::ffff:0:{quad}]", f"[64:ff9b::{quad}]", f"[64:ff9b:1::{quad}]",
        f"[2002:{high}:{low}::1]", f"[2001:0:{high}:{low}::]", f"[::ffff:{high}:{low}]", f"[::ffff:{quad}%25lo]",
        f"[{quad}]",
        f"{quad}%00.a.example", f"a.example@{quad}", f"{quad}\\@a.example", f"a.example\\@{quad}", f"{quad}#@a.example",
        f"{quad}?@a.example", f"{quad}:80#", f"{quad}:080", f"a\u00ad{quad}",
    ]  # fmt: skip


SCHEMES: Final = st.sampled_from(["http://", "https://", "HTTP://", "http:", "http:/", "//", " http://", "http:\\\\"])
TAILS: Final = st.sampled_from(["", "/", "/a", "?q", "#f", ":80/", ":443/", "/\\@b.example", ".a.example/", "./"])
HOSTS: Final = PRIVATE.flatmap(lambda quad: st.sampled_from(spellings(quad)))


class Places(list[str]):
    """A connector that remembers where it was sent, and connects to nothing."""

    def connect(self, address: str, _port: int, _seconds: float) -> httpcore2.NetworkStream:
        self.append(address)
        raise httpcore2.ConnectError

    def resolve(self, host: str, _port: int, _seconds: float) -> Sequence[str]:
        """As forgiving as a resolver can be: any number is an address, every other name is inside."""
        with contextlib.suppress(ValueError):
            return [str(ip_address(int(host, 0)))]
        return ["127.0.0.1"]


@given(SCHEMES, HOSTS, TAILS)
def test_no_spelling_of_a_private_address_is_connected_to(scheme: str, host: str, tail: str) -> None:
    places = Places()
    fetcher = SafeFetcher(resolver=places.resolve, connector=places.connect)
    with contextlib.closing(fetcher), contextlib.suppress(FetchFailed):
        fetcher.fetch(scheme + host + tail, FetchKind.PAGE)
    assert places == []


@given(st.one_of(st.text(), st.text(alphabet="htps:/\\@[]%#?.0127afx\u3002\t\n ").map(lambda text: f"http://{text}")))
def test_the_parser_raises_nothing_but_refused(url: str) -> None:
    try:
        target = parse_target(url)
    except Refused:
        return
    assert parse_target(target.url) == target
    assert target.target.isascii()
    assert target.host == target.host.lower()
    assert not any(blank in f"{target.host}{target.target}" for blank in "\r\n\t \\\0")


@given(st.lists(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)), min_size=1, max_size=6))
def test_a_name_is_refused_for_any_of_its_addresses(addresses: list[IPv4Address | IPv6Address]) -> None:
    places = Places()
    texts = [str(address) for address in addresses]
    fetcher = SafeFetcher(resolver=lambda *_: texts, connector=places.connect)
    with contextlib.closing(fetcher), contextlib.suppress(FetchFailed):
        fetcher.fetch("http://a.example/", FetchKind.PAGE)
    assert places == ([] if any(map(why_refused, texts)) else texts[:4])


@given(st.ip_addresses(v=4))
def test_an_address_that_carries_another_is_never_safer(address: IPv4Address) -> None:
    for prefix in ("::ffff:", "64:ff9b::"):
        assert why_refused(f"{prefix}{address}") == why_refused(address)
    for prefix in ("::", "::ffff:0:", "64:ff9b:1::"):
        assert why_refused(f"{prefix}{address}")
    assert why_refused(IPv6Address(0x2002 << 112 | int(address) << 80))


@given(st.ip_addresses())
def test_what_python_calls_private_is_refused(address: IPv4Address | IPv6Address) -> None:
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        mapped = getattr(address, "ipv4_mapped", None)
        assert why_refused(address) or mapped is not None
