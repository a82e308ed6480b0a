"""Which addresses may be asked: the rows of the table of cases that need no server, and our own examples."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import pytest

from seenbefore.errors import InvalidInput, Refused
from seenbefore.fetch.addresses import parse_networks, why_refused
from seenbefore.fetch.target import join_location, parse_target

TABLE = Path(__file__).parents[3] / "shared" / "cases" / "ssrf.tsv"
ABSENT = "the table of cases is not there; it belongs into a folder 'shared' beside the checkout"


def rows(layer: str) -> list[object]:
    if not TABLE.is_file():
        return [pytest.param("", "", marks=pytest.mark.skip(reason=ABSENT), id=layer)]
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
    table = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [pytest.param(r["input"], r["expected"], id=r["id"]) for r in table if r["layer"] == layer]


def unescape(text: str) -> str:
    """Python escapes undone; ``<8193 chars>`` stands for so many characters."""
    shown = text.replace("<8193 chars>", "a" * 8193).replace('"', '\\"')
    return str(ast.literal_eval(f'"{shown}"'))


@pytest.mark.parametrize(("text", "expected"), rows("url"))
def test_row_of_an_url(text: str, expected: str) -> None:
    url = unescape(text)
    if expected == "refuse" and not url.endswith(".nip.io/"):
        with pytest.raises(Refused) as caught:
            parse_target(url)
        assert caught.value.code
    else:  # a name that embeds an address is refused when it is resolved (test_fetch_guard.py)
        assert parse_target(url).host


@pytest.mark.parametrize(("text", "expected"), rows("address"))
def test_row_of_an_address(text: str, expected: str) -> None:
    assert ("refuse" if why_refused(text) else "allow") == expected


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("192.168.7.7", "private"),
        ("::ffff:192.168.7.7", "private"),
        ("64:ff9b::c0a8:707", "private"),
        ("64:ff9b:1::808:808", "not public"),
        ("2002:808:808::1", "6to4"),
        ("2001:0:808:808::1", "protocol assignments"),
        ("::8.8.8.8", "not public"),
        ("ff05::2", "multicast"),
        ("fe80::1%eth0", "link-local"),
        ("2606:4700::1%eth0", "not public"),
        ("::ffff:8.8.8.8%lo", "not public"),
        ("9.255.255.255", ""),
        ("2400:cb00::1", ""),
    ],
)
def test_reasons(address: str, reason: str) -> None:
    assert why_refused(address) == reason


@pytest.mark.parametrize(
    "network",
    ["::ffff:0:0/96", "::ffff:10.0.0.0/104", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/0",
     "0.0.0.0/0", "10.0.0.0/7", "8000::/1", "10.0.0.1/8", "example.com", ""],
)  # fmt: skip
def test_networks_that_nobody_may_open(network: str) -> None:
    with pytest.raises(InvalidInput):
        parse_networks([network])


def test_an_opened_network_opens_nothing_beside_it() -> None:
    allowed = parse_networks(["10.1.2.0/24", "fd00:7::/64"])
    assert not why_refused("10.1.2.255", allowed)
    assert not why_refused("::ffff:10.1.2.3", allowed)
    assert not why_refused("fd00:7::9", allowed)
    assert why_refused("10.1.3.0", allowed) == "private"
    assert why_refused("fd00:8::9", allowed) == "private"


def test_the_parts_of_an_address() -> None:
    target = parse_target("HTTPS://Bücher.example:443/a/ü?q=ü#x")
    assert target == ("https", "xn--bcher-kva.example", 443, "/a/%C3%BC?q=%C3%BC")
    assert target.authority == "xn--bcher-kva.example"
    assert parse_target("http://[2606:4700:0::1111]").url == "http://[2606:4700::1111]/"
    assert parse_target("http://a.example:8443", (8443,)).authority == "a.example:8443"
    assert parse_target("https://新聞.example/").host == "xn--efvv70d.example"


@pytest.mark.parametrize(
    ("location", "url"),
    [
        (b"?q=1", "https://a.example/x/y?q=1"),
        (b"//b.example/z", "https://b.example/z"),
        (b"/caf\xc3\xa9", "https://a.example/caf%C3%A9"),
        (b"HTTP://b.example", "HTTP://b.example"),
        (b"a\tb", "a\tb"),
    ],
)
def test_relative_locations(location: bytes, url: str) -> None:
    assert join_location("https://a.example/x/y", location) == url


def test_secrets_of_an_address_are_not_shown() -> None:
    with pytest.raises(Refused) as caught:
        parse_target("http://me:swordfish@a.example/?token=swordfish")
    assert "swordfish" not in str(caught.value)


@pytest.mark.parametrize("location", [b"//[", b"//[x]/", b"//a]b/", b"//[::1"])
def test_a_location_that_is_no_address_is_refused(location: bytes) -> None:
    with pytest.raises(Refused):
        parse_target(join_location("https://a.example/x", location))


@pytest.mark.parametrize("url", ["http://a.example/\ud800", "http://\ud800.example/", "http://a.example/?q=\udfff"])
def test_half_of_a_character_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        parse_target(url)
