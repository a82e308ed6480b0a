"""For the tests of `check`: a store with something of everything in it, all of it sound."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import seenbefore
from seenbefore.engine.audit import Report
from seenbefore.testing.clock import EPOCH, FrozenClock
from seenbefore.wiring import SeenBefore

from .conftest import TEXTS

A, B = "https://news.example/feed", "https://planet.example/feed"


TITLES = (
    "Council replaces the bridge", "Whales return to the bay", "Opera reopens on Friday", "First tuna of the year",
    "A new harbor is planned", "Herring moved to the north", "Ferry timetable for winter", "Library opens at night",
    "Lighthouse gets a keeper", "Storm warning for the coast",
)  # fmt: skip


def entry(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "guid": f"g{number}",
        "url": f"https://news.example/{number}",
        "title": TITLES[number - 1],
        **fields,
    }


def fetch(db: SeenBefore, source: str, hours: int, *entries: dict[str, Any]) -> list[str]:
    """Take in one fetch; return outcome/reason of its entries."""
    at = EPOCH + timedelta(hours=hours)
    common = {"source": source, "fetch_id": f"{source} {hours}", "observed_at": at.isoformat()}
    return [f"{d.outcome}/{d.reason}" for d in db.see_many([{**common, **each} for each in entries])]


def fill(db: SeenBefore) -> None:
    """A store with something of everything: all outcomes, merges, verdicts, lost trust, singles, a consumer."""
    bridge, whales = entry(1, content=TEXTS.bridge), entry(2, content=TEXTS.whales)
    doi_a, doi_b = {"ids": {"doi": "10.1/a"}}, {"ids": {"doi": "10.1/b"}}
    assert fetch(db, A, 0, bridge, whales, entry(3, content=TEXTS.opera, **doi_a)) == ["new/first_seen"] * 3
    assert fetch(db, A, 1, {**bridge, "content": TEXTS.bridge + " More."}, whales)[0] == "update/text_changed"
    assert fetch(db, A, 2, {**bridge, "title": "Bridge opens"})[0] == "update/title_and_text_changed"
    assert fetch(db, B, 3, entry(2, content=TEXTS.whales)) == ["duplicate/same_text"]
    assert fetch(db, B, 4, entry(4, content=TEXTS.market, **doi_a)) == ["review/same_id"]
    assert fetch(db, B, 5, entry(5, content=TEXTS.bridge_zh, **doi_b)) == ["new/first_seen"]
    assert fetch(db, B, 6, entry(6, content=TEXTS.whales_zh, **doi_b)) == ["review/same_id"]
    assert fetch(db, B, 7, *(entry(n, guid="shared") for n in (7, 8)))[1] == "new/shared_key"
    singles = [{"source": "list", "observed_at": (EPOCH + timedelta(hours=8)).isoformat(), **entry(n)} for n in (9, 10)]
    assert [d.reason for d in db.see_many(singles)] == ["first_seen", "first_seen"]
    assert db.label("r5", "r6", "same") in (("r5", "r5"), ("r6", "r6"))
    db.label("r9", "r10", "same")
    db.label("r1", "r2", "different")
    db.label("r1", "r7", "related")
    last = max(change.seq for change in db.changes("reader"))
    db.ack("reader", last)


def make_store(path: Path) -> Path:
    """Make the store as a file."""
    with seenbefore.open(path, clock=FrozenClock(EPOCH + timedelta(days=30))) as db:
        fill(db)
    return path


def copy_store(path: Path, target: Path) -> Path:
    """Copy the file, to damage the copy."""
    with closing(sqlite3.connect(path)) as connection, closing(sqlite3.connect(target)) as copied:
        connection.backup(copied)
    return target


def check(path: Path, **options: Any) -> Report:
    with seenbefore.open(path, create=False) as db:
        return db.check(**options)
