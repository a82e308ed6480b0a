"""Taking merges and splits back: what stands afterwards, what is kept, what is told, and what is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.undo import undo_event
from seenbefore.errors import CannotUndo, InvalidInput, NotFound, StoreError
from seenbefore.model import Label, ReviewState, Status, Verdict
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base_merges import RecordRow
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements

HUB = "https://n.example/hub"


def entry(number: int, **fields: Any) -> dict[str, Any]:
    title = f"A story of number {'one two three four five six seven'.split()[number - 1]}"
    return {"guid": f"guid {number} of it", "url": f"https://n.example/{number}", "title": title, **fields}


def bridge(a: int, b: int) -> dict[str, Any]:
    """Item ``a``, whose address redirects to that of ``b``."""
    return entry(a, redirects=[[f"https://n.example/{a}", f"https://n.example/{b}"]])


def two_joined(db: Any) -> None:
    """Records r1 (s1.example) and r2 (s2.example), merged into r1 by m1."""
    for number in (2, 1):
        db.see(f"s{number}.example", **entry(number), observed_at=f"2026-03-0{number}T00:00:00Z")
    db.see("s1.example", **bridge(1, 2), observed_at="2026-03-05T00:00:00Z")
    assert db.library.event("m1").record_ids in {("r1", "r2"), ("r2", "r1")}


def homes(db: Any) -> dict[str, set[str]]:
    """Live records with the addresses of their sightings."""
    with db.library.store.reading() as unit:
        records = [r.id for r in unit.records.find_records() if r.status is not Status.MERGED]
        return {
            f"r{record_id}": {s.original_url.rpartition("/")[2] for s in unit.records.get_sightings([record_id])}
            for record_id in records
        }


def rows(db: Any) -> Any:
    with db.library.store.reading() as unit:
        snapshot = unit.merges.snapshot(record.id for record in unit.records.find_records())
    return snapshot.records, snapshot.sightings, snapshot.keys, snapshot.reviews


def labels(db: Any) -> dict[frozenset[int], Verdict]:
    with db.library.store.reading() as unit:
        sightings = unit.records.get_sightings(r.id for r in unit.records.find_records())
        found = unit.reviews.find_labels(s.id for s in sightings)
    return {frozenset((label.sighting_a, label.sighting_b)): label.verdict for label in found}


# --- back to what it was ------------------------------------------------------------------------


def test_a_merge_on_arrival_is_taken_back(db: Any) -> None:
    two_joined(db)
    assert list(homes(db).values()) == [{"1", "2"}]
    undone = db.library.undo("m1", author="ann")
    assert (undone.exact, undone.kept, undone.record_ids, undone.labels) == (True, (), ("r1", "r2"), 1)
    assert sorted(map(sorted, homes(db).values())) == [["1"], ["2"]]
    assert {row.status for row in rows(db)[0].values()} == {Status.ACTIVE}
    assert labels(db) == {frozenset((1, 2)): Verdict.DIFFERENT}


def test_the_bridging_item_stays_where_it_fits_best(db: Any) -> None:
    """A new sighting that two records claim goes to the one its most certain comparison leads to: a redirect."""
    db.see("s1.example", **entry(1))
    db.see("s2.example", **entry(2))
    found = db.see("s1.example", **bridge(1, 2) | {"title": "A story of number one, retold"})
    assert found.record_id == db.library.event("m1").survivor_id
    db.library.undo("m1")
    titles = {r: {s.clean_title for s in db.library.explain(r).sightings} for r in ("r1", "r2")}
    assert titles["r1"] == {"a story of number one"}
    assert titles["r2"] == {"a story of number two", "a story of number one, retold"}


def test_consumers_are_told(db: Any) -> None:
    two_joined(db)
    db.library.undo("m1")
    assert db.delivered() == ["first_seen", "first_seen", "merged", "undone"]
    *_, change = db.library.changes("reader")
    told = db.library.change_to_json(change)
    assert (told["event"], told["undoes"], told["cause"], set(told["record_ids"])) == (
        "undone",
        "m1",
        "person",
        {"r1", "r2"},
    )
    assert [c.superseded_by for c in db.library.changes("reader") if c.decision] == [None, None]


def test_an_undo_of_history_is_silent(db: Any) -> None:
    for number in (1, 2):
        db.library.see_many([{"source": f"s{number}", **entry(number)}], history=True)
    db.library.see_many([{"source": "s1", **bridge(1, 2)}], history=True)
    db.library.undo("m1")
    assert db.delivered() == []


def test_a_dry_run_writes_nothing(db: Any) -> None:
    two_joined(db)
    before, told = rows(db), db.delivered()
    planned = db.library.undo("m1", dry_run=True)
    assert planned.undone is None
    assert (rows(db), db.delivered(), labels(db)) == (before, told, {})
    done = db.library.undo("m1")
    assert (planned.exact, planned.record_ids, planned.labels) == (done.exact, done.record_ids, done.labels)


def test_the_next_items_do_not_join_them_again(db: Any, texts: Any) -> None:
    two_joined(db)
    db.library.undo("m1")
    db.see("s1.example", **bridge(1, 2) | {"content": texts.bridge})
    db.see("s2.example", **entry(2, content=texts.bridge))
    found = db.see("s3.example", **bridge(1, 2) | {"content": texts.bridge})
    assert found.outcome.value in ("duplicate", "update")
    assert sorted(len(addresses) for addresses in homes(db).values()) == [1, 1]
    assert db.delivered().count("merged") == 1


def test_all_sightings_of_the_sides_are_told_apart(db: Any) -> None:
    """One pair alone would let the others be joined across, one by one."""
    for number, source in product((1, 2), ("s.example", "x.example", "y.example")):
        db.see(source, **entry(number, title=f"Number {number}, in {source}"))
    db.library.label("r1", "r2", "same")
    undone = db.library.undo("m1")
    assert (undone.exact, undone.labels) == (True, 9)
    assert sorted(len(db.library.explain(r).sightings) for r in homes(db)) == [3, 3]
    assert list(labels(db).values()) == [Verdict.DIFFERENT] * 9


def test_a_side_that_shared_keys_held_together_stays_together(db: Any) -> None:
    """The address is in dispute between the sides from then on, so it joins nothing, not even inside one."""
    shared = "https://n.example/1"
    for source in ("a.example", "b.example"):
        db.see(source, url=shared, guid=source, title=f"Copy of {source}")
    db.see("c.example", url="https://n.example/2", guid="c", title="The original")
    db.see("c.example", url="https://n.example/2", guid="c", title="The original", redirects=[
        ["https://n.example/2", shared]])  # fmt: skip
    assert len(homes(db)) == 1
    undone = db.library.undo("m1")
    assert undone.labels == 3, "two pairs kept apart, one held together"
    db.see("d.example", url=shared, guid="d", title="A third copy")
    assert db.delivered().count("split") == 0
    sides = [{s.source for s in db.library.explain(record_id).sightings} for record_id in homes(db)]
    assert {"c.example"} in sides
    assert any(side >= {"a.example", "b.example"} for side in sides)


# --- later edits --------------------------------------------------------------------------------


def test_what_came_later_is_kept_and_told(db: Any) -> None:
    two_joined(db)
    db.see("s2.example", **entry(2, title="Number two, retold"))
    db.see("s1.example", **entry(1, content="A text that was not there before.", published="2026-01-01T00:00:00Z"))
    undone = db.library.undo("m1")
    assert not undone.exact
    assert {(k.record_id, k.sightings, k.versions) for k in undone.kept} == {("r1", 1, 0), ("r2", 0, 1)}
    first, second = (db.library.explain(r) for r in ("r1", "r2"))
    assert {s.source for s in first.sightings} == {"s2.example"}
    assert {s.clean_title for s in first.sightings} == {"a story of number two", "number two, retold"}
    assert first.record.title == "Number two, retold"
    assert second.record.first_published_at is not None
    assert first.record.first_published_at is None


def test_repeats_are_no_edits(db: Any) -> None:
    two_joined(db)
    db.see("s2.example", **entry(2), observed_at="2026-03-09T00:00:00Z")
    undone = db.library.undo("m1")
    assert undone.kept == ()
    assert sorted(map(sorted, homes(db).values())) == [["1"], ["2"]]


def test_what_came_later_stays_where_nothing_draws_it(db: Any) -> None:
    """It was joined by a verdict with the merged record; the sides as such have nothing to do with it."""
    two_joined(db)
    survivor = db.library.event("m1").survivor_id
    shared = "https://n.example/9"
    db.see("s1.example", **entry(9 - 2, url=shared))
    db.library.label("r3", survivor, "same")
    db.library.undo("m2")
    assert set(homes(db)) == {survivor, "r3"}
    assert db.library.undo("m1").kept == ()


def test_a_rejected_survivor_stays_rejected(db: Any) -> None:
    two_joined(db)
    survivor = int(db.library.event("m1").survivor_id[1:])
    with db.library.store.unit() as unit:
        (record,) = unit.records.find_records([survivor])
        unit.records.update_record(replace(record, status=Status.REJECTED))
    assert not db.library.undo("m1").exact
    statuses = {record_id: row.status for record_id, row in rows(db)[0].items()}
    assert statuses == {survivor: Status.REJECTED, 3 - survivor: Status.ACTIVE}


def test_trust_that_was_lost_since_stays_lost(db: Any) -> None:
    """The rows of the keys are not those of before: what is put back is what they are worth now."""
    two_joined(db)
    day = 20
    db.fetch(day, entry(1), {"guid": "x", "url": "https://n.example/1", "title": "Whales"}, source="s1.example")
    db.library.undo("m1")
    with db.library.store.reading() as unit:
        address = ("url", "", "https://n.example/1")
        assert unit.records.find_record_ids([address]).get(address, []) == []


# --- several merges -----------------------------------------------------------------------------


def three_joined(db: Any) -> None:
    """m1 and m2: three records, one after the other."""
    for number in (1, 2, 3):
        db.see(f"s{number}.example", **entry(number), observed_at=f"2026-03-0{number}T00:00:00Z")
    db.see("s1.example", **bridge(1, 2), observed_at="2026-03-05T00:00:00Z")
    db.see("s3.example", **bridge(3, 1), observed_at="2026-03-06T00:00:00Z")


def test_newest_first(db: Any) -> None:
    three_joined(db)
    first, second = (set(db.library.event(m).record_ids) for m in ("m1", "m2"))
    assert first & second
    with pytest.raises(CannotUndo, match="undo m2 first") as refused:
        db.library.undo("m1")
    assert (refused.value.event_id, refused.value.by_id, refused.value.code) == ("m1", "m2", "cannot_undo")
    db.library.undo("m2")
    db.library.undo("m1")
    assert sorted(map(sorted, homes(db).values())) == [["1"], ["2"], ["3"]]


def test_redirects_are_flat_after_every_step(db: Any) -> None:
    three_joined(db)

    def survivors() -> dict[int, int | None]:
        return {record_id: row.survivor_id for record_id, row in rows(db)[0].items()}

    (live,) = homes(db)
    assert {s for s in survivors().values() if s} == {int(live[1:])}
    for number in (1, 2, 3):
        assert db.library.explain(f"r{number}").record.record_id == live
    db.library.undo("m2")
    event = db.library.event("m1")
    gone = ({*event.record_ids} - {event.survivor_id}).pop()
    assert {f"r{r}": f"r{s}" for r, s in survivors().items() if s} == {gone: event.survivor_id}
    assert db.library.explain(gone).record.record_id == event.survivor_id
    db.library.undo("m1")
    assert set(survivors().values()) == {None}


def test_a_survivor_answers_for_all_that_went_into_it(db: Any) -> None:
    three_joined(db)
    (live,) = homes(db)
    story = db.library.explain("r1")
    assert (story.asked_id, story.record.record_id) == (1, live)
    assert [d.record_id for d in db.library.explain(live).decisions] == ["r1", "r2", "r3"]
    assert [e.event_id for e in story.events] == ["m1", "m2"]


def test_undone_and_merged_again(db: Any) -> None:
    """A verdict lifts what the undo had written, on every pair of sightings."""
    two_joined(db)
    for source in ("x.example", "y.example"):
        db.see(source, **entry(1, title=f"Elsewhere in {source}"))
    db.library.undo("m1")
    one, other = db.library.label("r1", "r2", "same")
    assert one == other
    assert set(labels(db).values()) == {Verdict.SAME}
    again = db.library.history().entries[-2].what
    assert (again.event, again.cause) == ("merged", "label")
    db.library.undo(again.event_id)
    assert len(homes(db)) == 2
    assert set(labels(db).values()) == {Verdict.DIFFERENT}


# --- reviews ------------------------------------------------------------------------------------

SAME_DATE = {"published": "2026-03-01T09:00:00Z", "title": "Harbour bridge to be replaced"}


def test_undoing_a_verdict_opens_the_review_again(db: Any) -> None:
    db.fetch(1, entry(1, **SAME_DATE))
    db.fetch(2, entry(2, **SAME_DATE))
    before = rows(db)
    db.library.label("r1", "r2", "same")
    assert [r.state for r in rows(db)[3].values()] == [ReviewState.SAME]
    undone = db.library.undo("m1")
    assert (undone.exact, undone.reviews) == (True, 1)
    assert rows(db) == before
    db.library.label("r1", "r2", "different")
    assert [r.state for r in rows(db)[3].values()] == [ReviewState.DIFFERENT]


def waits_beside_a_merge(db: Any) -> None:
    """r1 and r2 wait; then r1 is merged into r3, which was published later."""
    db.fetch(1, entry(1, **SAME_DATE))
    db.fetch(2, entry(2, **SAME_DATE))
    later = {"published": "2026-03-02T09:00:00Z"}
    db.see("s3.example", **entry(3, **later))
    db.see("s3.example", **bridge(3, 1), **later)
    assert set(homes(db)) == {"r2", "r3"}


def test_a_pair_that_waits_goes_on_with_the_survivor(db: Any) -> None:
    waits_beside_a_merge(db)
    assert {pair: r.state for pair, r in rows(db)[3].items()} == {
        (1, 2): ReviewState.MERGED,
        (2, 3): ReviewState.WAITING,
    }
    decisions = {r.decision_id for r in rows(db)[3].values()}
    assert len(decisions) == 1, "it is still the question of the item that opened it"
    db.library.label("r1", "r2", "different")
    assert rows(db)[3][2, 3].state is ReviewState.DIFFERENT


def test_undo_brings_a_review_back_to_its_record(db: Any) -> None:
    waits_beside_a_merge(db)
    db.library.undo("m1")
    assert {pair: r.state for pair, r in rows(db)[3].items()} == {(1, 2): ReviewState.WAITING}


def test_a_verdict_on_the_survivor_outlasts_the_undo(db: Any) -> None:
    waits_beside_a_merge(db)
    db.library.label("r3", "r2", "different")
    undone = db.library.undo("m1")
    assert (undone.exact, len(homes(db))) == (False, 3)
    states = {pair: r.state for pair, r in rows(db)[3].items()}
    assert states == {(1, 2): ReviewState.DIFFERENT, (2, 3): ReviewState.DIFFERENT}


# --- splits -------------------------------------------------------------------------------------


def taken_apart(db: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two titles on one link, joined, and then listed by one fetch: m1 takes them apart."""
    titles = ("Bridge to be replaced soon", "Bridge to be replaced sooner")
    one, other = ({"url": HUB, "title": title} for title in titles)
    db.fetch(1, one)
    db.fetch(2, other)
    db.fetch(3, one, other)
    assert [e.event for e in db.library.explain("r1").events] == ["split"]
    return one, other


