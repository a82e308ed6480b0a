"""What a merge can touch, and the pictures that an undo goes by, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..model import Key, Review
from .base import Address
from .base_merges import Pair, Placed, RecordRow, Snapshot, pair_of
from .memory_records import MemoryRecords
from .memory_reviews import MemoryReviews
from .memory_tables import Transaction


class MemoryMerges:
    """See ``base_merges.Merges``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._records = MemoryRecords(transaction)
        self._reviews = MemoryReviews(transaction)

    def snapshot(self, record_ids: Iterable[int]) -> Snapshot:
        """Return these records with what belongs to them, and the merged ones that point at them."""
        tables = self._transaction.tables
        asked = frozenset(record_ids)
        wanted = sorted(asked & tables.records.keys())
        rows = {*wanted, *self.find_merged(wanted)}
        sightings = sorted(s for record_id in wanted for s in tables.sightings_by_record.get(record_id, ()))
        return Snapshot(
            records={record_id: RecordRow.of(tables.records[record_id]) for record_id in sorted(rows)},
            sightings={sighting_id: self._placed(sighting_id) for sighting_id in sightings},
            keys={
                (record_id, address): key
                for record_id in wanted
                for address, key in sorted(tables.keys.get(record_id, {}).items())
            },
            reviews={pair_of(review): review for review in self._reviews.find_reviews(wanted)},
            of=asked,
        )

    def _placed(self, sighting_id: int) -> Placed:
        sighting = self._transaction.tables.sightings[sighting_id]
        newest = max((version.id for version in sighting.versions), default=0)
        return Placed(sighting.record_id, sighting.times, sighting.last_fetch_no, newest, len(sighting.keys))

    def replace(self, old: Snapshot, new: Snapshot) -> None:
        """Write what differs; what only ``old`` has of keys and reviews goes."""
        transaction, tables = self._transaction, self._transaction.tables
        for record_id, row in new.records.items():
            if old.records.get(record_id) != row:
                transaction.need(tables.records, record_id, "record")
                self._records.update_record(replace(tables.records[record_id], **row._asdict()))
        for sighting_id, placed in new.sightings.items():
            known = old.sightings.get(sighting_id)
            if known is None or known.record_id != placed.record_id:
                self._records.move_sightings([sighting_id], placed.record_id)
        self._replace_keys(old, new)
        self._replace_reviews(old.reviews.keys() - new.reviews.keys(), new)

    def _replace_keys(self, old: Snapshot, new: Snapshot) -> None:
        changed = {place for place in old.keys.keys() | new.keys.keys() if old.keys.get(place) != new.keys.get(place)}
        rows: dict[int, dict[Address, Key]] = {}
        for record_id, address in changed:
            held = rows.setdefault(record_id, dict(self._transaction.tables.keys.get(record_id, {})))
            held.pop(address, None)
            if (record_id, address) in new.keys:
                held[address] = new.keys[record_id, address]
        self._records.set_keys({record_id: list(held.values()) for record_id, held in rows.items()})

    def _replace_reviews(self, gone: Iterable[Pair], new: Snapshot) -> None:
        reviews: dict[Pair, Review] = self._transaction.tables.reviews
        for pair in gone:
            self._transaction.drop(reviews, pair)
        for pair, review in new.reviews.items():
            if pair not in reviews:
                self._reviews.add_review(review)
            elif reviews[pair].state is not review.state:
                self._reviews.close_review(*pair, review.state)

    def add_images(self, event_id: int, before: Snapshot, after: Snapshot) -> None:
        """Keep what an event changed."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.need(tables.event_seqs, event_id, "event")
        transaction.check(event_id not in tables.images, "what an event changed is kept once")
        transaction.put(tables.images, event_id, (before, after))

    def find_images(self, event_id: int) -> tuple[Snapshot, Snapshot] | None:
        """Return what was kept of an event, before and after."""
        return self._transaction.tables.images.get(event_id)

    def find_merged(self, record_ids: Iterable[int]) -> list[int]:
        """Return the merged records that point at one of these, ascending."""
        merged = self._transaction.tables.merged_into
        return sorted({each for record_id in record_ids for each in merged.get(record_id, ())})
