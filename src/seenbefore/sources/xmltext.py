"""Feed text → the bytes that the XML parser gets: prolog cut off, references made harmless.

The parser never sees a DOCTYPE, so there are no entities to expand and nothing external to read. What
publishers get wrong is repaired before: text in front of the XML, HTML entities that XML does not
know, a bare ``&`` in an address, control characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html.entities import html5
from typing import Final

_CONTROLS: Final = bytes(code for code in range(0x20) if code not in (0x09, 0x0A, 0x0D))
# Numbers outside these common ranges are checked one by one in the repair.
_BAD_REFERENCE: Final = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos|#(?:3[2-9]|[4-9][0-9]|[1-9][0-9]{2,3})|#x(?:[2-9a-fA-F][0-9a-fA-F]|[23][0-9a-fA-F]{3}));)"
)
_REFERENCE: Final = re.compile(
    rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?:(#?[A-Za-z0-9_.:-]{1,40});)?|\xef\xbf[\xbe\xbf]",
    re.DOTALL,
)
_NUMBER: Final = re.compile(rb"#(?:([0-9]{1,8})|[xX]([0-9a-fA-F]{1,8}))\Z")
_ELEMENT: Final = re.compile(rb"<(?:([A-Za-z_][\w.-]*):)?([A-Za-z_][\w.-]*)")
_FEED_ROOT: Final = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:rss|rdf|feed|channel)[\s>]", re.IGNORECASE)
_DOCTYPE_PART: Final = re.compile(rb"\"[^\"]*\"|'[^']*'|<!--.*?-->|[\[\]>]", re.DOTALL)
_ENTITY: Final = re.compile(rb"<!ENTITY\s+(?:%\s+)?([A-Za-z_][\w.:-]*)")
_NONCHARACTER: Final = re.compile(rb"\xef\xbf[\xbe\xbf]")
_XML_NAMES: Final = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})


@dataclass(frozen=True, slots=True)
class XmlText:
    """XML from its root element on. ``root`` is its local name in lower case, '' when there is none."""

    xml: bytes
    root: str
    warnings: tuple[tuple[str, str], ...]


def prepare_xml(text: str) -> XmlText:
    """Return ``text`` as UTF-8 from its root element on, and what was taken out on the way.

    >>> prepare_xml('<br>Notice: x<?xml version="1.0"?><rss><title>a &nbsp;&amp; b?c&d</title></rss>').xml
    b'<rss><title>a &#160;&amp; b?c&amp;d</title></rss>'

    Entities that the document declares are dropped, never expanded:

    >>> bomb = prepare_xml('<!DOCTYPE rss [<!ENTITY a "ha">]><rss><title>1&a;2</title></rss>')
    >>> bomb.xml, bomb.warnings[0][0]
    (b'<rss><title>12</title></rss>', 'entities_declared')
    """
    data = text.encode("utf-8", "replace").translate(None, _CONTROLS)
    start, declared = _skip_prolog(data)
    root, start = _find_root(data, start)
    data = data[start:]
    warnings: list[tuple[str, str]] = []
    if declared:
        names = ", ".join(name.decode("utf-8", "replace") for name in sorted(declared)[:5])
        warnings.append(("entities_declared", f"the feed declares entities ({names}); they are dropped, not expanded"))
    # Two searches with a literal start each are several times as fast as one for either.
    if _BAD_REFERENCE.search(data) or _NONCHARACTER.search(data):
        data = _REFERENCE.sub(_reference_repair(declared), data)
    return XmlText(data, root, tuple(warnings))


def _skip_prolog(data: bytes) -> tuple[int, frozenset[bytes]]:
    """Return where the first element starts, and the names that a DOCTYPE before it declares."""
    at = 0
    declared: set[bytes] = set()
    while (at := data.find(b"<", at)) >= 0:
        if data.startswith(b"<?", at):
            at = _after(data, b"?>", at)
        elif data.startswith(b"<!--", at):
            at = _after(data, b"-->", at + 4)
        elif data[at : at + 9].upper() == b"<!DOCTYPE":
            end = _doctype_end(data, at + 9)
            declared.update(_ENTITY.findall(data, at, end))
            at = end
        elif _ELEMENT.match(data, at):
            return at, frozenset(declared)
        else:
            at += 1
    return len(data), frozenset(declared)


def _after(data: bytes, end: bytes, start: int) -> int:
    found = data.find(end, start)
    return found + len(end) if found >= 0 else len(data)


def _doctype_end(data: bytes, at: int) -> int:
    """Return the position after a DOCTYPE with its internal subset, quotes and comments."""
    depth = 0
    for part in _DOCTYPE_PART.finditer(data, at):
        token = part.group()
        if token == b"[":
            depth += 1
        elif token == b"]":
            depth -= 1
        elif token == b">" and depth <= 0:
            return part.end()
    return len(data)


def _find_root(data: bytes, start: int) -> tuple[str, int]:
    """Return the root's lower-case local name and position.

    A server's error message may stand in front of the feed as HTML; a whole HTML page is no feed, even
    when it holds some RDF.
    """
    match = _ELEMENT.match(data, start)
    if match is None:
        return "", start
    name = match[2].lower()
    if name not in (b"rss", b"rdf", b"feed", b"channel", b"html", b"head", b"body"):
        later = _FEED_ROOT.search(data, start)
        if later is not None and (match := _ELEMENT.match(data, later.start())) is not None:
            return match[2].lower().decode("ascii", "replace"), later.start()
    return name.decode("ascii", "replace"), start


def _reference_repair(declared: frozenset[bytes]) -> Callable[[re.Match[bytes]], bytes]:
    """Return a replacement for each ``&``: HTML names become numbers, declared ones nothing, others text."""

    def repair(match: re.Match[bytes]) -> bytes:
        whole, name = match.group(), match[1]
        if whole[:1] == b"<":
            return _NONCHARACTER.sub(b"", whole)
        if whole[:1] != b"&":
            return b""
        if name is None:
            return b"&amp;"
        if name in _XML_NAMES:
            return whole
        if name[:1] == b"#":
            return _repair_number(name)
        known = html5.get(name.decode("ascii") + ";")
        if known:
            return b"".join(b"&#%d;" % ord(character) for character in known)
        return b"" if name in declared else b"&amp;" + whole[1:]

    return repair


def _repair_number(name: bytes) -> bytes:
    """Return a reference to one character, nothing for a number that XML forbids, or the text as it is."""
    match = _NUMBER.match(name)
    if match is None:
        return b"&amp;" + name + b";"
    code = int(match[1]) if match[1] else int(match[2], 16)
    allowed = (
        code in (0x09, 0x0A, 0x0D) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code <= 0x10FFFF
    )
    return b"&#%d;" % code if allowed else b""
