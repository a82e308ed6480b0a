"""Spellings of one address meet in its key; everything that might be another page stays apart."""

from __future__ import annotations

import pytest

from seenbefore.errors import InvalidURL
from seenbefore.urls import UrlIdentity, identify, url_key
from seenbefore.urls.identify import MAX_LENGTH, identify_web

from .made_up_packs import GENERIC, compiled

RULES = compiled(
    GENERIC
    + """
[[rule]]
id = "news-story"
kind = "identity"
hosts = ["news.example"]
match = ["/story/{story:digits}[/{any}]", "/read?story={story:digits}", "nws.example/{story:digits}"]
value = "news:{story}"
ignore = ["t"]
fetch = "https://news.example/story/{story}"

[[rule]]
id = "news-slug"
kind = "identity"
hosts = ["news.example"]
match = ["/{year}/{month}/{slug}"]
value = "news-slug:{slug}"
reads = "slug"

[[rule]]
id = "doi"
kind = "identity"
hosts = ["doi:"]
match = ["/10.{registrant:digits}/{suffix:rest}", "doi.example/10.{registrant:digits}/{suffix:rest}"]
value = "doi:10.{registrant}/{suffix}"
lowercase = true
"""
)


def read(url: str) -> UrlIdentity:
    return identify(url, RULES)


# --- the key ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTPS://WWW.Example.COM/Path", "https://example.com/Path"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("http://example.com:443/a", "http://example.com:443/a"),
        ("https://example.com:/a", "https://example.com/a"),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com//", "https://example.com/"),
        ("https://example.com/a/b///", "https://example.com/a/b"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/blog/?p=12", "https://example.com/blog?p=12"),
        ("https://example.com/?p=12", "https://example.com/?p=12"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com/a?&id=7&", "https://example.com/a?id=7"),
        ("https://example.com/a#top", "https://example.com/a"),
        ("https://example.com/a#", "https://example.com/a"),
        ("https://example.com/#!", "https://example.com/"),
        ("https://example.com/#!/", "https://example.com/"),
        ("https://example.com/#!/topic/15", "https://example.com/#!/topic/15"),
        ("https://example.com/app#/thread/9?page=2", "https://example.com/app#/thread/9?page=2"),
        ("https://example.com/a?b=1&utm_source=x&a=2", "https://example.com/a?a=2&b=1"),
        ("https://example.com/a?UTM_Source=x", "https://example.com/a"),
        ("https://example.com/a?utm%5Fsource=x", "https://example.com/a"),
        ("https://example.com/a?fbclid", "https://example.com/a"),
        ("https://example.com/a?tags=cat&tags=cat", "https://example.com/a?tags=cat&tags=cat"),
        ("https://example.com/a?id=1&amp;utm_source=rss", "https://example.com/a?id=1"),
        ("https://example.com/a?id=1&#038;page=2#top", "https://example.com/a?id=1&page=2"),
        ("https://example.com/a?id=1&amp;#38;amp;page=2", "https://example.com/a?id=1&page=2"),
        ("https://example.com/a?amp;id=1&a=2", "https://example.com/a?a=2&id=1"),
        ("https://example.com/a?b=1&am%70;a=2", "https://example.com/a?a=2&b=1"),
        ("https://example.com/a&amp;b", "https://example.com/a&amp;b"),
        ("https://example.com/?q=C+and+D", "https://example.com/?q=C%20and%20D"),
        ("https://example.com/a+b", "https://example.com/a+b"),
        ("https://example.com/%7eann/%e6%9d%b1", "https://example.com/~ann/%E6%9D%B1"),
        ("https://example.com/東京?q=京都", "https://example.com/%E6%9D%B1%E4%BA%AC?q=%E4%BA%AC%E9%83%BD"),
        ("https://example.com/100%-free", "https://example.com/100%25-free"),
        ("https://example.com/%%341", "https://example.com/%2541"),
        ("https://日本語.jp/a", "https://xn--wgv71a119e.jp/a"),
        ("https://BÜCHER.example/a", "https://xn--bcher-kva.example/a"),
        ("//www.example.com/a/", "https://example.com/a"),
        ("Example.com/a/", "https://example.com/a"),
        ("www.example.com", "https://example.com/"),
        ("example.com:8080/a", "https://example.com:8080/a"),
        ("例え.jp/a", "https://xn--r8jz45g.jp/a"),
        (" \ufeffhttps://example.com/a\u3000\n", "https://example.com/a"),
        ("https://example.com/lo\r\n\tng\x00/path", "https://example.com/long/path"),
        ("https://ann:pw@example.com/a", "https://ann:pw@example.com/a"),
        ("https://ann@example.com/a", "https://ann@example.com/a"),
        ("http://[2001:DB8::1]:80/a", "http://[2001:db8::1]/a"),
        ("https://www.www.example.com/", "https://example.com/"),
        ("https://www.com/", "https://www.com/"),
        ("https:/example.com/a", "https://example.com/a"),
        ("https:\\\\example.com\\a", "https://example.com/a"),
        ("https://example.com/a.do;jsessionid=0A1B?b=1", "https://example.com/a.do?b=1"),
        ("https://example.com/(S(abcdefghij0123456789abcd))/a.aspx", "https://example.com/a.aspx"),
        ("https://example.com/a?sid=0123456789abcdef0123456789abcdef", "https://example.com/a"),
    ],
)
def test_key(url: str, expected: str) -> None:
    assert read(url).key == url_key(url, RULES) == expected
    assert read(expected).key == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "http://example.com/a"),
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/a?Id=x", "https://example.com/a?Id=X"),
        ("https://example.com/a?id=1", "https://example.com/a?Id=1"),
        ("https://example.com/a?x=1&x=2", "https://example.com/a?x=2&x=1"),
        ("https://example.com:8010/a", "https://example.com:8011/a"),
        ("https://blog.example.com/a", "https://example.com/a"),
        ("https://www2.example.com/a", "https://example.com/a"),
        ("https://m.example.com/a", "https://example.com/a"),
        ("https://wwwexample.com/a", "https://example.com/a"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com/a%3Fb", "https://example.com/a?b"),
        ("https://example.com/x%2520y", "https://example.com/x%20y"),
        ("https://example.com/?q=C%2B", "https://example.com/?q=C+"),
        ("https://example.com/a+b", "https://example.com/a%20b"),
        ("https://example.com/?w=%A5%C6", "https://example.com/?w=%A5%C7"),
        ("https://example.com/?print=", "https://example.com/"),
        ("https://example.com/?print=", "https://example.com/?print"),
        ("https://example.com/?ref=a", "https://example.com/?ref=b"),
        ("https://example.com/?ref=weekly.example", "https://example.com/"),
        ("https://example.com/?sid=1234", "https://example.com/"),
        ("https://example.com/?x=utm_source", "https://example.com/?x=utm_medium"),
        ("https://example.com/?utm=1", "https://example.com/?utm=2"),
        ("https://example.com/index.html", "https://example.com/"),
        ("https://example.com//a", "https://example.com/a"),
        ("https://example.com/2025/a/amp", "https://example.com/2025/a"),
        ("https://spa.example/#!/a", "https://spa.example/#!/b"),
        ("https://ann@example.com/", "https://bob@example.com/"),
        ("https://example.com/a?ncid=1", "https://example.com/a?ncid=2"),
        ("https://example.com/%E3%81", "https://example.com/%E3%82"),
    ],
)
def test_looks_alike_stays_apart(one: str, other: str) -> None:
    assert read(one).key != read(other).key


