"""An index page and a CSS selector → the pages that its links lead to, as items."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any, Final

from ..errors import InvalidFeed, InvalidInput, MissingExtra
from ..model import Item
from .charset import decode
from .entries import Digester, Entries
from .feed import fetch_id_of
from .feedtypes import FeedFetch, ReadWarning, Stamp
from .fields import absolute_url, is_web_address, storable

MOST_LINKS: Final = 5_000
"""Links taken from one page: more than any list a person wrote, fewer than ``a`` may find by accident."""


def read_link_list(
    data: bytes, selector: str, *, source: str, observed_at: datetime, address: str = "", charset: str | None = None
) -> FeedFetch:
    """Return the links of a page that the selector finds, in order and each once, as one fetch.

    >>> from datetime import UTC
    >>> page = b'''<html><body><nav><a href="/about">About</a></nav>
    ...   <article><h2><a href="/bridge#top">Crack in
    ...      the bridge</a></h2></article>
    ...   <article><h2><a href="/bridge#more">More</a></h2></article></body></html>'''
    >>> fetch = read_link_list(page, "article h2 a", source="https://news.example/all",
    ...                        observed_at=datetime(2026, 1, 1, tzinfo=UTC))
    >>> [(item.original_url, item.title) for item in fetch.items]
    [('https://news.example/bridge', 'Crack in the bridge')]

    The selector may find links or what holds them. Fragments lead to places in one page and are dropped;
    ``<base href>`` counts; only http and https are taken. ``address`` is where the page was read, if that is not
    the source. A page has no dates of its links, so none is made up.

    Raises:
        InvalidInput: the selector cannot be read.
        InvalidFeed: it finds no link.
        MissingExtra: nothing is installed that reads HTML.
    """
    text, _ = decode(data, charset)
    base = address or source
    found: dict[str, str] = {}
    for link, title in _links(text, selector, base):
        if not found.get(link):
            found[link] = title or found.get(link, "")
    if not found:
        raise InvalidFeed(f"no link is found by the selector {selector!r}", base)
    stamp = Stamp(source, fetch_id_of(source, observed_at, data), observed_at)
    digester = Digester("links", source)
    entries = [
        (digester.digest(f"{link}\0{title}".encode("utf-8", "replace")), partial(_item, stamp, link, title))
        for link, title in list(found.items())[:MOST_LINKS]
    ]
    over = len(found) - len(entries)
    warnings = (ReadWarning("limit_reached", f"{over} more links are left out"),) if over else ()
    return FeedFetch(source, "", "", stamp.fetch_id, observed_at, Entries(entries), warnings)


def _item(stamp: Stamp, link: str, title: str) -> Item:
    return Item(stamp.source, fetch_id=stamp.fetch_id, original_url=link, title=title, observed_at=stamp.observed_at)


def _links(text: str, selector: str, base: str) -> Iterator[tuple[str, str]]:
    """Yield absolute address and text of each link that the selector finds, or finds links in."""
    tree = _parse_html(text)
    element = tree.css_first("base[href]")
    if element is not None:
        base = absolute_url((element.attributes.get("href") or "").strip(), base) or base
    for node in find_nodes(tree, selector):
        for link in [node] if node.tag == "a" else node.css("a[href]"):
            address = absolute_url((link.attributes.get("href") or "").strip(), base).partition("#")[0]
            if is_web_address(address):
                yield storable(address), storable(" ".join(link.text().split()))


def find_nodes(tree: Any, selector: str) -> Any:
    """Return what the selector finds, in the order of the page. Raises InvalidInput."""
    try:
        return tree.css(selector)
    except Exception as error:  # the library has no error class of its own for this in all versions
        raise InvalidInput(f"{selector!r} is no CSS selector", "--links") from error


def _parse_html(text: str) -> Any:
    try:
        from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("pages", "reading links from a page") from error
    return LexborHTMLParser(text)
