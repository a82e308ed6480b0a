"""Odd addresses, of the kinds that test suites for browsers hold: each is answered, and no answer is without bound."""

from __future__ import annotations

import itertools
from urllib.parse import quote

import pytest

from seenbefore.urls import identify, same_page, url_key, url_keys
from seenbefore.urls.identify import MAX_LENGTH

from .made_up_packs import GENERIC, compiled

RULES = compiled(
    GENERIC
    + """
[[rule]]
id = "click"
kind = "unwrap"
hosts = ["go.example"]
match = ["/url?u={target}", "/to/{target}", "/?{target}"]

[[rule]]
id = "story"
kind = "identity"
hosts = ["example.com", "doi:"]
match = ["/{year}/{month}/{slug}", "/{any}-{story:digits}", "/{story:rest}"]
value = "story:{host}"
ignore = ["*"]
"""
)

ODD = {
    "schemes": [
        "http:", "https:", "http:/", "https://", "http:///", "https:////", "http://?", "http://#", "https:?a",
        "http:#a", "HTTP://EXAMPLE.com/", "hTTps:example.com", "http:example.com/", "https:/example.com/",
        "http:///example.com/", "https://///example.com", "http::@c:29", "http:a:b@c:29", "http::b@c.example",
        "http:@/www.example.com", "http:/@/www.example.com", "http://@/www.example.com", "https:@/www.example.com",
        "ht tp://example.com/", "h\tt\nt\rp://h\to\ns\rt:9\t0\n0\r0/p\ta\nt\rh?q\tu\ne\rry#f\tr\na\rg",
        "://example.com/", ":", ":a", ":foo.com/", ":#", "::", "::23", "1http://example.com/",
        "+http://example.com/", "http+ssl://example.com/a", "ftp://example.com/a", "ws://example.com/a",
        "wss://example.com/a", "gopher://example.com/a", "blob:https://a.example/1",
        "view-source:https://example.com/", "feed:https://example.com/feed", "feed://example.com/feed", "file:",
        "file:///etc/passwd", "file://localhost/c:/a", "file:c:\\foo\\bar.html", "file:/C|/a", "file://host/..//a",
        "data:", "data:text/html,<p>a#b", "data:text/plain;base64,QUJD", "data:%00", "javascript:",
        "javascript:alert(1)", "javascript://example.com/%0aalert(1)", "javascript:/../", "about:blank",
        "about:blank#a", "mailto:", "mailto:a@b.example", "tel:+49-30-1", "urn:isbn:1", "tag:example.com,2024:a",
        "non-special:opaque ?a#b", "non-special://[::1]/a", "non-special:/..//a",
    ],
    "slashes": [
        "https:\\\\example.com\\a\\b", "https:\\/example.com/\\a", "\\\\example.com\\a", "//example.com", "//",
        "///", "////", "//example.com//a", "///example.com/a", "/\\example.com/a", "\\", "/",
        "https://example.com\\@evil.example/", "https://example.com//", "https://example.com///..//./a",
        "https://example.com/a/..", "https://example.com/a/../..", "https://example.com/../../..",
        "https://example.com/.", "https://example.com/..a", "https://example.com/a/%2e%2e/b",
        "https://example.com/a/%2E./b", "https://example.com/.%2e/", "https://example.com/%2e%2e%2f",
        "https://example.com/...", "https://example.com/a/.b/../c", "https://example.com//.b/../c",
        "https://example.com/a/./", "https://example.com/;..;/a", "https://example.com/..;sid=1/a",
        "https://example.com/.;jsessionid=1/..;sid=2/a",
    ],
    "hosts": [
        "https://.", "https://./", "https://..", "https://../a", "https://.example.com", "https://example..com/",
        "https://example.com./", "https://example.com../", "https://-/", "https://-a-.example/", "https://_/",
        "https://a_b.example/", "https://a b/", "https://a<b", "https://a>b", "https://a^b", "https://a|b/",
        "https://a[b/", "https://a]b/", "https://a%b/", "https://a%20b/", "https://a%00b/", "https://a%2fb/",
        "https://a%5cb/", "https://%zz/", "https://%", "https://%41.example/", "https://ex%61mple.com/",
        "https://%e4%bd%a0.example/", "https://%EF%BC%85%EF%BC%94%EF%BC%91.com", "https://%ef%bf%bd/",
        "https://\u00ad/", "https://ex\u00adample.com/", "https://\u200b/", "https://\u3000/", "https://a\u3000b/",
        "https://\ufdd0zyx.com", "https://Ｇｏ.com", "https://www。example．com/a", "https://faß.example/",
        "https://xn--/", "https://xn--a", "https://xn--zn7c.com/", "https://xn--wgv71a119e.jp/",
        "https://XN--WGV71A119E.jp/", "https://xn--a-ecp.ru/", "https://www.xn--/", "https://www./", "https://www..",
        "https://www.www/", "https://www.com./", "https://m./", "https://m.m/", "https://💩/", "https://ü.ü.ü/",
        "https://example.com:80:80/", "https://" + "a" * 64 + ".example/", "https://" + "a." * 130 + "example/",
    ],
    "numbers": [
        "https://0/", "https://1/", "https://256/", "https://0x/", "https://0x7f.1/", "https://0X7F.0.0.01/",
        "https://0177.1/", "https://127.1", "https://127.0.0.1.", "https://1.2.3.4.5/", "https://1.2.3.256/",
        "https://4294967295/", "https://4294967296/", "https://0xffffffff1/", "https://1..2/", "https://.1/",
        "https://1.e1/", "https://0.0X.0/", "https://09.1/", "https://foo.0x4/", "https://www.1.2.3.4/",
        "https://m.1.2.3.4/", "https://%30x%63%30%2e%30250.01/", "https://１２７.1/", "https://1e2/", "https://[::1]/",
        "https://[::1", "https://[::1]a/", "https://[]/", "https://[:]/", "https://[::1%25eth0]/",
        "https://[::ffff:1.2.3.4]/", "https://[1:2:3:4:5:6:7:8]/", "https://[1:2:3:4:5:6:7:8:9]/",
        "https://[0:0:0:0:0:0:0:1]/", "https://[v1.x]/", "https://[::1]:443/", "https://[::1.2.3]/",
        "https://[1::1::1]/", "https://www.[::1]/", "https://[www.example.com]/",
    ],
    "ports and users": [
        "https://example.com:/", "https://example.com:0/", "https://example.com:65535/",
        "https://example.com:65536/", "https://example.com:99999999999999999999/", "https://example.com:-1/",
        "https://example.com:8a/", "https://example.com: 80/", "https://example.com:00443/",
        "https://example.com:８０/", "https://:80/", "https://@/", "https://@example.com/", "https://:@example.com/",
        "https://a@/", "https://a:b@/", "https://a:@example.com/", "https://:b@example.com/",
        "https://a@b@c@example.com/", "https://a:b:c@example.com/", "https://a%40b@example.com/",
        "https://ü:%@example.com/", "https://user@/www.example.com", "https://a:b@[::1]:8080/", "a:b@example.com/c",
        "a@b.example", "//a:b@example.com/",
    ],
    "blanks and controls": [
        "", " ", "\n", "\x00", "\ufeff", "\u200b\u2060", " https://example.com/ ", "\thttps://example.com/a\n",
        "\x01https://example.com/\x1f", "https://exa\nmple.com/", "https://example.com/a\tb\nc",
        "https://example.com/a b", "https://example.com/a\x00b", "https://example.com/\x7f",
        "https://example.com/\x80\x9f", "https://example.com/?a\x00b#c\x00d", "https://example.com/\u2028",
        "https://example.com/a\u3000", "https://example.com/\ud800", "\udfff", "https://\ud800/",
        "https://example.com/?\ud83d", "https://example.com/#\ude00", "\ud800 \udc00",
        "https://go.example/url?u=https://\ud800.example/", "https://example.com/\ufffe\uffff\ufdd0",
        "\u202ehttps://example.com/\u202e",
    ],
    "paths, queries, fragments": [
        "https://example.com?", "https://example.com#", "https://example.com?#", "https://example.com??",
        "https://example.com/?#?#", "https://example.com/%", "https://example.com/%%", "https://example.com/%4",
        "https://example.com/%zz%66%a", "https://example.com/%00", "https://example.com/\"<>`{}|^[]'()*!$,;:@&=+~",
        "https://example.com/?\"<>`{}|^[]'()*!$,;:@&=+~", "https://example.com/#\"<>`{}|^[]'()",
        "https://example.com/?=", "https://example.com/?&", "https://example.com/?&&=&=&",
        "https://example.com/?a=1&a=1&A=2", "https://example.com/?%", "https://example.com/?%26=%3D&%3d=%26",
        "https://example.com/?a;b;c", "https://example.com/?+&%20", "https://example.com/?%FF&%C0%80",
        "https://example.com/?amp;a=1", "https://example.com/?&amp;&#38;&", "https://example.com/&amp;?&amp;#&amp;",
        "https://example.com/?a&#x26;b", "https://example.com/#!", "https://example.com/#!%",
        "https://example.com/#/../a", "https://example.com/#:~:text=a", "https://example.com/#!/a#b#c",
        "https://example.com/(S(a))/(S(abcdefghij0123456789abcd))/", "https://example.com/;sid=;sid=;sid=",
        "https://example.com/index.html/index.html/", "https://example.com/2024/.amp",
        "https://example.com/2024/..amp", "https://example.com/2024/...amp.html",
        "https://example.com/amp/amp/2024/amp/amp", "https://go.example/url?u=", "https://go.example/url?u=http",
        "https://go.example/url?u=https:/", "https://go.example/url?u=https:///a",
        "https://go.example/url?u=//example.com", "https://go.example/to/https:example.com",
        "https://go.example/?https://", "https://go.example/?https:/a.example",
        "https://go.example/to/http:%2F%2F%65xample.com", "https://go.example/to/go.example/to/",
        "https://go.example/url?u=https%3A%2F%2Fgo.example%2Furl%3Fu%3D", "doi:", "doi:%", "doi:\x00",
        "doi:" + "%41" * 160, "DOI:10.1/<x>", "example.com/", "example.com:80/", "www.", "www./", "www.a",
        "a.b/c?d#e",
    ],
}  # fmt: skip
ALL = [url for urls in ODD.values() for url in urls]


