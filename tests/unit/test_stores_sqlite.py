"""What only the SQLite store promises: files, processes, faults. The rest is in tests/contract."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from seenbefore.errors import StoreBusy, StoreError, StoreVersionError
from seenbefore.model import DayCount, Label, Review, ReviewState, RuleState, Strength, Trust, Verdict
from seenbefore.stores.base import Fresh, Touch, Unit
from seenbefore.stores.session import store_error
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.builders import (
    a_decision,
    a_key,
    a_record,
    a_sighting,
    a_version,
    an_event,
    an_item,
    at,
)
from seenbefore.testing.contract_base import add_article
from seenbefore.testing.contract_packs import a_rule_version
from seenbefore.testing.contract_redirects import a_redirect
from seenbefore.testing.faults import FailingStatements


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "news.db"


# --- opening ---


def test_a_missing_file_is_created_and_opened_again(path: Path) -> None:
    with closing(SqliteStore(path)) as store, store.unit() as unit:
        record, _, _ = add_article(unit)
    with closing(SqliteStore(str(path))) as store, store.reading() as unit:
        assert unit.records.find_records() == [record]


def test_settings_that_safety_rests_on(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        values = [store._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in _SAFETY]
        assert values == list(_SAFETY.values())


_SAFETY = {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 30_000}


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="this is a folder; name a file"):
        SqliteStore(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist; create it"):
        SqliteStore(tmp_path / "missing" / "news.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder where nobody may create a file")
def test_a_place_where_nothing_can_be_created_is_refused() -> None:
    with pytest.raises(StoreError, match="check that the folder and the file may be written"):
        SqliteStore("/proc/news.db")


def test_a_file_that_is_no_database_is_refused_and_kept(path: Path) -> None:
    path.write_text("<rss version='2.0'/>\n" * 100)
    with pytest.raises(StoreError, match="this file is no database; name another file") as caught:
        SqliteStore(path)
    assert caught.value.path == str(path)
    assert path.read_text().startswith("<rss")


def test_the_database_of_another_program_is_refused_and_kept(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"belongs to another program \(tables: bookmarks\)"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_newer_file_is_refused(path: Path) -> None:
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreVersionError, match="schema 99"):
        SqliteStore(path)


def test_an_empty_file_is_taken(path: Path) -> None:
    path.touch()
    SqliteStore(path).close()


OPEN_AT_ONCE = """
import sys, time
from pathlib import Path
from seenbefore.stores.sqlite import SqliteStore
name, go = sys.argv[1:]
print("ready", flush=True)
while not Path(go).exists():
    time.sleep(0.001)
store = SqliteStore(name)
with store.unit() as unit:
    unit.sources.add_source("News", "feed")
