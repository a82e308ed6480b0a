"""A record and what is stored of it → one entry of a feed, the same one at every export."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import Final

from ..model import Enclosure, Item, Kind, Record, Sighting
from ..text.clean import one_spaced
from .addresses import PublicAddresses
from .html import plain_text, plain_title, public_html
from .words import language_tag, media_type
from .xmltext import allowed_text

_NAMESPACE: Final = bytes.fromhex("9d6c2a9e56f25d2b8c3fb25b54b6c4d1")


@dataclass(frozen=True, slots=True)
class Place:
    """A source that a record was seen at; ``url`` is its address of the article, ``feed_url`` its own one."""

    name: str
    url: str = ""
    feed_url: str = ""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """What a feed says of one record. ``html`` is sanitized, all other texts are plain; '' means nothing."""

    id: str
    record_id: str
    title: str
    url: str
    html: str
    summary: str
    authors: tuple[str, ...]
    language: str
    tags: tuple[str, ...]
    published: datetime
    updated: datetime
    enclosures: tuple[Enclosure, ...]
    images: tuple[str, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class FeedHead:
    """What a feed says of itself; ``url`` is its own address, if known."""

    id: str
    title: str
    url: str
    updated: datetime


def published_at(record: Record) -> datetime:
    """Return when the record was published: the earliest date known, and never later than it was first seen.

    A date in the future is a mistake, or a promise; it would keep the entry on top for ever.
    """
    return min(record.first_published_at or record.first_seen_at, record.first_seen_at)


def updated_at(record: Record) -> datetime:
    """Return when the record last said something new."""
    return record.content_updated_at or published_at(record)


def entry_id(sightings: Iterable[Sighting]) -> str:
    """Return the id of a record's entry: that of the sighting which was stored first.

    A sighting is never changed and belongs to one record. So updates, another primary source, late arrivals
    and merges keep the id (of two merged entries, the older one), and what is split off gets one of its own.
    """
    first = min(sightings, key=lambda sighting: sighting.id)
    return name_uuid(
        "entry", first.kind.value, first.source, first.guid, first.original_url, first.clean_title, str(first.slot)
    )


def name_uuid(*parts: str) -> str:
    """Return a UUID (version 5) as a URN; equal parts, equal UUID.

    >>> name_uuid("a", "b")
    'urn:uuid:8bb1cc55-ca80-56bd-bcc9-ba11d022f39f'
    >>> name_uuid("a", "b") == name_uuid("ab")
    False
    """
    name = "\0".join(parts).encode("utf-8", "surrogatepass")
    digest = bytearray(hashlib.sha1(_NAMESPACE + name, usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"urn:uuid:{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def make_entry(
    record: Record, item: Item, sightings: Sequence[Sighting], names: Mapping[int, str], public: PublicAddresses
) -> FeedEntry:
    """Return the entry of a record.

    Args:
        item: what the record's current version says.
        sightings: all of the record's.
        names: the names of the sources by their numbers.
        public: what may be shown; remembers what may not.
    """
    ordered = sorted(sightings, key=lambda s: _order(s, record))
    addresses = [record.url, *(sighting.original_url for sighting in ordered)]
    url = next(filter(None, map(public.web, dict.fromkeys(addresses))), "")
    places = _places(ordered, names, public)
    base = item.original_url or item.final_url or record.url or item.source
    body = _body(record, item, base, public)
    return FeedEntry(
        id=entry_id(sightings),
        record_id=record.record_id,
        title=public.text(plain_title(record.title)),
        url=url,
        html=body + _seen_at(places),
        summary=public.text(plain_text(item.summary)) if item.content.strip() else "",
        authors=_texts(item.authors, public),
        language=language_tag(item.language),
        tags=_texts(_tags(item), public),
        published=published_at(record),
        updated=updated_at(record),
        enclosures=_enclosures(item, base, public),
        images=_each_once(public.web(image, base) for image in item.images),
        places=places,
    )


def _order(sighting: Sighting, record: Record) -> tuple[bool, bool, int]:
    """The primary source first, with the address that the record is known by."""
    return (sighting.source_id != record.primary_source_id, sighting.original_url != record.url, sighting.id)


def _body(record: Record, item: Item, base: str, public: PublicAddresses) -> str:
    """The content, else the summary, else for a picture the picture."""
    raw = item.content if item.content.strip() else item.summary
    if raw.strip() or record.kind is not Kind.IMAGE:
        return public_html(raw, base, public)
    picture = public.web(item.original_url)
    return f'<p><img src="{escape(picture)}" alt="{escape(plain_title(record.title))}"></p>' if picture else ""


def _places(ordered: Iterable[Sighting], names: Mapping[int, str], public: PublicAddresses) -> tuple[Place, ...]:
    """The sources in order, each with the first of its addresses that may be shown."""
    found: dict[int, Place] = {}
    for sighting in ordered:
        name = names.get(sighting.source_id, sighting.source)
        place = found.get(sighting.source_id)
        if place is None:
            place = Place(public.text(one_spaced(allowed_text(name))), feed_url=public.web(name))
        if not place.url:
            place = replace(place, url=public.web(sighting.original_url))
        found[sighting.source_id] = place
    return tuple(found.values())


def _seen_at(places: Iterable[Place]) -> str:
    """A paragraph that names all sources, for readers that show nothing else of them."""
    named = (
        f'<a href="{escape(place.url)}" rel="noopener noreferrer">{escape(place.name)}</a>'
        if place.url
        else escape(place.name)
        for place in places
    )
    return f"<p>Seen at: {', '.join(named)}</p>"


def _texts(raw: Iterable[str], public: PublicAddresses) -> tuple[str, ...]:
    return _each_once(public.text(plain_title(text)) for text in raw)


def _each_once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _tags(item: Item) -> list[str]:
    """What the caller gave beside the item as ``tags`` or ``categories``."""
    given = [item.extra.get(name) for name in ("tags", "categories")]
    return [tag for tags in given if isinstance(tags, list) for tag in tags if isinstance(tag, str)]


def _enclosures(item: Item, base: str, public: PublicAddresses) -> tuple[Enclosure, ...]:
    shown = ((public.web(enclosure.url, base), enclosure) for enclosure in item.enclosures)
    return tuple(replace(e, url=url, type=media_type(e.type)) for url, e in shown if url)
