"""Spellings of one address meet; everything that might be another page stays apart."""

import time

import pytest

from seenbefore.errors import InvalidURL
from seenbefore.model import Key, Strength
from seenbefore.rules import Rule, RuleKind, load_rules
from seenbefore.urls import normalize_or_literal, normalize_url, resolve_guid_url, site_keys, url_keys

RULES = load_rules()
ALL_RULES = [rule for pack in RULES.packs for rule in pack.rules]


def key(url: str) -> str:
    return normalize_url(url, RULES).key


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
        ("https://example.com/a?b=1&utm_source=x&a=2", "https://example.com/a?b=1&a=2"),
        ("https://example.com/a?UTM_Source=x", "https://example.com/a"),
        ("https://example.com/a?utm%5Fsource=x", "https://example.com/a"),
        ("https://example.com/a?fbclid", "https://example.com/a"),
        ("https://example.com/a?tags=cat&tags=cat", "https://example.com/a?tags=cat&tags=cat"),
        ("https://example.com/a?id=1&amp;utm_source=rss", "https://example.com/a?id=1"),
        ("https://example.com/a?id=1&#038;page=2#top", "https://example.com/a?id=1&page=2"),
        ("https://example.com/a?id=1&amp;#38;amp;page=2", "https://example.com/a?id=1&page=2"),
        ("https://example.com/a&amp;b", "https://example.com/a&amp;b"),
        ("https://example.com/%7eann/%e6%9d%b1", "https://example.com/~ann/%E6%9D%B1"),
        ("https://example.com/東京?q=京都", "https://example.com/%E6%9D%B1%E4%BA%AC?q=%E4%BA%AC%E9%83%BD"),
        ("https://example.com/100%-free", "https://example.com/100%25-free"),
        ("https://example.com/%%341", "https://example.com/%2541"),
        ("https://日本語.jp/a", "https://xn--wgv71a119e.jp/a"),
        ("https://BÜCHER.example/a", "https://xn--bcher-kva.example/a"),
        ("//www.example.com/a/", "https://example.com/a"),
        (" \ufeffhttps://example.com/a\u3000\n", "https://example.com/a"),
        ("https://example.com/lo\r\n\tng\x00/path", "https://example.com/long/path"),
        ("https://ann:pw@example.com/a", "https://ann:pw@example.com/a"),
        ("https://ann@example.com/a", "https://ann@example.com/a"),
        ("http://[2001:DB8::1]:80/a", "http://[2001:db8::1]/a"),
        ("https://www.www.example.com/", "https://example.com/"),
        ("https://www.com/", "https://www.com/"),
    ],
)
def test_normal_form(url: str, expected: str) -> None:
    assert key(url) == expected
    assert key(expected) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.com/a", "http://example.com/a"),
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/a?Id=x", "https://example.com/a?Id=X"),
        ("https://example.com/a?x=1&y=2", "https://example.com/a?y=2&x=1"),
        ("https://example.com:8010/a", "https://example.com:8011/a"),
        ("https://blog.example.com/a", "https://example.com/a"),
        ("https://www2.example.com/a", "https://example.com/a"),
        ("https://wwwexample.com/a", "https://example.com/a"),
        ("https://example.com/a%2Fb", "https://example.com/a/b"),
        ("https://example.com/a%3Fb", "https://example.com/a?b"),
        ("https://example.com/x%2520y", "https://example.com/x%20y"),
        ("https://example.com/?q=C%2B", "https://example.com/?q=C+"),
        ("https://example.com/?w=%A5%C6", "https://example.com/?w=%A5%C7"),
        ("https://example.com/?print=", "https://example.com/"),
        ("https://example.com/?ref=a", "https://example.com/?ref=b"),
        ("https://example.com/?x=utm_source", "https://example.com/?x=utm_medium"),
        ("https://example.com/?utm=1", "https://example.com/?utm=2"),
        ("https://example.com/index.html", "https://example.com/"),
        ("https://example.com//a", "https://example.com/a"),
        ("https://spa.example/#!/a", "https://spa.example/#!/b"),
        ("https://ann@example.com/", "https://bob@example.com/"),
        ("https://example.com/a?ncid=1", "https://example.com/a?ncid=2"),
    ],
)
def test_looks_alike_stays_apart(one: str, other: str) -> None:
    assert key(one) != key(other)


