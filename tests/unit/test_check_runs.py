"""How a check runs: beside writers, over damage that stops others, under another policy, and silently."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.audit import check_store
from seenbefore.errors import StoreBusy
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.contract_base import add_article
from seenbefore.testing.faults import FailingStatements

from .conftest import TEXTS
from .sound_store import check, copy_store, make_store

RULES, POLICY = load_rules(), load_policy()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("sound") / "news.db")


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    """A copy of the sound store."""
    return copy_store(sound, tmp_path / "news.db")


def damage(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            assert connection.execute(statement).rowcount
        connection.commit()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_every_place_is_counted_and_the_first_ones_are_shown(path: Path) -> None:
    damage(path, "UPDATE records SET title = title || '!' WHERE status = 'active'")
    whole, some = check(path), check(path, limit=3)
    assert len(whole.problems) == whole.counts["record_fields"] == 8
    assert some.counts == whole.counts
    assert some.problems == whole.problems[:3]
    assert whole.problems[0].where == "r1"
    assert "'Bridge opens!'" in whole.problems[0].message
    assert some.to_json()["counts"] == {"record_fields": 8}


def test_nothing_is_written(path: Path) -> None:
    damage(path, "UPDATE records SET title = 'x' WHERE id = 1", "DELETE FROM keys WHERE record_id = 2")
    before = dump(path)
    assert not check(path).is_clean
    assert dump(path) == before


def test_writers_are_not_waited_for_and_not_looked_at(path: Path) -> None:
    """A unit is open at the start; another one commits half a record while the check goes on."""
    with closing(SqliteStore(path)) as writer, closing(SqliteStore(path, 0.01)) as reader:
        written: list[int] = []

        def write(done: int, total: int) -> None:
            if not written:
                with writer.unit() as unit:
                    written.append(add_article(unit, 99)[0].id)

        with writer.unit() as unit:
            add_article(unit, 98)
            assert check_store(reader, RULES, POLICY).problems == []
        known = check_store(reader, RULES, POLICY)
        during = check_store(reader, RULES, POLICY, progress=write)
        assert written
        assert (during.counts, during.records) == (known.counts, known.records)
        after = check_store(reader, RULES, POLICY)
        assert after.records == known.records + 1
        assert after.counts.total() > known.counts.total()


def test_a_busy_store_is_no_broken_store() -> None:
    store = MemoryStore(busy_timeout_s=0.01)
    store._lock.acquire()
    with pytest.raises(StoreBusy):
        check_store(store, RULES, POLICY)


def test_what_cannot_be_read_does_not_hide_the_rest(path: Path) -> None:
    damage(
        path,
        "UPDATE versions SET paragraph_hashes = '[' WHERE id = 1",
        "UPDATE records SET title = 'x' WHERE id = 2",
        "UPDATE decisions SET flags = '{' WHERE id = 6",
        "UPDATE decisions SET reason = 'x' WHERE id = 7",
    )
    found = {(problem.code, problem.where) for problem in check(path).problems}
    assert found == {("unreadable", "r1"), ("record_fields", "r2"), ("unreadable", "seq 6"), ("decision_code", "d7")}


def test_a_file_with_pages_of_zeros_is_reported_and_not_raised(path: Path) -> None:
    data = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        page = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sightings'").fetchone()[0]
    data[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(data)
    report = check(path)
    assert set(report.counts) <= {"file_damaged", "unreadable"}
    assert "could not go on" in report.problems[-1].message


def test_a_fault_at_any_statement_is_reported(path: Path) -> None:
    counter = FailingStatements()
    with closing(SqliteStore(path, statement_hook=counter)) as store:
        assert check_store(store, RULES, POLICY).is_clean
    assert counter.count > 40
    for number in range(2, counter.count + 1, 7):  # the first one opens the transaction
        with closing(SqliteStore(path, statement_hook=FailingStatements(number))) as store:
            report = check_store(store, RULES, POLICY)
            assert list(report.counts) == ["unreadable"], number
            assert "disk I/O error" in report.problems[0].message
            assert check_store(store, RULES, POLICY).is_clean


def test_fields_derived_under_another_policy_are_left_alone(tmp_path: Path) -> None:
    """What counts as too poor to replace an older text is policy; a record is not derived again for a new one."""
    long = TEXTS.bridge + TEXTS.whales + TEXTS.opera
    items = [
        {"source": "news", "fetch_id": str(n), "observed_at": f"2026-03-0{n}T00:00:00Z", "guid": "1",
         "title": "Bridge", "content": content}
        for n, content in ((1, long), (2, TEXTS.market))
    ]  # fmt: skip
    path = tmp_path / "news.db"
    strict: dict[str, Any] = {"version": "strict", "text": {"shrink_ratio": 1.0}}
    with seenbefore.open(path, policy=strict) as db:
        for item in items:
            db.see(item)
        assert db.check().to_json()["under_other_policy"] == 0
        assert db.check().is_clean
    loose = {"version": "loose", "text": {"shrink_ratio": 0.01}}
    with seenbefore.open(path, policy=loose) as db:
        report = db.check()
        assert (report.is_clean, report.under_other_policy) == (True, 1)
    damage(path, "UPDATE decisions SET policy_version = 'loose'")
    with seenbefore.open(path, policy=loose) as db:
        assert set(db.check().counts) == {"record_fields"}


def test_rejected_records_are_live(path: Path) -> None:
    damage(path, "UPDATE records SET status = 'rejected' WHERE id = 2")
    assert check(path).is_clean


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param("(SELECT max(id) FROM sightings WHERE record_id = 1), 2", id="another verdict"),
        pytest.param(
            "(SELECT min(id) FROM sightings WHERE guid = 'shared'),"
            " (SELECT max(id) FROM sightings WHERE guid = 'shared')",
            id="one fetch listed both",
        ),
    ],
)
def test_a_verdict_that_something_stands_against_is_not_broken(pair: str, path: Path) -> None:
    damage(
        path,
        "INSERT INTO labels (sighting_a, sighting_b, verdict, author, labeled_at)"
        f" VALUES ({pair}, 'same', '', '2024-01-01T00:00:00.000000Z')",
    )
    assert check(path).problems == []


def test_an_event_that_cannot_be_read_is_reported_once(path: Path) -> None:
    damage(path, "UPDATE events SET detail = '{' WHERE event = 'merged'")
    assert set(check(path).counts) == {"unreadable", "event_merged"}
