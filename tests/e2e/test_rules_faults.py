"""A fault at the n-th SQL statement of an activation and of a rollback, for every n; and two processes at once."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from seenbefore.engine.activate import Activation, activate
from seenbefore.engine.audit import check_store
from seenbefore.engine.engine import Engine
from seenbefore.engine.rollback import roll_back
from seenbefore.engine.rulebook import RuleBook
from seenbefore.errors import StoreError
from seenbefore.model import Item
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements

from .conftest import Start

RULES, POLICY = load_rules(), load_policy()
AT = datetime(2026, 3, 1, tzinfo=UTC)
PAGE = 2

PACK = """
pack = "mine"
version = 1
[[rule]]
id = "mine-slug"
kind = "identity"
hosts = ["news.example"]
match = ["/{year}/{month}/{day}/{slug}"]
value = "mine:{slug}"
reads = "slug"
reason = "Stories are posted again under a new date."
fact = "made up"
must_match = [
    ["https://news.example/2026/03/01/robots-fold-laundry", "https://news.example/2026/03/02/robots-fold-laundry"],
    ["https://news.example/2026/03/01/robots-fold-laundry", "https://news.example/2026/04/02/robots-fold-laundry"],
]
must_not_match = [
    ["https://news.example/2026/03/01/robots-fold-laundry", "https://news.example/2026/03/01/robots-fold-linen"],
    ["https://news.example/2026/03/01/", "https://news.example/2026/03/02/"],
]
"""

Work = Callable[[SqliteStore], Iterator[Activation]]


def entry(number: int, day: int, slug: str, title: str) -> Item:
    address = f"https://news.example/2026/03/{day:02}/{slug}"
    at = AT + timedelta(hours=number)
    return Item(
        source="https://news.example/feed",
        guid=f"g{number}",
        original_url=address,
        title=title,
        observed_at=at,
    )


STORED = [
    entry(1, 1, "robots-fold-the-laundry", "Robots that fold the laundry"),
    entry(2, 1, "whales-return-to-bay", "Whales return to the bay"),
    entry(3, 2, "robots-fold-the-laundry", "Robots that fold the laundry"),
    entry(4, 2, "whales-return-to-bay", "Notes from the harbor office"),
    entry(5, 3, "robots-fold-the-laundry", "Robots that fold the laundry"),
]
LATER = [
    entry(6, 4, "robots-fold-the-laundry", "Robots that fold the laundry"),
    entry(7, 4, "opera-opens-its-doors", "The opera opens its doors"),
    entry(8, 5, "opera-opens-its-doors", "The opera opens its doors"),
]


def opened(path: Path, fault: FailingStatements | None = None) -> SqliteStore:
    return SqliteStore(path, statement_hook=fault)


def clock() -> FrozenClock:
    """It stands still, so that what was done in two goes can be equal to what was done in one."""
    return FrozenClock(AT + timedelta(days=30), timedelta(0))


def activation(store: SqliteStore) -> Iterator[Activation]:
    return activate(store, RuleBook(RULES), POLICY, clock(), PACK, "mine.toml", page=PAGE)


def rollback(store: SqliteStore) -> Iterator[Activation]:
    return roll_back(store, RuleBook(RULES), POLICY, clock(), 1, page=PAGE)


def dump(path: Path) -> tuple[str, ...]:
    """All that is stored, but how far the keys of records have come: splits add records to that."""
    with closing(sqlite3.connect(path)) as connection:
        lines = [line for line in connection.iterdump() if not line.startswith('INSERT INTO "rule_versions"')]
        return (*lines, *map(str, connection.execute("SELECT number, state, rolled_back_at FROM rule_versions")))


def copied(base: Path, folder: Path) -> Path:
    path = folder / "news.db"
    for old in folder.glob("news.db*"):
        old.unlink()
    shutil.copyfile(base, path)
    return path


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database before the rules."""
    path = tmp_path_factory.mktemp("rules") / "stored.db"
    with closing(opened(path)) as store:
        Engine(store, RULES, POLICY, clock()).see_many(STORED)
    return path


