"""A fault at the n-th SQL statement, for every n: all of a unit or nothing, and the next run completes."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seenbefore.engine.engine import Engine
from seenbefore.engine.group import group_items
from seenbefore.errors import IngestError
from seenbefore.model import DateEvidence, Decision, Item, Outcome, Precision
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements
from seenbefore.testing.streams import picture

RULES, POLICY = load_rules(), load_policy()
Undisturbed = tuple[list[tuple[str, ...]], list[set[str]], int]
FEED = "https://news.example/feed"
START = datetime(2026, 3, 1, tzinfo=UTC)
UNIT = 5

BRIDGE = (
    "The city council voted nine to four on Tuesday to replace the Harbour Road bridge, a steel span that "
    "has carried traffic since 1931. Engineers told the meeting that corrosion in the eastern bearings had "
    "doubled in two winters and that a weight limit would be needed by spring. Work is due to start in "
    "March."
)
WHALES = (
    "Researchers listening with sea-floor microphones have counted at least forty fin whales in a bay where "
    "none had been recorded for half a century. The animals arrive in late October and leave before the ice "
    "forms, following shoals of herring that have moved north. Shipping companies agreed to slow down "
    "inside the bay."
)
OPERA = (
    "The opera house reopens on Friday after three seasons of work on its stage machinery. The first "
    "evening is given to the chorus, which has rehearsed in a disused tram depot since the roof came down. "
    "Every seat in the new upper circle now has a full view, and a third of the tickets will be sold on the "
    "day."
)
STORM = "Gusts were measured at the lighthouse; the ferries stay in port, and the piers are closed to walkers."
TICKETS = (
    "Half of the tickets are drawn by lot on the last Sunday of the month. Whoever wants to take part fills "
    "in one card per household at the box office or at any library. Winners are called in the order in "
    "which they were drawn and have two days to pay; what is left over goes to schools and to people who "
    "help backstage."
)


def entry(fetch: int, guid: str, path: str, title: str, text: str = "", doi: str = "") -> Item:
    at = START + timedelta(hours=fetch)
    return Item(
        source=FEED,
        fetch_id=f"f{fetch}",
        guid=guid,
        original_url=f"https://news.example/{path}",
        title=title,
        content=text,
        ids={"doi": doi} if doi else {},
        published=DateEvidence("pubDate", START.isoformat(), START, Precision.SECOND, 0, True),
        observed_at=at,
    )


STORED = [
    [
        entry(1, "bridge", "bridge", "Harbour bridge to be replaced", BRIDGE),
        entry(1, "opera", "opera", "Opera reopens on Friday", OPERA),
        entry(1, "storm", "live", "Storm warning for the northern coast", STORM),
        entry(1, "whales", "study", "Fin whales return to the bay"),
    ],
    [
        entry(2, "calm", "live", "Storm warning for the northern coast lifted", STORM),
        entry(2, "ears", "study/full", "Counting whales by ear", doi="10.1/whales"),
    ],
]
INCOMING = [
    entry(3, "tram", "tram", "Tram line seven is extended"),
    entry(3, "bridge", "bridge", "Council replaces Harbour bridge", BRIDGE.replace("March", "April")),
    entry(3, "whales", "study", "Fin whales return to the bay, a study finds", WHALES, doi="10.1/whales"),
    entry(3, "lottery", "opera", "Tickets: how the lottery works", TICKETS),
    entry(3, "storm", "live", "Storm warning for the northern coast", STORM),
    entry(3, "calm", "live", "Storm warning for the northern coast lifted", STORM),
    entry(3, "gangkou", "港口", "港口大桥将重建的消息"),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database before the run that fails."""
    path = tmp_path_factory.mktemp("faults") / "base.db"
    store = SqliteStore(path)
    for items in STORED:
        engine(store).see_many(items)
    store.close()
    return path


def engine(store: SqliteStore) -> Engine:
    return Engine(store, RULES, POLICY, FrozenClock(), unit_size=UNIT)


def copied(base: Path, folder: Path) -> Path:
    path = folder / "news.db"
    for old in folder.glob("news.db*"):
        old.unlink()
    shutil.copyfile(base, path)
    return path


def dump(path: Path) -> tuple[str, ...]:
    """Everything that is stored."""
    with closing(sqlite3.connect(path)) as connection:
        return tuple(connection.iterdump())


