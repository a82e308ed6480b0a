"""An HTML page that was taken for a feed → the feeds that it names."""

from __future__ import annotations

from typing import Final

from lxml import etree

from .charset import decode
from .fields import absolute_url, is_web_address, storable

MOST_NAMED: Final = 5
"""Feeds that a message names; pages with a feed per comment thread name hundreds."""

_PEEK: Final = 262_144
_FEED_TYPES: Final = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)


def find_feeds(data: bytes, base: str, charset: str | None = None) -> tuple[str, ...]:
    """Return the addresses of feeds that the head of a page names, in its order, each once.

    >>> page = b'''<html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml">
    ...   <link rel="alternate" hreflang="fr" href="/fr"><link rel="stylesheet" href="/a.css"></head></html>'''
    >>> find_feeds(page, "https://news.example/")
    ('https://news.example/feed.xml',)
    """
    text, _ = decode(data[:_PEEK], charset)
    parser = etree.HTMLParser(no_network=True, recover=True, huge_tree=False, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return ()
    if root is None:
        return ()
    found: dict[str, None] = {}
    for link in root.iter("link"):
        kind = (link.get("type") or "").partition(";")[0].strip().lower()
        address = absolute_url((link.get("href") or "").strip(), base)
        if "alternate" in (link.get("rel") or "").lower().split() and kind in _FEED_TYPES and is_web_address(address):
            found.setdefault(storable(address))
    return tuple(found)[:MOST_NAMED]