def test_near_key_leaves_out_the_scheme_alone() -> None:
    https, http = (normalize_url(f"{scheme}://www.example.com/a/", RULES) for scheme in ("https", "http"))
    assert https.near == http.near == "example.com/a"
    assert https.key != http.key


@pytest.mark.parametrize(
    ("url", "home"),
    [
        ("https://www.example.com", True),
        ("https://example.com/?utm_source=rss", True),
        ("https://example.com/#top", True),
        ("https://example.com/?p=123", False),
        ("https://example.com/a", False),
        ("https://example.com/#/a", False),
    ],
)
def test_home_pages_name_no_article(url: str, home: bool) -> None:
    assert normalize_url(url, RULES).is_home is home
    strengths = [found.strength for found in url_keys(url, RULES)]
    assert strengths == ([Strength.DISTRUSTED] * 2 if home else [Strength.STRONG, Strength.NEAR])


def test_trace_names_every_change() -> None:
    url = " //WWW.techcrunch.com./a/%7e/?tpcc=1&amp;utm_source=2#top"
    assert normalize_url(url, RULES).trace == (
        "cleaned",
        "&amp;",
        "scheme added",
        "host dot",
        "www",
        "percent-encoding",
        "final slash",
        "parameter tpcc: techcrunch-campaign",
        "parameter utm_source: google-analytics-campaign",
        "fragment",
    )
    assert normalize_url("https://example.com/a?b=1", RULES).trace == ()


def test_secret_is_flagged_and_kept() -> None:
    found = normalize_url("https://example.com/feed?token=abc", RULES)
    assert found.secret
    assert found.key == "https://example.com/feed?token=abc"
    assert not normalize_url("https://example.com/feed?page=2", RULES).secret
    assert normalize_or_literal("no scheme?token=abc", RULES).secret


