"""Entries → the bytes of a feed, one entry at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from . import atom, jsonfeed, rss
from .entry import FeedEntry, FeedHead


class _Form(NamedTuple):
    head: Callable[[FeedHead], str]
    entry: Callable[[FeedEntry], str]
    between: str
    tail: str


_FORMS: Final = {
    "atom": _Form(atom.atom_head, atom.atom_entry, "", atom.TAIL),
    "json": _Form(jsonfeed.json_head, jsonfeed.json_item, ",\n", jsonfeed.TAIL),
    "rss": _Form(rss.rss_head, rss.rss_item, "", rss.TAIL),
}
FEED_FORMATS: Final = tuple(_FORMS)


def render_feed(form: str, head: FeedHead, entries: Iterable[FeedEntry]) -> Iterator[bytes]:
    """Yield a feed in one of FEED_FORMATS, in UTF-8; equal values give equal bytes."""
    write = _FORMS[form]
    yield write.head(head).encode()
    for number, entry in enumerate(entries):
        yield ((write.between if number else "") + write.entry(entry)).encode()
    yield write.tail.encode()
