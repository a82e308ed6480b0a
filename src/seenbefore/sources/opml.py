"""OPML, the lists of feeds that feed readers exchange → addresses of feeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..errors import InvalidFeed
from ..urls.source import source_identity
from .fields import absolute_url, is_web_address, storable
from .xmldocument import open_xml, parse_document

MOST_FEEDS: Final = 20_000
"""Feeds that are taken from one list; a reader's export holds some hundred."""

_PEEK: Final = 4096


@dataclass(frozen=True, slots=True)
class ListedFeed:
    """A feed that a list names."""

    address: str
    title: str = ""


def is_opml(head: bytes) -> bool:
    """Return whether a document with this beginning is an OPML list.

    >>> is_opml(b'<?xml version="1.0"?><opml version="1.1"><head/>'), is_opml(b"<rss><title>On opml</title>")
    (True, False)
    """
    return b"opml" in head[:_PEEK].lower().replace(b"\0", b"") and open_xml(head[:_PEEK]).root == "opml"


def read_opml(data: bytes, where: str, base: str = "") -> tuple[ListedFeed, ...]:
    """Return the feeds that an OPML list names, each once, in its order.

    >>> text = b'''<opml><body><outline text="News">
    ...   <outline type="rss" text="One" xmlUrl="https://one.example/feed" htmlUrl="https://one.example/"/>
    ...   <outline text="The same" xmlurl="http://www.one.example/feed/"/>
    ...   <outline text="A page, no feed" htmlUrl="https://two.example/"/>
    ... </outline></body></opml>'''
    >>> [(feed.title, feed.address) for feed in read_opml(text, "mine.opml")]
    [('One', 'https://one.example/feed')]

    Folders may be nested; spelling of the attribute does not matter, since programs differ. ``feed:`` addresses are
    read as what they stand for, relative ones against ``base``. Other lists that are included are not followed.

    Raises:
        InvalidFeed: no OPML, or it names no feed.
    """
    prepared = open_xml(data)
    root = parse_document(prepared.xml) if prepared.root == "opml" else None
    if root is None:
        raise InvalidFeed("no OPML list; give an export of a feed reader", where)
    found: dict[str, ListedFeed] = {}
    for outline in root.iter("{*}outline"):
        values = {str(name).lower(): str(value) for name, value in outline.attrib.items()}
        address = absolute_url(_without_feed_scheme(values.get("xmlurl", "").strip()), base)
        if is_web_address(address) and len(found) < MOST_FEEDS:
            title = storable((values.get("title") or values.get("text") or "").strip())
            found.setdefault(source_identity(address), ListedFeed(storable(address), title))
    if not found:
        raise InvalidFeed("an OPML list that names no feed (no xmlUrl with an address)", where)
    return tuple(found.values())


def _without_feed_scheme(address: str) -> str:
    """``feed://x`` means ``http://x``, ``feed:https://x`` means ``https://x``."""
    lower = address.lower()
    if lower.startswith("feed://"):
        return f"http://{address[7:]}"
    return address[5:] if lower.startswith("feed:http") else address