def test_a_split_is_taken_back(db: Any) -> None:
    one, other = taken_apart(db)
    undone = db.library.undo("m1", author="ann")
    assert (undone.exact, undone.record_ids) == (True, ("r1",))
    assert len(db.titles()) == 1
    assert db.library.explain("r2").record.id == 1, "its id leads to the record it is part of again"
    assert db.library.event("m2").survivor_id == "r1"
    assert db.delivered()[-2:] == ["split", "undone"]
    for day in (4, 5):
        told = [(d.outcome.value, d.reason) for d in db.fetch(day, one, other)]
        assert told == [("duplicate", "seen_again")] * 2
    assert len(db.titles()) == 1, "one fetch with both titles does not take them apart again"


def test_what_joined_the_new_record_follows_it_back(db: Any, texts: Any) -> None:
    _, other = taken_apart(db)
    db.fetch(4, {**other, "content": texts.bridge})
    db.see("planet.example", guid="p", url="https://planet.example/1", title="Sooner", content=texts.bridge)
    assert [len(db.library.explain(r).sightings) for r in ("r1", "r2")] == [1, 2]
    undone = db.library.undo("m1")
    assert [(k.record_id, k.sightings, k.versions) for k in undone.kept] == [("r1", 1, 1)]
    assert list(db.titles()) == ["r1"]


