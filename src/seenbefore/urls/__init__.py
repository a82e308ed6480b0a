"""Addresses: what one says about its page, whether two are one page, and the keys made of it."""

from .identify import UrlIdentity, identify, url_key
from .keys import GLOBAL_IDS, named_keys, resolve_guid_url, url_keys
from .same import same_page

__all__ = [
    "GLOBAL_IDS",
    "UrlIdentity",
    "identify",
    "named_keys",
    "resolve_guid_url",
    "same_page",
    "url_key",
    "url_keys",
]
