"""What a merge can touch, and the pictures that an undo goes by, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Key, Strength
from .base_merges import KeyPlace, Placed, RecordRow, Snapshot, pair_of
from .image_rows import ROW_COLUMNS, row_from_values, row_values, snapshot_from_json, snapshot_json
from .rows import to_json
from .session import Session
from .sqlite_records import SqliteRecords
from .sqlite_reviews import SqliteReviews

_THESE = "(SELECT value FROM json_each(:ids))"

_RECORDS = f"SELECT id, {ROW_COLUMNS} FROM records WHERE id IN {_THESE} OR survivor_id IN {_THESE} ORDER BY id"

_SIGHTINGS = f"""
SELECT id, record_id, times, last_fetch_no,
    coalesce((SELECT max(id) FROM versions WHERE sighting_id = sightings.id), 0), json_array_length(keys)
FROM sightings WHERE record_id IN {_THESE} ORDER BY id
"""

_KEYS = f"""
SELECT record_id, kind, scope, value, strength, rule_id, pack_version
FROM keys WHERE record_id IN {_THESE} ORDER BY record_id, kind, scope, value
"""

_THIS_PAIR = "min(record_id, other_id) = ? AND max(record_id, other_id) = ?"


class SqliteMerges:
    """See ``base_merges.Merges``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def snapshot(self, record_ids: Iterable[int]) -> Snapshot:
        """Return these records with what belongs to them, and the merged ones that point at them."""
        wanted = sorted(set(record_ids))
        ids = {"ids": to_json(wanted)}
        return Snapshot(
            records={row[0]: row_from_values(row[1:]) for row in self._session.rows(_RECORDS, ids)},
            sightings={row[0]: Placed(*row[1:]) for row in self._session.rows(_SIGHTINGS, ids)},
            keys=self._keys(wanted),
            reviews={pair_of(review): review for review in SqliteReviews(self._session).find_reviews(wanted)},
            of=frozenset(wanted),
        )

    def _keys(self, record_ids: Iterable[int]) -> dict[KeyPlace, Key]:
        rows = self._session.rows(_KEYS, {"ids": to_json(sorted(record_ids))})
        return {
            (record_id, (kind, scope, value)): Key(kind, value, scope, Strength(strength), rule_id, pack_version)
            for record_id, kind, scope, value, strength, rule_id, pack_version in rows
        }

    def replace(self, old: Snapshot, new: Snapshot) -> None:
        """Write what differs; what only ``old`` has of keys and reviews goes."""
        for record_id, row in new.records.items():
            if old.records.get(record_id) != row:
                self._update(record_id, row)
        self._move(old, new)
        self._replace_keys(old, new)
        self._replace_reviews(old, new)

    def _update(self, record_id: int, row: RecordRow) -> None:
        marks = ", ".join("?" * len(row))
        changed = self._session.change(
            f"UPDATE records SET ({ROW_COLUMNS}) = ({marks}) WHERE id = ?", (*row_values(row), record_id)
        )
        if not changed:
            raise self._session.error(f"there is no record {record_id} to replace")

    def _move(self, old: Snapshot, new: Snapshot) -> None:
        moved: dict[int, list[int]] = {}
        for sighting_id, placed in new.sightings.items():
            known = old.sightings.get(sighting_id)
            if known is None or known.record_id != placed.record_id:
                moved.setdefault(placed.record_id, []).append(sighting_id)
        for record_id, sighting_ids in moved.items():
            SqliteRecords(self._session).move_sightings(sighting_ids, record_id)

    def _replace_keys(self, old: Snapshot, new: Snapshot) -> None:
        changed = {place for place in old.keys.keys() | new.keys.keys() if old.keys.get(place) != new.keys.get(place)}
        if not changed:
            return
        touched = {record_id for record_id, _ in changed}
        rows = {place: key for place, key in self._keys(touched).items() if place not in changed}
        rows |= {place: key for place, key in new.keys.items() if place in changed}
        several: dict[int, list[Key]] = {record_id: [] for record_id in touched}
        for (record_id, _), key in rows.items():
            several[record_id].append(key)
        SqliteRecords(self._session).set_keys(several)

    def _replace_reviews(self, old: Snapshot, new: Snapshot) -> None:
        gone = sorted(old.reviews.keys() - new.reviews.keys())
        if gone:
            self._session.many(f"DELETE FROM reviews WHERE {_THIS_PAIR}", gone)
        reviews = SqliteReviews(self._session)
        for pair, review in new.reviews.items():
            if pair not in old.reviews:
                reviews.add_review(review)
            elif old.reviews[pair].state is not review.state:
                reviews.close_review(*pair, review.state)

    def add_images(self, event_id: int, before: Snapshot, after: Snapshot) -> None:
        """Keep what an event changed."""
        self._session.insert(
            "INSERT INTO merge_images (event_id, before, after) VALUES (?, ?, ?)",
            (event_id, snapshot_json(before), snapshot_json(after)),
        )

    def find_images(self, event_id: int) -> tuple[Snapshot, Snapshot] | None:
        """Return what was kept of an event, before and after."""
        row = self._session.row("SELECT before, after FROM merge_images WHERE event_id = ?", (event_id,))
        return None if row is None else (snapshot_from_json(row[0]), snapshot_from_json(row[1]))

    def find_merged(self, record_ids: Iterable[int]) -> list[int]:
        """Return the merged records that point at one of these, ascending."""
        sql = f"SELECT id FROM records WHERE survivor_id IN {_THESE} ORDER BY id"
        return [record_id for (record_id,) in self._session.rows(sql, {"ids": to_json(sorted(set(record_ids)))})]