def test_what_a_verdict_keeps_in_the_new_record_stays_there(db: Any, texts: Any) -> None:
    """Then that record is no mere pointer: nothing that came later is forced together."""
    _, other = taken_apart(db)
    db.fetch(4, {**other, "content": texts.bridge})
    db.see("planet.example", guid="p", url="https://planet.example/1", title="Sooner", content=texts.bridge)
    with db.library.store.unit() as unit:
        one, _, third = (s.id for s in unit.records.get_sightings([1, 2]))
        unit.reviews.add_label(Label(one, third, Verdict.DIFFERENT, "ann", FrozenClock()()))
    undone = db.library.undo("m1")
    assert (undone.record_ids, undone.undone.survivor_id) == (("r1", "r2"), None)
    assert [len(db.library.explain(r).sightings) for r in ("r1", "r2")] == [2, 1]
    assert db.library.explain("r2").record.id == 2


# --- a feed that came back under new names ------------------------------------------------------


def listing(host: str) -> list[dict[str, Any]]:
    topics = "harbour bridge|opera house|city council|tram line|old library|fish market|night bus".split("|")
    return [
        {
            "guid": f"{host}-{n}",
            "url": f"https://{host}.example/{host[0]}/{n}00{n}",
            "title": f"{topic} reopens next spring",
            "published": f"2026-03-01T0{n}:00:00Z",
        }
        for n, topic in enumerate(topics)
    ]


