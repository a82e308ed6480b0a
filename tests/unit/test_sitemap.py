from __future__ import annotations

import gzip
from datetime import UTC, datetime

import pytest

from seenbefore.errors import InvalidFeed
from seenbefore.model import Item, Precision
from seenbefore.sources.sitemap import MOST_PAGES, Sitemap, is_sitemap, read_sitemap

AT = datetime(2026, 1, 1, tzinfo=UTC)
WHERE = "https://news.example/sitemap.xml"
NEWS = 'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
IMAGE = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'


def read(data: str | bytes) -> Sitemap:
    return read_sitemap(data.encode() if isinstance(data, str) else data, source=WHERE, observed_at=AT)


def items(data: str | bytes) -> list[Item]:
    fetch = read(data).fetch
    assert fetch is not None
    return list(fetch.items)


def urlset(*urls: str) -> str:
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0"?><urlset xmlns="{space}" {NEWS} {IMAGE}>{"".join(urls)}</urlset>'


def test_the_news_extension() -> None:
    (item,) = items(
        urlset(
            """<url><loc> https://news.example/橋?a=1&amp;b=2 </loc>
            <news:news><news:publication><news:name>新聞</news:name><news:language>ja</news:language></news:publication>
            <news:publication_date>2024-05-01T08:00:00+09:00</news:publication_date>
            <news:title>橋の補修工事が始まる</news:title></news:news></url>"""
        )
    )
    assert item.original_url == "https://news.example/橋?a=1&b=2"
    assert (item.title, item.language, item.source, item.observed_at) == ("橋の補修工事が始まる", "ja", WHERE, AT)
    assert item.published is not None
    assert item.published.tag == "news:publication_date"
    assert item.published_at == datetime(2024, 4, 30, 23, tzinfo=UTC)
    assert item.modified is None


def test_lastmod_is_never_a_publication() -> None:
    (item,) = items(urlset("<url><loc>https://news.example/a</loc><lastmod>2024-05-02</lastmod></url>"))
    assert item.published is None
    assert item.modified is not None
    assert (item.modified.tag, item.modified.precision) == ("lastmod", Precision.DAY)


def test_dates_that_say_nothing_stay_unknown() -> None:
    (item,) = items(urlset("<url><loc>https://news.example/a</loc><lastmod>03/04/2023</lastmod></url>"))
    assert item.modified is not None
    assert (item.modified.raw, item.modified_at) == ("03/04/2023", None)


def test_images() -> None:
    (item,) = items(
        urlset(
            "<url><loc>https://news.example/a</loc><image:image><image:loc>/1.jpg</image:loc></image:image>"
            "<image:image><image:loc>https://img.example/2.jpg</image:loc><image:title>x</image:title></image:image>"
            "<image:image><image:loc>/1.jpg</image:loc></image:image></url>"
        )
    )
    assert item.images == ("https://news.example/1.jpg", "https://img.example/2.jpg")
    assert item.original_url == "https://news.example/a"


def test_an_index_names_sitemaps() -> None:
    sitemap = read(
        "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
        "<sitemap><loc>/one.xml</loc><lastmod>2024-01-01</lastmod></sitemap>"
        "<sitemap><loc>https://news.example/two.xml.gz</loc></sitemap>"
        "<sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>ftp://x/</loc></sitemap></sitemapindex>"
    )
    assert sitemap.fetch is None
    assert sitemap.children == ("https://news.example/one.xml", "https://news.example/two.xml.gz")


def test_gzip_and_its_limit() -> None:
    text = urlset("<url><loc>https://news.example/a</loc></url>").encode()
    assert len(items(gzip.compress(text))) == 1
    assert is_sitemap(gzip.compress(text))
    bomb = gzip.compress(b"<urlset>" + b" " * 60_000_000)
    assert not is_sitemap(bomb)
    with pytest.raises(InvalidFeed, match="opens to more than"):
        read(bomb)
    with pytest.raises(InvalidFeed, match="damaged"):
        read(b"\x1f\x8b" + b"no gzip at all")


def test_text_sitemaps() -> None:
    found = items("\ufeffhttps://news.example/a\r\nhttps://news.example/b\n\nhttps://news.example/a\n")
    assert [item.original_url for item in found] == ["https://news.example/a", "https://news.example/b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "something else"), ("<rss/>", "no sitemap"), ("<html><p>x</p></html>", "an HTML page"),
     ("https://a.example/ and more\n", "no sitemap"), ("notes\nhttps://a.example/", "no sitemap")],
)  # fmt: skip
def test_what_is_no_sitemap(text: str, message: str) -> None:
    with pytest.raises(InvalidFeed, match=message):
        read(text)


def test_pages_without_an_address_are_left_out_and_damage_is_survived() -> None:
    text = urlset(
        "<url><loc></loc></url><url><loc>mailto:a@b.example</loc></url><url><loc>https://a.example/1</loc></url>"
    )
    assert [item.original_url for item in items(text[:-9])] == ["https://a.example/1"]


def test_entities_are_never_expanded() -> None:
    text = "<!DOCTYPE u [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>https://a.example/&x;</loc></url></urlset>"
    assert [item.original_url for item in items(text)] == ["https://a.example/"]


def test_what_exceeds_the_protocol_is_told() -> None:
    lines = "\n".join(f"https://a.example/{n}" for n in range(MOST_PAGES + 5))
    sitemap = read(lines)
    assert sitemap.fetch is not None
    assert len(sitemap.fetch.items) == MOST_PAGES
    assert [warning.code for warning in sitemap.warnings] == ["limit_reached"]


def test_an_unchanged_entry_has_the_same_digest() -> None:
    one, two = "<url><loc>https://a.example/1</loc></url>", "<url><loc>https://a.example/2</loc></url>"
    first, later = read(urlset(one)).fetch, read(urlset(two, one)).fetch
    assert first is not None
    assert later is not None
    assert first.items.digests[0] == later.items.digests[1]
    assert first.fetch_id != later.fetch_id
