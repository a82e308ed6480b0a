"""Records, their sightings, versions and keys, in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from ..errors import NotFound
from ..model import Item, Key, Record, Sighting, Status, Strength, Version, VersionState
from .base import Address, Identity, Seen, Touch
from .memory_tables import Tables, Transaction
from .rows import item_from_json, item_json
from .runs import add_to_runs, in_runs


class MemoryRecords:
    """See ``base.Records``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    @property
    def _tables(self) -> Tables:
        return self._transaction.tables

    # --- finding ---

    def find_seen(self, identities: Sequence[Identity]) -> dict[Identity, list[Seen]]:
        """Return stored sightings per identity, by slot; identities without any are absent."""
        tables = self._tables
        found: dict[Identity, list[Seen]] = {}
        for identity in identities:
            sightings = [tables.sightings[each] for each in tables.sightings_by_identity.get(identity, ())]
            if sightings:
                sightings.sort(key=lambda sighting: sighting.slot)
                found[identity] = [self._seen(each) for each in sightings]
        return found

    def _seen(self, sighting: Sighting) -> Seen:
        tables = self._tables
        beside = tables.sightings_by_record.get(sighting.record_id, ())
        sources = [tables.sightings[each].source_id for each in beside]
        is_alone = sources.count(sighting.source_id) == 1
        return _seen(sighting, tables.records[sighting.record_id], is_alone)

    def find_record_ids(self, addresses: Iterable[Address], *, limit: int | None = None) -> dict[Address, list[int]]:
        """Return the records per key address, ascending; merged records and distrusted keys are left out."""
        start = None if limit is None else -limit
        found = {address: self._find_holders(address)[start:] for address in addresses}
        return {address: holders for address, holders in found.items() if holders}

    def _find_holders(self, address: Address) -> list[int]:
        tables = self._tables
        return sorted(
            record_id
            for record_id in tables.holders.get(address, ())
            if tables.keys[record_id][address].strength is not Strength.DISTRUSTED
            and tables.records[record_id].status is not Status.MERGED
        )

    def get_sightings(self, record_ids: Iterable[int]) -> list[Sighting]:
        """Return all sightings of these records with keys and versions (oldest first), by id."""
        tables = self._tables
        wanted = {each for record_id in record_ids for each in tables.sightings_by_record.get(record_id, ())}
        return [tables.sightings[sighting_id] for sighting_id in sorted(wanted)]

    def find_records(
        self, record_ids: Iterable[int] | None = None, *, limit: int | None = None, after: int = 0
    ) -> list[Record]:
        """Return records by ascending id; with ``record_ids`` only those (unknown ids are absent)."""
        records = self._tables.records
        wanted = sorted(records if record_ids is None else set(record_ids))
        found = (records[record_id] for record_id in wanted if record_id > after and record_id in records)
        return [self._with_last_seen(record) for record in islice(found, limit)]

    def _with_last_seen(self, record: Record) -> Record:
        tables = self._tables
        seen = [tables.sightings[each].last_seen_at for each in tables.sightings_by_record.get(record.id, ())]
        return replace(record, last_seen_at=max(seen, default=record.first_seen_at))

    def get_item(self, version_id: int) -> Item:
        """Return the item as it arrived; raises NotFound."""
        stored = self._tables.items.get(version_id)
        if stored is None:
            raise NotFound(f"version {version_id}")
        return item_from_json(stored)

    # --- writing ---

    def add_record(self, record: Record) -> int:
        """Return the id of a new record."""
        record_id = self._transaction.next_id("record")
        self._put_record(replace(record, id=record_id))
        return record_id

    def update_record(self, record: Record) -> None:
        """Replace all fields of a stored record; raises NotFound."""
        if record.id not in self._tables.records:
            raise NotFound(f"r{record.id}")
        self._put_record(record)

    def _put_record(self, record: Record) -> None:
        transaction, tables = self._transaction, self._tables
        transaction.need(tables.sources, record.primary_source_id, "source")
        transaction.need(tables.items, record.current_version_id or None, "version")
        transaction.need(tables.records, record.survivor_id, "record")
        merged = record.status is Status.MERGED
        transaction.check(merged == (record.survivor_id is not None), "merged records have a survivor, others none")
        transaction.check(record.survivor_id != record.id, "no record survives itself")
        transaction.check_times(
            record.first_seen_at, record.last_seen_at, record.first_published_at, record.content_updated_at
        )
        self._index_survivor(tables.records.get(record.id), record)
        transaction.put(tables.records, record.id, record)

    def _index_survivor(self, before: Record | None, after: Record) -> None:
        was, merged = before.survivor_id if before else None, self._tables.merged_into
        if was == after.survivor_id:
            return
        if was is not None:
            self._transaction.put(merged, was, merged[was] - {after.id})
        if after.survivor_id is not None:
            others = merged.get(after.survivor_id, frozenset())
            self._transaction.put(merged, after.survivor_id, others | {after.id})

    def add_sighting(self, sighting: Sighting) -> int:
        """Return the id of a new sighting, stored without its versions."""
        transaction, tables = self._transaction, self._tables
        transaction.need(tables.records, sighting.record_id, "record")
        transaction.need(tables.sources, sighting.source_id, "source")
        transaction.check(sighting.slot >= 0 and sighting.times > 0, "slots from 0, times from 1")
        transaction.check_times(sighting.first_seen_at, sighting.last_seen_at)
        identity = _identity(sighting)
        others = tables.sightings_by_identity.get(identity, ())
        taken = any(tables.sightings[other].slot == sighting.slot for other in others)
        transaction.check(not taken, "this sighting is stored already")
        sighting_id = transaction.next_id("sighting")
        source = tables.sources[sighting.source_id].identity
        self._put_sighting(replace(sighting, id=sighting_id, source=source, versions=()))
        transaction.put(tables.sightings_by_identity, identity, (*others, sighting_id))
        self._attach(sighting_id, sighting.record_id)
        return sighting_id

    def touch(self, touches: Sequence[Touch]) -> None:
        """Record unchanged repeats; raises StoreError for an unknown sighting."""
        for touch in touches:
            self._transaction.need(self._tables.sightings, touch.sighting_id, "sighting")
            self._transaction.check_times(touch.seen_at)
            self._put_sighting(_touched(self._tables.sightings[touch.sighting_id], touch))

    def move_sightings(self, sighting_ids: Sequence[int], record_id: int) -> None:
        """Put sightings, with their versions, under another record; raises StoreError for an unknown one."""
        transaction, tables = self._transaction, self._tables
        transaction.need(tables.records, record_id, "record")
        for sighting_id in set(sighting_ids):
            transaction.need(tables.sightings, sighting_id, "sighting")
            sighting = tables.sightings[sighting_id]
            left = tables.sightings_by_record[sighting.record_id] - {sighting_id}
            transaction.put(tables.sightings_by_record, sighting.record_id, left)
            self._put_sighting(replace(sighting, record_id=record_id))
            self._attach(sighting_id, record_id)

    def add_version(self, sighting_id: int, version: Version, item: Item, observation_key: str) -> int:
        """Return the id of a new version, stored with the item as it arrived."""
        transaction, tables = self._transaction, self._tables
        transaction.need(tables.sightings, sighting_id, "sighting")
        transaction.check(observation_key not in tables.observation_keys, "this observation is stored already")
        transaction.check_times(version.captured_at)
        version_id = transaction.next_id("version")
        transaction.put(tables.observation_keys, observation_key, version_id)
        transaction.put(tables.items, version_id, item_json(item))
        sighting = tables.sightings[sighting_id]
        versions = (*sighting.versions, replace(version, id=version_id))
        ordered = tuple(sorted(versions, key=lambda each: (each.captured_at, each.id)))
        self._put_sighting(replace(sighting, versions=ordered))
        return version_id

    def _put_sighting(self, sighting: Sighting) -> None:
        stored = self._tables.sightings.get(sighting.id)
        if stored is None or stored.digest != sighting.digest:
            self._index_digest(stored, sighting)
        self._transaction.put(self._tables.sightings, sighting.id, sighting)

    def _index_digest(self, before: Sighting | None, after: Sighting) -> None:
        by_digest = self._tables.sightings_by_digest
        for sighting, there in ((before, False), (after, True)):
            if sighting is not None and sighting.digest:
                address = (sighting.source_id, sighting.digest)
                others = by_digest.get(address, frozenset()) - {after.id}
                self._transaction.put(by_digest, address, others | {after.id} if there else others)

    def _attach(self, sighting_id: int, record_id: int) -> None:
        there = self._tables.sightings_by_record.get(record_id, frozenset())
        self._transaction.put(self._tables.sightings_by_record, record_id, there | {sighting_id})

    # --- keys ---

    def set_keys(self, keys: Mapping[int, Sequence[Key]]) -> None:
        """Replace all key rows of these records in one step."""
        for record_id in keys:
            self._drop_keys(record_id)
        for record_id, several in keys.items():
            if several:
                self._transaction.need(self._tables.records, record_id, "record")
                self._add_keys(record_id, several)

    def _drop_keys(self, record_id: int) -> None:
        transaction, tables = self._transaction, self._tables
        for address, key in tables.keys.get(record_id, {}).items():
            transaction.put(tables.holders, address, tables.holders[address] - {record_id})
            if key.strength is Strength.STRONG:
                transaction.drop(tables.strong_holder, address)
        transaction.drop(tables.keys, record_id)

    def _add_keys(self, record_id: int, several: Sequence[Key]) -> None:
        transaction, tables = self._transaction, self._tables
        rows: dict[Address, Key] = {}
        for key in several:
            address = key.address
            transaction.check(rows.setdefault(address, key) == key, f"two different rows for the key {address}")
            if key.strength is Strength.STRONG:
                holder = tables.strong_holder.get(address, record_id)
                transaction.check(holder == record_id, f"the strong key {address} belongs to r{holder}")
                transaction.put(tables.strong_holder, address, record_id)
            holders = tables.holders.get(address, frozenset())
            transaction.put(tables.holders, address, holders | {record_id})
        transaction.put(tables.keys, record_id, rows)