def test_a_mass_change_is_taken_back_as_a_whole(db: Any, texts: Any) -> None:
    db.fetch(1, *listing("old"))
    db.fetch(2, *listing("new"))
    db.fetch(3, *listing("new"), {"guid": "x", "url": "https://new.example/x", "title": "Something else"})
    assert len(db.titles()) == 8
    planned = db.library.undo("m1", dry_run=True)
    assert (planned.undone, len(planned.record_ids), planned.labels) == (None, 7, 7)
    assert len(db.titles()) == 8
    undone = db.library.undo("m1", author="ann")
    assert (undone.exact, len(undone.record_ids), undone.labels) == (False, 14, 7)
    assert len(db.titles()) == 15
    told = db.delivered()
    assert (told.count("split"), told.count("taken_apart"), told[-1]) == (7, 7, "undone")
    db.fetch(4, *listing("new"))
    db.fetch(5, *listing("new"), *listing("old"))
    assert len(db.titles()) == 15, "and it does not come back"
    assert db.delivered() == told
    with pytest.raises(CannotUndo, match="undone already"):
        db.library.undo("m1")


def test_what_followed_the_new_names_goes_with_them(db: Any) -> None:
    db.fetch(1, *listing("old"))
    db.fetch(2, *listing("new"))
    retitled = [{**entry, "title": f"{entry['title']} after all"} for entry in listing("new")]
    db.fetch(3, *retitled)
    db.library.undo("m1")
    addresses = [{s.original_url[8:11] for s in db.library.explain(r).sightings} for r in db.titles()]
    assert sorted(map(sorted, addresses)) == [["new"]] * 7 + [["old"]] * 7
    assert sorted(len(db.library.explain(r).sightings) for r in db.titles()) == [1] * 7 + [2] * 7


