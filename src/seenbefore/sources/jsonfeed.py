"""JSON Feed 1.0 and 1.1, read leniently: a field of the wrong type is left out, the entry stays."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from ..dates import parse_date
from ..errors import InvalidFeed
from ..model import DateEvidence, Enclosure, Item
from ..text.doi import normalize_doi
from .entries import Digester, Entries
from .feedtypes import ReadWarning, Stamp, empty_entries_warning
from .fields import absolute_url, is_web_address, storable

_ITEMS_START: Final = re.compile(r'"items"\s*:\s*\[')
_VERSION: Final = re.compile(r'"version"\s*:\s*"https?:(?:\\?/){2}(?:www\.)?jsonfeed\.org', re.IGNORECASE)


def is_json_feed(document: object) -> bool:
    """Return whether a decoded JSON value is a JSON Feed: it says so, or lists its items.

    >>> is_json_feed({"version": "https://jsonfeed.org/version/1.1", "items": []})
    True
    >>> is_json_feed({"url": "https://example.com/a", "title": "one item"})
    False
    """
    if not isinstance(document, dict):
        return False
    return "jsonfeed.org" in str(document.get("version", "")) or isinstance(document.get("items"), list)


def claims_json_feed(text: str) -> bool:
    """Return whether JSON text names the JSON Feed version, even when it cannot be decoded.

    >>> claims_json_feed('{"version": "https://jsonfeed.org/version/1", "items": [')
    True
    >>> claims_json_feed('{"version": "1"}')
    False
    """
    return _VERSION.search(text[:5000]) is not None


class JsonFeed:
    """A parsed JSON Feed; its items are built by :meth:`items`."""

    def __init__(self, text: str, where: str) -> None:
        self._warnings: list[ReadWarning] = []
        document = self._load(text, where)
        if not is_json_feed(document):
            raise InvalidFeed("JSON, but no JSON Feed: it has no list named items", where)
        assert isinstance(document, dict)
        entries = document.get("items")
        self._entries: list[object] = entries if isinstance(entries, list) else []
        self.title = _text(document, "title")
        address = _text(document, "feed_url").strip()
        self.address = address if is_web_address(address) else ""
        self._home = _text(document, "home_page_url")
        self._language = _text(document, "language")

    def items(self, stamp: Stamp) -> tuple[Entries, tuple[ReadWarning, ...]]:
        """Return the entries as items, and what had to be repaired or left out."""
        bases = (stamp.source, self.address, self._home)
        digester = Digester("json", self._language, *bases)
        found: list[tuple[bytes, Callable[[], Item]]] = []
        for entry in self._entries:
            item = _read_entry(entry, stamp, bases, self._language) if isinstance(entry, dict) else None
            if item is not None:
                raw = json.dumps(entry, ensure_ascii=True).encode()
                found.append((digester.digest(raw), partial(_same, item)))
        return Entries(found), (*self._warnings, *empty_entries_warning(len(self._entries) - len(found)))

    def _load(self, text: str, where: str) -> object:
        try:
            return json.loads(text, parse_constant=lambda _: None)
        except (ValueError, RecursionError) as error:
            said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            if not claims_json_feed(text):
                raise InvalidFeed(f"broken JSON that names no JSON Feed version ({said})", where) from error
            message = f"the JSON is broken ({said}); the entries before that are read"
            self._warnings.append(ReadWarning("truncated", message))
            return _salvage(text)


def _same(item: Item) -> Item:
    return item


def _salvage(text: str) -> dict[str, object]:
    """Return what can be decoded of a broken feed: its leading fields and whole entries."""
    decoder = json.JSONDecoder(parse_constant=lambda _: None)
    start = _ITEMS_START.search(text)
    head = text[: start.start()].rstrip().rstrip(",") + "}" if start else "{}"
    entries: list[object] = []
    at = start.end() if start else len(text)
    try:
        document = json.loads(head)
    except (ValueError, RecursionError):
        document = {}
    try:
        while (at := _skip(text, at)) < len(text) and text[at] != "]":
            entry, at = decoder.raw_decode(text, at)
            entries.append(entry)
    except (ValueError, RecursionError):
        pass
    return {**document, "items": entries} if isinstance(document, dict) else {"items": entries}


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t\r\n,":
        at += 1
    return at


def _read_entry(entry: dict[str, object], stamp: Stamp, bases: tuple[str, ...], language: str) -> Item | None:
    guid, title = _text(entry, "id"), _text(entry, "title")
    own, external = _text(entry, "url"), _text(entry, "external_url")
    link = absolute_url(own or external or (guid if is_web_address(guid) else ""), *bases)
    content = _text(entry, "content_html") or _text(entry, "content_text")
    summary = _text(entry, "summary")
    enclosures = tuple(e for part in _objects(entry.get("attachments")) if (e := _enclosure(part, bases)))
    if not (guid or link or title or content or summary or enclosures):
        return None
    doi = normalize_doi(_text(entry, "doi") or _text(entry, "_doi"))
    images = dict.fromkeys(absolute_url(_text(entry, name), *bases) for name in ("image", "banner_image"))
    return Item(
        source=stamp.source,
        fetch_id=stamp.fetch_id,
        guid=guid,
        original_url=link,
        title=title,
        summary=summary,
        content=content,
        authors=_authors(entry),
        language=_text(entry, "language") or language,
        ids={"doi": doi} if doi else {},
        enclosures=enclosures,
        images=tuple(image for image in images if image),
        published=_date(entry, "date_published"),
        modified=_date(entry, "date_modified"),
        observed_at=stamp.observed_at,
        extra={"external_url": absolute_url(external, *bases)} if external and own else {},
    )


def _text(fields: Mapping[str, object], name: str) -> str:
    """Return a string or number as text, '' for anything else."""
    value = fields.get(name)
    if isinstance(value, str):
        return storable(value.strip())
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def _objects(value: object) -> list[dict[str, object]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _authors(entry: Mapping[str, object]) -> tuple[str, ...]:
    people = _objects(entry.get("authors")) or _objects([entry.get("author")])
    names = dict.fromkeys(_text(person, "name") for person in people)
    return tuple(name for name in names if name)


def _date(entry: Mapping[str, object], name: str) -> DateEvidence | None:
    raw = _text(entry, name)
    return parse_date(raw, name) if raw else None


def _enclosure(part: Mapping[str, object], bases: tuple[str, ...]) -> Enclosure | None:
    address = absolute_url(_text(part, "url"), *bases)
    if not address:
        return None
    length, seconds = _count(part.get("size_in_bytes")), _count(part.get("duration_in_seconds"))
    return Enclosure(address, _text(part, "mime_type"), length, seconds)


def _count(value: object) -> int | None:
    """Return a JSON number as a whole count of at most 18 digits, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 10**18:
        return None
    return int(value)
