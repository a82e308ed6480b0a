"""Entries as an Atom feed (RFC 4287), with pictures as Media RSS."""

from __future__ import annotations

from typing import Final

from .entry import FeedEntry, FeedHead, Place, name_uuid
from .words import w3c_time
from .xmltext import element

TAIL: Final = "</feed>\n"


def atom_head(head: FeedHead) -> str:
    """Return everything before the first entry. The feed names itself as author, for entries without one."""
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">',
            element("id", head.id),
            element("title", head.title, type="text"),
            element("updated", w3c_time(head.updated)),
            f"<author>{element('name', head.title)}</author>",
            element("generator", "seenbefore"),
            *([element("link", rel="self", type="application/atom+xml", href=head.url)] if head.url else []),
            "",
        ]
    )


def atom_entry(entry: FeedEntry) -> str:
    """Return one entry; other sources' addresses of it are ``related`` links that carry the source's name."""
    others = {place.url: place.name for place in reversed(entry.places) if place.url not in ("", entry.url)}
    parts = [
        element("id", entry.id),
        element("title", entry.title, type="text") if entry.title else "<title/>",
        element("published", w3c_time(entry.published)),
        element("updated", w3c_time(entry.updated)),
        *(f"<author>{element('name', name)}</author>" for name in entry.authors),
        *([element("link", rel="alternate", href=entry.url)] if entry.url else []),
        *(element("link", rel="related", href=url, title=name) for url, name in reversed(others.items())),
        *_enclosures(entry),
        *(element("media:content", url=image, medium="image") for image in entry.images),
        *(element("category", term=tag) for tag in entry.tags),
        *(element("category", term=place.name, scheme="urn:seenbefore:source") for place in entry.places),
        *(_source(place) for place in entry.places[:1]),
        *([element("summary", entry.summary, type="text")] if entry.summary else []),
        element("content", entry.html, type="html"),
    ]
    language = f' xml:lang="{entry.language}"' if entry.language else ""
    return f"<entry{language}>\n" + "\n".join(parts) + "\n</entry>\n"


def _enclosures(entry: FeedEntry) -> list[str]:
    return [
        element("link", rel="enclosure", href=e.url, type=e.type, length="" if e.length is None else str(e.length))
        for e in entry.enclosures
    ]


def _source(place: Place) -> str:
    """The feed that the shown text comes from."""
    link = element("link", rel="self", href=place.feed_url) if place.feed_url else ""
    feed_id = element("id", place.feed_url or name_uuid("source", place.name))
    return f"<source>{feed_id}{element('title', place.name, type='text')}{link}</source>"
