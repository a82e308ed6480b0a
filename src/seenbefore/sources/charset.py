"""Bytes of unknown encoding → text, by what is given, marked, declared and, last, tried."""

from __future__ import annotations

import codecs
import re
from typing import Final

from ..text.charset import codec, marked

_DECLARED: Final = re.compile(rb"^[^<]{0,200}<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([^\"'>]{1,40})[\"']", re.IGNORECASE)
_SINGLE_BYTE: Final = re.compile(r"(?:cp125\d|cp8\d\d|iso8859-|koi8-|mac-|tis-620)")


def decode(data: bytes, charset: str | None = None) -> tuple[str, str]:
    """Return the text of ``data``, and what had to be repaired in a few words ('' for nothing).

    >>> decode("<a>Zürich</a>".encode("cp1252"))
    ('<a>Zürich</a>', '')
    >>> decode("<a>東京</a>".encode("shift_jis"), "Shift_JIS")
    ('<a>東京</a>', '')

    A claim that the bytes contradict is not believed:

    >>> decode("<a>東京</a>".encode("utf-8"), "iso-8859-1")[0]
    '<a>東京</a>'

    The order is: byte order mark, the given ``charset``, the XML declaration, UTF-8, Windows-1252. The
    mark comes first because it is part of the bytes, while a server's header is often a default. For
    the same reason a claim loses to valid UTF-8 with longer characters, which other text resembles only
    by accident: one is enough against a single-byte charset, which can never fail, four against others.
    A few broken bytes in UTF-8 become U+FFFD instead of turning the whole text into another charset.
    """
    name, length = marked(data)
    return _decode_as(data[length:], name) if name else _decode_unmarked(data, charset)


def _decode_unmarked(data: bytes, charset: str | None) -> tuple[str, str]:
    declared = _declared(data)
    claims = [name for name in (codec(charset), declared) if name]
    utf8 = _strict(data, "utf-8")
    if utf8 is not None and (not claims or _is_utf8(claims[0], data)):
        return utf8, ""
    for name in claims:
        if utf8 is not None and _longer(utf8) >= (1 if _SINGLE_BYTE.match(name) else 4):
            return utf8, f"declared as {name}, read as utf-8"
        text = _strict(data, name)
        if text is not None:
            return text, ""
    if claims:
        text, note = _decode_as(data, claims[0])
        if claims[0] != "utf-8" or _mostly_readable(text):
            return text, note
    return _guess(data)


def _is_utf8(claim: str, data: bytes) -> bool:
    return claim == "utf-8" or (data.isascii() and not claim.startswith(("iso2022", "hz", "utf-")))


def _guess(data: bytes) -> tuple[str, str]:
    """Return UTF-8 with single broken bytes, or Windows-1252 when hardly anything is UTF-8."""
    text, note = _decode_as(data, "utf-8")
    if _mostly_readable(text):
        return text, note
    return data.decode("cp1252", "replace"), ""


def _mostly_readable(text: str) -> bool:
    broken = text.count("\ufffd")
    return _longer(text) - broken > broken


def _longer(text: str) -> int:
    """Return how many characters need more than one byte in UTF-8."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _decode_as(data: bytes, name: str) -> tuple[str, str]:
    text = _strict(data, name)
    if text is not None:
        return text, ""
    cut = codecs.getincrementaldecoder(name)("replace").decode(data, final=False)
    broken = cut.count("\ufffd")
    return cut, f"{broken} broken characters in {name}" if broken else f"the last character is cut in {name}"


def _strict(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError):
        return None


def _declared(data: bytes) -> str | None:
    """Return the codec that the XML declaration names; one that could not have spelled it is ignored."""
    match = _DECLARED.match(data[:600])
    name = codec(match[1].decode("ascii", "replace")) if match else None
    return None if name and name.startswith(("utf-16", "utf-32")) else name
