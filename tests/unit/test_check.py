"""`check` finds what was damaged on purpose, that and nothing else; and a sound store is clean."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.codes import CHECK_ADVICE, CHECKS
from seenbefore.testing.clock import EPOCH, FrozenClock

from .sound_store import check, copy_store, fill, make_store


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("sound") / "news.db")


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    """A copy of the sound store."""
    return copy_store(sound, tmp_path / "news.db")


def test_a_sound_store_is_clean(path: Path) -> None:
    done: list[tuple[int, int]] = []
    report = check(path, progress=lambda *step: done.append(step))
    assert report.problems == []
    assert report.is_clean
    assert (report.records, report.entries) == (10, 19)
    assert done[-1] == (29, 29)
    assert done == sorted(done)
    assert report.to_json()["clean"] is True


def test_a_sound_store_in_memory_is_clean() -> None:
    with seenbefore.open(":memory:", clock=FrozenClock(EPOCH + timedelta(days=30))) as db:
        fill(db)
        assert db.check().problems == []


def test_an_empty_store_is_clean() -> None:
    with seenbefore.open(":memory:") as db:
        assert db.check().to_json() == {
            "clean": True, "records": 0, "entries": 0, "under_other_policy": 0, "counts": {}, "problems": [],
        }  # fmt: skip


# --- damages ------------------------------------------------------------------------------------


class Damage:
    """A connection without any of the guards that SQLite keeps for us."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        for pragma in ("foreign_keys = OFF", "ignore_check_constraints = ON", "writable_schema = ON"):
            connection.execute(f"PRAGMA {pragma}")

    def one(self, sql: str) -> Any:
        """The first value of a query, which must have one."""
        row = self._connection.execute(sql).fetchone()
        assert row is not None, f"nothing to damage: {sql}"
        return row[0]

    def do(self, sql: str, *values: object) -> None:
        """Run a statement, which must change something."""
        count = self._connection.execute(sql, values).rowcount
        assert count != 0, f"nothing was damaged: {sql}"

    def copy(self, table: str, row_id: int, **changes: object) -> int:
        """Store a row once more, with other values in some columns; return its id."""
        names = [row[1] for row in self._connection.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
        columns = ", ".join(names)
        values = ", ".join(f":{name}" if name in changes else name for name in names)
        sql = f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table} WHERE id = :row_id"
        row = self._connection.execute(sql, {**changes, "row_id": row_id}).lastrowid
        assert row is not None
        return row


ALONE = (
    "(SELECT record_id FROM sightings GROUP BY record_id HAVING count(*) = 1"
    " AND (SELECT count(*) FROM versions WHERE sighting_id = max(sightings.id)) = 1 ORDER BY record_id LIMIT 1)"
)
"""A record with one sighting and one version."""

DUPLICATE = "(SELECT id FROM decisions WHERE outcome = 'duplicate' ORDER BY id LIMIT 1)"
MERGED = "(SELECT id FROM records WHERE status = 'merged' ORDER BY id LIMIT 1)"


def an_index_that_points_nowhere(d: Damage) -> None:
    d.do("CREATE INDEX empty ON decisions (outcome, seq) WHERE 0")
    page = d.one("SELECT rootpage FROM sqlite_master WHERE name = 'empty'")
    d.do("UPDATE sqlite_master SET rootpage = ? WHERE name = 'decisions_by_outcome'", page)
    d.do("DELETE FROM sqlite_master WHERE name = 'empty'")


def a_fetch_after_the_newest_time(d: Damage) -> None:
    d.do("UPDATE sources SET last_fetch_no = last_fetch_no + 1 WHERE id = 1")
    number = d.one("SELECT last_fetch_no FROM sources WHERE id = 1")
    d.do("INSERT INTO fetches VALUES (1, 'x', ?, '2099-01-01T00:00:00.000000Z', 0, 1)", number)


def a_version_stored_twice(d: Damage) -> None:
    old = d.one(f"SELECT current_version_id FROM records WHERE id = {ALONE}")
    new = d.copy("versions", old, observation_key="x")
    d.do("UPDATE sightings SET times = times + 1, good_version_id = ? WHERE good_version_id = ?", new, old)
    d.do("UPDATE records SET current_version_id = ? WHERE current_version_id = ?", new, old)


def a_sighting_in_a_merged_record(d: Damage) -> None:
    merged = d.one(f"SELECT {MERGED}")
    d.copy("sightings", 1, record_id=merged, clean_title="x", good_version_id=None)


def a_sighting_without_version(d: Damage) -> None:
    d.copy(
        "sightings", 1, clean_title="x", keys="[]", times=1, earlier_runs="[]", run_start=0, run_end=0,
        last_fetch_no=0, good_version_id=None, good_text_hash="", good_published_at=None, good_published_raw="",
        digest=b"",
    )  # fmt: skip


