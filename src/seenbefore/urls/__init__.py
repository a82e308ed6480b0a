"""Addresses: the normal form under which spellings of one page address meet, and the keys made of it."""

from .normalize import (
    NormalizedUrl,
    normalize_or_literal,
    normalize_url,
    resolve_guid_url,
    site_keys,
    url_keys,
)

__all__ = [
    "NormalizedUrl",
    "normalize_or_literal",
    "normalize_url",
    "resolve_guid_url",
    "site_keys",
    "url_keys",
]
