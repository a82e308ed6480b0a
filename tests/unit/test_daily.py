"""What is counted by day: every item once, however often it is read, under the day it was observed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.daily import DayTally
from seenbefore.engine.engine import Engine
from seenbefore.model import DayCount, Item, Outcome
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.builders import a_decision, an_item
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements

from .conftest import TEXTS

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
TITLES = ("Bridge to be replaced", "Whales return", "Opera reopens", "First tuna of the year", "Ferry in winter")


def entries(day: int, *numbers: int, fetch: str = "", **fields: Any) -> list[Item]:
    """Entries of the fetch of a day."""
    at = START + timedelta(days=day)
    return [
        an_item(
            n, title=TITLES[n], summary="", published=None, observed_at=at, fetch_id=fetch or f"day {day}", **fields
        )
        for n in numbers
    ]


@pytest.fixture
def engine() -> Iterator[Engine]:
    store = MemoryStore()
    yield Engine(store, load_rules(), load_policy(), FrozenClock())
    store.close()


def counted(engine: Engine) -> dict[int, tuple[int, int, int, int]]:
    """New, update, duplicate, review by days since the beginning, all sources together."""
    with engine.store.reading() as unit:
        found: dict[int, DayCount] = {}
        for count in unit.counts.find_days():
            day = (count.day - START.date()).days
            found[day] = found[day].plus(count) if day in found else count
        return {day: (c.new, c.update, c.duplicate, c.review) for day, c in found.items()}


def take_in(engine: Engine, *fetches: Sequence[Item]) -> None:
    for items in fetches:
        engine.see_many(items)


def test_new_items_changes_and_repeats(engine: Engine) -> None:
    changed = entries(1, 0)[0]
    take_in(
        engine,
        entries(0, 0, 1, 2),
        [an_item(0, title="Bridge opens", summary="", published=None, observed_at=changed.observed_at,
                 fetch_id=changed.fetch_id), *entries(1, 1, 2, 3)],
    )  # fmt: skip
    assert counted(engine) == {0: (3, 0, 0, 0), 1: (1, 1, 2, 0)}


def test_reading_a_fetch_again_counts_nothing(engine: Engine) -> None:
    fetches = [entries(0, 0, 1, 2), entries(1, 0, 1, 2, 3), entries(2, 0, 1)]
    take_in(engine, *fetches)
    once = counted(engine)
    take_in(engine, *fetches)
    take_in(engine, *fetches[::-1])
    assert counted(engine) == once == {0: (3, 0, 0, 0), 1: (1, 0, 3, 0), 2: (0, 0, 2, 0)}


def test_a_late_fetch_counts_once_under_its_own_day(engine: Engine) -> None:
    late = entries(1, 0, 1, 2)
    take_in(engine, entries(0, 0, 1), entries(2, 0, 1), late)
    once = counted(engine)
    assert once == {0: (2, 0, 0, 0), 1: (1, 0, 2, 0), 2: (0, 0, 2, 0)}
    take_in(engine, late, late)
    assert counted(engine) == once


def test_a_fetch_in_pieces(engine: Engine) -> None:
    """What stands in both pieces counts once."""
    whole = entries(1, 0, 1, 2, 3)
    take_in(engine, entries(0, 0, 1), whole[:3], whole[1:])
    assert counted(engine) == {0: (2, 0, 0, 0), 1: (2, 0, 2, 0)}


def test_items_that_are_fetches_of_their_own(engine: Engine) -> None:
    """In one unit, of several sources and days; the day is the one in UTC."""
    tokyo = "2026-03-02T03:00:00+09:00"  # still the first of March
    items = [
        {"source": source, "url": f"https://news.example/{n}", "title": TITLES[n], "observed_at": at}
        for source, n, at in (
            ("a", 0, tokyo),
            ("b", 1, tokyo),
            ("a", 2, "2026-03-02T12:00:00Z"),
            ("a", 0, "2026-03-03T00:00:00Z"),
        )
    ]
    with seenbefore.open(":memory:") as db:
        db.see_many(items)
        with db.store.reading() as unit:
            assert unit.counts.find_days() == [
                DayCount(1, date(2026, 3, 1), new=1),
                DayCount(2, date(2026, 3, 1), new=1),
                DayCount(1, date(2026, 3, 2), new=1),
                DayCount(1, date(2026, 3, 3), duplicate=1),
            ]


def test_the_same_list_of_items_counts_once(engine: Engine) -> None:
    items = [an_item(n, title=TITLES[n], observed_at=START + timedelta(hours=n)) for n in range(4)]
    take_in(engine, items)
    once = counted(engine)
    assert once == {0: (4, 0, 0, 0)}
    take_in(engine, items)
    assert counted(engine) == once


def test_reviews_and_duplicates_elsewhere(engine: Engine) -> None:
    doi: dict[str, Any] = {"ids": {"doi": "10.1/a"}}
    first = entries(0, 0, source="a", content=TEXTS.bridge, **doi)
    take_in(engine, first, entries(0, 1, source="b", content=TEXTS.whales, **doi), entries(0, 0, source="c"))
    assert counted(engine) == {0: (1, 0, 1, 1)}


def test_history_counts_as_well(engine: Engine) -> None:
    engine.see_many(entries(0, 0, 1), history=True)
    assert counted(engine) == {0: (2, 0, 0, 0)}


def test_asking_counts_nothing(engine: Engine) -> None:
    take_in(engine, entries(0, 0))
    engine.peek(entries(1, 0)[0])
    engine.peek(entries(1, 3)[0])
    assert counted(engine) == {0: (1, 0, 0, 0)}


def test_one_statement_per_unit() -> None:
    statements: list[str] = []
    store = SqliteStore(":memory:", statement_hook=statements.append)
    engine = Engine(store, load_rules(), load_policy(), FrozenClock())
    take_in(engine, entries(0, 0, 1, 2, 3))
    statements.clear()
    take_in(engine, entries(1, 0, 1, 2, 3, 4))
    written = [sql for sql in statements if "daily_counts" in sql]
    store.close()
    assert len(written) == 2  # the statement, and its one row
    assert len(set(written)) == 1


def test_what_a_unit_does_not_store_is_not_counted() -> None:
    counter = FailingStatements()
    store = SqliteStore(":memory:", statement_hook=counter)
    engine = Engine(store, load_rules(), load_policy(), FrozenClock())
    take_in(engine, entries(0, 0))
    for number in range(1, 200, 6):
        fault = FailingStatements(number)
        store._hook = fault
        try:
            take_in(engine, entries(1, 0, 1))
        except seenbefore.IngestError:
            store._hook = None
            assert counted(engine) == {0: (1, 0, 0, 0)}
        else:
            break
    store._hook = None
    assert counted(engine) == {0: (1, 0, 0, 0), 1: (1, 0, 1, 0)}
    store.close()


# --- the tally itself ---------------------------------------------------------------------------


def test_late_repeats_count_for_the_first_reader_only() -> None:
    first, again = DayTally(late_repeats=True), DayTally()
    for tally in (first, again):
        tally.repeated(1, START, 3, late=True)
        tally.repeated(1, START, 0)
    assert first.days() == [DayCount(1, START.date(), duplicate=3)]
    assert again.days() == []


def test_a_tally_is_written_once() -> None:
    store = MemoryStore()
    tally = DayTally()
    with store.unit() as unit:
        source_id = unit.sources.add_source("News", "news").id
        tally.decided(source_id, START, a_decision(1, Outcome.UPDATE))
        tally.write(unit.counts)
        tally.write(unit.counts)
        assert unit.counts.find_days() == [DayCount(source_id, START.date(), update=1)]
    assert tally.days() == []
