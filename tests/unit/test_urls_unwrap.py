"""Addresses inside addresses: taken out where a rule says so, and only there."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest

from seenbefore.urls import identify, url_key
from seenbefore.urls.identify import MAX_HOPS

from .made_up_packs import GENERIC, compiled

RULES = compiled(
    GENERIC
    + """
[[rule]]
id = "search-click"
kind = "unwrap"
hosts = ["search.example"]
match = ["/url?q={target}", "/url?url={target}"]

[[rule]]
id = "go-path"
kind = "unwrap"
match = ["go.example/to/{target}", "{label}.go.example/web/{digits}/{target}"]

[[rule]]
id = "cache-host"
kind = "unwrap"
hosts = ["cache.example"]
match = ["/s/{target}"]
to = "https://{target}"

[[rule]]
id = "leave-query"
kind = "unwrap"
hosts = ["leave.example"]
match = ["/?{target}"]

[[rule]]
id = "mail-b64"
kind = "unwrap"
hosts = ["mail.example"]
match = ["/click?u={target}", "/l/{target}"]
decode = "base64"

[[rule]]
id = "reader-id"
kind = "unwrap"
hosts = ["reader.example"]
match = ["/articles/{target}"]
decode = "google-news"

[[rule]]
id = "gate-two"
kind = "unwrap"
hosts = ["gate2.example"]
match = ["/v2/url?u={target}"]
decode = "proofpoint-v2"

