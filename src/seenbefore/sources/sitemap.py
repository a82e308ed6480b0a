"""Sitemaps (XML with the news and image extensions, text, gzip) → items, or the sitemaps that an index names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from lxml import etree

from ..dates import parse_date
from ..errors import InvalidFeed
from ..model import Item
from .charset import decode
from .entries import Digester, Entries
from .feed import fetch_id_of
from .feedtypes import FeedFetch, ReadWarning, Stamp
from .fields import absolute_url, is_web_address, storable
from .names import local_name
from .xmldocument import open_xml, parse_document, unpack
from .xmlfeed import describe_root

MOST_PAGES: Final = 50_000
"""Pages in one sitemap: the limit of the protocol. What follows is left out and told."""

MOST_SITEMAPS: Final = 1_000
"""Sitemaps that are taken from one index. The protocol allows 50,000, which nobody wants to poll by accident."""

_ROOTS: Final = frozenset({"urlset", "sitemapindex"})
_PEEK: Final = 4096


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One reading of a sitemap: ``fetch`` holds its pages, or ``children`` the sitemaps that an index names."""

    fetch: FeedFetch | None
    children: tuple[str, ...] = ()
    warnings: tuple[ReadWarning, ...] = ()


def is_sitemap(data: bytes) -> bool:
    """Return whether the document is an XML sitemap or an index of them, compressed or not.

    >>> is_sitemap(b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"/>')
    True
    >>> is_sitemap(b"<rss><channel><title>urlset</title></channel></rss>")
    False
    """
    head = data[: _PEEK * 16]
    if head.startswith(b"\x1f\x8b"):
        try:
            head = unpack(data, "")
        except InvalidFeed:
            return False
    head = head[:_PEEK]
    return any(root.encode() in head for root in _ROOTS) and open_xml(head).root in _ROOTS


def read_sitemap(
    data: bytes, *, source: str, observed_at: datetime, address: str = "", charset: str | None = None
) -> Sitemap:
    """Return what a sitemap lists.

    >>> from datetime import UTC
    >>> text = b'''<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
    ...     xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url>
    ...   <loc>https://news.example/bridge</loc><lastmod>2024-05-02</lastmod>
    ...   <news:news><news:publication_date>2024-05-01T08:00:00Z</news:publication_date>
    ...     <news:title>Crack in the bridge</news:title></news:news></url></urlset>'''
    >>> [item] = read_sitemap(text, source="s", observed_at=datetime(2026, 1, 1, tzinfo=UTC)).fetch.items
    >>> item.original_url, item.title, item.published.tag, item.modified.raw
    ('https://news.example/bridge', 'Crack in the bridge', 'news:publication_date', '2024-05-02')

    ``lastmod`` is a change and never a publication; a page without a date of the news extension has none:

    >>> text = b"<urlset><url><loc>/a</loc><lastmod>2024-05-02</lastmod></url></urlset>"
    >>> [item] = read_sitemap(text, source="https://a.example/sitemap.xml",
    ...                       observed_at=datetime(2026, 1, 1, tzinfo=UTC)).fetch.items
    >>> item.original_url, item.published
    ('https://a.example/a', None)

    ``address`` is where it was read, if that is not the source. A text sitemap is one address per line.

    Raises:
        InvalidFeed: no sitemap.
    """
    base = address or source
    data = unpack(data, base)
    prepared = open_xml(data, charset)
    stamp = Stamp(source, fetch_id_of(source, observed_at, data), observed_at)
    if prepared.root not in _ROOTS:
        return _read_lines(decode(data, charset)[0], stamp, base, prepared.root)
    root = parse_document(prepared.xml)
    if root is None:
        raise InvalidFeed("no sitemap: its XML cannot be read", base)
    warnings = tuple(ReadWarning(code, message) for code, message in prepared.warnings)
    if prepared.root == "sitemapindex":
        return _read_index(root, base, warnings)
    entries = [element for element in root.iter("{*}url") if element.getparent() is root]
    digester = Digester("sitemap", base)
    found = [pair for element in entries[:MOST_PAGES] if (pair := _entry(element, stamp, base, digester))]
    return _as_fetch(found, stamp, (*warnings, *_left_out(len(entries), MOST_PAGES, "pages")))


