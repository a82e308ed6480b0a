"""Repeats and new items, in memory: the single steps one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from ..model import Decision, VersionState
from .base import Address, Fresh, Identity, Listed
from .memory_journal import MemoryJournal
from .memory_records import MemoryRecords
from .memory_tables import Transaction


class MemoryBulk:
    """See ``base.Bulk``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._records = MemoryRecords(transaction)
        self._journal = MemoryJournal(transaction)

    def find_listed(self, source_id: int, digests: Iterable[bytes]) -> dict[bytes, Listed]:
        """Return the sighting per digest; unknown, empty and ambiguous digests are absent."""
        tables = self._transaction.tables
        found: dict[bytes, Listed] = {}
        for digest in set(digests) - {b""}:
            sightings = [tables.sightings[each] for each in tables.sightings_by_digest.get((source_id, digest), ())]
            good = [s for s in sightings if any(v.state is VersionState.GOOD for v in s.versions)]
            if len(good) == 1:
                sighting = good[0]
                name = (sighting.guid, sighting.original_url, sighting.clean_title, sighting.kind)
                identity = Identity(source_id, *name)
                seen = next(s for s in self._records.find_seen([identity])[identity] if s.sighting_id == sighting.id)
                title = next(v.title for v in reversed(sighting.versions) if v.state is VersionState.GOOD)
                record = tables.records[sighting.record_id]
                found[digest] = Listed(seen, identity, title, record.external_id, record.url, record.title)
        return found

    def find_held(self, addresses: Iterable[Address]) -> set[Address]:
        """Return those of these key addresses that a live record has and trusts."""
        return set(self._records.find_record_ids(addresses))

    def add_fresh(self, items: Sequence[Fresh]) -> list[Decision]:
        """Store new records with everything that belongs to them; return the decisions with id and seq."""
        for each in items:
            self._transaction.check_times(*_times(each))  # before the first one is written
        return [self._add(each) for each in items]

    def _add(self, fresh: Fresh) -> Decision:
        records = self._records
        record_id = records.add_record(replace(fresh.record, current_version_id=0))
        sighting_id = records.add_sighting(replace(fresh.sighting, record_id=record_id))
        version_id = records.add_version(sighting_id, fresh.version, fresh.item, fresh.observation_key)
        records.set_keys({record_id: fresh.keys})
        records.update_record(replace(fresh.record, id=record_id, current_version_id=version_id))
        decision = replace(fresh.decision, record_number=record_id)
        return self._journal.add_decision(decision, deliver=fresh.deliver, new_version_id=version_id)


def _times(fresh: Fresh) -> tuple[datetime | None, ...]:
    record, sighting = fresh.record, fresh.sighting
    return (
        record.first_seen_at,
        record.first_published_at,
        record.content_updated_at,
        sighting.first_seen_at,
        sighting.last_seen_at,
        fresh.version.captured_at,
        fresh.decision.decided_at,
    )