[[rule]]
id = "gate-three"
kind = "unwrap"
hosts = ["gate3.example"]
match = ["/v3/__{target}"]
decode = "proofpoint-v3"
"""
)


def key(url: str) -> str:
    found = identify(url, RULES).key
    assert url_key(url, RULES) == found
    return found


def b64(data: str | bytes) -> str:
    return base64.urlsafe_b64encode(data.encode() if isinstance(data, str) else data).decode().rstrip("=")


TARGET = "https://news.example/story?id=7&page=2"
QUOTED = quote(TARGET, safe="")


@pytest.mark.parametrize(
    "url",
    [
        TARGET,
        f"https://search.example/url?q={QUOTED}",
        f"https://www.search.example/url/?sa=U&q={QUOTED}&ved=2ah",
        f"http://m.search.example/url?url={QUOTED}#top",
        f"https://search.example//url?q={QUOTED}",
        f"https://search.example/url?sa=U&am%70;q={QUOTED}",
        f"https://search.example/url?Q={QUOTED}",
        f"https://go.example/to/{QUOTED}",
        f"https://go.example/to/{TARGET}",
        "https://go.example/to/https:/news.example/story?id=7&page=2",
        f"https://de.go.example/web/20251130/{TARGET}",
        "https://cache.example/s/news.example/story?id=7&page=2",
        f"https://cache.example/s/{TARGET}",
        f"https://leave.example/?{TARGET}",
        f"https://leave.example/?{QUOTED}",
        f"https://mail.example/click?u={b64(TARGET)}",
        f"https://mail.example/click?u={quote(base64.b64encode(TARGET.encode()).decode(), safe='')}",
        f"https://mail.example/l/{b64(TARGET)}?utm_source=x",
        "https://gate2.example/v2/url?u=https-3A__news.example_story-3Fid-3D7-26page-3D2&d=abc",
        f"https://gate3.example/v3/__https:/*news.example/story*id*7*page*2__;{b64('/?=&=')}!!abc",
    ],
)
def test_what_is_carried_is_the_page(url: str) -> None:
    assert key(url) == "https://news.example/story?id=7&page=2"
    assert identify(url, RULES) == identify(url, RULES)


def test_two_and_more_characters_in_a_row_have_a_letter_for_their_number() -> None:
    assert key(f"https://gate3.example/v3/__https:**Anews.example/a**Bb__;{b64('//???')}!!x") == (
        "https://news.example/a?%3F%3Fb".replace("%3F", "?")
    )


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"https://search.example/url?q={quote('https://news.example/a%2Fb?c=d%26e', safe='')}", "a%2Fb?c=d%26e"),
        ("https://search.example/url?q=https://news.example/%25E6", "%E6"),
        ("https://search.example/url?q=https://news.example/%E6%9D%B1", "%E6%9D%B1"),
        ("https://search.example/url?q=http%3A%2F%2Fnews.example%2Fa%3Futm_source%3Dx", "a"),
        ("https://go.example/to/https://news.example/a%2Fb", "a%2Fb"),
        ("https://go.example/to/https://news.example/a%252Fb", "a%252Fb"),
    ],
)
def test_one_layer_of_encoding_comes_off(url: str, expected: str) -> None:
    assert key(url).split("news.example/")[1] == expected


@pytest.mark.parametrize("length", [28, 127, 128, 300])
def test_old_ids_of_a_news_reader_hold_the_address(length: int) -> None:
    address = "https://news.example/".ljust(length, "a")
    size = bytes([len(address)]) if len(address) < 128 else bytes([len(address) & 127 | 128, len(address) >> 7])
    data = b"\x08\x13\x22" + size + address.encode() + b"\xd2\x01\x00"
    assert key(f"https://reader.example/articles/{b64(data)}?oc=5") == address


# --- what stays -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        f"https://search.example/search?q={QUOTED}",
        f"https://search.example/url/more?q={QUOTED}",
        f"https://other.example/url?q={QUOTED}",
        f"https://x.search.example/url?q={QUOTED}",
        f"https://search.example/url?link={QUOTED}",
        f"https://search.example/url?q={QUOTED}&q=b",
        "https://search.example/url?q=moon",
        "https://search.example/url?q=",
        "https://search.example/url?q=ftp%3A%2F%2Fnews.example%2Fa",
        "https://search.example/url?q=javascript%3Aalert(1)",
        "https://search.example/url?q=https%3A%2F%2F",
        "https://search.example/url?q=https%3A%2F%2F%2Fa",
        "https://search.example/url?q=https%3A%2F%2Fexa%20mple.com%2Fa",
        "https://search.example/url?q=https%3A%2F%2Fnews.example%3A99999%2F",
        f"https://search.example/url?q={quote('https://./a', safe='')}",
        f"https://search.example/url?q={quote(QUOTED, safe='')}",
        f"https://go.example/{TARGET}",
        "https://go.example/to/news.example/a",
        f"https://go.example/web/1/{TARGET}",
        "https://leave.example/?x=1",
        "https://mail.example/click?u=no*base64",
        "https://mail.example/click?u=a",
        f"https://mail.example/click?u={b64('no address')}",
        f"https://reader.example/articles/{b64(b'0123456789')}",
        f"https://reader.example/articles/{b64(bytes([8, 19, 34, 99]) + b'https://news.example/a')}",
        f"https://reader.example/articles/{b64(bytes([8, 19, 34]))}",
        f"https://reader.example/articles/{b64(bytes([8, 19, 34, 7]) + b'AU_yqL0')}",
        f"https://mail.example/click?u={b64(b'https://news.example/' + bytes([0xA5, 0xC6]))}",
        f"https://gate3.example/v3/__https:/*news.example/a*__;{b64(bytes([0x2F, 0xFF]))}!!x",
        "https://gate3.example/v3/__https:/*news.example/a",
    ],
)
def test_what_carries_no_address_stays(url: str) -> None:
    found = identify(url, RULES)
    assert found.host.endswith(url.split("/")[2].removeprefix("www."))
    assert not any(step.startswith(("unwrapped", "cleaned")) for step in found.trace)
    assert identify(found.key, RULES).key == found.key


def wrapped(times: int) -> str:
    url = TARGET
    for _ in range(times):
        url = f"https://search.example/url?q={quote(url, safe='')}"
    return url


@pytest.mark.parametrize("times", range(1, MAX_HOPS + 1))
def test_wrappers_around_wrappers_come_off(times: int) -> None:
    found = identify(wrapped(times), RULES)
    assert found.key == "https://news.example/story?id=7&page=2"
    assert found.trace.count("unwrapped: search-click") == times
    assert found.fetch == TARGET


@pytest.mark.parametrize("times", [MAX_HOPS + 1, MAX_HOPS + 2])
def test_what_is_wrapped_too_often_stays_as_it_is(times: int) -> None:
    found = identify(wrapped(times), RULES)
    assert found.key == wrapped(times)
    assert found.trace == ()


def test_a_wrapper_whose_target_is_no_address_ends_the_way_there() -> None:
    inner = "https://search.example/url?q=https%3A%2F%2F%20"
    assert key(f"https://go.example/to/{quote(inner, safe='')}") == inner


def test_the_target_goes_the_whole_way() -> None:
    target = quote(" https://WWW.m.news.example/2025/hello/amp/?utm_source=x&amp;b=1&a=2#top", safe="")
    found = identify(f"https://search.example/url?q={target}", RULES)
    assert found.key == f"https://search.example/url?q={target}"  # a blank in front: no address
    found = identify(f"https://search.example/url?q={target.removeprefix('%20')}", RULES)
    assert found.key == "https://m.news.example/2025/hello/amp?a=2&b=1"
    assert found.near == "news.example/2025/hello?a=2&b=1"
    assert found.trace[:2] == ("&amp; is &", "unwrapped: search-click")


@pytest.mark.parametrize("first", ["utm_source=x", "z=1", "a&b"])
def test_a_target_that_is_the_whole_query_may_stand_behind_other_parameters(first: str) -> None:
    assert key(f"https://leave.example/?{first}&https://news.example/a?b=1") == "https://news.example/a?b=1"
    assert key(f"https://leave.example/?{first}&u=https://news.example/a").startswith("https://leave.example/?")