PIECES = [
    "http://", "/", "\\", "//", "/a/../", "/./", "%", "%25", "%4", "%41", "%2F", "%e6%9d%b1", ";jsessionid=A",
    ";sid=", "m.", "www.", "en.m.", "a.", "1.", "0x", "-", "a-", "a-b_", "&", "&&", "=", "&=", "a=1&", "a&", "&amp;",
    "&#38;", "amp;", "&#038;#", "?", "#", "#!/", "@", ":", "a:b@", "+", "%2B", ".", "..", "/amp", "/amp/", ".amp",
    ".amp.html", "/index.html", "/index.php/", "(S(abcdefghij0123456789abcd))/", "/2024", "/2024/amp",
    "utm_source=x&", "ref=weekly.example&", "sid=0123456789abcdef0123456789abcdef&", "[", "]", "\x00", "\n", " ",
    "\u3000", "\ufeff", "東", "💩", "\ud800", "xn--", "a1-", "//u:p%40", "token=1&", "https://go.example/to/",
    "?u=http://",
]  # fmt: skip
HEADS = ["", "https://", "//", "doi:", "https://example.com/", "https://example.com/?a=", "https://example.com/#!/"]
WRAPPERS = ["https://go.example/url?u=", "https://go.example/to/", "https://go.example/?"]
TAILS = ["", "2024", "/amp", "?", "#/a", "x.example/"]


