"""Names of charsets as feeds, pages and servers write them, and the marks that bytes begin with."""

from __future__ import annotations

import codecs
import re
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NULS: Final = ((b"<\0", "utf-16-le"), (b"{\0", "utf-16-le"), (b"\0<", "utf-16-be"), (b"\0{", "utf-16-be"))
# What publishers mean when they write a name: the larger set that browsers read too
# (https://encoding.spec.whatwg.org/#names-and-labels).
_MEANT: Final = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-8-sig": "utf-8",
    "utf-16": "utf-16-le",
    "utf-32": "utf-32-le",
}
_ALIASES: Final = {"x-sjis": "cp932", "windows-31j": "cp932", "x-gbk": "gb18030", "x-euc-jp": "euc_jp"}
_FAMILIES: Final = re.compile(
    r"(?:utf-(?:8|16|32)|cp\d+|iso8859-\d+|koi8-[rut]|mac-|euc_|iso2022_|shift_|gb\d+|big5|johab|tis-620|hz)"
)
_NAME: Final = re.compile(r"[A-Za-z0-9._:-]{1,40}\Z")


def marked(data: bytes) -> tuple[str, int]:
    """Return the codec that the first bytes tell, and how many of them are a mark; ``('', 0)`` if they tell none.

    >>> marked("<a>".encode("utf-8-sig")), marked("<a>".encode("utf-16-be")), marked(b"<a>")
    (('utf-8', 3), ('utf-16-be', 0), ('', 0))
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name, len(mark)
    start = data[:64].lstrip(b" \t\r\n")
    return next(((name, 0) for nuls, name in _NULS if start.startswith(nuls)), ("", 0))


def codec(name: str | None) -> str | None:
    """Return Python's codec for a charset's name, or None for unknown names and codecs that are no charset.

    >>> codec("ISO-8859-1"), codec("Shift_JIS"), codec("utf8")
    ('cp1252', 'cp932', 'utf-8')
    >>> codec("rot13"), codec("utf-7"), codec("")
    (None, None, None)
    """
    if not name or not _NAME.match(name.strip(" \"'")):
        return None
    name = name.strip(" \"'").lower()
    try:
        known = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError):
        return None
    known = _MEANT.get(known, known)
    return known if _FAMILIES.match(known) else None