def run(store: SqliteStore, items: Sequence[Item] = INCOMING) -> tuple[list[Decision], int, IngestError | None]:
    """Take the items in; returns the decisions, how many units were committed, and what stopped it."""
    decisions: list[Decision] = []
    units = 0
    try:
        for unit in engine(store).ingest(group_items(items)):
            decisions += [decision for _, decision in unit]
            units += 1
    except IngestError as error:
        return decisions, units, error
    return decisions, units, None


@pytest.fixture(scope="module")
def undisturbed(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The dumps before the run and after each unit, the items of each unit, and the count of statements."""
    folder = tmp_path_factory.mktemp("undisturbed")
    path = copied(base, folder)
    counter = FailingStatements()
    store = SqliteStore(path, statement_hook=counter)
    dumps, units = [dump(path)], []
    for unit in engine(store).ingest(group_items(INCOMING)):
        dumps.append(dump(path))
        units.append({f"{FEED}: {decision.item.guid}" for _, decision in unit})
    store.close()
    return dumps, units, counter.count


def test_the_run_holds_every_kind_of_change(base: Path, tmp_path: Path) -> None:
    store = SqliteStore(copied(base, tmp_path))
    decisions, units, _ = run(store)
    with store.reading() as unit:
        events = {entry.event.event for entry in unit.journal.read(0, 1000) if entry.event}
        switched = {trust.kind for trust in unit.sources.find_trust(1)}
    store.close()
    assert units == 2
    assert {d.outcome for d in decisions} >= {Outcome.NEW, Outcome.UPDATE, Outcome.REVIEW}
    assert events == {"merged", "split"}
    assert "url" in switched


def test_all_or_nothing_and_the_next_run_completes(base: Path, tmp_path: Path, undisturbed: Undisturbed) -> None:
    dumps, items, count = undisturbed
    assert count > 100
    for n in range(1, count + 1):
        path = copied(base, tmp_path)
        fault = FailingStatements(at=n)
        store = SqliteStore(path, statement_hook=fault)
        _, units, error = run(store)
        assert fault.struck, f"statement {n} was never reached"
        assert error is not None, f"the fault at statement {n} was swallowed"
        assert dump(path) == dumps[units], f"half a unit is stored after a fault at statement {n}"
        assert error.first_item in set().union(*items[units:]), f"fault at statement {n}"
        assert error.retryable
        _, _, again = run(store)
        store.close()
        assert again is None
        assert dump(path) == dumps[-1], f"the run after a fault at statement {n} ends otherwise"


def test_a_fault_that_stays_stores_nothing_and_closes_the_handle(
    base: Path, tmp_path: Path, undisturbed: Undisturbed
) -> None:
    dumps, _, count = undisturbed
    for n in range(1, count + 1, 7):
        path = copied(base, tmp_path)
        store = SqliteStore(path, statement_hook=FailingStatements(at=n, for_good=True))
        _, units, error = run(store)
        assert error is not None
        store.close()
        assert dump(path) == dumps[units], f"half a unit is stored after a fault at statement {n}"
        store = SqliteStore(path)
        assert run(store)[2] is None
        store.close()
        assert dump(path) == dumps[-1]


def test_single_items_in_one_unit(base: Path, tmp_path: Path) -> None:
    """Items that are fetches of their own share a unit: it stands or falls as a whole, too."""
    items = [replace(item, fetch_id=None) for item in INCOMING]
    path = copied(base, tmp_path)
    before, counter = dump(path), FailingStatements()
    store = SqliteStore(path, statement_hook=counter)
    Engine(store, RULES, POLICY, FrozenClock()).see_many(items)
    statements, expected = counter.count, picture(store)
    store.close()
    for n in range(1, statements + 1, 3):
        path = copied(base, tmp_path)
        store = SqliteStore(path, statement_hook=FailingStatements(at=n))
        with pytest.raises(IngestError) as caught:
            Engine(store, RULES, POLICY, FrozenClock()).see_many(items)
        assert caught.value.first_item == f"{FEED}: {items[0].guid}"
        assert dump(path) == before
        Engine(store, RULES, POLICY, FrozenClock()).see_many(items)
        assert picture(store) == expected
        store.close()
