"""Single values that feeds and item lists share: text that can be stored, addresses, durations."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urljoin

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WEB: Final = re.compile(r"https?://[^/\s]", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,7})(?:\.\d+)?\Z")


def storable(text: str) -> str:
    """Return ``text`` with the characters that no database takes (NUL, lone surrogates) as U+FFFD.

    >>> storable("a\\0b") == "a\\ufffdb", storable("日本 😀")
    (True, '日本 😀')
    """
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def is_web_address(text: str) -> bool:
    """Return whether ``text`` is shaped like an address of a page.

    >>> is_web_address("https://example.com/a"), is_web_address("tag:example.com,2024:a")
    (True, False)
    """
    return _WEB.match(text) is not None


def absolute_url(address: str, *bases: str) -> str:
    """Return ``address`` resolved against the first usable base; an absolute one comes back as it is.

    >>> absolute_url("/a?b=1", "", "https://example.com/feed.xml")
    'https://example.com/a?b=1'
    >>> absolute_url("HTTP://Example.com/%7Ea", "https://example.com/")
    'HTTP://Example.com/%7Ea'
    """
    address = address.strip()
    if not address or _SCHEME.match(address):
        return address
    for base in bases:
        if is_web_address(base):
            try:
                return urljoin(base, address)
            except ValueError:
                return address
    return address


def whole_number(text: str) -> int | None:
    """Return a count of bytes, or None for what is no plain number.

    >>> whole_number(" 1024 "), whole_number("1.2 MB")
    (1024, None)
    """
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def duration_seconds(text: str) -> int | None:
    """Return a running time in whole seconds, or None.

    >>> duration_seconds("1:02:03"), duration_seconds("62:03"), duration_seconds("3600")
    (3723, 3723, 3600)
    >>> duration_seconds("about an hour") is None
    True
    """
    text = text.strip()
    match = _CLOCK.match(text) if text.isascii() else None
    if match is None:
        return None
    return int(match[1] or 0) * 3600 + int(match[2] or 0) * 60 + int(match[3])
