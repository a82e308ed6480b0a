"""HTML from outside: what a public file may hold of it, and plain text."""

from __future__ import annotations

import time

import pytest
from lxml import html as lxml_html

from seenbefore.exports.addresses import PublicAddresses
from seenbefore.exports.html import plain_text, plain_title, public_html

PAGE = "https://news.example/city/bridge"


def shown(raw: str, base: str = PAGE, **options: bool) -> str:
    return public_html(raw, base, PublicAddresses(**options))


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("<p>a</p><script>alert(1)</script><p>b</p>", "<p>a</p><p>b</p>"),
        ("<p onclick='x()' onmouseover=x() style='color:red' class=a id=b>a</p>", "<p>a</p>"),
        ("<iframe src='https://evil.example'>fallback</iframe>a", "a"),
        ("<form action=/x><input name=q>Name<button>Go</button></form>", "Name"),
        ("<style>p{display:none}</style><link rel=stylesheet href=x><meta http-equiv=refresh>a", "a"),
        ("<svg onload=x()><a xlink:href='javascript:x()'>t</a></svg>a", "a"),
        ("<math><mi>x</mi></math>a", "a"),
        ("<object data=x><embed src=y></object>a", "a"),
        ("<base href='https://evil.example/'>a", "a"),
        ("a<!-- <script>x()</script> -->b", "ab"),
        ("<noscript><p title='</noscript><img src=x onerror=x()>'>a", '<img src="https://news.example/city/x">\'&gt;a'),
        ("<img src=x onerror=alert(1)>", '<img src="https://news.example/city/x">'),
        ("<a href='javascript:x()'>a</a>", '<a rel="noopener noreferrer">a</a>'),
        ("<a href='java&#10;script:x()'>a</a>", '<a rel="noopener noreferrer">a</a>'),
        ("<a href=' \x01javascript:x()'>a</a>", '<a rel="noopener noreferrer">a</a>'),
        ("<a href='vbscript:x'>a</a>", '<a rel="noopener noreferrer">a</a>'),
        ("<img src='data:image/svg+xml,<svg onload=x()>'>", "<img>"),
        ("<img src='file:///etc/passwd'>", "<img>"),
        ("<img srcset='javascript:x() 1x' alt=b>", '<img alt="b">'),
    ],
)
def test_what_runs_embeds_or_styles_is_dropped(raw: str, left: str) -> None:
    assert shown(raw) == left


@pytest.mark.parametrize(
    ("address", "absolute"),
    [
        ("/a", "https://news.example/a"),
        ("b?c=1#d", "https://news.example/city/b?c=1#d"),
        ("#top", "https://news.example/city/bridge#top"),
        ("//cdn.example/i", "https://cdn.example/i"),
        ("http://other.example/日本", "http://other.example/%E6%97%A5%E6%9C%AC"),
        ("mailto:ann@news.example", "mailto:ann@news.example"),
    ],
)
def test_links_are_resolved_against_the_address_of_the_entry(address: str, absolute: str) -> None:
    (link,) = lxml_html.fromstring(f"<div>{shown(f'<a href={address!r}>a</a>')}</div>").iter("a")
    assert link.get("href") == absolute


def test_without_an_address_relative_links_lead_nowhere() -> None:
    assert shown("<img src=/a.png alt=b><a href='https://x.example/'>c</a>", base="") == (
        '<img alt="b"><a href="https://x.example/" rel="noopener noreferrer">c</a>'
    )


def test_a_picture_is_no_mailbox() -> None:
    assert shown("<img src='mailto:ann@news.example'>") == "<img>"


def test_text_without_tags_becomes_paragraphs() -> None:
    assert shown("one & two\nthree\n\n  \nif a < b, &lt;em&gt;") == (
        "<p>one &amp; two<br>three</p><p>if a &lt; b, &lt;em&gt;</p>"
    )
    assert shown(" \n ") == ""


def test_characters_that_xml_refuses_are_gone_however_they_were_written() -> None:
    assert shown("<p>a\x00b\x08c\x1b[31m&#8;&#x1b;&#xfffe;\ud800d\u200de</p>") == "<p>abc[31md\u200de</p>"


def test_secrets_in_links_and_texts_are_kept_back_and_counted() -> None:
    raw = (
        "<p>see https://ann:pw@x.example/a?b=1&amp;token=abc</p>"
        "<img src='/i.png?api_key=abc' alt=i><a href='https://x.example/?id=7'>b</a>"
    )
    public = PublicAddresses()
    html = public_html(raw, PAGE, public)
    assert "pw" not in html
    assert "abc" not in html
    assert '<img alt="i">' in html
    assert 'href="https://x.example/?id=7"' in html
    assert len(public.hidden) == 2
    everything = PublicAddresses(with_secrets=True)
    assert "i.png?api_key=abc" in public_html(raw, PAGE, everything)
    assert everything.hidden == set()


def test_masking_cannot_open_an_attribute() -> None:
    """The mask takes what stands before an @, quotes and tags among it; what it leaves is sanitized again."""
    raw = """<abbr title="//">foo@bar" onclick=x() y="</abbr><p>b</p>"""
    assert shown(raw, with_secrets=True) == """<abbr title="//">foo@bar" onclick=x() y="</abbr><p>b</p>"""
    html = shown(raw)
    assert "foo" not in html
    assert not any(e.get("onclick") for e in lxml_html.fromstring(f"<div>{html}</div>").iter())


def test_credentials_of_the_page_are_not_handed_on_to_its_pictures() -> None:
    assert (
        shown("<img src=/i.png>", base="https://ann:pw@news.example/feed") == '<img src="https://news.example/i.png">'
    )


@pytest.mark.parametrize("tag", ["<div>", "<b><p>", "<table><tr><td>", "<a href=x><p>"])
def test_hostile_nesting_is_sent_as_text(tag: str) -> None:
    start = time.perf_counter()
    assert shown(tag * 60_000 + "deep & <script>x()</script>") == "<p>deep &amp;</p>"
    assert plain_text(tag * 60_000 + "deep") == "deep"
    assert time.perf_counter() - start < 10


# --- plain texts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("The <em>Lift</em> &amp; the <br/>stairs", "The Lift & the stairs"),
        ("AT&T, R&amp;D", "AT&T, R&D"),
        ("a < b > c", "a < b > c"),
        ("Using <template> and Vec<T>", "Using <template> and Vec<T>"),
        ("A<script>alert(1)</script> B", "A B"),
        ("line\n  two\x00\x1b", "line two"),
        ("می\u200cخواهم 👩\u200d🚒", "می\u200cخواهم 👩\u200d🚒"),
        ("&lt;b&gt;", "<b>"),
    ],
)
def test_titles_are_plain(raw: str, plain: str) -> None:
    assert plain_title(raw) == plain


def test_summaries_are_plain() -> None:
    assert plain_text("<div>One<div>two</div>three &lt;b&gt;<br>four</div><style>x</style>") == "One two three <b> four"


# --- addresses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    ["", " ", "/a", "a.example/b", "urn:isbn:1", "ftp://a.example/", "javascript:x", "http://", "https://a b.example/"],
)
def test_what_is_no_web_address_is_left_out_silently(address: str) -> None:
    public = PublicAddresses()
    assert public.web(address) == ""
    assert public.hidden == set()


def test_addresses_come_out_as_browsers_write_them() -> None:
    public = PublicAddresses()
    assert public.web(" HTTPS://Bücher.example/a b\"<'") == "https://xn--bcher-kva.example/a%20b%22%3C'"
    assert public.web("https://a.example/" + "a" * 9000) == ""
    assert public.web("https://a.example/\ud800") == ""
