"""Consolidation: on demand over everything, and inside each unit over what an item reaches."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.consolidate import Consolidated, consolidate_all
from seenbefore.errors import StoreError
from seenbefore.model import Review, ReviewState
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements

PACK = """
pack = "shop"
version = 1

[[rule]]
id = "shop-basket"
kind = "drop"
hosts = ["shop.example"]
names = ["basket"]
reason = "the visitor's basket"
fact = "the shop's help page"
must_match = [
    ["https://shop.example/lamp?basket=1", "https://shop.example/lamp"],
    ["https://shop.example/lamp?basket=1", "https://shop.example/lamp?basket=2"],
]
must_not_match = [
    ["https://shop.example/lamp?item=1", "https://shop.example/lamp?item=2"],
    ["https://shop.example/lamp?basket=1", "https://shop.example/table?basket=1"],
]
"""


def entry(number: int, **fields: Any) -> dict[str, Any]:
    titles = ("A bridge is planned", "Whales return to the bay", "The opera reopens", "Tuna sold")
    return {"guid": f"guid {number} of it", "url": f"https://n.example/{number}", "title": titles[number], **fields}


def run(db: Any, **more: Any) -> Consolidated:
    *_, last = db.consolidate(**more)
    return last


def done(progress: Consolidated) -> tuple[int, int, int, int]:
    return progress.records, progress.merged, progress.split, progress.reviews


def events(db: Any) -> list[tuple[str, str]]:
    return [(entry.what.event, entry.what.cause) for entry in db.history().entries]


def snapshot(db: Any) -> Any:
    with db.store.reading() as unit:
        return unit.merges.snapshot(record.id for record in unit.records.find_records())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "news.db"


def policy(version: str, **sections: object) -> dict[str, object]:
    return {"version": version, **sections}


ACROSS = {choice: policy(choice, across_sources={"same_text": choice}) for choice in ("duplicate", "review", "related")}


def two_copies(path: Path, texts: Any, choice: str) -> None:
    """One text at two sources, taken in under a policy for that."""
    with seenbefore.open(path, policy=ACROSS[choice], clock=FrozenClock()) as db:
        for number, source in enumerate(("a.example", "b.example")):
            db.see({"source": source, **entry(number, content=texts.bridge)})


# --- on demand ----------------------------------------------------------------------------------


def test_there_is_nothing_to_do_after_ingest(db: Any, texts: Any) -> None:
    db.fetch(1, *(entry(n, url="https://n.example/hub") for n in range(3)))
    db.see("planet.example", **entry(0, content=texts.bridge))
    before = snapshot(db.library)
    assert done(run(db.library)) == (4, 0, 0, 0)
    assert snapshot(db.library) == before
    assert db.delivered().count("merged") == 0


def test_an_empty_store(db: Any) -> None:
    assert list(db.library.consolidate()) == [Consolidated(0, 0)]


def test_a_changed_policy_joins_what_waited(path: Path, texts: Any) -> None:
    two_copies(path, texts, "review")
    with seenbefore.open(path, policy=ACROSS["duplicate"], clock=FrozenClock()) as db:
        before = snapshot(db)
        assert [r.state for r in before.reviews.values()] == [ReviewState.WAITING]
        assert done(run(db)) == (2, 1, 0, 0)
        assert [r.state for r in snapshot(db).reviews.values()] == [ReviewState.MERGED]
        assert events(db) == [("merged", "consolidate")]
        assert done(run(db)) == (1, 0, 0, 0), "a second run changes nothing"
        assert db.undo("m1").exact
        assert snapshot(db) == before, "the store before the command"
        assert done(run(db)) == (2, 0, 0, 0), "and what was undone is not done again"


def test_a_changed_policy_takes_apart_what_it_no_longer_joins(path: Path, texts: Any) -> None:
    two_copies(path, texts, "duplicate")
    with seenbefore.open(path, policy=ACROSS["review"], clock=FrozenClock()) as db:
        assert done(run(db)) == (1, 0, 1, 1)
        assert events(db) == [("split", "consolidate")]
        with db.store.reading() as unit:
            (review,) = unit.reviews.find_reviews()
        assert (review.decision_id, review.state) == (None, ReviewState.WAITING)
        assert {review.record_id, review.other_id} == {1, 2}
        assert [c.decision.reason for c in db.changes("x") if c.decision] == ["first_seen", "taken_apart"]
        assert done(run(db)) == (2, 0, 0, 0)
        db.undo("m1")
        assert len(list(db.records())) == 1
        assert done(run(db)) == (1, 0, 0, 0)


def test_a_new_pair_waits_once(path: Path, texts: Any) -> None:
    two_copies(path, texts, "related")
    with seenbefore.open(path, policy=ACROSS["review"], clock=FrozenClock()) as db:
        assert done(run(db)) == (2, 0, 0, 1)
        assert done(run(db)) == (2, 0, 0, 0)
        assert [c.decision.outcome.value for c in db.changes("x")] == ["new", "new"], "nothing is announced again"


def test_a_review_that_no_item_opened_releases_nothing(path: Path, texts: Any) -> None:
    two_copies(path, texts, "related")
    held = {**ACROSS["review"], "delivery": {"hold_review": True}}
    with seenbefore.open(path, policy=held, clock=FrozenClock()) as db:
        run(db)
        db.label("r1", "r2", "different")
        changes = list(db.changes("x"))
        assert [c.decision.reason for c in changes if c.decision] == ["first_seen", "different"]
        assert [c.released for c in changes] == [False] * 3


def test_items_stored_before_a_rule_existed_meet(path: Path, tmp_path: Path) -> None:
    pack = tmp_path / "shop.toml"
    pack.write_text(PACK, encoding="utf-8")
    lamps = [{"source": f"s{n}", "title": "A lamp of brass", "url": f"https://shop.example/lamp?basket={n}"}
             for n in range(3)]  # fmt: skip
    with seenbefore.open(path, clock=FrozenClock()) as db:
        for lamp in lamps:
            assert db.see(lamp).outcome.value == "new"
        assert done(run(db)) == (3, 0, 0, 0)
    with seenbefore.open(path, rule_packs=[str(pack)], clock=FrozenClock()) as db:
        progress = run(db)
        assert (progress.merged, progress.split) == (2, 0)
        (record,) = db.records()
        assert len(db.explain(record.record_id).sightings) == 3
        assert done(run(db))[1:] == (0, 0, 0)
        assert db.see({**lamps[0], "source": "s9"}).outcome.value == "duplicate"


def test_verdicts_outrank_a_changed_policy(path: Path, texts: Any) -> None:
    two_copies(path, texts, "review")
    with seenbefore.open(path, policy=ACROSS["duplicate"], clock=FrozenClock()) as db:
        db.label("r1", "r2", "different")
        assert done(run(db))[1:] == (0, 0, 0)


def test_a_dry_run_counts_and_writes_nothing(path: Path, texts: Any) -> None:
    two_copies(path, texts, "review")
    with seenbefore.open(path, policy=ACROSS["duplicate"], clock=FrozenClock()) as db:
        before = snapshot(db)
        assert done(run(db, dry_run=True)) == (2, 1, 0, 0)
        assert (snapshot(db), events(db)) == (before, [])
        assert done(run(db)) == (2, 1, 0, 0)


# --- pages and faults ---------------------------------------------------------------------------


def pairs(path: Path, texts: Any, count: int) -> None:
    """So many pairs of records that wait for a policy that joins them, six record ids apart."""
    stories = [texts.bridge, texts.whales, texts.opera, texts.market][:count]
    with seenbefore.open(path, policy=ACROSS["review"], clock=FrozenClock()) as db:
        for source in ("a.example", "b.example"):
            for number, text in enumerate(stories):
                db.see({"source": source, **entry(number, content=text, url=f"https://{source}/{number}")})


def test_progress_is_told_page_by_page(path: Path, texts: Any) -> None:
    pairs(path, texts, 4)
    with closing(SqliteStore(path)) as store:
        found = list(consolidate_all(store, load_rules(), load_policy(), FrozenClock(), page=3))
    assert [(p.done, p.total) for p in found] == [(3, 8), (6, 8), (8, 8)]
    assert [p.merged for p in found] == sorted(p.merged for p in found)
    assert found[-1].merged == 4


def state(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_a_page_that_fails_is_rolled_back_and_the_next_run_retries(path: Path, texts: Any) -> None:
    pairs(path, texts, 3)
    rules, limits, count = load_rules(), load_policy(), FailingStatements()
    with closing(SqliteStore(path)) as store, closing(store.scratch_copy()) as copy:
        copy._hook = count
        assert list(consolidate_all(copy, rules, limits, FrozenClock(), page=2))[-1].merged == 3
    content = path.read_bytes()
    for number in range(2, count.count + 1, 23):
        path.write_bytes(content)
        with closing(SqliteStore(path)) as store:
            steps = consolidate_all(store, rules, limits, FrozenClock(), page=2)
            store._hook = FailingStatements(number)
            committed, dumps = 0, [state(path)]

            def go() -> None:
                nonlocal committed
                for _ in steps:  # noqa: B023 - called at once
                    committed += 1
                    dumps.append(state(path))  # noqa: B023

            with pytest.raises(StoreError, match=f"statement {number}:"):
                go()
            assert state(path) == dumps[committed], "half a page is stored"
            store._hook = None
            list(consolidate_all(store, rules, limits, FrozenClock(), page=2))
            with store.reading() as unit:
                assert sum(r.survivor_id is not None for r in unit.records.find_records()) == 3


# --- inside a unit ------------------------------------------------------------------------------


def test_an_item_joins_what_a_changed_policy_lets_it(path: Path, texts: Any) -> None:
    """What an item touches is compared again under the policy of now; what it does not reach stays."""
    two_copies(path, texts, "review")
    with seenbefore.open(path, policy=ACROSS["duplicate"], clock=FrozenClock()) as db:
        db.see({"source": "c.example", **entry(2)})
        assert events(db) == []
        found = db.see({"source": "a.example", **entry(0, title="A bridge is planned at last", content=texts.bridge)})
        assert events(db) == [("merged", "keys_or_text")]
        assert [record.record_id for record in db.records()] == sorted([found.record_id, "r3"])


def test_a_failing_merge_fails_its_item_and_the_next_run_retries(path: Path, texts: Any) -> None:
    two_copies(path, texts, "review")
    changed = {"source": "a.example", **entry(0, title="A bridge is planned at last", content=texts.bridge)}
    before = state(path)
    with seenbefore.open(path, policy=ACROSS["duplicate"], clock=FrozenClock()) as db:
        assert isinstance(db.store, SqliteStore)

        def strike(sql: str) -> None:
            if sql.startswith("INSERT INTO merge_images"):
                raise sqlite3.OperationalError("disk I/O error")

        db.store._hook = strike
        with pytest.raises(seenbefore.IngestError):
            db.see(changed)
        assert state(path) == before
        db.store._hook = None
        db.see(changed)
        assert events(db) == [("merged", "keys_or_text")]


def test_a_bound_that_was_hit_leaves_work_for_later(path: Path) -> None:
    """More candidates than the bound are not compared on arrival; without the bound they meet."""
    tight = policy("tight", bounds={"max_bucket": 1, "max_component": 2})
    item = {"url": "https://n.example/1", "title": "The bridge across the harbour"}
    with seenbefore.open(path, policy=tight, clock=FrozenClock()) as db:
        for number in range(5):
            db.see({"source": f"s{number}", "guid": str(number), **item})
    with seenbefore.open(path, clock=FrozenClock()) as db:
        count = len(list(db.records()))
        assert run(db).merged == count - 1
        assert len(list(db.records())) == 1


def test_what_waits_is_one_question_for_a_person(db: Any) -> None:
    """A pair is opened once, whoever asks: an item or a consolidation."""
    same = {"published": "2026-03-01T09:00:00Z", "title": "Harbour bridge to be replaced"}
    db.fetch(1, entry(0, **same))
    db.fetch(2, entry(1, **same))
    assert done(run(db.library)) == (2, 0, 0, 0)
    with db.library.store.reading() as unit:
        (review,) = unit.reviews.find_reviews()
    assert isinstance(review, Review)
    assert review.decision_id == 2
