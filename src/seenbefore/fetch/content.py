"""What kind of thing a body is: by its header, and by its first bytes where these say something else."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from email.message import Message
from typing import Final, NamedTuple

from ..errors import Refused
from .base import FetchKind

_BINARY: Final = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF-", b"PK\x03\x04", b"\x7fELF", b"RIFF", b"\x1f\x8b", b"MZ", b"OggS",
    b"ID3", b"\x00\x00\x00\x18ftyp", b"\x00\x00\x00\x20ftyp", b"Rar!", b"7z\xbc\xaf", b"BM6", b"\x00\x00\x01\x00",
)  # fmt: skip
"""How files begin that are no text."""

_PDF: Final = b"%PDF-"
_BLANKS: Final = b" \t\r\n\x0c"
_NEVER: Final = frozenset(
    {"utf-7", "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined", "mbcs", "oem"}
)
"""What Python can decode but no page is written in; UTF-7 hides markup in harmless letters."""


class Content(NamedTuple):
    """The content type without parameters, the charset (''= none that can be used), and notes."""

    type: str
    charset: str
    notes: tuple[str, ...]


def check_type(header: str, kind: FetchKind, types: Sequence[str], url: str = "") -> None:
    """Raise Refused when a header names a type that this kind of fetch does not read; none at all is looked into later.

    >>> check_type("text/html; charset=utf-8", FetchKind.PAGE, ("text/html",))
    >>> check_type("image/png", FetchKind.PAGE, ("text/html",))
    Traceback (most recent call last):
    ...
    seenbefore.errors.Refused: is image/png, which is not read as a page
    """
    given = _parse(header)[0]
    if given and given not in types and kind is not FetchKind.ROBOTS:  # whatever it is served as, it forbids
        raise Refused("content-type", f"is {given}, which is not read as a {kind.value}", url, content_type=given)


def read_content(header: str, body: bytes, kind: FetchKind, url: str = "") -> Content:
    """Return what a body is. Raises Refused when its first bytes are those of another kind of file."""
    given, charset = _parse(header)
    start = body.lstrip(_BLANKS)[:64]
    notes: list[str] = []
    if kind is not FetchKind.IMAGE and start.startswith(_BINARY) and not _is_packed_sitemap(start, kind):
        actual = "application/pdf" if start.startswith(_PDF) else "application/octet-stream"
        raise Refused("content-type", "is another kind of file than it says", url, content_type=actual)
    if not given and kind is not FetchKind.IMAGE:
        notes.append("content_type_sniffed")
        given = _sniff(start, kind, url)
    if kind is FetchKind.IMAGE and start.startswith(b"<") and "svg" not in given:
        raise Refused("content-type", "is no picture but a page", url, content_type="text/html")
    usable = _usable(charset)
    if charset and not usable:
        notes.append("charset_ignored")
    return Content(given, usable, tuple(notes))


def _is_packed_sitemap(start: bytes, kind: FetchKind) -> bool:
    return kind is FetchKind.SITEMAP and start.startswith(b"\x1f\x8b")


def _sniff(start: bytes, kind: FetchKind, url: str) -> str:
    text = start.removeprefix(codecs.BOM_UTF8).lstrip(_BLANKS)
    if kind is FetchKind.ROBOTS:
        return "text/plain"
    if text.startswith(b"<"):
        return "text/html" if kind is FetchKind.PAGE else "application/xml"
    if kind is FetchKind.FEED and text.startswith((b"{", b"[")):
        return "application/json"
    if kind is FetchKind.SITEMAP and (text.startswith(b"http") or start.startswith(b"\x1f\x8b")):
        return "text/plain"
    raise Refused("content-type", f"does not say what it is, and does not look like a {kind.value}", url)


def _parse(header: str) -> tuple[str, str]:
    """The type and the charset; of a header that was sent twice the first one counts."""
    header = header.partition(",")[0]
    message = Message()
    message["content-type"] = header.replace("\n", " ").replace("\r", " ")
    if not header.strip() or "/" not in header:
        return "", ""
    charset = message.get_param("charset", "")
    return message.get_content_type(), charset if isinstance(charset, str) else ""


def _usable(charset: str) -> str:
    """A charset that Python knows and that is safe to use, else ''."""
    label = charset.strip().strip("\"'").lower()
    try:
        b"a".decode(label or "undefined", "ignore")  # knows no codec that makes something else than text
        name = codecs.lookup(label).name.replace("_", "-")
    except (LookupError, ValueError):
        return ""
    return "" if name in _NEVER else label
