"""Atom, RSS and JSON Feed: what stands where, checked with readers that are not ours."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import feedparser
import pytest
from lxml import etree

from seenbefore.exports.entry import FeedEntry, FeedHead, Place
from seenbefore.exports.feeds import FEED_FORMATS, render_feed
from seenbefore.model import Enclosure

PUBLISHED = datetime(2026, 3, 1, 8, 0, 0, 500, tzinfo=UTC)
UPDATED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
HEAD = FeedHead("urn:uuid:11111111-1111-5111-8111-111111111111", "News & more", "https://me.example/f?a=1&b=2", UPDATED)
FULL = FeedEntry(
    id="urn:uuid:22222222-2222-5222-8222-222222222222",
    record_id="r7",
    title='Vec<T> & "friends" <script>',
    url="https://news.example/a?b=1&c=2",
    html='<p>Text &amp; <b>more</b></p><p>Seen at: <a href="https://news.example/a">News</a>, Planet</p>',
    summary="Short & plain: <b>",
    authors=("Ann Example", "Bo <b>"),
    language="en-GB",
    tags=("bridges",),
    published=PUBLISHED,
    updated=UPDATED,
    enclosures=(
        Enclosure("https://news.example/a.mp3", "audio/mpeg", 1234, 60),
        Enclosure("https://news.example/b.pdf", "", None, None),
    ),
    images=("https://news.example/a.jpg?w=1&h=2", "https://news.example/b.jpg"),
    places=(
        Place("News", "https://news.example/a?b=1&c=2", "https://news.example/feed"),
        Place("Planet", "https://planet.example/x", ""),
        Place("Mirror & Co", "", ""),
    ),
)
BARE = FeedEntry(
    "urn:uuid:3", "r8", "", "", "<p>Seen at: s</p>", "", (), "", (), PUBLISHED, PUBLISHED, (), (), (Place("s"),)
)


def rendered(form: str, *entries: FeedEntry, head: FeedHead = HEAD) -> bytes:
    return b"".join(render_feed(form, head, entries))


def parsed(form: str, *entries: FeedEntry) -> Any:
    """What feedparser reads, with its own sanitizing off: it must get safe texts already."""
    found = feedparser.parse(rendered(form, *entries), sanitize_html=False)
    assert not found.bozo, found.bozo_exception
    return found


@pytest.mark.parametrize("form", FEED_FORMATS)
def test_equal_entries_give_equal_bytes(form: str) -> None:
    assert rendered(form, FULL, BARE) == rendered(form, FULL, BARE)


@pytest.mark.parametrize("form", ["atom", "rss"])
def test_readers_find_what_an_entry_holds(form: str) -> None:
    entry, bare = parsed(form, FULL, BARE).entries
    assert entry.id == FULL.id
    assert entry.link == FULL.url
    assert entry.content[-1].value == FULL.html
    assert entry.authors[0].name == "Ann Example"
    assert {tag.term for tag in entry.tags} == {"bridges", "News", "Planet", "Mirror & Co"}
    assert (entry.enclosures[0].href, entry.enclosures[0].type, entry.enclosures[0].length) == (
        "https://news.example/a.mp3",
        "audio/mpeg",
        "1234",
    )
    assert [m["url"] for m in entry.media_content if m.get("medium") == "image"] == list(FULL.images)
    assert entry.published_parsed[:6] == (2026, 3, 1, 8, 0, 0)
    assert entry.updated_parsed[:6] == (2026, 3, 2, 9, 30, 0)
    assert entry.source.title == "News"
    assert bare.id == "urn:uuid:3"
    assert not bare.get("links")


@pytest.mark.parametrize("form", ["atom", "rss"])
def test_the_feed_names_itself(form: str) -> None:
    feed = parsed(form, FULL).feed
    assert feed.title == "News & more"
    assert [link.href for link in feed.links if link.rel == "self"] == [HEAD.url]
    assert feed.updated_parsed[:6] == (2026, 3, 2, 9, 30, 0)


ATOM = "{http://www.w3.org/2005/Atom}"
DC = "{http://purl.org/dc/elements/1.1/}"


def test_atom_has_what_its_standard_asks_for() -> None:
    root = etree.fromstring(rendered("atom", FULL, BARE))
    for name in ("id", "title", "updated", "author"):
        assert len(root.findall(f"{ATOM}{name}")) == 1
    for entry in root.findall(f"{ATOM}entry"):
        for name in ("id", "title", "updated", "published", "content", "source"):
            assert len(entry.findall(f"{ATOM}{name}")) == 1, name
        assert all(author.findtext(f"{ATOM}name") for author in entry.findall(f"{ATOM}author"))
    first = root.find(f"{ATOM}entry")
    assert first is not None
    assert first.findtext(f"{ATOM}title") == FULL.title
    assert first.findtext(f"{ATOM}summary") == FULL.summary
    assert first.get("{http://www.w3.org/XML/1998/namespace}lang") == "en-GB"
    links = [(link.get("rel"), link.get("href"), link.get("title")) for link in first.findall(f"{ATOM}link")]
    assert links == [
        ("alternate", FULL.url, None),
        ("related", "https://planet.example/x", "Planet"),
        ("enclosure", "https://news.example/a.mp3", None),
        ("enclosure", "https://news.example/b.pdf", None),
    ]


def test_rss_has_what_its_standard_asks_for() -> None:
    root = etree.fromstring(rendered("rss", FULL, BARE))
    assert root.get("version") == "2.0"
    (channel,) = root
    assert all(channel.findtext(name) for name in ("title", "link", "description"))
    full, bare = channel.findall("item")
    (guid,) = full.findall("guid")
    assert (guid.text, guid.get("isPermaLink")) == (FULL.id, "false")
    (enclosure,) = full.findall("enclosure")
    assert dict(enclosure.attrib) == {"url": "https://news.example/a.mp3", "length": "1234", "type": "audio/mpeg"}
    assert full.findtext("{http://purl.org/rss/1.0/modules/content/}encoded") == FULL.html
    assert bare.findtext("description") == BARE.html
    assert full.find("source").get("url") == "https://news.example/feed"
    assert [e.text for e in full.findall("{http://purl.org/dc/elements/1.1/}source")] == [
        "News",
        "Planet",
        "Mirror & Co",
    ]
    assert bare.find("source") is None


def test_no_text_of_rss_can_be_taken_for_markup() -> None:
    """In RSS nothing says whether a title is text or HTML; descriptions are HTML."""
    item = etree.fromstring(rendered("rss", FULL))[0].find("item")
    assert item.findtext("title") == 'Vec‹T> & "friends" ‹script>'
    assert item.findtext("description") == "Short &amp; plain: &lt;b&gt;"
    assert [e.text for e in item.findall(f"{DC}creator")] == ["Ann Example", "Bo ‹b>"]


def test_json_feed_field_by_field() -> None:
    """Against https://www.jsonfeed.org/version/1.1/: names, types and what must be there."""
    feed = json.loads(rendered("json", FULL, BARE))
    assert {name: value for name, value in feed.items() if name != "items"} == {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "News & more",
        "feed_url": HEAD.url,
    }
    full, bare = feed["items"]
    assert full == {
        "id": FULL.id,
        "url": FULL.url,
        "title": FULL.title,
        "content_html": FULL.html,
        "summary": FULL.summary,
        "image": FULL.images[0],
        "date_published": "2026-03-01T08:00:00Z",
        "date_modified": "2026-03-02T09:30:00Z",
        "authors": [{"name": "Ann Example"}, {"name": "Bo <b>"}],
        "tags": ["bridges", "News", "Planet", "Mirror & Co"],
        "language": "en-GB",
        "attachments": [
            {
                "url": "https://news.example/a.mp3",
                "mime_type": "audio/mpeg",
                "size_in_bytes": 1234,
                "duration_in_seconds": 60,
            },
            {"url": "https://news.example/b.pdf", "mime_type": "application/octet-stream"},
        ],
        "_seenbefore": {
            "record_id": "r7",
            "sources": [
                {"name": "News", "url": FULL.url, "feed_url": "https://news.example/feed"},
                {"name": "Planet", "url": "https://planet.example/x"},
                {"name": "Mirror & Co"},
            ],
        },
    }
    assert bare == {
        "id": "urn:uuid:3",
        "content_html": BARE.html,
        "date_published": "2026-03-01T08:00:00Z",
        "date_modified": "2026-03-01T08:00:00Z",
        "tags": ["s"],
        "_seenbefore": {"record_id": "r8", "sources": [{"name": "s"}]},
    }


@pytest.mark.parametrize("form", FEED_FORMATS)
def test_an_empty_feed_is_a_feed(form: str) -> None:
    data = rendered(form, head=FeedHead("urn:uuid:1", "t", "", UPDATED))
    if form == "json":
        assert json.loads(data) == {"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": []}
        return
    found = feedparser.parse(data)
    assert not found.bozo
    assert (found.feed.title, found.entries) == ("t", [])
    assert not [link for link in found.feed.get("links", []) if link.rel == "self"]
