"""Entries as an RSS 2.0 feed, with the modules that readers know: content, Dublin Core, Media RSS, Atom."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from .entry import FeedEntry, FeedHead
from .words import UNKNOWN_TYPE, rss_time, w3c_time
from .xmltext import element

TAIL: Final = "</channel>\n</rss>\n"

_LIKE_A_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")


def rss_head(head: FeedHead) -> str:
    """Return everything before the first item."""
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"'
            ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
            ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/">',
            "<channel>",
            element("title", _plain(head.title)),
            element("link", head.url or head.id),
            element("description", _plain(head.title)),
            element("lastBuildDate", rss_time(head.updated)),
            element("generator", "seenbefore"),
            *([element("atom:link", rel="self", type="application/rss+xml", href=head.url)] if head.url else []),
            "",
        ]
    )


def rss_item(entry: FeedEntry) -> str:
    """Return one item. A summary beside a content is the description, else the content is."""
    source = entry.places[0] if entry.places else None
    html = ("content:encoded", "description") if entry.summary else ("description", "")
    parts = [
        *([element("title", _plain(entry.title))] if entry.title else []),
        *([element("link", entry.url)] if entry.url else []),
        element("guid", entry.id, isPermaLink="false"),
        element("pubDate", rss_time(entry.published)),
        element("atom:updated", w3c_time(entry.updated)),
        *(element("dc:creator", _plain(name)) for name in entry.authors),
        *(element("category", _plain(tag)) for tag in entry.tags),
        *(element("category", _plain(p.name), domain="urn:seenbefore:source") for p in entry.places),
        *([element("source", _plain(source.name), url=source.feed_url)] if source and source.feed_url else []),
        *(element("dc:source", _plain(place.name)) for place in entry.places),
        *([element("dc:language", entry.language)] if entry.language else []),
        *_files(entry),
        *(element("media:content", url=image, medium="image") for image in entry.images),
        *([element(html[1], escape(entry.summary, quote=False))] if html[1] else []),
        element(html[0], entry.html),
    ]
    return "<item>\n" + "\n".join(parts) + "\n</item>\n"


def _files(entry: FeedEntry) -> list[str]:
    """The first file as the enclosure, of which most readers take one, the others as media."""
    return [
        element("enclosure", url=e.url, length=str(e.length or 0), type=e.type or UNKNOWN_TYPE)
        if place == 0
        else element("media:content", url=e.url, fileSize=str(e.length or ""), type=e.type)
        for place, e in enumerate(entry.enclosures)
    ]


def _plain(text: str) -> str:
    """A text that no reader can take for markup: in RSS nothing says whether a title is text or HTML."""
    return _LIKE_A_TAG.sub("‹", text)
