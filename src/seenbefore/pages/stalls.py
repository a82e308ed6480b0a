"""What would keep a parser busy for minutes: found in a fraction of the time of parsing, and taken out before.

Parsers hold each open element against those around it, and each attribute of a tag against those before it. Both are
fine for pages and quadratic for what only somebody wrote who wants to stop a program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from ..text.clean import TAG_REST

MANY_TAGS: Final = 20_000
"""Pages with fewer are not looked through: even if all of them were open, a parser would be done in a second."""
DEEPEST: Final = 1500
"""Elements open within each other. Browsers stop at 512; of 1,829 real pages none comes near."""
MOST_ATTRIBUTES: Final = 2000
"""Different ones of one tag. 2,000 take a parser some ms, 20,000 a second, 80,000 half a minute. Tags have a few dozen;
what looks like a tag in the scripts of 1,147 pages has up to 756."""
LONG_TAG: Final = 8000
"""Bytes. Each tag twice as long is looked at; a shorter one cannot have attributes enough to matter."""

_NESTING_TAG: Final = re.compile(
    rb"<(/?)(?!(?:p|li|t[dhr]|d[td]|option|br|hr|img|input|meta|link|area|base|col|embed|source|track|wbr|param|tbody"
    rb"|thead|html|head|body|path|circle|rect|use|polygon|line|stop|ellipse)\b)[a-zA-Z][^<>]*+>"
)
_ENDS_LOOKED_AT: Final = 50
_WORK: Final = 20
"""How often each byte may be read, on average, in search of long tags; real pages stay under 2."""
_SPACES: Final = b" \t\r\n\f"
_QUOTES: Final = (b'"', b"'")
_TAG_START: Final = re.compile(rb"<[a-zA-Z]")
_TAG: Final = re.compile(rb"(<[a-zA-Z][^\s/>]*+)" + TAG_REST.encode())
_END_OF_SCRIPT: Final = re.compile(rb"</script", re.IGNORECASE)
_APART: Final = bytes.maketrans(b"/\"'", b"   ")
"""What ends an attribute, beside spaces: each name begins behind one of them."""
_ATTRIBUTE: Final = re.compile(rb"""([^\s/>=]++)\s*+(?:=\s*+(?:"[^"]*+"?|'[^']*+'?|[^\s>]*+))?+""")


def without_stalls(page: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return a page in UTF-8 without what stalls a parser, and what that was: ``too_deep``, ``too_many_attributes``.

    A page that nests deeper than any real one ends where it does (elements that pages leave open, ``p``, ``li`` and
    cells, do not count); a tag with more attributes than any real one loses them all.

    >>> without_stalls(b"<p>One" * 30_000) == (b"<p>One" * 30_000, ())
    True
    >>> html, notes = without_stalls(b"<div>" * 30_000)
    >>> len(html), notes
    (7500, ('too_deep',))
    >>> without_stalls(b"<b " + b" ".join(b"a%d" % n for n in range(9000)) + b">Text</b>")
    (b'<b>Text</b>', ('too_many_attributes',))
    """
    notes = []
    shallow = _without_depths(page)
    if shallow is not page:
        notes.append("too_deep")
    bare = _without_crowds(shallow)
    if bare is not shallow:
        notes.append("too_many_attributes")
    return bare, tuple(notes)


def _without_depths(page: bytes) -> bytes:
    if len(page) < 3 * MANY_TAGS or _count_tags(page) < MANY_TAGS:
        return page
    open_ones = 0
    for tag in _NESTING_TAG.finditer(page):
        open_ones += -1 if tag[1] else 1
        if open_ones > DEEPEST:
            return page[: tag.start()]
        open_ones = max(open_ones, 0)
    return page


def _count_tags(page: bytes) -> int:
    return int(np.count_nonzero(np.frombuffer(page, np.uint8) == ord("<")))  # a sixth of the time of page.count


def _without_crowds(page: bytes) -> bytes:
    """A page in which no long tag has too many attributes.

    A tag that is long enough covers a whole window, and within a tag every ``>`` stands in a quoted value. So one ``>``
    that does not shows that no tag covers its window, and almost always that is the first one.
    """
    quotes = _Quotes(page)
    kept: list[bytes] = []
    at = cleared = work = 0
    for window in range(0, len(page) - LONG_TAG, LONG_TAG):
        end = _sure_end(page, window, quotes)
        if end >= 0:
            cleared = end
            continue
        last = page.rfind(b">", cleared, window)
        if last >= 0 and not _Quotes(page).may_hold(last):
            cleared = last
        for tag in _tags(page, cleared, window):
            work += len(tag[0])
            if work > _WORK * len(page):
                return b"".join([*kept, page[at : tag.start()]])
            if tag.start() >= at and _is_crowd(tag):
                kept += [page[at : tag.start()], tag[1] + b">"]
                script = _END_OF_SCRIPT.search(page, tag.start(), tag.end())  # then it is no tag, but a part of one
                at = script.start() if script else tag.end()
        cleared = window + 1
    return b"".join([*kept, page[at:]]) if kept else page


def _sure_end(page: bytes, window: int, quotes: _Quotes) -> int:
    """Return the first ``>`` of a window that surely stands in no quoted value; -1 if there is none among the first."""
    at = window - 1
    for _ in range(_ENDS_LOOKED_AT):
        at = page.find(b">", at + 1, window + LONG_TAG)
        if at < 0 or not quotes.may_hold(at):
            return at
    return -1


class _Quotes:
    """Tells of places in a page, asked for in order, whether they may stand in a quoted value."""

    def __init__(self, page: bytes) -> None:
        self._page = page
        self._known = 0
        self._opened = dict.fromkeys(_QUOTES, False)

    def may_hold(self, at: int) -> bool:
        """Whether the last quote of either kind before it opens a value; any other closes one or is none."""
        for quote in _QUOTES:
            last = self._page.rfind(quote, self._known, at)
            if last >= 0:
                before = self._page[max(0, last - 40) : last].rstrip(_SPACES)
                self._opened[quote] = not before or before.endswith(b"=")
        self._known = at
        return any(self._opened.values())


def _tags(page: bytes, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """Every tag that may begin there: one of them may be a word of a script, and hide that another one begins."""
    for begin in _TAG_START.finditer(page, start, end + 2):
        tag = _TAG.match(page, begin.start())
        if tag is not None:
            yield tag


def _is_crowd(tag: re.Match[bytes]) -> bool:
    if len(tag[0]) < LONG_TAG or len(tag[0].translate(_APART).split()) <= MOST_ATTRIBUTES:  # a few ns a byte
        return False
    return len(set(_ATTRIBUTE.findall(tag[0], len(tag[1])))) > MOST_ATTRIBUTES
