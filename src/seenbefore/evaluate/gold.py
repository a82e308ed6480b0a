"""Labeled pairs of entries out of feed histories: what a line of a gold file says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urljoin, urlsplit

from ..errors import InvalidInput
from ..model import ItemRef, Outcome
from ..text.titles import clean_title

MERGED: Final = frozenset({Outcome.DUPLICATE, Outcome.UPDATE})
"""The answers that put two entries into one record."""

Place = tuple[str, str]
"""Feed and file name of a snapshot."""


@dataclass(frozen=True, slots=True)
class GoldEntry:
    """One entry of a pair, as its snapshot lists it. Empty strings: the entry has none."""

    feed: str
    file: str
    guid: str
    link: str
    title: str
    published: int | None

    @property
    def place(self) -> Place:
        """The snapshot it stands in."""
        return self.feed, self.file

    def is_named_by(self, item: ItemRef) -> bool:
        """Return whether an item of the snapshot is this entry.

        Titles are compared as the store tells sightings apart: an answer on a repeat may show the title as it
        was spelled first. The label may repeat a relative link as the feed has it; items carry the address it
        leads to.
        """
        if item.guid != self.guid or clean_title(item.title) != clean_title(self.title):
            return False
        if item.original_url == self.link:
            return True
        return bool(self.link) and not urlsplit(self.link).scheme and _leads_to(self.link, item.original_url)


@dataclass(frozen=True, slots=True)
class GoldRow:
    """A labeled pair: the right answer on ``b`` when ``a`` is stored, and what must not be called wrong."""

    id: str
    kind: str
    expect: Outcome
    accept: frozenset[Outcome]
    a: GoldEntry
    b: GoldEntry

    @property
    def is_same(self) -> bool:
        """Whether both are one article."""
        return self.expect in MERGED

    @property
    def may_merge(self) -> bool:
        """Whether one record for both is right, or cannot be called wrong."""
        return bool(MERGED & {self.expect, *self.accept})


def read_gold(path: str | Path) -> tuple[GoldRow, ...]:
    """Return the labeled pairs of a file, one JSON object per line.

    Raises:
        InvalidInput: the file cannot be read or holds no pair, or a line is none; names the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)) from error
    rows: dict[str, GoldRow] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        row = _row(_json(line, where), where)
        if row.id in rows:
            raise InvalidInput(f"the id {row.id!r} stands on an earlier line, too; give each pair its own", where)
        rows[row.id] = row
    if not rows:
        raise InvalidInput("holds no labeled pair; each line must be one", str(path))
    return tuple(rows.values())


def _row(value: Mapping[str, object], where: str) -> GoldRow:
    feed = _text(value, "feed", where)
    return GoldRow(
        id=_text(value, "id", where),
        kind=_text(value, "kind", where, default=""),
        expect=_outcome(value.get("expect"), "expect", where),
        accept=frozenset(_outcome(name, "accept", where) for name in _list(value, "accept", where)),
        a=_entry(value.get("a"), feed, "a", where),
        b=_entry(value.get("b"), _text(value, "feed_b", where, default=feed), "b", where),
    )


def _entry(value: object, feed: str, name: str, where: str) -> GoldEntry:
    if not isinstance(value, dict):
        raise InvalidInput(f"{name} must be an object that names an entry: file, guid, link, title, published", where)
    inside = f"{where}: {name}"
    published = value.get("published")
    if published is not None and (not isinstance(published, int) or isinstance(published, bool)):
        raise InvalidInput(f"published must be whole Unix seconds or null; not {published!r}", inside)
    entry = GoldEntry(
        feed,
        _text(value, "file", inside),
        _text(value, "guid", inside, default=""),
        _text(value, "link", inside, default=""),
        _text(value, "title", inside, default=""),
        published,
    )
    if not (entry.guid or entry.link or entry.title):
        raise InvalidInput("names no entry; it needs at least one of guid, link and title", inside)
    return entry


def _json(line: str, where: str) -> dict[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"is no JSON: {error}", where) from error
    if not isinstance(value, dict):
        raise InvalidInput("must be a JSON object with id, feed, a, b, expect and accept", where)
    return value


def _text(value: Mapping[str, object], name: str, where: str, *, default: str | None = None) -> str:
    found = value.get(name)
    if found is None and default is not None:
        return default
    if not isinstance(found, str) or (default is None and not found):
        raise InvalidInput(f"{name} must be a text{'' if default is None else ' or null'}; not {found!r}", where)
    return found or default or ""


def _list(value: Mapping[str, object], name: str, where: str) -> list[object]:
    found = value.get(name, [])
    if not isinstance(found, list):
        raise InvalidInput(f"{name} must be a list; not {found!r}", where)
    return found


def _outcome(value: object, name: str, where: str) -> Outcome:
    try:
        return Outcome(str(value))
    except ValueError:
        raise InvalidInput(f"{name} must be one of new, update, duplicate, review; not {value!r}", where) from None


def _leads_to(link: str, url: str) -> bool:
    return urljoin(url, link) == url or url.endswith("/" + link.removeprefix("./"))
