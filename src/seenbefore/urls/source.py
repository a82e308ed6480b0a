"""Names and addresses of sources → the identity under which a source is stored once."""

from __future__ import annotations

from urllib.parse import urlsplit


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