def _read_index(root: etree._Element, base: str, warnings: tuple[ReadWarning, ...]) -> Sitemap:
    places = [_text_of(element, "loc") for element in root.iter("{*}sitemap")]
    found = dict.fromkeys(a for place in places if place and is_web_address(a := absolute_url(place, base)))
    more = _left_out(len(found), MOST_SITEMAPS, "sitemaps")
    return Sitemap(None, tuple(list(found)[:MOST_SITEMAPS]), (*warnings, *more))


def _read_lines(text: str, stamp: Stamp, base: str, root: str) -> Sitemap:
    lines = [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    if not lines or not all(is_web_address(line) and not line.split()[1:] for line in lines):
        what = describe_root(root).partition(";")[0] if root else "something else"
        raise InvalidFeed(f"no sitemap, but {what}", base)
    digester = Digester("sitemap", base)
    found: list[tuple[bytes, Callable[[], Item]]] = [
        (digester.digest(line.encode("utf-8", "replace")), partial(_bare, stamp, line))
        for line in dict.fromkeys(lines[:MOST_PAGES])
    ]
    return _as_fetch(found, stamp, _left_out(len(lines), MOST_PAGES, "pages"))


def _bare(stamp: Stamp, address: str) -> Item:
    return Item(stamp.source, fetch_id=stamp.fetch_id, original_url=storable(address), observed_at=stamp.observed_at)


def _as_fetch(
    found: list[tuple[bytes, Callable[[], Item]]], stamp: Stamp, warnings: tuple[ReadWarning, ...]
) -> Sitemap:
    fetch = FeedFetch(stamp.source, "", "", stamp.fetch_id, stamp.observed_at, Entries(found), warnings)
    return Sitemap(fetch, (), warnings)


def _left_out(count: int, most: int, what: str) -> tuple[ReadWarning, ...]:
    if count <= most:
        return ()
    return (ReadWarning("limit_reached", f"lists {count} {what}; the first {most} are taken"),)


def _entry(
    element: etree._Element, stamp: Stamp, base: str, digester: Digester
) -> tuple[bytes, Callable[[], Item]] | None:
    address = absolute_url(_text_of(element, "loc"), base)
    if not is_web_address(address):
        return None
    raw = etree.tostring(element, encoding="utf-8", xml_declaration=False, with_tail=False)
    return digester.digest(raw), partial(_read_entry, element, stamp, address)


def _read_entry(element: etree._Element, stamp: Stamp, address: str) -> Item:
    news = next(element.iterchildren("{*}news"), None)
    published = _text_of(news, "publication_date") if news is not None else ""
    modified = _text_of(element, "lastmod")
    images = (_text_of(image, "loc") for image in element.iterchildren("{*}image"))
    return Item(
        stamp.source,
        fetch_id=stamp.fetch_id,
        original_url=storable(address),
        title=_text_of(news, "title") if news is not None else "",
        language=next((_text_of(part, "language") for part in _publications(news)), ""),
        images=tuple(dict.fromkeys(url for image in images if is_web_address(url := absolute_url(image, address)))),
        published=parse_date(published, "news:publication_date") if published else None,
        modified=parse_date(modified, "lastmod") if modified else None,
        observed_at=stamp.observed_at,
    )


def _publications(news: etree._Element | None) -> Iterator[etree._Element]:
    if news is not None:
        yield from news.iterchildren("{*}publication")


def _text_of(parent: etree._Element, name: str) -> str:
    """The text of the first child of this name, whatever namespace it is given."""
    for child in parent:
        if local_name(child) == name:
            return storable("".join(child.itertext()).strip())
    return ""
