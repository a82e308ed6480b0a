"""Real feed histories after all were taken in: nothing left out, another reading changes nothing, invariants hold."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

import seenbefore
from seenbefore.engine.job import Answer, Committed, Skipped
from seenbefore.evaluate.snapshots import find_histories
from seenbefore.sources.feed import read_feed
from seenbefore.testing.streams import Picture, picture

from .conftest import Replayed

FEEDS = 21
EVERY = 10
RUN_LENGTH = 2

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def again(histories: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of about 200 of the snapshots: of each feed two that follow each other, then a gap."""
    folder = tmp_path_factory.mktemp("again")
    seen: Counter[str] = Counter()
    for snapshot in sorted(find_histories(histories).snapshots, key=lambda snapshot: (snapshot.feed, snapshot.file)):
        if seen[snapshot.feed] % (EVERY * RUN_LENGTH) < RUN_LENGTH:
            (folder / snapshot.feed).mkdir(exist_ok=True)
            (folder / snapshot.feed / snapshot.file).write_bytes(snapshot.path.read_bytes())
        seen[snapshot.feed] += 1
    return folder


@dataclass(frozen=True, slots=True)
class Run:
    """The database after all snapshots were taken in and some of them twice, and how it looked before and after."""

    path: Path
    second: tuple[Answer, ...]
    skipped: tuple[Skipped, ...]
    before: Picture
    after: Picture
    journal: tuple[int, int]

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """The rows of a query."""
        with closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(sql).fetchall()


@pytest.fixture(scope="module")
def run(replayed: Replayed, again: Path) -> Run:
    with seenbefore.open(replayed.database) as db:
        before, seq = picture(db.store), db.stats().last_seq
        steps = list(db.ingest([str(again)]))
        after, seq_again = picture(db.store), db.stats().last_seq
    answers = tuple(answer for step in steps if isinstance(step, Committed) for answer in step.answers)
    skipped = tuple(step for step in steps if isinstance(step, Skipped))
    return Run(replayed.database, answers, skipped, before, after, (seq, seq_again))


def test_nothing_is_left_out(run: Run, replayed: Replayed, again: Path) -> None:
    assert (replayed.report.not_read, run.skipped) == ((), ())
    assert {Path(answer.where).parent.name for answer in run.second} == {feed.name for feed in again.iterdir()}
    assert len(list(again.iterdir())) == len(replayed.report.feeds) == FEEDS


def test_every_entry_is_answered_once(run: Run, again: Path) -> None:
    expected = {}
    for file in again.glob("*/*"):
        read = read_feed(file.read_bytes(), source="s", observed_at=datetime(2026, 1, 1, tzinfo=UTC), default_name="s")
        if read.items:
            expected[str(file)] = len(read.items)
    assert len(expected) > 180
    assert Counter(answer.where for answer in run.second) == expected


def test_the_second_run_says_seen_again_and_changes_nothing(run: Run) -> None:
    assert {(a.decision.outcome.value, a.decision.reason) for a in run.second} == {("duplicate", "seen_again")}
    assert run.after == run.before
    assert run.journal[0] == run.journal[1]


def test_answers_point_at_live_records(run: Run) -> None:
    live = {row[0] for row in run.rows("SELECT id FROM records WHERE status <> 'merged'")}
    assert {answer.decision.record_number for answer in run.second} <= live


INVARIANTS = {
    "one_live_record_per_strong_key": """
        SELECT keys.kind, scope, value, count(*) FROM keys JOIN records ON records.id = record_id
        WHERE strength = 'strong' AND status <> 'merged'
        GROUP BY keys.kind, scope, value HAVING count(*) > 1""",
    "merged_records_have_no_keys": """
        SELECT keys.* FROM keys JOIN records ON records.id = record_id WHERE status = 'merged'""",
    "live_records_have_keys_or_nothing_to_make_them_of": """
        SELECT records.* FROM records JOIN sightings ON sightings.record_id = records.id
        WHERE status <> 'merged' AND (guid <> '' OR original_url <> '' OR clean_title <> '')
        AND records.id NOT IN (SELECT record_id FROM keys)""",
    "sightings_belong_to_live_records": """
        SELECT sightings.id FROM sightings JOIN records ON records.id = record_id WHERE status = 'merged'""",
    "live_records_have_a_sighting": """
        SELECT id FROM records WHERE status <> 'merged' AND id NOT IN (SELECT record_id FROM sightings)""",
    "redirects_are_flat": """
        SELECT a.id FROM records a JOIN records b ON b.id = a.survivor_id WHERE b.status = 'merged'""",
    "sightings_have_a_version": """
        SELECT id FROM sightings WHERE id NOT IN (SELECT sighting_id FROM versions)""",
    "the_current_version_is_one_of_the_record": """
        SELECT records.id FROM records WHERE status <> 'merged' AND NOT EXISTS (
            SELECT 1 FROM versions JOIN sightings ON sightings.id = sighting_id
            WHERE versions.id = current_version_id AND sightings.record_id = records.id)""",
    "every_fetch_is_complete": "SELECT * FROM fetches WHERE NOT completed",
    "waiting_pairs_are_live": """
        SELECT reviews.id FROM reviews JOIN records a ON a.id = record_id JOIN records b ON b.id = other_id
        WHERE state = 'waiting' AND (a.status = 'merged' OR b.status = 'merged')""",
    "times_are_in_order": """
        SELECT id FROM sightings WHERE first_seen_at > last_seen_at OR run_start > run_end""",
    "foreign_keys_hold": "PRAGMA foreign_key_check",
}


@pytest.mark.parametrize("name", INVARIANTS)
def test_invariant(run: Run, name: str) -> None:
    assert run.rows(INVARIANTS[name]) == []
