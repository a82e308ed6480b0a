"""What each feed format gives to an item."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from seenbefore.errors import InvalidFeed
from seenbefore.model import Enclosure, Item
from seenbefore.sources.feed import FeedFetch, read_feed

AT = datetime(2026, 1, 1, tzinfo=UTC)


def read(feed: str | bytes, source: str | None = None, charset: str | None = None) -> FeedFetch:
    data = feed if isinstance(feed, bytes) else feed.encode()
    return read_feed(data, source=source, observed_at=AT, default_name="file", charset=charset)


def one(inner: str, attributes: str = "") -> Item:
    [item] = read(f"<rss {attributes}><channel><item>{inner}</item></channel></rss>", "feed").items
    return item


ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


def entry(inner: str, feed: str = "") -> Item:
    [item] = read(f"<feed {ATOM}>{feed}<entry>{inner}</entry></feed>", "feed").items
    return item


def test_rss_fields() -> None:
    item = one(
        "<title>A &amp; B</title><link> https://example.com/a </link><guid isPermaLink='false'>n7</guid>"
        "<description>short</description><c:encoded><![CDATA[<p>long &nbsp;</p>]]></c:encoded>"
        "<d:creator>Edda</d:creator><d:creator>Jon</d:creator><d:language>ja</d:language>"
        "<pubDate>Wed, 01 May 2024 09:30:00 +0900</pubDate><comments>https://example.com/a#c</comments>"
        "<source url='https://origin.example.com/feed'>Origin</source>"
        "<s:comments>17</s:comments><s:title>no</s:title>",
        'xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:d="http://purl.org/dc/elements/1.1/"'
        ' xmlns:s="http://purl.org/rss/1.0/modules/slash/"',
    )
    assert (item.title, item.original_url, item.guid) == ("A & B", "https://example.com/a", "n7")
    assert item.guid_is_permalink is False
    assert (item.summary, item.content) == ("short", "<p>long &nbsp;</p>")
    assert (item.authors, item.language) == (("Edda", "Jon"), "ja")
    assert item.published is not None
    assert (item.published.tag, item.published.raw) == ("pubDate", "Wed, 01 May 2024 09:30:00 +0900")
    assert item.modified is None
    assert item.observed_at == AT
    assert item.extra == {
        "comments": "https://example.com/a#c",
        "origin_url": "https://origin.example.com/feed",
        "origin_title": "Origin",
    }


@pytest.mark.parametrize(
    ("guid", "permalink", "link"),
    [
        ("<guid>https://example.com/a</guid>", None, "https://example.com/a"),
        ("<guid isPermaLink='true'>https://example.com/a</guid>", True, "https://example.com/a"),
        ("<guid isPermaLink='false'>https://example.com/a</guid>", False, ""),
        ("<guid isPermaLink='true'>/?p=9</guid>", True, "https://example.com/?p=9"),
        ("<guid>tag:example.com,2024:a</guid>", None, ""),
        ("<guid>17</guid><link>https://example.com/b</link>", None, "https://example.com/b"),
    ],
)
def test_a_guid_is_the_link_when_it_may_be(guid: str, permalink: bool | None, link: str) -> None:
    feed = f"<rss><channel><link>https://example.com/</link><item>{guid}</item></channel></rss>"
    [item] = read(feed).items
    assert (item.guid_is_permalink, item.original_url) == (permalink, link)
    assert item.guid in guid


def test_rss_1_takes_its_identity_from_rdf_about() -> None:
    fetch = read(
        '<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>港</title></channel>'
        '<item rdf:about="https://example.jp/1"><title>船</title><link>https://example.jp/1</link>'
        "<dc:date>2024-05-01T10:00:00+09:00</dc:date></item></rdf:RDF>"
    )
    [item] = fetch.items
    assert (fetch.title, item.title, item.guid) == ("港", "船", "https://example.jp/1")
    assert item.published is not None
    assert (item.published.tag, item.published.offset_minutes) == ("dc:date", 540)


@pytest.mark.parametrize(
    "root", ["http://my.netscape.com/rdf/simple/0.9/", "http://channel.netscape.com/rdf/simple/0.9/"]
)
def test_rss_090(root: str) -> None:
    feed = (
        f'<rdf:RDF xmlns="{root}" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel/>'
        "<item><title>A</title><link>https://example.com/a</link></item></rdf:RDF>"
    )
    assert [item.title for item in read(feed).items] == ["A"]


def test_rss_091_with_its_doctype() -> None:
    feed = (
        '<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" '
        '"http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><item>'
        "<title>caf&eacute;</title></item></channel></rss>"
    )
    fetch = read(feed)
    assert [item.title for item in fetch.items] == ["café"]
    assert fetch.warnings == ()


def test_atom_fields_and_links() -> None:
    item = entry(
        "<id>tag:example.com,2024:a</id><title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>1 &lt; "
        "<b>2</b></div></title>"
        "<link rel='self' href='https://example.com/a.atom'/><link type='application/pdf' href='/a.pdf'/>"
        "<link rel='alternate' type='text/html' href='/a'/><link rel='canonical' href='https://example.com/c'/>"
        "<link rel='enclosure' href='/a.mp3' length='9' type='audio/mpeg'/>"
        "<author><name>Edda</name><email>e@example.com</email></author>"
        "<published>2024-05-01T10:00:00Z</published><updated>2024-05-02T10:00:00Z</updated>"
        "<content type='html'>&lt;p&gt;x&lt;/p&gt;</content><summary>s</summary>",
        "<link rel='self' href='https://example.com/feed'/>",
    )
    assert item.title == "1 &lt; <b>2</b>"
    assert (item.original_url, item.canonical) == ("https://example.com/a", "https://example.com/c")
    assert item.enclosures == (Enclosure("https://example.com/a.mp3", "audio/mpeg", 9),)
    assert (item.authors, item.content, item.summary) == (("Edda",), "<p>x</p>", "s")
    assert item.published is not None
    assert item.modified is not None
    assert (item.published.tag, item.modified.tag) == ("published", "updated")


def test_an_update_never_becomes_a_publication() -> None:
    item = entry("<id>a</id><updated>2024-05-02T10:00:00Z</updated>")
    assert item.published is None
    assert item.modified_at == datetime(2024, 5, 2, 10, tzinfo=UTC)


def test_atom_03() -> None:
    fetch = read(
        '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Old</title><entry><id>a</id>'
        "<title mode='escaped'>&lt;b&gt;A&lt;/b&gt;</title><issued>2004-01-01T10:00:00Z</issued>"
        "<modified>2004-01-02T10:00:00Z</modified><created>2003-12-31T10:00:00Z</created></entry></feed>"
    )
    [item] = fetch.items
    assert (fetch.title, item.title) == ("Old", "<b>A</b>")
    assert item.published_at == datetime(2004, 1, 1, 10, tzinfo=UTC)
    assert item.modified_at == datetime(2004, 1, 2, 10, tzinfo=UTC)


def test_xml_base_resolves_before_the_feeds_own_address() -> None:
    feed = (
        f'<feed {ATOM} xml:base="https://base.example.com/blog/"><link rel="self" href="https://example.com/f"/>'
        '<entry xml:base="2024/"><id>1</id><link href="a.html"/></entry></feed>'
    )
    [item] = read(feed).items
    assert item.original_url == "https://base.example.com/blog/2024/a.html"


def test_podcast_fields() -> None:
    item = one(
        "<title>41: The Welder</title><enclosure url='https://cdn.example.com/41.mp3' length='1,2 MB'"
        " type='audio/mpeg'/><i:duration>41:07</i:duration><i:episode>41</i:episode>"
        "<i:author>Studio</i:author><i:image href='https://cdn.example.com/41.jpg'/>",
        'xmlns:i="http://www.itunes.com/DTDs/Podcast-1.0.dtd"',
    )
    assert item.enclosures == (Enclosure("https://cdn.example.com/41.mp3", "audio/mpeg", None, 2467),)
    assert (item.authors, item.images) == (("Studio",), ("https://cdn.example.com/41.jpg",))
    assert item.extra == {"episode": "41"}


def test_media_rss() -> None:
    item = one(
        "<title>A</title><m:group><m:content url='https://e.example/v.mp4' type='video/mp4' fileSize='5' "
        "duration='9'/><m:thumbnail url='https://e.example/t.jpg'/></m:group>"
        "<m:content url='https://e.example/p.jpg' medium='image'><m:title>another</m:title></m:content>",
        'xmlns:m="http://search.yahoo.com/mrss/"',
    )
    assert item.title == "A"
    assert item.enclosures == (Enclosure("https://e.example/v.mp4", "video/mp4", 5, 9),)
    assert item.images == ("https://e.example/p.jpg", "https://e.example/t.jpg")


def test_feedburner_address_and_doi() -> None:
    item = one(
        "<link>https://feeds.example.com/~r/a</link><f:origLink>https://example.com/a</f:origLink>"
        "<d:identifier>isbn:1</d:identifier><d:identifier>doi:10.1234/ABC</d:identifier>",
        'xmlns:f="http://rssnamespace.org/feedburner/ext/1.0" xmlns:d="http://purl.org/dc/elements/1.1/"',
    )
    assert (item.original_url, item.final_url) == ("https://feeds.example.com/~r/a", "https://example.com/a")
    assert item.extra == {"orig_link": "https://example.com/a"}
    assert item.ids == {"doi": "10.1234/abc"}


def test_json_feed_fields() -> None:
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "江湾",
        "home_page_url": "https://example.cn/",
        "feed_url": "https://example.cn/feed.json",
        "language": "zh-CN",
        "items": [
            {
                "id": 7,
                "url": "/a",
                "external_url": "https://other.example/a",
                "title": "夜骑",
                "content_html": "<p>x</p>",
                "summary": "s",
                "image": "/i.jpg",
                "date_published": "2024-05-01T10:00:00+08:00",
                "date_modified": "2024-05-02T10:00:00+08:00",
                "authors": [{"name": "Li"}, {"name": None}, 3],
                "attachments": [
                    {
                        "url": "/a.mp3",
                        "mime_type": "audio/mpeg",
                        "size_in_bytes": 5,
                        "duration_in_seconds": 6.5,
                    },
                    {"mime_type": "no address"},
                ],
            },
            {"id": "only", "title": 5, "url": ["wrong"], "authors": "wrong", "attachments": {}},
        ],
    }
    fetch = read(json.dumps(document))
    first, second = fetch.items
    assert (fetch.source, fetch.address, fetch.title) == (*["https://example.cn/feed.json"] * 2, "江湾")
    assert (first.guid, first.original_url, first.title) == ("7", "https://example.cn/a", "夜骑")
    assert (first.content, first.summary, first.authors) == ("<p>x</p>", "s", ("Li",))
    assert (first.language, first.images) == ("zh-CN", ("https://example.cn/i.jpg",))
    assert first.enclosures == (Enclosure("https://example.cn/a.mp3", "audio/mpeg", 5, 6),)
    assert first.extra == {"external_url": "https://other.example/a"}
    assert first.published is not None
    assert first.published.tag == "date_published"
    assert (second.guid, second.title, second.original_url) == ("only", "5", "")


def test_the_source_is_given_or_the_feeds_own_address_or_the_name() -> None:
    feed = f"<feed {ATOM}><link rel='self' href='https://example.com/f'/><entry><id>a</id></entry></feed>"
    assert read(feed, "mine").source == "mine"
    assert read(feed, "mine").items[0].source == "mine"
    assert read(feed).source == "https://example.com/f"
    assert read("<rss><channel/></rss>").source == "file"


def test_the_fetch_id_depends_on_source_time_and_bytes() -> None:
    feed = b"<rss><channel><item><guid>1</guid></item></channel></rss>"
    first = read(feed, "a")
    assert len(first.fetch_id) == 16
    assert first.fetch_id == read(feed, "a").fetch_id == first.items[0].fetch_id
    later = read_feed(feed, source="a", observed_at=AT.replace(hour=1), default_name="file")
    assert len({first.fetch_id, read(feed, "b").fetch_id, read(feed + b" ", "a").fetch_id, later.fetch_id}) == 4


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\x00\x01\x02", "plain text or binary"),
        (b"just words", "plain text or binary"),
        (b"<!DOCTYPE html><html><head></head></html>", "HTML page"),
        (b"<html><body><!-- <rdf:RDF> --></body></html>", "HTML page"),
        (b"<opml version='2.0'/>", "OPML"),
        (b"<urlset/>", "sitemap"),
        (b"<svg/>", "<svg>"),
        (b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", "RDF data"),
        (b'{"a": 1}', "no list named items"),
        (b"[1, 2]", "no list named items"),
        (b'{"a": ', "broken JSON"),
        (b"[" * 100_000, "JSON"),
        (b"< < <", "without any XML element"),
    ],
)
def test_what_is_no_feed_says_what_it_is(data: bytes, said: str) -> None:
    with pytest.raises(InvalidFeed, match=said) as caught:
        read(data)
    assert caught.value.where == "file"
    assert caught.value.code == "invalid_feed"


def test_a_feed_without_entries_is_a_feed() -> None:
    assert read("<rss version='2.0'><channel><title>T</title></channel></rss>").items == ()
    assert read(f"<feed {ATOM}/>").items == ()