def test_near_key_leaves_out_the_scheme() -> None:
    https, http = (read(f"{scheme}://www.example.com/a/") for scheme in ("https", "http"))
    assert https.near == http.near == "example.com/a"
    assert https.key != http.key


@pytest.mark.parametrize(
    ("url", "near", "host", "path"),
    [
        ("https://m.example.com/a/index.html", "example.com/a", "example.com", "/a"),
        ("http://ann:pw@www.example.com:8080//a", "ann:pw@example.com:8080/a", "example.com:8080", "/a"),
        ("http://example.com:443/a", "example.com:443/a", "example.com:443", "/a"),
        ("https://amp.example.com/?ref=rss&b=2&a=1#/r", "example.com/?a=1&b=2#/r", "example.com", "/"),
        ("https://example.com/2025/hello/amp", "example.com/2025/hello", "example.com", "/2025/hello"),
    ],
)
def test_parts_of_the_near_key(url: str, near: str, host: str, path: str) -> None:
    found = read(url)
    assert (found.near, found.host, found.path) == (near, host, path)


@pytest.mark.parametrize(
    ("url", "home", "near_home"),
    [
        ("https://www.example.com", True, True),
        ("https://example.com/?utm_source=rss", True, True),
        ("https://example.com/#top", True, True),
        ("https://example.com/index.html", False, True),
        ("https://example.com/?ref=rss", False, True),
        ("https://example.com/?p=123", False, False),
        ("https://example.com/a", False, False),
        ("https://example.com/#/a", False, False),
        ("example.com", False, False),
    ],
)
def test_home_pages_name_no_article(url: str, home: bool, near_home: bool) -> None:
    assert (read(url).is_home, read(url).near_is_home) == (home, near_home)


# --- what the site calls the page -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "values"),
    [
        ("https://news.example/story/12/a-title", ["news:12"]),
        ("https://m.news.example//story/12/index.html?utm_source=x&t=9#c", ["news:12"]),
        ("https://news.example/read?story=12", ["news:12"]),
        ("https://nws.example/12", ["news:12"]),
        ("https://news.example/2025/10/moon-base-opens", ["news-slug:moon-base-opens"]),
        ("https://doi.example/10.1000/A%2Fb", ["doi:10.1000/a/b"]),
        ("doi:10.1000/A%2Fb", ["doi:10.1000/a/b"]),
        ("DOI:10.1000/x", ["doi:10.1000/x"]),
    ],
)
def test_claims(url: str, values: list[str]) -> None:
    assert [claim.value for claim in read(url).claims] == values