def test_a_mass_change_that_was_taken_apart_already(db: Any) -> None:
    db.fetch(1, *listing("old"))
    db.fetch(2, *listing("new"))
    pairs = db.library.event("m1").detail["pairs"]
    with db.library.store.unit() as unit:
        for entry_id, was_id in pairs:
            unit.reviews.add_label(Label(entry_id, was_id, Verdict.DIFFERENT, "ann", FrozenClock()()))
    list(db.library.consolidate())
    assert len(db.titles()) == 14
    with pytest.raises(CannotUndo, match="none of its entries is joined"):
        db.library.undo("m1")


def test_a_later_merge_does_not_block_a_mass_change(db: Any) -> None:
    db.fetch(1, *listing("old"))
    db.fetch(2, *listing("new"))
    db.see("s1.example", **entry(1))
    db.library.label("r8", "r1", "same")
    assert {e.undo.state for e in db.library.history().entries if e.what.event == "mass_change"} == {"undoable"}
    db.library.undo("m1")
    assert len(db.titles()) == 14


# --- refused ------------------------------------------------------------------------------------


def test_what_cannot_be_undone(db: Any) -> None:
    two_joined(db)
    db.see("z.example", **entry(4))
    db.library.label("r3", "r1", "different")
    for what, error, match in (
        ("m9", NotFound, "m9"),
        ("r1", InvalidInput, "event ids look like m12"),
        ("m2", CannotUndo, "it moved nothing; a verdict is changed by another one"),
    ):
        with pytest.raises(error, match=match):
            db.library.undo(what)
    db.library.undo("m1")
    for what, match in (("m1", r"undone already \(m3\)"), ("m3", "it moved nothing")):
        with pytest.raises(CannotUndo, match=match):
            db.library.undo(what)
        with pytest.raises(CannotUndo, match=match):
            db.library.undo(what, dry_run=True)


