"""What is done to the text of an address before it is parsed: it becomes what its writer meant."""

from __future__ import annotations

import re

from ..rules.values import is_host_name

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_EDGE = (
    "".join(map(chr, (*range(0x21), *range(0x7F, 0xA1), *range(0x2000, 0x2010))))
    + "\u1680\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)
"""Blanks, controls and zero width characters, which copying and pasting leave around an address."""

_AMPERSAND_ENTITY = re.compile(r"&(?:amp;|#0{0,9}38;)+")
_ENTITY_NUMBER = re.compile(r"#0{0,9}38;")
_BARE = re.compile(r"([^\s/?#:@\\%]{1,253})(?::[0-9]{1,5})?(/|$)")


def clean(url: str, trace: list[str]) -> str:
    """Return the address as its writer meant it: no blanks around it, no HTML entities, with a scheme.

    >>> clean("  //example.com/a?b=1&amp;c=2\\n", [])
    'https://example.com/a?b=1&c=2'
    >>> clean("www.example.com/a", [])
    'https://www.example.com/a'

    A word with a dot is no address, and a name of a file is none either.

    >>> clean("example.com", []), clean("notes.md/a", [])
    ('example.com', 'notes.md/a')
    """
    text = without_controls(url)
    if text != url:
        trace.append("cleaned")
    if "&amp;" in text or "38;" in text:
        unescaped = _unescape_ampersands(text)
        if unescaped != text:
            trace.append("&amp; is &")
            text = unescaped
    if not text.startswith(("https://", "http://")):
        if text.startswith("//") and not text.startswith("///"):
            trace.append("scheme added")
            return f"https:{text}"
        if _is_bare(text):
            trace.append("scheme added")
            return f"https://{text}"
    return text


def _is_bare(text: str) -> bool:
    """Whether a text is an address whose scheme is missing: it begins with a host name."""
    found = _BARE.match(text)
    if found is None or not (found[2] or found[1][:4].lower() == "www."):
        return False
    host = found[1].lower()
    return is_host_name(host if host.isascii() else _ascii_like(host))


def _ascii_like(host: str) -> str:
    """The host with letters of other scripts replaced: only its shape is looked at."""
    return "".join(char if char.isascii() or not char.isalnum() else "x" for char in host)


def without_controls(text: str) -> str:
    """Return the text without control characters anywhere, and without blanks at both ends.

    >>> without_controls("\\ufeffhttps://example.com/long\\r\\n/path "), without_controls("a b")
    ('https://example.com/long/path', 'a b')
    """
    text = text.strip(_EDGE)
    return text if text.isprintable() else _CONTROLS.sub("", text)


def unescape_query(query: str) -> str:
    """Return a query without ``&amp;``, which can appear only after decoding: ``&am%70;``."""
    return _AMPERSAND_ENTITY.sub("&", query)


def _unescape_ampersands(text: str) -> str:
    """The text with ``&amp;`` and ``&#038;`` between parameters as ``&``; a fragment stays as it is."""
    start = text.find("?")
    end = text.find("#")
    while end > 0 and text.endswith(("&", "&amp;"), 0, end) and (entity := _ENTITY_NUMBER.match(text, end)):
        end = text.find("#", entity.end())
    if end < 0:
        end = len(text)
    if not 0 <= start < end:
        return text
    return text[:start] + _AMPERSAND_ENTITY.sub("&", text[start:end]) + text[end:]