store.close()
"""


def test_processes_may_open_a_fresh_file_at_once(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for attempt in range(3):
        path, go = tmp_path / f"{attempt}.db", tmp_path / f"go-{attempt}"
        command = [sys.executable, "-c", OPEN_AT_ONCE, str(path), str(go)]
        running = [
            subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
        ]
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
        go.touch()
        errors = [process.communicate(timeout=60)[1].decode() for process in running]
        assert errors == ["", "", ""]
        with closing(SqliteStore(path)) as store, store.reading() as unit:
            assert len(unit.sources.list_sources()) == 1


# --- handles side by side ---


def test_a_reading_is_one_snapshot(path: Path) -> None:
    with closing(SqliteStore(path)) as writer, closing(SqliteStore(path)) as reader:
        with reader.reading() as snapshot:
            with writer.unit() as unit:
                add_article(unit)
            assert snapshot.records.find_records() == []
        with reader.reading() as snapshot:
            assert len(snapshot.records.find_records()) == 1


def test_readers_and_copies_do_not_wait_for_a_writer(path: Path) -> None:
    with closing(SqliteStore(path)) as writer, closing(SqliteStore(path, 0.01)) as reader:
        with writer.unit() as unit:
            add_article(unit)
            with reader.reading() as snapshot:
                assert snapshot.records.find_records() == []
            with closing(reader.scratch_copy()) as copy, copy.unit() as scratch:
                add_article(scratch, 2)
        with reader.reading() as snapshot:
            assert len(snapshot.records.find_records()) == 1


def test_a_second_writer_waits_as_long_as_it_was_told(path: Path) -> None:
    with closing(SqliteStore(path)) as first, closing(SqliteStore(path, 0.1)) as second:
        with first.unit():
            started = time.monotonic()
            with pytest.raises(StoreBusy, match="run it again"), second.unit():
                pass
            assert 0.1 <= time.monotonic() - started < 5
        with second.unit() as unit:
            add_article(unit)


def test_a_scratch_copy_leaves_no_file(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        copy = store.scratch_copy()
        place = Path(copy.path)
        assert place.exists()
        copy.close()
        assert not place.parent.exists()


def test_ids_are_never_given_twice(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        with store.unit() as unit:
            source_id = unit.sources.add_source("News", "feed").id
            last = unit.records.add_record(a_record(source_id))
            last_version = unit.packs.add_version(a_rule_version()).number
        store._connection.execute("DELETE FROM records")
        store._connection.execute("DELETE FROM rule_versions")
        with store.unit() as unit:
            assert unit.records.add_record(a_record(source_id)) > last
            assert unit.packs.add_version(a_rule_version()).number > last_version


def test_closing_inside_a_unit_stores_nothing(path: Path) -> None:
    store = SqliteStore(path)

    def close_inside() -> None:
        with store.unit() as unit:
            add_article(unit)
            store.close()

    with pytest.raises(StoreError):
        close_inside()
    with closing(SqliteStore(path)) as again, again.reading() as unit:
        assert unit.records.find_records() == []


def test_text_that_is_no_unicode_is_refused(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        with pytest.raises(StoreError, match="no valid Unicode"), store.unit() as unit:
            unit.sources.add_source("half a surrogate: \ud83d", "feed")
        with store.reading() as unit:
            assert unit.sources.list_sources() == []


# --- how much is read ---


def test_records_are_found_by_site_and_not_row_by_row(path: Path) -> None:
    """However many pages a site has, the index leads past all of them at once."""

    def count_statements(pages: int) -> int:
        counter = FailingStatements()
        with closing(SqliteStore(":memory:", statement_hook=counter)) as store, store.unit() as unit:
            record, _, _ = add_article(unit)
            keys = [
                a_key(f"{start}{host}/{page}", kind)
                for kind, start in (("url", "https://"), ("url_near", ""))
                for host in ("a.example", "ann@b.example", "c.example:81")
                for page in range(pages)
            ]
            unit.records.set_keys({record.id: keys})
            before = counter.count
            assert unit.packs.find_records_on(["b.example"]) == [record.id]
            assert unit.packs.find_records_on(["*.example"]) == [record.id]
            assert unit.packs.find_records_on(["example"]) == []
            return counter.count - before

    assert count_statements(200) == count_statements(1)


# --- faults ---


def _everything(unit: Unit, number: int) -> None:
    """Writes through every method there is."""
    source_id = unit.sources.add_source("News", f"feed-{number}").id
    unit.sources.add_alias(source_id, f"alias-{number}")
    unit.sources.open_fetch(source_id, "f1", at(1))
    unit.sources.complete_fetch(source_id, "f1")
    unit.sources.advance(source_id, at(2), 2)
    unit.sources.add_trust(Trust(source_id, "url", "hub", "hub", "", at()))
    unit.sources.add_trait(source_id, "guid_counter")
    records = [unit.records.add_record(a_record(source_id, each)) for each in (1, 2)]
    sightings = [
        unit.records.add_sighting(a_sighting(record_id, source_id, each)) for each, record_id in enumerate(records)
    ]
    version = unit.records.add_version(sightings[0], a_version(), an_item(), f"observation-{number}")
    unit.records.update_record(replace(a_record(source_id), id=records[0], current_version_id=version))
    unit.records.touch([Touch(sightings[0], 7, 7, at(7)), Touch(sightings[0], 4, 4, at(4), (a_key("k"),))])
    unit.records.set_keys({record_id: [a_key(f"{number}-{record_id}")] for record_id in records})
    unit.records.move_sightings([sightings[1]], records[0])
    unit.records.set_keys({records[0]: [a_key(f"{number}-moved")], records[1]: []})
    decision_id = unit.journal.add_decision(a_decision(records[0]), new_version_id=version).number
    event_id = unit.journal.add_event(an_event(*records)).number or 0
    unit.journal.set_cursor("reader", number)
    unit.reviews.add_review(Review(*records, decision_id, ReviewState.WAITING, at()))
    unit.reviews.close_review(*records, ReviewState.SAME)
    unit.reviews.add_label(Label(sightings[0], sightings[1], Verdict.SAME, "Aiko", at()))
    unit.counts.count_days([DayCount(source_id, at().date(), new=number)])
    unit.records.touch([Touch(sightings[0], 8, 8, at(8), digest=b"digest")])
    assert len(unit.bulk.find_listed(source_id, [b"digest"])) == 1
    assert unit.bulk.find_held([a_key(f"{number}-moved").address])
    assert len(unit.bulk.add_fresh([_fresh(source_id, number, each) for each in (3, 4)])) == 2
    images = unit.merges.snapshot(records)
    row, placed = images.records[records[1]], images.sightings[sightings[1]]
    changed = replace(
        images,
        records={**images.records, records[1]: row._replace(title="Changed")},
        sightings={**images.sightings, sightings[1]: placed._replace(record_id=records[1])},
        keys={},
        reviews={},
    )
    unit.merges.replace(images, changed)
    unit.merges.add_images(event_id, images, changed)
    version = unit.packs.add_version(a_rule_version())
    unit.packs.update_version(replace(version, state=RuleState.ACTIVE))
    added = unit.redirects.add_redirects([a_redirect(f"{number}-{each}", "target") for each in (1, 2)])
    assert added == 2


def _fresh(source_id: int, number: int, each: int) -> Fresh:
    """A new item with a key of each strength."""
    keys = tuple(a_key(f"{number}-{each}-{strength}", strength=strength) for strength in Strength)
    sighting, name = a_sighting(0, source_id, each), f"fresh-{number}-{each}"
    return Fresh(
        a_record(source_id, each), sighting, a_version(), an_item(each), name, keys, a_decision(), deliver=True
    )


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.fixture
def before(path: Path) -> Iterator[list[str]]:
    """A file that holds something already."""
    with closing(SqliteStore(path)) as store, store.unit() as unit:
        _everything(unit, 1)
    return _dump(path)


def _count_statements(path: Path) -> int:
    counter = FailingStatements()
    with closing(SqliteStore(path)) as store, closing(store.scratch_copy()) as copy:
        copy._hook = counter
        with copy.unit() as unit:
            _everything(unit, 2)
    return counter.count


def test_a_fault_at_any_statement_leaves_nothing(path: Path, before: list[str]) -> None:
    statements = _count_statements(path)
    assert statements > 40
    for number in range(1, statements + 1):
        fault = FailingStatements(number)
        with closing(SqliteStore(path, statement_hook=fault)) as store:
            with pytest.raises(StoreError, match=f"statement {number}:"), store.unit() as unit:
                _everything(unit, 2)
            assert _dump(path) == before
            fault.at = 0
            with closing(store.scratch_copy()) as copy, copy.unit() as unit:
                _everything(unit, 2)


def test_a_roll_back_that_fails_never_hides_its_cause(path: Path, before: list[str]) -> None:
    for number in (3, 20, _count_statements(path)):
        fault = FailingStatements(number, for_good=True)
        store = SqliteStore(path, statement_hook=fault)
        with pytest.raises(StoreError, match=f"statement {number}:") as caught, store.unit() as unit:
            _everything(unit, 2)
        assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
        assert any("rolling back failed as well" in note for note in caught.value.__notes__)
        with pytest.raises(StoreError, match="open the store again"), store.unit():
            pass
        assert _dump(path) == before
        with closing(SqliteStore(path, 0.1)) as other, other.unit():
            pass  # the lock is free


def test_a_fault_in_the_caller_keeps_its_type(path: Path) -> None:
    with closing(SqliteStore(path)) as store:

        def interrupted() -> None:
            with store.unit() as unit:
                add_article(unit)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            interrupted()
        with store.reading() as unit:
            assert unit.records.find_records() == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("database is locked", "too long; run it again"),
        ("attempt to write a readonly database", "opened for reading, or the file is protected"),
        ("unable to open database file", "may be written"),
        ("database or disk is full", "the database refused: database or disk is full"),
    ],
)
def test_errors_say_what_to_do(message: str, expected: str) -> None:
    error = store_error(sqlite3.OperationalError(message), "news.db")
    assert expected in str(error)
    assert str(error).startswith("news.db: ")
    assert error.retryable == ("locked" in message)
