"""Names and addresses of sources → the identity under which a source is stored once."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

_PAGES: Final = "page://"


def source_identity(name: str) -> str:
    """Return the identity of a source: addresses fold scheme, ``www.``, host case and final slash.

    >>> source_identity("https://www.Example.com/feed/") == source_identity("http://example.com/feed")
    True

    The query names the feed, and other names are taken as they are:

    >>> source_identity("https://example.com/feed?cat=1") == source_identity("https://example.com/feed?cat=2")
    False
    >>> source_identity("  My list ")
    'My list'
    """
    text = name.strip()
    scheme, separator, _ = text.partition("://")
    if not separator or scheme.lower() not in ("http", "https", "feed"):
        return text
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return text
    if not host:
        return text
    host = host.removeprefix("www.")
    if port and port not in (80, 443):
        host = f"{host}:{port}"
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{parts.path.rstrip('/')}{query}"


def page_source(host: str) -> str:
    """Return the name of the source that the pages of a host are.

    It is one of its own, so that what a feed says and what a page says never replace each other.

    >>> page_source("n.example"), is_page_source(page_source("n.example")), is_page_source("https://n.example/feed")
    ('page://n.example', True, False)
    """
    return f"{_PAGES}{host}"


def is_page_source(name: str) -> bool:
    """Return whether a source is the pages of a host."""
    return name.startswith(_PAGES)