def test_a_merge_from_before_images_were_kept(tmp_path: Path) -> None:
    path = tmp_path / "news.db"
    with seenbefore.open(path) as db:
        for source, item in (("a", entry(1)), ("b", entry(2)), ("a", bridge(1, 2))):
            db.see({"source": source, **item})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM merge_images")
    with seenbefore.open(path) as db, pytest.raises(CannotUndo, match="before undo was possible"):
        db.undo("m1")


# --- faults -------------------------------------------------------------------------------------


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_a_fault_at_any_statement_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path, rules, policy = tmp_path / "news.db", load_rules(), load_policy()
    with seenbefore.open(path) as db:
        for source, item in (("a", entry(1)), ("b", entry(2)), ("a", bridge(1, 2))):
            db.see({"source": source, **item})
    before, count = dump(path), FailingStatements()
    with closing(SqliteStore(path)) as store, closing(store.scratch_copy()) as copy:
        copy._hook = count
        undo_event(copy, rules, policy, FrozenClock()(), 1)
    assert count.count > 20
    for number in range(1, count.count + 1):
        with closing(SqliteStore(path, statement_hook=FailingStatements(number))) as store:
            with pytest.raises(StoreError):
                undo_event(store, rules, policy, FrozenClock()(), 1)
            assert dump(path) == before
    with closing(SqliteStore(path)) as store:
        assert undo_event(store, rules, policy, FrozenClock()(), 1).exact


def test_a_merge_that_does_not_end_as_planned_is_rolled_back(db: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        db.see(f"s{number}.example", **entry(number))
    before, told = rows(db), db.delivered()
    with db.library.store.reading() as unit:
        merges = type(unit.merges)
    monkeypatch.setattr(merges, "replace", lambda self, old, new: None)
    with pytest.raises(seenbefore.IngestError, match="did not end as planned"):
        db.see("s1.example", **bridge(1, 2))
    assert (rows(db), db.delivered()) == (before, told)
    monkeypatch.undo()
    db.see("s1.example", **bridge(1, 2))
    assert db.delivered() == [*told, "merged"]


# --- what a merge makes of the record -----------------------------------------------------------


def test_dates_of_a_merged_record(db: Any, texts: Any) -> None:
    """The earliest publication; the content changed when it last did in either of them."""
    db.see("s1.example", **entry(1, published="2026-02-01T00:00:00Z", content=texts.bridge), observed_at="2026-03-01")
    db.see("s2.example", **entry(2, published="2026-01-01T00:00:00Z", content=texts.whales), observed_at="2026-03-01")
    db.see("s2.example", **entry(2, published="2026-01-01T00:00:00Z", content=texts.opera), observed_at="2026-03-03")
    before = {r: RecordRow.of(db.library.explain(r).record) for r in ("r1", "r2")}
    db.library.label("r1", "r2", "same")
    ((survivor, _),) = homes(db).items()
    after = db.library.explain(survivor).record
    assert after.first_published_at == min(row.first_published_at for row in before.values())
    assert after.content_updated_at == before["r2"].content_updated_at is not None
    event = db.library.history().entries[-2].what
    db.library.undo(event.event_id)
    assert {r: RecordRow.of(db.library.explain(r).record) for r in ("r1", "r2")} == before
