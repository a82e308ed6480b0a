"""Bytes of a feed file → :class:`FeedFetch`: the one entry point for every feed format."""

from __future__ import annotations

import hashlib
from datetime import datetime

from ..errors import InvalidFeed
from .charset import decode
from .feedtypes import FeedDocument, FeedFetch, ReadWarning, Stamp
from .jsonfeed import JsonFeed
from .xmlfeed import XmlFeed

__all__ = ["FeedFetch", "ReadWarning", "read_feed"]


def read_feed(
    data: bytes, *, source: str | None, observed_at: datetime, default_name: str, charset: str | None = None
) -> FeedFetch:
    """Return one reading of a feed with every entry that can be read.

    >>> from datetime import UTC
    >>> at = datetime(2026, 1, 1, tzinfo=UTC)
    >>> feed = b'''<rss><channel><title>News</title>
    ...   <item><guid>7</guid><title>One</title><pubDate>Monday</pubDate></item></channel></rss>'''
    >>> fetch = read_feed(feed, source=None, observed_at=at, default_name="news")
    >>> fetch.source, [(item.guid, item.title, item.published_at) for item in fetch.items]
    ('news', [('7', 'One', None)])

    Nothing is no feed:

    >>> read_feed(b" ", source=None, observed_at=at, default_name="notes")
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidFeed: notes: the input is empty; fetch the feed again

    The source is the given one, else the feed's own address, else ``default_name``. ``charset`` is what
    a server said about the bytes. Damage (a cut end, a wrong charset, entities, empty entries) is told
    in ``warnings``; only bytes without any feed raise.

    Raises:
        InvalidFeed: an HTML page, another kind of XML or JSON, an empty file, or no text at all.
    """
    text, note = decode(data, charset)
    document = _open_document(text, default_name)
    name = source or document.address or default_name
    stamp = Stamp(name, fetch_id_of(name, observed_at, data), observed_at)
    items, warnings = document.items(stamp)
    if note:
        warnings = (ReadWarning("charset", note), *warnings)
    return FeedFetch(name, document.address, document.title, stamp.fetch_id, observed_at, items, warnings)


def _open_document(text: str, where: str) -> FeedDocument:
    start = text.lstrip("\ufeff\0 \t\r\n")
    if not start:
        raise InvalidFeed("the input is empty; fetch the feed again", where)
    if start[0] in "{[":
        return JsonFeed(start, where)
    if "<" not in start:
        raise InvalidFeed("no feed, but plain text or binary data; give an RSS, Atom or JSON feed", where)
    return XmlFeed(text, where)


def fetch_id_of(source: str, observed_at: datetime, data: bytes) -> str:
    """Return the same id for the same bytes, read from the same source at the same time."""
    digest = hashlib.sha256(f"{source}\0{observed_at.isoformat()}\0".encode("utf-8", "surrogatepass"))
    digest.update(data)
    return digest.hexdigest()[:16]
