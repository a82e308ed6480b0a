"""The records of a store as a feed: which ones, in which order, and what is stored of them."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Final

from ..errors import InvalidInput, NotFound
from ..exports.addresses import PublicAddresses
from ..exports.entry import FeedEntry, FeedHead, make_entry, name_uuid, updated_at
from ..exports.feeds import FEED_FORMATS, render_feed
from ..exports.templates import web_address
from ..exports.xmltext import allowed_text
from ..ids import parse_id
from ..model import Item, Outcome, Record, ReviewState, Sighting, Source, Status
from ..stores.base import Store, Unit
from ..urls.source import source_identity
from .exportfile import Bytes, Export, Progress
from .stats import iter_pages

_CHUNK: Final = 50
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FeedOptions:
    """What a feed is asked for. ``limit`` 0 is no limit; ``url`` is where the feed itself will be read."""

    form: str = "atom"
    since: datetime | None = None
    source: str | None = None
    limit: int = 100
    title: str = ""
    url: str = ""
    with_secrets: bool = False


def export_feed(
    store: Store, options: FeedOptions, *, hold_review: bool = False, progress: Progress | None = None
) -> Export:
    """Return the newest records as a feed; what is rejected or merged is not in it.

    With ``hold_review`` neither is what waits for a verdict.

    Raises:
        InvalidInput: an option is wrong.
        NotFound: there is no such source.
    """
    if options.form not in FEED_FORMATS:
        raise InvalidInput(f"{options.form!r} is no format of a feed; use {', '.join(FEED_FORMATS)}", "format")
    if options.limit < 0:
        raise InvalidInput("is less than 0", "limit")
    url = web_address(options.url, "url") if options.url else ""
    with store.reading() as unit:
        source = find_source(unit, options.source) if options.source is not None else None

    def read(export: Export) -> Bytes:
        with store.reading() as unit:
            entries = _Reader(unit, export, options, source, hold_review).entries()
            first = next(entries, None)
            head = _head(unit, options, source, url, first.updated if first else _LONG_AGO)
            yield from render_feed(options.form, head, chain([first] if first else [], entries))

    return Export(read, progress)


def find_source(unit: Unit, text: str) -> Source:
    """Return the source of this name, address or id (``s3``). Raises NotFound."""
    known = parse_id(text)
    if known is not None and known[0] == "s":
        return unit.sources.get_source(known[1])
    found = unit.sources.find_source(source_identity(text))
    if found is None:
        raise NotFound(text)
    return found


class _Reader:
    """Reads the entries of one feed from one snapshot."""

    def __init__(
        self, unit: Unit, export: Export, options: FeedOptions, source: Source | None, hold_review: bool
    ) -> None:
        self._unit = unit
        self._export = export
        self._options = options
        self._source = source
        self._held = held_records(unit) if hold_review else frozenset()
        self._names = {known.id: known.name for known in unit.sources.list_sources()}

    def entries(self) -> Iterator[FeedEntry]:
        """Yield the entries, what changed last first."""
        limit = self._options.limit
        found = self._read(self._newest_first())
        return islice(found, limit) if limit else found

    def _newest_first(self) -> Iterable[int]:
        """Record ids. As many as are wanted; all, if only their sightings tell whether they are."""
        dated = ((updated_at(record), record.id) for record in self._live_records())
        few = self._options.limit if self._source is None else 0
        ordered = heapq.nlargest(few, dated) if few else sorted(dated, reverse=True)
        return [record_id for _, record_id in ordered]

    def _live_records(self) -> Iterator[Record]:
        since = self._options.since
        for page in iter_pages(self._unit):
            for record in page:
                live = record.status is Status.ACTIVE and record.id not in self._held
                if live and (since is None or updated_at(record) >= since):
                    yield record

    def _read(self, record_ids: Iterable[int]) -> Iterator[FeedEntry]:
        ids = iter(record_ids)
        while chunk := list(islice(ids, _CHUNK)):
            records = {record.id: record for record in self._unit.records.find_records(chunk)}
            sightings: dict[int, list[Sighting]] = {}
            for sighting in self._unit.records.get_sightings(chunk):
                sightings.setdefault(sighting.record_id, []).append(sighting)
            for record_id in chunk:
                seen = sightings.get(record_id, [])
                if seen and (self._source is None or any(s.source_id == self._source.id for s in seen)):
                    yield self._entry(records[record_id], seen)

    def _entry(self, record: Record, sightings: list[Sighting]) -> FeedEntry:
        public = PublicAddresses(with_secrets=self._options.with_secrets)
        version_id = record.current_version_id
        item = self._unit.records.get_item(version_id) if version_id else Item(sightings[0].source)
        entry = make_entry(record, item, sightings, self._names, public)
        self._export.leave_out("secret", len(public.hidden))
        self._export.advance(1)
        return entry


def held_records(unit: Unit) -> frozenset[int]:
    """Records whose own item was answered ``review`` and still waits: consumers were not told of them."""
    waiting = {review.decision_id for review in unit.reviews.find_reviews() if review.state is ReviewState.WAITING}
    decisions = [unit.journal.get_decision(decision_id) for decision_id in sorted(filter(None, waiting))]
    return frozenset(d.record_number for d in decisions if d.outcome is Outcome.REVIEW and d.record_number)


def _head(unit: Unit, options: FeedOptions, source: Source | None, url: str, updated: datetime) -> FeedHead:
    name = PublicAddresses(with_secrets=options.with_secrets).text(source.name) if source else "seenbefore"
    title = " ".join(allowed_text(options.title or name).split())
    return FeedHead(url or _feed_id(unit, source), title, url, updated)


def _feed_id(unit: Unit, source: Source | None) -> str:
    """The same for a database as long as it lives: its first decision never changes."""
    first = unit.journal.read(0, 1)
    decision = first[0].decision if first else None
    born = (decision.item.source, decision.item.title, decision.decided_at.isoformat()) if decision else ()
    return name_uuid("feed", source.identity if source else "", *born)