def filled(head: str, piece: str, tail: str, length: int) -> str:
    return head + piece * ((length - len(head + tail)) // len(piece)) + tail


def answered(url: str) -> None:
    """All four ways to ask agree, and what they answer can be stored and is not longer than an address may be."""
    found = identify(url, RULES)
    assert url_key(url, RULES) == found.key
    keys = url_keys(url, RULES)
    assert [key.value for key in keys[:1]] == ([found.key] if found.key else [])
    assert same_page(url, url, RULES) is bool(found.key)
    for text in (found.key, found.near, found.host, found.path, *(key.value for key in keys)):
        text.encode("utf-8")
        assert len(text) <= MAX_LENGTH + 20
    assert found.literal or found.key.isascii()
    assert found.original == url
    assert isinstance(found.secret, bool)


def test_there_are_enough_of_them() -> None:
    assert len(set(ALL)) == len(ALL) > 250


@pytest.mark.parametrize("kind", ODD)
def test_odd_addresses_are_answered(kind: str) -> None:
    for url in ODD[kind]:
        answered(url)
        answered(f"https://go.example/url?u={quote(url, safe='', errors='replace')}")
        answered(f"https://go.example/to/{url}")


def test_the_key_of_an_odd_address_is_its_own_key() -> None:
    for url in ALL:
        found = identify(url, RULES)
        again = identify(found.key, RULES)
        assert (again.key, again.near, again.claims) == (found.key, found.near, found.claims), url


def test_comparing_odd_addresses_has_no_direction() -> None:
    for one, other in itertools.pairwise([*ALL, *reversed(ALL[::7])]):
        assert same_page(one, other, RULES) is same_page(other, one, RULES)


@pytest.mark.parametrize("head", [*HEADS, *WRAPPERS])
def test_hostile_addresses_are_answered(head: str) -> None:
    for piece, tail in zip(PIECES, itertools.cycle(TAILS)):
        answered(filled(head, piece, tail, MAX_LENGTH))


@pytest.mark.parametrize("tail", TAILS)
def test_hostile_paths_are_answered(tail: str) -> None:
    for piece in ("/amp", "/amp/", "/index.html", "/index.php", "/2024", "/2024/amp", "//", "/a/../", ";sid=", "-a"):
        answered(filled("https://example.com/", piece, tail, MAX_LENGTH))


def test_what_is_far_too_long_is_known_by_its_hash() -> None:
    for head, piece in zip(itertools.cycle([*HEADS, *WRAPPERS]), PIECES):
        url = filled(head, piece, "", 60_000)
        answered(url)
        assert len(identify(url, RULES).key) < 100


def test_many_parameters() -> None:
    query = "&".join(f"p{n}={n % 7}" for n in range(900))
    found = identify(f"https://example.com/a?{query}&utm_source=x", RULES)
    assert found.key.count("&") == 899
    answered(f"https://example.com/a?{query}")
    answered(f"https://example.com/a?{'&'.join(f'p{n}={n}' for n in range(9000))}")


@pytest.mark.parametrize("depth", [3, 8, 40])
def test_deep_wrappers(depth: int) -> None:
    plain, encoded = "https://example.com/a", "https://example.com/a"
    for _ in range(depth):
        plain = f"https://go.example/to/{plain}"
        encoded = f"https://go.example/url?u={quote(encoded, safe='')}"[:60_000]
    answered(plain)
    answered(encoded)
