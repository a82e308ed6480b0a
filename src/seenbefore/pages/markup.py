"""The HTML of a page as text that every parser can take: decoded, not too long, without what would stall it."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

from resiliparse.parse.encoding import detect_encoding

from ..text.charset import codec, marked
from .stalls import without_stalls

MOST_BYTES: Final = 8 << 20
"""Of longer pages the beginning is read; the longest of 1,829 real ones has 3.6 MB."""

_META_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_XML_CHARSET: Final = re.compile(rb"""\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})""")
_SNIFFED: Final = 4096
_JAPANESE: Final = b"\x1b$B"
"""What Japanese characters begin with in ISO-2022-JP, and nothing does in other text."""
_LOOKED_AT: Final = 1 << 18
"""Bytes from which a charset is guessed; more changes nothing."""


@dataclass(frozen=True, slots=True)
class Markup:
    """The HTML of a page as text and in UTF-8, the charset it came in, and notes on what did not fit.

    ``charset`` is '' for what came as text.
    """

    text: str
    body: bytes
    charset: str
    notes: tuple[str, ...] = ()


def read_markup(page: bytes | str, charset: str = "") -> Markup:
    """Return the HTML of a page, safe to parse. Never raises for what stands in it.

    >>> read_markup("<p>Brücke".encode("latin-1"), "iso-8859-1").text
    '<p>Brücke'
    >>> read_markup(b"<div>" * 30_000).notes
    ('too_deep',)

    ``charset`` is what the server said; a byte order mark is stronger, the page's own word weaker, and where neither
    fits it is what the bytes can be.

    >>> read_markup("<p>港の橋を架け替えることが決まりました".encode("euc_jp"), "utf-8").charset
    'euc_jp'
    """
    notes: tuple[str, ...] = ()
    if isinstance(page, str):
        text, used, body = page[:MOST_BYTES], "", b""
    else:
        body = page[:MOST_BYTES]
        text, used, notes = _decode(body, charset)
    if used != "utf-8" or notes or body.startswith(codecs.BOM_UTF8):
        body = text.encode("utf-8", "replace")
    if b"\0" in body:  # in bytes it is found ten times as fast
        text, body = text.replace("\0", "\ufffd"), body.replace(b"\0", "\ufffd".encode())
    body, stalls = without_stalls(body)
    if stalls:
        text, notes = body.decode("utf-8", "replace"), (*notes, *stalls)
    return Markup(text, body, used, notes)


def _decode(body: bytes, charset: str) -> tuple[str, str, tuple[str, ...]]:
    """The text, the charset that was used, and notes."""
    name, length = marked(body)
    if name:
        return body[length:].decode(name, "replace"), name, ()
    likely = "utf-8" if not body.isascii() else "iso2022_jp" if _JAPANESE in body else ""
    try:
        if likely:
            return body.decode(likely), likely, ()  # nothing else looks like these by chance
    except UnicodeDecodeError:
        pass
    notes = []
    for given in (charset, _declared(body)):
        name = codec(given) or ""
        if given and not name:
            notes.append("charset_ignored")
        if not name or name.startswith(("utf-16", "utf-32")):  # what begins like a page is none of these
            continue
        try:
            return body.decode(name), name, tuple(notes)
        except UnicodeDecodeError as error:
            if _is_small_flaw(body, error, name):
                return body.decode(name, "replace"), name, (*notes, "charset_flaw")
            notes.append("charset_wrong")
    text, name = _guess(body)
    return text, name, tuple(dict.fromkeys(notes))


def _declared(body: bytes) -> str:
    start = body[:_SNIFFED]
    found = _XML_CHARSET.search(start) or _META_CHARSET.search(start)
    return found[1].decode("ascii") if found else ""


def _is_small_flaw(body: bytes, error: UnicodeDecodeError, name: str) -> bool:
    """Whether a wrong byte stands alone: a cut character or one in another charset, in a page that fits otherwise."""
    text = body.decode(name, "replace")
    wrong = text.count("\ufffd")
    right = len(text) - len(text.encode("ascii", "ignore")) - wrong
    return wrong <= max(right // 20, error.start >= len(body) - 4)


def _guess(body: bytes) -> tuple[str, str]:
    if body.isascii():
        return body.decode("ascii"), "utf-8"
    name = codec(detect_encoding(body[:_LOOKED_AT])) or "cp1252"
    return body.decode(name, "replace"), name