@pytest.mark.parametrize(
    "url",
    [
        "https://news.example/story/12/a/b",
        "https://news.example/story/twelve",
        "https://news.example/12",
        "https://nws.example/story/12",
        "https://www.nws.example.org/12",
        "https://sub.news.example/story/12",
        "https://news.example:8080/story/12",
        "https://news.example/story/12#/comments",
        "https://news.example/story/12?page=2",
        "https://news.example/read?story=12&story=13",
        "https://news.example/read?story=",
        "https://news.example/2025/13/moon-base-opens",
        "doi:/10.1000/x",
        "doi: 10.1000/x",
        "isbn:10.1000/x",
    ],
)
def test_what_no_template_describes_claims_nothing(url: str) -> None:
    assert read(url).claims == ()


def test_fetch_is_what_the_rule_says_else_the_address_without_its_wrapper() -> None:
    assert read("https://nws.example/12?utm_source=x").fetch == "https://news.example/story/12"
    assert read("https://WWW.example.com/a/?utm_source=x#top").fetch == "https://www.example.com/a/?utm_source=x#top"
    assert read("doi:10.1000/x").fetch == ""


# --- trace, secrets, errors -----------------------------------------------------------------------


def test_trace_names_every_change() -> None:
    assert read(" //WWW.m.news.example./story/%37//?utm_source=x&amp;t=1&ref=rss#top").trace == (
        "cleaned",
        "&amp; is &",
        "scheme added",
        "percent-encoding",
        "final slash",
        "host dot",
        "www",
        "near: news.example for m.news.example",
        "parameter utm_source: campaign",
        "parameters in order",
        "near: parameter ref: sender",
        "fragment",
        "news:7: news-story",
    )
    assert read("https://example.com/a?b=1").trace == ()


def test_steps_of_the_near_key_say_so() -> None:
    found = read("https://example.com//2025/hello/amp/index.html")
    assert found.key == "https://example.com//2025/hello/amp/index.html"
    assert found.trace == ("near: doubled slash", "near: index page", "near: AMP")


def test_secret_is_flagged_and_kept() -> None:
    found = read("https://example.com/feed?token=abc")
    assert found.secret
    assert found.key == "https://example.com/feed?token=abc"
    assert not read("https://example.com/feed?page=2").secret
    assert read("no scheme?token=abc").secret


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "#",
        "n/a",
        "notes.md/a",
        "localhost/a",
        "192.168.1.1/a",
        "ann@example.com/a",
        "ftp://example.com/a",
        "mailto:ann@example.com",
        "https://",
        "https:///",
        "///example.com/a",
        "https://exa mple.com/a",
        "https://example.com:99999/",
        "https://[::1",
        "https://./a",
        "https://example.com../a",
        "https://example.com/\ud800",
        "https://example.com/" + "a" * 9000,
        "https://example.com/" + "東" * 3000,
    ],
)
def test_what_is_no_web_address_stands_for_itself(url: str) -> None:
    with pytest.raises(InvalidURL):
        identify_web(url, RULES)
    found = read(url)
    assert found.literal
    assert found.original == url
    assert found.trace[0].startswith("literal: the address ")
    assert (found.near, found.host, found.path, found.fetch) == ("", "", "", "")
    assert found.key == url_key(url, RULES) == read(found.key).key
    assert len(found.key) <= MAX_LENGTH
    found.key.encode("utf-8")


@pytest.mark.parametrize("url", ["https://example.com/" + "a" * 9000, "n/a " * 3000, "https://example.com/\ud800"])
def test_what_cannot_be_a_key_is_hashed(url: str) -> None:
    assert read(url).key.startswith("sha256:")
    assert read(url).key != read(f"{url}b").key


def test_the_longest_address_is_still_one() -> None:
    longest = "https://example.com/".ljust(MAX_LENGTH, "a")
    assert (read(longest).key, read(longest).literal) == (longest, False)
    assert read(f"{longest}a").literal
    assert read(f"https://example.com/%z{longest[22:]}").literal  # encoded it is longer


def test_web_addresses_are_read_alike_with_and_without_the_error() -> None:
    url = "https://nws.example/12?ref=rss"
    assert identify_web(url, RULES) == read(url)


def test_errors_hide_secrets_and_control_characters() -> None:
    with pytest.raises(InvalidURL) as caught:
        identify_web("ftp://ann:pw@example.com/\x1b[31m?token=abc", RULES)
    assert caught.value.where == "ftp://***@example.com/\\x1b[31m?token=***"