def _identity(sighting: Sighting) -> Identity:
    return Identity(sighting.source_id, sighting.guid, sighting.original_url, sighting.clean_title, sighting.kind)


def _seen(sighting: Sighting, record: Record, is_alone: bool) -> Seen:
    good = [version for version in sighting.versions if version.state is VersionState.GOOD]
    newest = good[-1] if good else None
    published = newest.published if newest else None
    return Seen(
        sighting.id,
        sighting.record_id,
        sighting.slot,
        sighting.last_fetch_no,
        sighting.last_seen_at,
        newest.fingerprint.text_hash if newest else "",
        published.at if published else None,
        published.raw if published else "",
        newest.id if newest else 0,
        newest is not None and newest.id == record.current_version_id,
        is_alone,
        sighting.digest,
    )


def _touched(sighting: Sighting, touch: Touch) -> Sighting:
    number = touch.fetch_no or touch.order_no
    is_first = not in_runs(sighting.runs, touch.fetch_no) if touch.fetch_no else touch.order_no > sighting.last_fetch_no
    return replace(
        sighting,
        last_seen_at=max(sighting.last_seen_at, touch.seen_at),
        last_fetch_no=max(sighting.last_fetch_no, number),
        times=sighting.times + is_first,
        runs=add_to_runs(sighting.runs, touch.fetch_no) if touch.fetch_no else sighting.runs,
        keys=sighting.keys if touch.keys is None else touch.keys,
        digest=sighting.digest if touch.digest is None else touch.digest,
        external_id=touch.external_id if sighting.external_id is None else sighting.external_id,
    )
