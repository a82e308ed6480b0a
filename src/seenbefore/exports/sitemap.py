"""Addresses and dates → sitemaps, cut where the protocol wants it (sitemaps.org)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from .words import w3c_time
from .xmltext import element

MOST_URLS: Final = 50_000
MOST_BYTES: Final = 50 * 1024 * 1024

_XML: Final = b'<?xml version="1.0" encoding="utf-8"?>\n'
_NAMESPACE: Final = b'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HEAD: Final = _XML + b"<urlset " + _NAMESPACE + b">\n"
TAIL: Final = b"</urlset>\n"


def url_element(address: str, changed_at: datetime) -> bytes:
    r"""Return one address with the time when it last said something new.

    >>> from datetime import UTC
    >>> url_element("https://me.example/?a=1&b=2", datetime(2026, 1, 31, 8, tzinfo=UTC))
    b'<url><loc>https://me.example/?a=1&amp;b=2</loc><lastmod>2026-01-31T08:00:00Z</lastmod></url>\n'
    """
    return f"<url>{element('loc', address)}{element('lastmod', w3c_time(changed_at))}</url>\n".encode()


class Cutter:
    """Says which file an element belongs to, counted from 1.

    >>> cutter = Cutter(most_urls=2)
    >>> [cutter.place(b"<url/>") for _ in range(5)]
    [1, 1, 2, 2, 3]
    """

    def __init__(self, most_urls: int = MOST_URLS, most_bytes: int = MOST_BYTES) -> None:
        self._most_urls = most_urls
        self._most_bytes = most_bytes - len(HEAD) - len(TAIL)
        self._urls = self._bytes = 0
        self.files = 1

    def place(self, element: bytes) -> int:
        """Return the number of the file that this element, the next one, goes into."""
        self._urls += 1
        self._bytes += len(element)
        if self._urls > self._most_urls or self._bytes > self._most_bytes:
            self.files += 1
            self._urls, self._bytes = 1, len(element)
        return self.files


def part_names(name: str, files: int) -> list[str]:
    """Return the names of the files that an index called ``name`` leads to.

    >>> part_names("sitemap.xml", 2), part_names("map", 1)
    (['sitemap-1.xml', 'sitemap-2.xml'], ['map-1'])
    """
    stem, dot, suffix = name.rpartition(".")
    if not stem:
        stem, dot, suffix = name, "", ""
    return [f"{stem}-{number}{dot}{suffix}" for number in range(1, files + 1)]


def index_chunks(addresses: Iterable[str]) -> Iterator[bytes]:
    """Yield the index of sitemaps that lie at these addresses."""
    yield _XML + b"<sitemapindex " + _NAMESPACE + b">\n"
    for address in addresses:
        yield f"<sitemap>{element('loc', address)}</sitemap>\n".encode()
    yield b"</sitemapindex>\n"