@pytest.fixture(scope="module")
def under_rules(stored: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One in which they are in force, with what came since."""
    path = copied(stored, tmp_path_factory.mktemp("under"))
    with closing(opened(path)) as store:
        assert [*activation(store)][-1].reformed.merged == 2
        Engine(store, RULES, POLICY, clock()).see_many(LATER)
    return path


def live(store: SqliteStore) -> set[frozenset[str]]:
    with store.reading() as unit:
        records = {record.id for record in unit.records.find_records()}
        found: dict[int, set[str]] = {}
        for sighting in unit.records.get_sightings(records):
            found.setdefault(sighting.record_id, set()).add(sighting.guid)
    return set(map(frozenset, found.values()))


class Watched(FailingStatements):
    """Counts statements, and keeps what was stored before each commit."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.states: list[tuple[str, ...]] = []

    def __call__(self, sql: str) -> None:
        super().__call__(sql)
        if sql == "COMMIT":
            self.states.append(dump(self._path))


def fail_everywhere(base: Path, folder: Path, work: Work, *, for_good: bool = False, step: int = 1) -> int:
    """Every n-th statement fails: what is stored is what was committed, sound, and the next call completes it."""
    path = copied(base, folder)
    watched = Watched(path)
    with closing(opened(path, watched)) as store:
        for _ in work(store):
            pass
    end, tried = dump(path), set[tuple[str, ...]]()
    for n in range(1, watched.count + 1, step):
        path = copied(base, folder)
        store = opened(path, FailingStatements(at=n, for_good=for_good))
        with pytest.raises(StoreError):
            for _ in work(store):
                pass
        state = dump(path)
        assert state in watched.states, f"half a unit is stored after a fault at statement {n}"
        if state not in tried or step > 1:
            tried.add(state)
            store = reopened(store, path) if for_good else store
            assert check_store(store, RuleBook(RULES), POLICY).problems == [], f"after a fault at statement {n}"
            for _ in work(store):
                pass
            assert dump(path) == end, f"the call after a fault at statement {n} ends otherwise"
        store.close()
    return len(tried)


def reopened(store: SqliteStore, path: Path) -> SqliteStore:
    store.close()
    return opened(path)


def test_an_activation_that_fails_anywhere(stored: Path, tmp_path: Path) -> None:
    assert fail_everywhere(stored, tmp_path, activation) > 5


def test_a_rollback_that_fails_anywhere(under_rules: Path, tmp_path: Path) -> None:
    assert fail_everywhere(under_rules, tmp_path, rollback) > 6


@pytest.mark.parametrize("work", [activation, rollback])
def test_a_fault_that_stays(stored: Path, under_rules: Path, tmp_path: Path, work: Work) -> None:
    base = stored if work is activation else under_rules
    assert fail_everywhere(base, tmp_path, work, for_good=True, step=11) > 5


def test_what_the_two_amount_to(under_rules: Path, tmp_path: Path) -> None:
    path = copied(under_rules, tmp_path)
    with closing(opened(path)) as store:
        robots, opera = frozenset(("g1", "g3", "g5", "g6")), frozenset(("g7", "g8"))
        assert live(store) == {robots, opera, frozenset(("g2",)), frozenset(("g4",))}
        *_, last = rollback(store)
        assert live(store) == {frozenset((f"g{n}",)) for n in range(1, 9)}
        assert (last.version.state, last.reformed.split) == ("rolled_back", 2)


LOOP = """
import sys, time
from pathlib import Path
import seenbefore
database, ready, go, end = sys.argv[1:]
with seenbefore.open(database) as db:
    Path(ready).touch()
    while not Path(go).exists():
        time.sleep(0.001)
    for day in range(1, 29):
        at = f"2026-04-{day:02}T00:00:00Z"
        url = f"https://news.example/2026/04/{day:02}/robots-fold-the-laundry"
        item = {"source": "b", "guid": f"b{day}", "url": url, "title": "Robots that fold the laundry"}
        db.see({**item, "observed_at": at})
    Path(end).touch()
"""


@pytest.mark.timeout(120)
@pytest.mark.parametrize("back", [False, True])
def test_another_process_takes_items_in_meanwhile(
    stored: Path, under_rules: Path, tmp_path: Path, start: Start, back: bool
) -> None:
    """Whoever is first: in the end every item is where the rules in force put it."""
    path = copied(under_rules if back else stored, tmp_path)
    ready, go, end = (tmp_path / name for name in ("ready", "go", "end"))
    process = start(str(path), str(ready), str(go), str(end), code=LOOP)
    while not ready.exists():
        assert process.poll() is None
        time.sleep(0.005)
    go.touch()
    store = opened(path)
    for _ in (rollback if back else activation)(store):
        pass
    _, errors = process.communicate(timeout=100)
    assert (process.returncode, errors) == (0, b"")
    assert end.exists()
    book = RuleBook(RULES)
    assert check_store(store, book, POLICY).problems == []
    sizes = sorted(map(len, live(store)), reverse=True)
    store.close()
    assert sizes == ([1] * 36 if back else [31, 1, 1])
