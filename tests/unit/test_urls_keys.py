"""The keys under which an address is found again, and how far each of them may be trusted."""

from __future__ import annotations

import pytest

from seenbefore.model import Key, Strength
from seenbefore.rules import Claim, Reads
from seenbefore.urls import named_keys, resolve_guid_url, url_keys
from seenbefore.urls.keys import claim_keys

from .made_up_packs import GENERIC, compiled

RULES = compiled(
    GENERIC
    + """
[[rule]]
id = "story-number"
kind = "identity"
hosts = ["story.example"]
match = ["/{story:digits}/{slug}", "story:/{story:digits}"]
value = "story:{story}"

[[rule]]
id = "story-slug"
kind = "identity"
hosts = ["story.example"]
match = ["/{digits}/{title:slug}"]
value = "story-title:{title}"
reads = "slug"
lowercase = true

[[rule]]
id = "doi"
kind = "identity"
hosts = ["doi:"]
match = ["/10.{registrant:digits}/{suffix:rest}"]
value = "doi:10.{registrant}/{suffix}"
lowercase = true
"""
)


def test_an_address_has_a_strong_key_a_near_one_and_those_of_its_site() -> None:
    assert url_keys("http://www.story.example/12/Moon-Base-Opens/?utm_source=x&ref=rss", RULES) == (
        Key("url", "http://story.example/12/Moon-Base-Opens?ref=rss"),
        Key("url_near", "story.example/12/Moon-Base-Opens", strength=Strength.NEAR),
        Key("site", "story:12", rule_id="story-number", pack_version=1),
        Key("site", "story-title:moon-base-opens", strength=Strength.NEAR, rule_id="story-slug", pack_version=1),
    )


@pytest.mark.parametrize(
    ("claim", "key"),
    [
        (Claim("story:1", "rule", "pack", 7), Key("site", "story:1", rule_id="rule", pack_version=7)),
        (
            Claim("story:1", "rule", "pack", 7, strong=False),
            Key("site", "story:1", strength=Strength.NEAR, rule_id="rule", pack_version=7),
        ),
        (
            Claim("story:a-b-c", "rule", "pack", 7, reads=Reads.SLUG),
            Key("site", "story:a-b-c", strength=Strength.NEAR, rule_id="rule", pack_version=7),
        ),
        (Claim("doi:10.1/a", "rule", "pack", 7), Key("id", "doi:10.1/a", rule_id="rule", pack_version=7)),
    ],
)
def test_ids_are_strong_words_are_near_and_ids_of_the_whole_world_have_their_own_kind(claim: Claim, key: Key) -> None:
    assert claim_keys([claim]) == (key,)


@pytest.mark.parametrize(
    ("url", "strengths"),
    [
        ("https://example.com/a", ["strong", "near"]),
        ("https://example.com/?p=1", ["strong", "near"]),
        ("https://example.com/?utm_source=rss#top", ["distrusted", "distrusted"]),
        ("https://m.example.com", ["distrusted", "distrusted"]),
        ("https://example.com/index.html", ["strong", "distrusted"]),
        ("https://example.com/?ref=rss", ["strong", "distrusted"]),
        ("https://example.com/#/a", ["strong", "near"]),
    ],
)
def test_front_pages_are_distrusted(url: str, strengths: list[str]) -> None:
    assert [key.strength.value for key in url_keys(url, RULES)] == strengths


@pytest.mark.parametrize(
    ("url", "strength"),
    [
        ("urn:isbn:9783161484100", Strength.STRONG),
        ("tag:example.com,2024:12", Strength.STRONG),
        ("ftp://example.com/a.txt", Strength.STRONG),
        ("https://exa mple.com/story", Strength.STRONG),
        ("https://example.com/" + "a" * 9000, Strength.STRONG),
        ("notes.md/a", Strength.STRONG),
        ("#", Strength.DISTRUSTED),
        ("n/a", Strength.DISTRUSTED),
        ("/news/12", Strength.DISTRUSTED),
        ("../news/12", Strength.DISTRUSTED),
        ("example.com", Strength.DISTRUSTED),
        ("ftp://example.com/", Strength.DISTRUSTED),
        ("javascript:void(0)", Strength.DISTRUSTED),
        ("about:blank", Strength.DISTRUSTED),
        ("data:text/plain,a", Strength.DISTRUSTED),
        ("mailto:ann@example.com", Strength.DISTRUSTED),
        ("記事なし", Strength.DISTRUSTED),
    ],
)
def test_literals_decide_only_when_they_name_a_thing(url: str, strength: Strength) -> None:
    (found,) = url_keys(url, RULES)
    assert (found.kind, found.scope, found.strength) == ("url", "literal", strength)


@pytest.mark.parametrize("url", ["data:image/png;base64," + "A" * 9000, "n/a " * 3000])
def test_long_literals_are_trusted_like_short_ones(url: str) -> None:
    assert [key.strength for key in url_keys(url, RULES)] == [Strength.DISTRUSTED]


def test_very_long_literals_are_hashed() -> None:
    long = "https://example.com/" + "a" * 9000
    (one,), (other,) = url_keys(long, RULES), url_keys(long + "b", RULES)
    assert one.value.startswith("sha256:")
    assert one != other


def test_a_text_without_scheme_is_an_address_only_with_a_path() -> None:
    assert [key.value for key in url_keys("example.com/path", RULES)] == [
        "https://example.com/path",
        "example.com/path",
    ]
    assert [key.scope for key in url_keys("example.com", RULES)] == ["literal"]


@pytest.mark.parametrize("url", ["", " \n", "\ufeff", "\x00\u3000"])
def test_empty_text_has_no_key(url: str) -> None:
    assert url_keys(url, RULES) == ()


def test_names_of_things_have_the_key_of_their_rule() -> None:
    assert url_keys("doi:10.1000/ABC", RULES) == (
        Key("url", "doi:10.1000/ABC", scope="literal"),
        Key("id", "doi:10.1000/abc", rule_id="doi", pack_version=1),
    )


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("doi", "10.1000/ABC", ["doi:10.1000/abc"]),
        ("DOI", "10.1000/a%2fb", ["doi:10.1000/a/b"]),
        ("story", "12", ["story:12"]),
        ("doi", "10.1000", []),
        ("doi", "", []),
        ("doi", "10.1000/a b", []),
        ("doi", "/10.1000/a", []),
        ("doi", "10.1000/" + "a" * 501, []),
        ("shelf", "12", []),
        ("https", "//story.example/12/a-b-c", []),
        ("", "12", []),
        ("doi\x00", "10.1000/a", ["doi:10.1000/a"]),
        ("\ud800", "\ud800", []),
    ],
)
def test_named_keys(name: str, value: str, expected: list[str]) -> None:
    assert [key.value for key in named_keys(name, value, RULES)] == expected


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
