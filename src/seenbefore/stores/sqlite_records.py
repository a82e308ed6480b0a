"""Records, their sightings, versions and keys, in SQLite.

Lists of ids travel as one JSON parameter (``json_each``), so that their number has no limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..errors import NotFound
from ..model import Item, Key, Record, Sighting, Strength, Version, VersionState
from .base import Address, Identity, Seen, Touch
from .record_rows import (
    RECORD_COLUMNS,
    SIGHTING_COLUMNS,
    VERSION_COLUMNS,
    good_version_values,
    record_from_row,
    record_values,
    runs_from_row,
    seen_from_row,
    sighting_from_row,
    sighting_values,
    touch_values,
    version_from_row,
    version_values,
)
from .rows import item_from_json, item_json, keys_json, time_text, to_json
from .runs import add_to_runs, in_runs
from .session import Session

SEEN_COLUMNS = """
    s.id, s.record_id, s.slot, s.last_fetch_no, s.last_seen_at,
    s.good_text_hash, s.good_published_at, s.good_published_raw, s.good_version_id, r.current_version_id,
    NOT EXISTS (SELECT 1 FROM sightings AS o
        WHERE o.record_id = s.record_id AND o.source_id = s.source_id AND o.id <> s.id),
    s.digest
"""

_FIND_SEEN = f"""
SELECT {SEEN_COLUMNS}
FROM sightings AS s
JOIN records AS r ON r.id = s.record_id
WHERE s.source_id = ? AND s.guid = ? AND s.original_url = ? AND s.clean_title = ?
    AND s.kind = ?
ORDER BY s.slot
"""

_FIND_RECORD_IDS = """
SELECT k.record_id FROM keys AS k JOIN records AS r ON r.id = k.record_id
WHERE k.kind = ?1 AND k.scope = ?2 AND k.value = ?3 AND k.strength <> 'distrusted' AND r.status <> 'merged'
"""

# The one that holds the key strongly may be newer than all others, and stands before them in the table.
_FIND_NEWEST_IDS = f"""
SELECT * FROM ({_FIND_RECORD_IDS} AND k.holder > 0 ORDER BY k.holder DESC LIMIT ?4)
UNION ALL {_FIND_RECORD_IDS} AND k.holder = 0
"""

_LAST_SEEN = "(SELECT max(last_seen_at) FROM sightings WHERE record_id = records.id)"
_RECORDS = f"SELECT id, {RECORD_COLUMNS}, {_LAST_SEEN} FROM records"

_SIGHTINGS = f"""
SELECT s.id, o.identity, {", ".join(f"s.{name}" for name in SIGHTING_COLUMNS.split(", "))}
FROM sightings AS s JOIN sources AS o ON o.id = s.source_id
WHERE s.record_id IN (SELECT value FROM json_each(?))
ORDER BY s.id
"""

_VERSIONS = f"""
SELECT v.sighting_id, v.id, {", ".join(f"v.{name}" for name in VERSION_COLUMNS.split(", "))}
FROM sightings AS s JOIN versions AS v ON v.sighting_id = s.id
WHERE s.record_id IN (SELECT value FROM json_each(?))
ORDER BY v.sighting_id, v.captured_at, v.id
"""

# A fetch number below the last run is left to _touch_earlier_run.
_TOUCH = """
UPDATE sightings SET
    last_seen_at = max(last_seen_at, :seen_at),
    last_fetch_no = max(last_fetch_no, CASE WHEN :no = 0 THEN :order_no ELSE :no END),
    times = times + CASE WHEN :no = 0 THEN :order_no > last_fetch_no
        ELSE :no NOT BETWEEN run_start AND run_end END,
    earlier_runs = CASE WHEN :no > run_end + 1 AND run_end > 0
        THEN json_insert(earlier_runs, '$[#]', json_array(run_start, run_end)) ELSE earlier_runs END,
    run_start = CASE WHEN :no > run_end + 1 OR (:no > 0 AND run_end = 0) THEN :no ELSE run_start END,
    run_end = max(run_end, :no)
WHERE id = :id AND (:no = 0 OR :no >= run_start)
"""

GOOD_VERSION = """
UPDATE sightings SET good_version_id = :version_id, good_text_hash = :text_hash,
    good_published_at = :published_at, good_published_raw = :published_raw
