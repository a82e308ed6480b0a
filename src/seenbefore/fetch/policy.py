"""What may be fetched, how much of it, and how long that may take: data, one value per fetcher."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from .base import FetchKind

_MIB: Final = 1 << 20
_XML: Final = ("application/xml", "text/xml")

SIZES: Final[Mapping[FetchKind, int]] = MappingProxyType(
    {
        FetchKind.PAGE: 5 * _MIB,  # the longest of 1,829 real pages has 3.6 MB
        FetchKind.FEED: 20 * _MIB,
        FetchKind.SITEMAP: 50 * _MIB,  # what the protocol of sitemaps allows
        FetchKind.IMAGE: 20 * _MIB,
        FetchKind.ROBOTS: 5 * _MIB,  # of which robots.py reads the first 500 KiB
    }
)
"""Bytes of a body, after decoding."""

TYPES: Final[Mapping[FetchKind, tuple[str, ...]]] = MappingProxyType(
    {
        FetchKind.PAGE: ("text/html", "application/xhtml+xml"),
        FetchKind.FEED: (
            *_XML, "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/x-rss+xml",
            "application/feed+json", "application/json", "text/json", "text/x-opml", "application/opml+xml",
            "text/x-opml+xml", "text/html", "text/plain", "application/xhtml+xml", "text/rss", "text/atom",
            "application/rss", "application/atom", "text/rss+xml", "text/atom+xml",
        ),
        FetchKind.SITEMAP: (
            *_XML, "text/plain", "text/html", "application/gzip", "application/x-gzip", "application/octet-stream",
            "application/rss+xml", "application/atom+xml",
        ),
        FetchKind.IMAGE: (
            "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp", "image/tiff",
            "image/heic", "image/heif", "image/jxl", "image/pjpeg", "image/jpg", "image/x-png",
        ),
        FetchKind.ROBOTS: ("text/plain", "text/html", "text/x-robots", "text/robots", "text/txt"),
    }
)  # fmt: skip
"""Content types that are read. Feeds are served as about anything that is a text."""


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """What a fetcher may do. Times in seconds; ``total_s`` covers everything, redirects and names included.

    ``private_networks`` are CIDRs of your own that may be asked; ``proxy`` does the asking, if given, and then the
    checks of addresses are its job. ``verify`` is a file of certificates to trust in place of the system's.
    """

    ports: tuple[int, ...] = (80, 443)
    private_networks: tuple[str, ...] = ()
    contact: str = ""
    user_agent: str = ""
    sizes: Mapping[FetchKind, int] = field(default_factory=lambda: SIZES)
    types: Mapping[FetchKind, tuple[str, ...]] = field(default_factory=lambda: TYPES)
    encodings: tuple[str, ...] = ("gzip",)
    max_redirects: int = 8
    max_addresses: int = 4
    header_bytes: int = 64 << 10
    header_count: int = 200
    interim_answers: int = 8
    total_s: float = 60.0
    dns_s: float = 5.0
    connect_s: float = 10.0
    first_byte_s: float = 20.0
    idle_s: float = 15.0
    retry_after_s: float = 86400.0
    proxy: str = ""
    verify: str = ""
