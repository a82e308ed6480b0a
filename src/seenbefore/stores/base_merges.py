"""The role of a unit that merges and undos are written through; see ``base`` for the rest.

A merge and its undo are one and the same write in two directions: rows that stood one way stand another
way afterwards. So all that is asked of a store is to read the rows that a merge can touch, to replace them
by others, and to keep both pictures beside the event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol

from ..model import Key, Record, Review, Status

Pair = tuple[int, int]
"""Two record ids, the smaller one first."""

KeyPlace = tuple[int, tuple[str, str, str]]
"""A record id and the (kind, scope, value) of one of its keys."""


class RecordRow(NamedTuple):
    """What is stored of a record and may change. When it was last seen is never stored."""

    status: Status
    survivor_id: int | None
    title: str
    url: str
    external_id: str | None
    primary_source_id: int
    current_version_id: int
    first_seen_at: datetime
    first_published_at: datetime | None
    content_updated_at: datetime | None

    @classmethod
    def of(cls, record: Record) -> RecordRow:
        """Return the row of a record."""
        return cls(
            record.status,
            record.survivor_id,
            record.title,
            record.url,
            record.external_id,
            record.primary_source_id,
            record.current_version_id,
            record.first_seen_at,
            record.first_published_at,
            record.content_updated_at,
        )


class Placed(NamedTuple):
    """The record a sighting stands in, and how far it had come: a repeat, a version or a key more shows here."""

    record_id: int
    times: int
    last_fetch_no: int
    newest_version_id: int
    key_count: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Rows as they stand at one moment. A row that is absent is not there (keys, reviews) or not asked for.

    ``of`` are the records that were asked for.
    """

    records: Mapping[int, RecordRow] = field(default_factory=dict)
    sightings: Mapping[int, Placed] = field(default_factory=dict)
    keys: Mapping[KeyPlace, Key] = field(default_factory=dict)
    reviews: Mapping[Pair, Review] = field(default_factory=dict)
    of: frozenset[int] = field(default=frozenset(), compare=False)


class Merges(Protocol):
    """What a merge can touch, read and written as a whole; and the pictures that an undo goes by."""

    def snapshot(self, record_ids: Iterable[int]) -> Snapshot:
        """These records, their sightings, keys and reviews, and the rows of merged records that point at them.

        Unknown ids are absent.
        """

    def replace(self, old: Snapshot, new: Snapshot) -> None:
        """Writes what differs: records and places as in ``new``; keys and reviews that only ``old`` has go.

        Of a sighting only its record is written. Raises StoreError for unknown records and sightings, and
        when a strong key would belong to two records.
        """

    def add_images(self, event_id: int, before: Snapshot, after: Snapshot) -> None:
        """Keeps what an event changed, once and for all. Raises StoreError for an unknown event or a second time."""

    def find_images(self, event_id: int) -> tuple[Snapshot, Snapshot] | None:
        """What was kept of an event, before and after; None for events that moved nothing."""

    def find_merged(self, record_ids: Iterable[int]) -> list[int]:
        """Merged records that point at one of these, ascending."""


def pair_of(review: Review) -> Pair:
    """Return the two records of a review.

    >>> from ..model import ReviewState
    >>> pair_of(Review(7, 3, None, ReviewState.WAITING, datetime(2024, 1, 1)))
    (3, 7)
    """
    return (min(review.record_id, review.other_id), max(review.record_id, review.other_id))
