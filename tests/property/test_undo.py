"""Undo, searched by Hypothesis: byte for byte when nothing came since, and nothing lost or brought back otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from seenbefore.engine.audit import check_store
from seenbefore.engine.consolidate import consolidate_all
from seenbefore.engine.context import Context
from seenbefore.engine.engine import Engine
from seenbefore.engine.layout import Layout
from seenbefore.engine.rearrange import carry_out
from seenbefore.engine.undo import undo_event
from seenbefore.model import Event, Item, ReviewState, Status, Verdict
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base import Store
from seenbefore.stores.base_merges import RecordRow
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.streams import Fetched, picture, streams, with_fetch_ids

RULES, POLICY = load_rules(), load_policy()
SEARCH = settings(
    max_examples=settings().max_examples * 4 // 10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
DENSE = streams(sources=3, fetches=4, size=4)
"""Dense enough that most streams merge and split several times."""

Rows = dict[str, Any]
Step = tuple[Event, Rows]
Pair = tuple[int, int]


# --- looking into stores ------------------------------------------------------------------------

EVENT_TABLES = {"decisions", "journal", "events", "event_records", "merge_images", "labels", "cursors"}
"""Not restored by an undo. So are counters of ids, and what is counted per day when a unit ends."""


def rows(store: Store) -> Rows:
    """Everything that an undo restores."""
    if isinstance(store, SqliteStore):
        connection = store._connection
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = set(tables) - EVENT_TABLES - {"sqlite_sequence", "daily_counts"}
        return {name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in kept}
    assert isinstance(store, MemoryStore)
    tables = store._tables
    names = "sources aliases trust fetches sightings items observation_keys strong_holder reviews".split()
    return {
        **{name: dict(getattr(tables, name)) for name in names},
        "records": {number: RecordRow.of(record) for number, record in tables.records.items()},
        "keys": {number: dict(keys) for number, keys in tables.keys.items() if keys},
        "holders": {address: held for address, held in tables.holders.items() if held},
        "merged_into": {number: merged for number, merged in tables.merged_into.items() if merged},
        "by_record": {number: held for number, held in tables.sightings_by_record.items() if held},
    }


def spied(store: Store, act: Callable[[], object]) -> list[Step]:
    """The steps taken while ``act`` runs, each with the rows as they were before it."""
    steps: list[Step] = []

    def spy(unit: Any, plan: Any, event: Event, **more: Any) -> Event:
        before = rows(store)
        steps.append((carry_out(unit, plan, event, **more), before))
        return steps[-1][0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seenbefore.engine.rearrange.carry_out", spy)
        act()
    return steps


def engine_on(store: Store) -> Engine:
    return Engine(store, RULES, POLICY, FrozenClock())


def undo(store: Store, event: Event, author: str = "ann") -> Any:
    assert event.number is not None
    return undo_event(store, RULES, POLICY, FrozenClock()(), event.number, author)


def take_in(store: Store, stream: Sequence[Fetched]) -> list[Event]:
    """Take a stream in, fetch by fetch; return its merges and splits."""
    engine = engine_on(store)
    for items in with_fetch_ids(stream):
        if items:
            engine.see_many(items)
    with store.reading() as unit:
        return [event for event in unit.journal.find_events() if event.event in ("merged", "split")]


def assert_in_order(store: Store) -> None:
    """Nothing that `seenbefore check` looks at is broken, and rows are exactly what the sightings make them.

    A verdict `same` may wait for the next item, where undoing one thing freed what another one had joined.
    """
    problems = check_store(store, RULES, POLICY).problems
    broken = [p for p in problems if p.code != "verdict" or "the same" not in p.message]
    assert not broken, broken
    with store.reading() as unit:
        context = Context(unit, RULES, POLICY)
        records = {record.id: record for record in unit.records.find_records()}
        layout = Layout.load(context, unit.records.get_sightings(records), ())
        keys = layout.keys()
        stored = unit.merges.snapshot(records)
        for record in records.values():
            held = {key for (record_id, _), key in stored.keys.items() if record_id == record.id}
            if record.status is Status.MERGED:
                assert records[record.survivor_id].status is not Status.MERGED
                assert record.id not in layout.members
                assert held == set()
            else:
                assert RecordRow.of(layout.record(record.id, record.status)) == RecordRow.of(record)
                assert held == set(keys[record.id])
        home = {s.id: record_id for record_id, several in layout.members.items() for s in several}
        for label in unit.reviews.find_labels(home):
            if label.verdict is Verdict.DIFFERENT:
                assert home[label.sighting_a] != home[label.sighting_b]
        for review in unit.reviews.find_reviews():
            if review.state is ReviewState.WAITING:
                assert {records[r].status for r in (review.record_id, review.other_id)} & {Status.MERGED} == set()


# --- byte for byte ------------------------------------------------------------------------------


def check_byte_for_byte(store: Store, stream: Sequence[Fetched]) -> int:
    """Take items in one by one; after each take back what it set in motion, newest first, in a copy."""
    engine, count = engine_on(store), 0
    for item in (item for items in with_fetch_ids(stream) for item in items):
        steps = spied(store, lambda item=item: engine.see_many([item]))
        if not steps:
            continue
        with closing(store.scratch_copy()) as copy:
            for event, before in reversed(steps):
                undone = undo(copy, event)
                assert undone.exact
                assert undone.kept == ()
                assert rows(copy) == before
                count += 1
            assert_in_order(copy)
    return count


@SEARCH
@given(DENSE)
def test_undo_restores_what_stood_before_byte_for_byte(stream: list[Fetched]) -> None:
    check_byte_for_byte(MemoryStore(), stream)


@settings(SEARCH, max_examples=SEARCH.max_examples // 3)
@given(DENSE)
def test_undo_restores_the_file_byte_for_byte(stream: list[Fetched]) -> None:
    with closing(SqliteStore(":memory:")) as store:
        check_byte_for_byte(store, stream)


# --- later edits --------------------------------------------------------------------------------


def homes(store: Store) -> dict[int, int]:
    with store.reading() as unit:
        return {s.id: s.record_id for s in unit.records.get_sightings(r.id for r in unit.records.find_records())}


def undo_and_look(store: Store, event: Event) -> dict[int, int]:
    """Undo an event and check that everything it had moved is home; return the homes of before it."""
    with store.reading() as unit:
        images = unit.merges.find_images(event.number or 0)
    assert images is not None
    undo(store, event)
    before = {sighting_id: placed.record_id for sighting_id, placed in images[0].sightings.items()}
    assert {s: record_id for s, record_id in homes(store).items() if s in before} == before
    assert_in_order(store)
    return before


def again(stream: Sequence[Fetched], suffix: str) -> Iterator[list[Item]]:
    """The fetches of a stream once more; with a suffix under fetch ids of their own."""
    for items in with_fetch_ids(stream):
        if items:
            yield [replace(item, fetch_id=f"{item.fetch_id}{suffix}") for item in items]


@SEARCH
@given(DENSE)
def test_undoing_everything_newest_first(stream: list[Fetched]) -> None:
    """Then the same feeds again change nothing."""
    store = MemoryStore()
    for event in reversed(take_in(store, stream)):
        undo_and_look(store, event)
    before = homes(store), picture(store)
    engine = engine_on(store)
    for items in again(stream, ""):
        answers = engine.see_many(items)
        assert {(a.outcome.value, a.reason) for a in answers} == {("duplicate", "seen_again")}
    assert (homes(store), picture(store)) == before
    for items in again(stream, " again"):
        engine.see_many(items)
        assert_in_order(store)


@SEARCH
@given(DENSE)
def test_what_was_undone_does_not_come_back(stream: list[Fetched]) -> None:
    """The entries of the stream in new fetches: what was told apart stays apart, whatever they teach."""
    store = MemoryStore()
    events = take_in(store, stream)
    if not events:
        return
    before = undo_and_look(store, events[-1])
    engine = engine_on(store)
    for items in again(stream, " again"):
        engine.see_many(items)
        assert_in_order(store)
        home = homes(store)
        assert [(a, b) for a, b in combinations(before, 2) if before[a] != before[b] and home[a] == home[b]] == []


# --- consolidation ------------------------------------------------------------------------------


@SEARCH
@given(DENSE)
def test_consolidating_finds_nothing_that_ingest_left(stream: list[Fetched]) -> None:
    """Clusters are formed from all that hangs together, whoever asks; and what was undone stays so."""
    store = MemoryStore()
    events = take_in(store, stream)
    before = rows(store)
    *_, done = consolidate_all(store, RULES, POLICY, FrozenClock())
    assert (done.merged, done.split, done.reviews) == (0, 0, 0)
    assert rows(store) == before
    if not events:
        return
    home = undo_and_look(store, events[-1])
    *_, _ = consolidate_all(store, RULES, POLICY, FrozenClock())
    assert_in_order(store)
    after = homes(store)
    for a, b in combinations(home, 2):
        assert (after[a] == after[b]) == (home[a] == home[b])
    before = rows(store)
    *_, done = consolidate_all(store, RULES, POLICY, FrozenClock())
    assert rows(store) == before, "the second run changes something"