WHERE id = :id AND (good_version_id IS NULL
    OR (SELECT captured_at FROM versions WHERE id = good_version_id) <= :captured_at)
"""


_STRENGTHS = {strength: strength.value for strength in Strength}  # reading .value costs ten times as much
_KEY_COLUMNS = "kind, scope, value, holder, record_id, strength, rule_id, pack_version"
INSERT_KEY = f"INSERT INTO keys ({_KEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteRecords:
    """See ``base.Records``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    # --- finding ---

    def find_seen(self, identities: Sequence[Identity]) -> dict[Identity, list[Seen]]:
        """Return stored sightings per identity, by slot; identities without any are absent."""
        found = zip(identities, self._session.look_up(_FIND_SEEN, identities), strict=False)
        return {identity: [seen_from_row(row) for row in rows] for identity, rows in found if rows}

    def find_record_ids(self, addresses: Iterable[Address], *, limit: int | None = None) -> dict[Address, list[int]]:
        """Return the records per key address, ascending; merged records and distrusted keys are left out."""
        wanted = list(addresses)
        if limit is None:
            rows = self._session.look_up(_FIND_RECORD_IDS, wanted)
        else:
            rows = self._session.look_up(_FIND_NEWEST_IDS, [(*address, limit) for address in wanted])
        start = None if limit is None else -limit
        found = zip(wanted, rows, strict=False)
        return {address: sorted(record_id for (record_id,) in ids)[start:] for address, ids in found if ids}

    def get_sightings(self, record_ids: Iterable[int]) -> list[Sighting]:
        """Return all sightings of these records with keys and versions (oldest first), by id."""
        wanted = to_json(sorted(set(record_ids)))
        versions: dict[int, list[Version]] = {}
        for row in self._session.rows(_VERSIONS, (wanted,)):
            versions.setdefault(row[0], []).append(version_from_row(row))
        rows = self._session.rows(_SIGHTINGS, (wanted,))
        return [sighting_from_row(row, tuple(versions.get(row[0], ()))) for row in rows]

    def find_records(
        self, record_ids: Iterable[int] | None = None, *, limit: int | None = None, after: int = 0
    ) -> list[Record]:
        """Return records by ascending id; with ``record_ids`` only those (unknown ids are absent)."""
        sql = f"{_RECORDS} WHERE id > ?"
        parameters: list[object] = [after]
        if record_ids is not None:
            sql += " AND id IN (SELECT value FROM json_each(?))"
            parameters.append(to_json(sorted(set(record_ids))))
        sql += " ORDER BY id LIMIT ?"
        parameters.append(-1 if limit is None else limit)
        return [record_from_row(row) for row in self._session.rows(sql, parameters)]

    def get_item(self, version_id: int) -> Item:
        """Return the item as it arrived; raises NotFound."""
        row = self._session.row("SELECT item FROM versions WHERE id = ?", (version_id,))
        if row is None:
            raise NotFound(f"version {version_id}")
        return item_from_json(row[0])

    # --- writing ---

    def add_record(self, record: Record) -> int:
        """Return the id of a new record."""
        marks = ", ".join("?" * 11)
        return self._session.insert(f"INSERT INTO records ({RECORD_COLUMNS}) VALUES ({marks})", record_values(record))

    def update_record(self, record: Record) -> None:
        """Replace all fields of a stored record; raises NotFound."""
        marks = ", ".join("?" * 11)
        changed = self._session.change(
            f"UPDATE records SET ({RECORD_COLUMNS}) = ({marks}) WHERE id = ?",
            (*record_values(record), record.id),
        )
        if not changed:
            raise NotFound(f"r{record.id}")

    def add_sighting(self, sighting: Sighting) -> int:
        """Return the id of a new sighting, stored without its versions."""
        marks = ", ".join("?" * 17)
        return self._session.insert(
            f"INSERT INTO sightings ({SIGHTING_COLUMNS}) VALUES ({marks})", sighting_values(sighting)
        )

    def touch(self, touches: Sequence[Touch]) -> None:
        """Record unchanged repeats; raises StoreError for an unknown sighting."""
        if self._session.many(_TOUCH, map(touch_values, touches)) != len(touches):
            for touch in touches:
                self._touch_earlier_run(touch)
        with_keys = [(keys_json(each.keys), each.sighting_id) for each in touches if each.keys is not None]
        if with_keys:
            self._session.many("UPDATE sightings SET keys = ? WHERE id = ?", with_keys)
        with_id = [(each.external_id, each.sighting_id) for each in touches if each.external_id is not None]
        if with_id:
            self._session.many("UPDATE sightings SET external_id = coalesce(external_id, ?) WHERE id = ?", with_id)
        with_digest = [(each.digest, each.sighting_id) for each in touches if each.digest is not None]
        if with_digest:
            self._session.many("UPDATE sightings SET digest = ? WHERE id = ?", with_digest)

    def _touch_earlier_run(self, touch: Touch) -> None:
        """Add a number below the last run.

        A touch that _TOUCH has done already, or one for a number that is among the runs by now, only moves
        the times on, which may be done twice.
        """
        row = self._session.row(
            "SELECT earlier_runs, run_start, run_end FROM sightings WHERE id = ?", (touch.sighting_id,)
        )
        if row is None:
            raise self._session.error(f"there is no sighting {touch.sighting_id} to touch")
        if touch.fetch_no == 0 or touch.fetch_no >= row[1]:
            self._session.run(
                "UPDATE sightings SET last_seen_at = max(last_seen_at, ?), last_fetch_no = max(last_fetch_no, ?)"
                " WHERE id = ?",
                (time_text(touch.seen_at), touch.fetch_no or touch.order_no, touch.sighting_id),
            )
            return
        runs = runs_from_row(*row)
        *earlier, (run_start, run_end) = add_to_runs(runs, touch.fetch_no)
        self._session.run(
            "UPDATE sightings SET last_seen_at = max(last_seen_at, ?), last_fetch_no = max(last_fetch_no, ?),"
            " times = times + ?, earlier_runs = ?, run_start = ?, run_end = ? WHERE id = ?",
            (
                time_text(touch.seen_at),
                touch.fetch_no,
                not in_runs(runs, touch.fetch_no),
                to_json(earlier),
                run_start,
                run_end,
                touch.sighting_id,
            ),
        )

    def move_sightings(self, sighting_ids: Sequence[int], record_id: int) -> None:
        """Put sightings, with their versions, under another record; raises StoreError for an unknown one."""
        wanted = sorted(set(sighting_ids))
        changed = self._session.change(
            "UPDATE sightings SET record_id = ? WHERE id IN (SELECT value FROM json_each(?))",
            (record_id, to_json(wanted)),
        )
        if changed != len(wanted):
            raise self._session.error(f"{len(wanted) - changed} of the sightings to move do not exist: {wanted[:20]}")

    def add_version(self, sighting_id: int, version: Version, item: Item, observation_key: str) -> int:
        """Return the id of a new version, stored with the item as it arrived."""
        marks = ", ".join("?" * 16)
        version_id = self._session.insert(
            f"INSERT INTO versions (sighting_id, observation_key, item, {VERSION_COLUMNS}) VALUES ({marks})",
            (sighting_id, observation_key, item_json(item), *version_values(version)),
        )
        if version.state is VersionState.GOOD:
            self._session.run(GOOD_VERSION, good_version_values(sighting_id, version_id, version))
        return version_id

    # --- keys ---

    def set_keys(self, keys: Mapping[int, Sequence[Key]]) -> None:
        """Replace all key rows of these records in one step; rows that stay the same are not touched."""
        wanted = {key_values(key, record_id) for record_id, several in keys.items() for key in several}
        if len({(*row[:3], row[4]) for row in wanted}) != len(wanted):
            raise self._session.error("two different rows for one key of a record")
        stored = set(
            self._session.rows(
                f"SELECT {_KEY_COLUMNS} FROM keys WHERE record_id IN (SELECT value FROM json_each(?))",
                (to_json(list(keys)),),
            )
        )
        self._session.many(
            "DELETE FROM keys WHERE kind = ? AND scope = ? AND value = ? AND holder = ?",
            sorted(row[:4] for row in stored - wanted),
        )
        self._session.many(INSERT_KEY, sorted(wanted - stored))


def key_values(key: Key, record_id: int) -> tuple[str | int, ...]:
    """Return the row of a key; a strong one is held alone, which ``holder`` 0 stands for."""
    strong = key.strength is Strength.STRONG
    holder = 0 if strong else record_id
    strength = _STRENGTHS[key.strength]
    return (key.kind, key.scope, key.value, holder, record_id, strength, key.rule_id, key.pack_version)