def a_new_item_that_became_a_duplicate(d: Damage) -> None:
    decision = d.one(f"SELECT id FROM decisions WHERE record_id = {ALONE}")
    d.do(
        "UPDATE decisions SET outcome = 'duplicate', reason = 'same_text', matched_record_id = record_id,"
        f" matched_url = '', matched_title = '', evidence = (SELECT evidence FROM decisions WHERE id = {DUPLICATE})"
        " WHERE id = ?",
        decision,
    )
    d.do("UPDATE daily_counts SET new = 0")


def mark(strength: str, which: str) -> Callable[[Damage], None]:
    """Mark keys as a unit would, only wrongly."""
    holder = "0" if strength == "strong" else "record_id"
    return lambda d: d.do(f"UPDATE keys SET strength = '{strength}', holder = {holder} WHERE {which}")


def add_key(record: str, strength: str = "near") -> Callable[[Damage], None]:
    """Give a record a key that nothing it was seen as has."""
    return lambda d: d.do(
        "INSERT INTO keys (kind, scope, value, holder, record_id, strength, rule_id, pack_version)"
        f" VALUES ('url', '', 'https://x.example/', {record}, {record}, '{strength}', '', 0)"
    )


DAMAGES: dict[str, tuple[str | Callable[[Damage], None], set[str]]] = {
    "index": (an_index_that_points_nowhere, {"file_damaged"}),
    "label on nothing": (
        "INSERT INTO labels (sighting_a, sighting_b, verdict, author, labeled_at)"
        " VALUES (1, 999, 'same', '', '2024-01-01T00:00:00.000000Z')",
        {"dangling_reference"},
    ),
    "index dropped": ("DROP INDEX decisions_by_outcome", {"schema_changed"}),
    "column added": ("ALTER TABLE cursors ADD COLUMN note TEXT", {"schema_changed"}),
    "keys are no JSON": (f"UPDATE sightings SET keys = '[[' WHERE record_id = {ALONE}", {"unreadable"}),
    "time is none": (f"UPDATE sightings SET last_seen_at = 'noon' WHERE record_id = {ALONE}", {"unreadable"}),
    "evidence is no JSON": (f"UPDATE decisions SET evidence = '[' WHERE id = {DUPLICATE}", {"unreadable"}),
    "alias lost": ("DELETE FROM source_aliases WHERE source_id = 1", {"source_alias"}),
    "alias moved": ("UPDATE source_aliases SET source_id = 2 WHERE source_id = 1", {"source_alias"}),
    "fetch number twice": (
        "INSERT INTO fetches SELECT source_id, 'x', no, observed_at, late, completed FROM fetches LIMIT 1",
        {"fetch_number"},
    ),
    "fetches not counted": (
        "UPDATE sources SET last_fetch_no = last_fetch_no - 1 WHERE id = 1",
        {"fetch_number", "sighting_times"},
    ),
    "fetch too new": (a_fetch_after_the_newest_time, {"source_newest"}),
    "source older than its fetches": (
        "UPDATE sources SET newest_observed_at = '2000-01-01T00:00:00.000000Z' WHERE id = 1",
        {"source_newest", "sighting_dates"},
    ),
    "record of nothing": (
        lambda d: d.copy("records", 1) and None,
        {"record_without_sighting", "never_delivered"},
    ),
    "picture among articles": (f"UPDATE sightings SET kind = 'image' WHERE record_id = {ALONE}", {"record_kind"}),
    "merged into a picture": (
        f"UPDATE records SET kind = 'image' WHERE id = {MERGED}",
        {"record_kind"},
    ),
    "title": ("UPDATE records SET title = 'x' WHERE id = 1", {"record_fields"}),
    "change forgotten": ("UPDATE records SET content_updated_at = NULL WHERE id = 1", {"record_fields"}),
    "older version current": (
        "UPDATE records SET current_version_id = (SELECT min(id) FROM versions WHERE sighting_id = 1) WHERE id = 1",
        {"record_fields"},
    ),
    "version of another record": (
        f"UPDATE records SET current_version_id = 1 WHERE id = {ALONE}",
        {"current_version"},
    ),
    "no version": (f"UPDATE records SET current_version_id = NULL WHERE id = {ALONE}", {"current_version"}),
    "key of a merged record": (add_key(MERGED), {"merged_record"}),
    "sighting of a merged record": (a_sighting_in_a_merged_record, {"merged_record"}),
    "redirect in two steps": (
        "UPDATE records SET survivor_id = (SELECT max(id) FROM records WHERE status = 'merged')"
        " WHERE id = (SELECT min(id) FROM records WHERE status = 'merged')",
        {"redirect"},
    ),
    "redirect in a circle": (
        f"UPDATE records SET survivor_id = id WHERE id = {MERGED}",
        {"redirect", "file_damaged"},
    ),
    "redirect to nothing": (
        f"UPDATE records SET survivor_id = 999 WHERE id = {MERGED}",
        {"redirect", "dangling_reference"},
    ),
    "live record that redirects": (
        f"UPDATE records SET survivor_id = 1 WHERE id = {ALONE}",
        {"redirect", "file_damaged"},
    ),
    "nothing said": (a_sighting_without_version, {"sighting_without_version"}),
    "runs backwards": ("UPDATE sightings SET earlier_runs = '[[9,8]]' WHERE id = 2", {"sighting_runs"}),
    "run of fetches that are not stored": (
        "UPDATE sightings SET earlier_runs = '[[1,1]]', run_start = 7, run_end = 9 WHERE id = 2",
        {"sighting_runs", "sighting_times"},
    ),
    "seen too often": ("UPDATE sightings SET times = 99 WHERE id = 2", {"sighting_times"}),
    "seen too seldom": ("UPDATE sightings SET times = 1 WHERE id = 2", {"sighting_times"}),
    "last fetch": ("UPDATE sightings SET last_fetch_no = last_fetch_no + 1 WHERE id = 2", {"sighting_times"}),
    "seen in the future": (
        f"UPDATE sightings SET last_seen_at = '2099-01-01T00:00:00.000000Z' WHERE record_id = {ALONE}",
        {"sighting_dates"},
    ),
    "seen before it was": (
        f"UPDATE sightings SET last_seen_at = '2000-01-01T00:00:00.000000Z' WHERE record_id = {ALONE}",
        {"sighting_dates"},
    ),
    "first seen": (
        f"UPDATE sightings SET first_seen_at = '2000-01-01T00:00:00.000000Z' WHERE record_id = {ALONE}",
        {"sighting_dates", "record_fields"},
    ),
    "slot": (f"UPDATE sightings SET slot = 3 WHERE record_id = {ALONE}", {"sighting_slot"}),
    "hash for repeats": ("UPDATE sightings SET good_text_hash = 'x' WHERE id = 2", {"newest_version"}),
    "version for repeats": ("UPDATE sightings SET good_version_id = NULL WHERE id = 2", {"newest_version"}),
    "kept aside twice": (
        lambda d: d.copy("versions", 1, observation_key="x", state="late") and None,
        {"version_twice"},
    ),
    "version twice": (a_version_stored_twice, {"version_twice"}),
    "key lost": ("DELETE FROM keys WHERE record_id = 1 AND kind = 'url'", {"key_missing"}),
    "key of nothing": (add_key("1"), {"key_unfounded"}),
    "key by another rule": ("UPDATE keys SET rule_id = 'x' WHERE record_id = 1 AND kind = 'url'", {"key_unfounded"}),
    "candidate that decides": (mark("near", "record_id = 1 AND kind = 'text'"), {"key_strength"}),
    "near for no reason": (mark("near", f"record_id = {ALONE} AND kind = 'url'"), {"key_strength"}),
    "trusted again": (
        mark("strong", "value = 'shared' AND record_id = (SELECT min(record_id) FROM keys WHERE value = 'shared')"),
        {"key_strength"},
    ),
    "shared key that decides": (
        mark("strong", "kind = 'id' AND record_id = (SELECT min(record_id) FROM keys WHERE kind = 'id')"),
        {"key_shared"},
    ),
    "strong key of two records": (
        "UPDATE keys SET strength = 'strong' WHERE kind = 'id' AND strength = 'near'",
        {"file_damaged", "key_shared"},
    ),
    "strong and near at once": (
        "INSERT INTO keys (kind, scope, value, holder, record_id, strength, rule_id, pack_version)"
        " SELECT kind, scope, value, record_id, record_id, 'near', rule_id, pack_version"
        " FROM keys WHERE record_id = 1 AND kind = 'url'",
        {"key_strength"},
    ),
    "decision lost": (f"DELETE FROM decisions WHERE id = {DUPLICATE}", {"journal_gap"}),
    "reason": (f"UPDATE decisions SET reason = 'x' WHERE id = {DUPLICATE}", {"decision_code"}),
    "repeat stored": (f"UPDATE decisions SET reason = 'seen_again' WHERE id = {DUPLICATE}", {"decision_code"}),
    "flag": (f"""UPDATE decisions SET flags = '["x"]' WHERE id = {DUPLICATE}""", {"decision_code"}),
    "record unnamed": (f"UPDATE decisions SET record_id = NULL WHERE id = {DUPLICATE}", {"decision_record"}),
    "policy unnamed": (f"UPDATE decisions SET policy_version = '' WHERE id = {DUPLICATE}", {"decision_versions"}),
    "version unnamed": (f"UPDATE decisions SET new_version_id = NULL WHERE id = {DUPLICATE}", {"decision_versions"}),
    "version of something else": (
        f"UPDATE decisions SET new_version_id = 1 WHERE id = {DUPLICATE}",
        {"decision_versions"},
    ),
    "version that is not there": (
        f"UPDATE decisions SET new_version_id = 999 WHERE id = {DUPLICATE}",
        {"decision_versions", "dangling_reference"},
    ),
    "version before unnamed": (
        "UPDATE decisions SET old_version_id = NULL WHERE outcome = 'update'",
        {"decision_versions"},
    ),
    "version that replaces itself": (
        "UPDATE decisions SET old_version_id = new_version_id WHERE outcome = 'update'",
        {"decision_versions"},
    ),
    "title of something else": (f"UPDATE decisions SET title = 'x' WHERE id = {DUPLICATE}", {"decision_versions"}),
    "evidence lost": ("UPDATE decisions SET evidence = '[]' WHERE outcome = 'review'", {"decision_evidence"}),
    "matched another": (
        f"UPDATE decisions SET matched_record_id = 1 WHERE id = {DUPLICATE}",
        {"decision_match"},
    ),
    "matched none": (
        "UPDATE decisions SET matched_record_id = NULL, matched_url = NULL, matched_title = NULL"
        f" WHERE id = {DUPLICATE}",
        {"decision_match"},
    ),
    "duplicate that changed": (
        f"""UPDATE decisions SET changed = '["title"]' WHERE id = {DUPLICATE}""",
        {"decision_match"},
    ),
    "review of itself": (
        "UPDATE decisions SET matched_record_id = record_id WHERE id ="
        " (SELECT min(id) FROM decisions WHERE outcome = 'review')",
        {"decision_match", "review_pair"},
    ),
    "event of one record": (
        "DELETE FROM event_records WHERE position = 1 AND event_id = (SELECT id FROM events WHERE event = 'label')",
        {"event_records"},
    ),
    "event unknown": ("UPDATE events SET event = 'x' WHERE event = 'label'", {"event_records"}),
    "survivor unnamed": (
        "UPDATE events SET survivor_id = NULL WHERE id = (SELECT id FROM events WHERE event = 'merged')",
        {"event_records", "event_merged"},
    ),
    "merge without event": (
        "UPDATE events SET event = 'label', survivor_id = NULL WHERE event = 'merged'",
        {"event_merged"},
    ),
    "event without merge": (
        "UPDATE events SET event = 'merged', survivor_id = (SELECT record_id FROM event_records"
        " WHERE event_id = events.id LIMIT 1) WHERE id = (SELECT max(id) FROM events WHERE event = 'label')",
        {"event_merged"},
    ),
    "never told": (a_new_item_that_became_a_duplicate, {"never_delivered"}),
    "review lost": ("DELETE FROM reviews WHERE state = 'waiting'", {"review_pair"}),
    "review of one record": (
        f"INSERT INTO reviews (record_id, other_id, state, opened_at) SELECT id, survivor_id, 'waiting', first_seen_at"
        f" FROM records WHERE id = {MERGED} AND survivor_id <> 0 ON CONFLICT DO UPDATE SET state = 'waiting'",
        {"review_pair"},
    ),
    "review of a merged record": (
        f"INSERT INTO reviews (record_id, other_id, state, opened_at)"
        f" SELECT {MERGED}, id, 'waiting', first_seen_at FROM records WHERE id = 1",
        {"review_stale"},
    ),
    "different in one record": ("UPDATE labels SET verdict = 'different' WHERE verdict = 'same'", {"verdict"}),
    "same in two records": ("UPDATE labels SET verdict = 'same' WHERE verdict = 'related'", {"verdict"}),
    "cursor": ("UPDATE cursors SET seq = 999", {"cursor"}),
    "days": (
        "INSERT INTO daily_counts (source_id, day, new, updates, duplicates, reviews)"
        " VALUES (1, '2099-01-01', 999, 0, 0, 0)",
        {"daily_counts"},
    ),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found(name: str, path: Path) -> None:
    damage, codes = DAMAGES[name]
    with closing(sqlite3.connect(path)) as connection:
        made = Damage(connection)
        if isinstance(damage, str):
            made.do(damage)
        else:
            damage(made)
        connection.commit()
    report = check(path)
    assert set(report.counts) == codes, report.problems
    assert not report.is_clean
    assert all(p.where and p.message for p in report.problems)


def test_every_check_is_shown_to_work() -> None:
    assert {code for _, codes in DAMAGES.values() for code in codes} == CHECKS.keys() == CHECK_ADVICE.keys()
