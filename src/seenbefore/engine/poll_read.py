"""The body that a polled address gave → items, or the addresses that it lists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ..errors import InvalidFeed
from ..sources.autodiscovery import find_feeds
from ..sources.feed import read_feed
from ..sources.feedtypes import FeedFetch, ReadWarning
from ..sources.linklist import read_link_list
from ..sources.opml import is_opml, read_opml
from ..sources.sitemap import is_sitemap, read_sitemap


@dataclass(frozen=True, slots=True)
class Body:
    """What came from an address: ``url`` is where the bytes came from, ``charset`` what the server said of them."""

    data: bytes
    url: str
    charset: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Addresses that a list names. ``own`` says that each is a source of its own, else they belong to the list."""

    addresses: tuple[str, ...]
    own: bool
    warnings: tuple[ReadWarning, ...] = ()


def read_body(
    body: Body, source: str, observed_at: datetime, read_as: str = "auto", selector: str = ""
) -> FeedFetch | Listing:
    """Return one reading of a feed, sitemap or link list, or the addresses that a list names.

    >>> from datetime import UTC
    >>> at = datetime(2026, 1, 1, tzinfo=UTC)
    >>> feed = Body(b"<rss><channel><item><guid>1</guid><title>One</title></item></channel></rss>", "https://a.example/")
    >>> [item.title for item in read_body(feed, "a", at).items]
    ['One']
    >>> page = Body(b'<html><head><link rel="alternate" type="application/rss+xml" href="/feed"></head></html>',
    ...             "https://a.example/")
    >>> read_body(page, "a", at)
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidFeed: a: no feed, but an HTML page; it names https://a.example/feed

    Raises:
        InvalidFeed: nothing of this kind; for an HTML page the message names the feeds that it names.
    """
    if read_as == "links":
        return read_link_list(
            body.data, selector, source=source, observed_at=observed_at, address=body.url, charset=body.charset
        )
    if read_as == "sitemap" or (read_as == "auto" and is_sitemap(body.data)):
        sitemap = read_sitemap(
            body.data, source=source, observed_at=observed_at, address=body.url, charset=body.charset
        )
        return sitemap.fetch or Listing(sitemap.children, own=False, warnings=sitemap.warnings)
    if read_as == "auto" and is_opml(body.data):
        return Listing(tuple(feed.address for feed in read_opml(body.data, source, body.url)), own=True)
    try:
        return read_feed(body.data, source=source, observed_at=observed_at, default_name=source, charset=body.charset)
    except InvalidFeed as error:
        named = find_feeds(body.data, body.url, body.charset) if b"<" in body.data[:1024] else ()
        if not named:
            raise
        raise InvalidFeed(f"{error.message.partition(';')[0]}; it names {', '.join(named)}", source) from error