@pytest.mark.parametrize(
    "url",
    [
        "",
        "   ",
        "#",
        "n/a",
        "example.com/path",
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
def test_unparsable(url: str) -> None:
    with pytest.raises(InvalidURL):
        normalize_url(url, RULES)
    found = normalize_or_literal(url, RULES)
    assert found.literal
    assert found.original == url
    assert found.trace[0].startswith("literal: the address ")
    assert len(found.key) <= 8192
    found.key.encode("utf-8")
    assert all(made.scope == "literal" for made in url_keys(url, RULES))


def test_errors_hide_secrets_and_control_characters() -> None:
    with pytest.raises(InvalidURL) as caught:
        normalize_url("ftp://ann:pw@example.com/\x1b[31m?token=abc", RULES)
    assert caught.value.where == "ftp://***@example.com/\\x1b[31m?token=***"


@pytest.mark.parametrize(
    ("url", "strength"),
    [
        ("example.com/path", Strength.STRONG),
        ("urn:isbn:9783161484100", Strength.STRONG),
        ("ftp://example.com/a.txt", Strength.STRONG),
        ("https://exa mple.com/story", Strength.STRONG),
        ("https://example.com/" + "a" * 9000, Strength.STRONG),
        ("#", Strength.DISTRUSTED),
        ("n/a", Strength.DISTRUSTED),
        ("/news/12", Strength.DISTRUSTED),
        ("../news/12", Strength.DISTRUSTED),
        ("example.com", Strength.DISTRUSTED),
        ("ftp://example.com/", Strength.DISTRUSTED),
        ("javascript:void(0)", Strength.DISTRUSTED),
        ("about:blank", Strength.DISTRUSTED),
        ("記事なし", Strength.DISTRUSTED),
    ],
)
def test_literals_decide_only_when_they_name_a_thing(url: str, strength: Strength) -> None:
    (found,) = url_keys(url, RULES)
    assert (found.kind, found.scope, found.strength) == ("url", "literal", strength)


def test_very_long_literals_are_hashed() -> None:
    long = "https://example.com/" + "a" * 9000
    (one,), (other,) = url_keys(long, RULES), url_keys(long + "b", RULES)
    assert one.value.startswith("sha256:")
    assert one != other


def test_empty_text_has_no_key() -> None:
    assert url_keys("", RULES) == url_keys(" \n", RULES) == site_keys("", RULES) == ()


def test_techcrunch_dated_paths_are_known_by_their_slug() -> None:
    keys = url_keys("https://www.techcrunch.com/2024/05/03/Sodium-Battery-Start-Up/?ncid=rss", RULES)
    assert keys == (
        Key("url", "https://techcrunch.com/2024/05/03/Sodium-Battery-Start-Up"),
        Key("url_near", "techcrunch.com/2024/05/03/Sodium-Battery-Start-Up", strength=Strength.NEAR),
        Key("site", "techcrunch:sodium-battery-start-up", rule_id="techcrunch-slug", pack_version=1),
    )
    assert keys[2:] == site_keys("http://techcrunch.com/2024/05/01/sodium-battery-start-up", RULES)


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.id)
def test_examples_hold_for_the_whole_way(rule: Rule) -> None:
    def applied(url: str) -> bool:
        if rule.kind is RuleKind.IDENTITY:
            return any(found.rule_id == rule.id for found in site_keys(url, RULES))
        return any(step.endswith(f": {rule.id}") for step in normalize_url(url, RULES).trace)

    assert all(applied(url) for url in rule.must_match)
    assert not any(applied(url) for url in rule.must_not_match)


@pytest.mark.parametrize(
    ("guid", "base", "expected"),
    [
        ("https://example.com/?p=12", "", "https://example.com/?p=12"),
        (" HTTP://example.com/a ", "https://other.example/", "HTTP://example.com/a"),
        ("/?p=12", "https://blog.example.com/feed/x?y#z", "https://blog.example.com/?p=12"),
        ("/2024/a", "http://example.com:8080/feed", "http://example.com:8080/2024/a"),
        ("/?p=12", "", ""),
        ("/?p=12", "feed.xml", ""),
        ("/?p=12", "http://[", ""),
        ("12", "https://example.com/", ""),
        ("?p=12", "https://example.com/", ""),
        ("//example.com/a", "https://example.com/", ""),
        ("/", "https://example.com/", ""),
        ("/\\evil.example/a", "https://example.com/", ""),
        ("/two words", "https://example.com/", ""),
        ("tag:example.com,2024:12", "https://example.com/", ""),
        ("urn:uuid:1", "https://example.com/", ""),
        ("https://", "", ""),
        ("https://.", "", ""),
        ("https://exa mple.com/", "", ""),
        ("https://example.com/\ud800", "", ""),
        ("https://example.com/" + "a" * 9000, "", ""),
        ("", "https://example.com/", ""),
    ],
)
def test_resolve_guid_url(guid: str, base: str, expected: str) -> None:
    assert resolve_guid_url(guid, base) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "%",
        "%4",
        "%41",
        "&amp;",
        "&#038;",
        "&#",
        "?",
        "#",
        "/",
        "/../",
        "www.",
        "a.",
        "@",
        " ",
        "\n",
        "=",
        "東",
    ],
)
@pytest.mark.parametrize("head", ["https://example.com/", "https://example.com/?", "https://", ""])
def test_hostile_addresses_take_one_pass(head: str, piece: str) -> None:
    start = time.process_time()
    for length in (8000, 100_000):
        url_keys((head + piece * length)[:length], RULES)
        resolve_guid_url((head + piece * length)[:length], "https://example.com/")
    assert time.process_time() - start < 0.5
