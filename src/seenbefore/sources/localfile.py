"""A file that holds no feed but lists pages: a sitemap, or a saved page whose links are wanted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ..errors import InvalidFeed
from .feedtypes import FeedFetch
from .fields import is_web_address
from .linklist import read_link_list
from .sitemap import is_sitemap, read_sitemap

READ_AS: Final = ("auto", "feed", "sitemap", "links")
"""What an input may be read as; ``auto`` tells feeds, sitemaps and OPML lists by their content."""


@dataclass(frozen=True, slots=True)
class ReadAs:
    """What inputs are read as: one of ``READ_AS``. Link lists need a CSS ``selector``."""

    kind: str = "auto"
    selector: str = ""


AUTO: Final = ReadAs()
"""What content says decides."""


def read_listing(data: bytes, read_as: ReadAs, *, source: str, observed_at: datetime) -> FeedFetch | None:
    """Return the pages that a file lists; None when it is to be read as a feed or as items.

    >>> from datetime import UTC
    >>> at = datetime(2026, 1, 1, tzinfo=UTC)
    >>> text = b"<urlset><url><loc>https://a.example/1</loc></url></urlset>"
    >>> [item.original_url for item in read_listing(text, ReadAs(), source="a", observed_at=at).items]
    ['https://a.example/1']
    >>> read_listing(text, ReadAs("feed"), source="a", observed_at=at) is None
    True
    >>> read_listing(b"<rss><channel/></rss>", ReadAs(), source="a", observed_at=at) is None
    True

    A file does not know where it was read, so what it names relatively is found from a source that is an address.

    Raises:
        InvalidFeed: no sitemap, an index of sitemaps (a file cannot fetch them), or no link is found.
        InvalidInput: the selector cannot be read.
        MissingExtra: nothing is installed that reads HTML.
    """
    if read_as.kind == "links":
        return _read_links(data, read_as.selector, source, observed_at)
    if read_as.kind == "sitemap" or (read_as.kind == "auto" and is_sitemap(data)):
        fetch = read_sitemap(data, source=source, observed_at=observed_at).fetch
        if fetch is None:
            raise InvalidFeed("an index of sitemaps, which have to be fetched; give its address", source)
        return fetch
    return None


def _read_links(data: bytes, selector: str, source: str, observed_at: datetime) -> FeedFetch:
    try:
        return read_link_list(data, selector, source=source, observed_at=observed_at)
    except InvalidFeed as error:
        if is_web_address(source):
            raise
        hint = f"{error.message}; relative links need --source with the address of the page"
        raise InvalidFeed(hint, source) from error
