"""Feeds that say the same again: what is read, what is answered, what is noted, and when the short way is not taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.job import Committed, JobOptions, run_job
from seenbefore.model import Item
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore

from .one_feed import AGAIN, ALL, NEW, SOURCE, START, TITLES, Feed, comments, entry, note_reads, told


@pytest.fixture(params=["memory", "sqlite"])
def feed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Feed]:
    store: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "news.db")
    yield Feed(store, tmp_path)
    store.close()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Guids of the entries that were read since the list was last cleared."""
    return note_reads(monkeypatch)


# --- an unchanged feed --------------------------------------------------------------------------


def test_an_unchanged_feed_is_not_read_again(feed: Feed, reads: list[str]) -> None:
    assert told(feed.take(*ALL)) == [NEW] * 4
    assert sorted(reads) == [f"guid {n} x" for n in range(4)]
    reads.clear()
    for _ in range(3):
        assert told(feed.take(*ALL)) == [AGAIN] * 4
    assert reads == []


def test_answers_name_the_entries_as_if_they_had_been_read(feed: Feed) -> None:
    first = feed.take(*ALL)
    again = feed.take(*reversed(ALL))
    for before, after in zip(first, reversed(again), strict=True):
        assert after.item == before.item
        assert after.record_id == before.record_id
        assert after.matched is not None
        assert (after.matched.record_id, after.matched.title) == (before.record_id, before.item.title)
        assert after.matched.url == before.item.original_url
        assert (after.decision_id, after.seq, after.changed, after.flags, after.evidence) == (None, None, (), (), ())
        for name in ("rules_version", "policy_version", "extractor_version"):
            assert getattr(after, name) == getattr(before, name)


def test_what_a_repeat_leaves_behind(feed: Feed) -> None:
    feed.take(*ALL)
    written = feed.journal()
    for hour in range(2, 5):
        feed.take(*ALL)
        for number in range(4):
            sighting = feed.of(number)
            assert (sighting.times, sighting.runs, sighting.last_fetch_no) == (hour, ((1, hour),), hour)
            assert sighting.last_seen_at == START + timedelta(hours=hour)
            assert sighting.first_seen_at == START + timedelta(hours=1)
            assert len(sighting.versions) == 1
    assert feed.journal() == written
    assert feed.counts() == {"new": 4, "update": 0, "duplicate": 12, "review": 0}
    stats = feed.library.stats(days=60)
    assert [(t.new, t.duplicate, t.total) for t in stats.totals.values()] == [(4, 12, 16)]
    assert (stats.times_seen, stats.sightings, stats.last_seq) == (16, 4, 4)
    assert [r.last_seen_at for r in feed.library.records()] == [START + timedelta(hours=4)] * 4


def test_the_same_file_at_the_same_time_counts_once(feed: Feed) -> None:
    feed.take(*ALL)
    feed.take(*ALL)
    before, counts = feed.sightings(), feed.counts()
    assert told(feed.take(hour=2)) == [AGAIN] * 4
    assert (feed.sightings(), feed.counts()) == (before, counts)


def test_a_new_entry_is_read_and_the_others_are_not(feed: Feed, reads: list[str]) -> None:
    feed.take(*ALL[:3])
    reads.clear()
    assert told(feed.take(ALL[3], *ALL[:3])) == [NEW, AGAIN, AGAIN, AGAIN]
    assert set(reads) == {"guid 3 x"}


def test_an_entry_that_moves_within_the_feed_is_not_read(feed: Feed, reads: list[str]) -> None:
    feed.take(*ALL)
    reads.clear()
    assert told(feed.take(ALL[2], ALL[0], ALL[3], ALL[1])) == [AGAIN] * 4
    assert reads == []


@pytest.mark.parametrize("change", ["<language>ja</language>", "<link>https://other.example/</link>"])
def test_a_feed_that_says_something_else_of_all_is_read_once(change: str, feed: Feed, reads: list[str]) -> None:
    feed.take(*ALL)
    reads.clear()
    assert told(feed.take(change, *ALL)) == [AGAIN] * 4
    assert len(reads) == 4
    reads.clear()
    assert told(feed.take(change, *ALL)) == [AGAIN] * 4
    assert reads == []


def test_a_damaged_feed_is_read_every_time(feed: Feed, reads: list[str]) -> None:
    feed.take(*ALL)
    feed.hour += 1
    feed.write(*ALL)
    feed.path.write_bytes(feed.path.read_bytes()[:-10])
    options = JobOptions(SOURCE, START + timedelta(hours=feed.hour), two_processes=False)
    reads.clear()
    steps = list(run_job(feed.engine, [str(feed.path)], options))
    answers = [a.decision for step in steps if isinstance(step, Committed) for a in step.answers]
    assert told(answers) == [AGAIN] * 4
    assert len(reads) == 4
    reads.clear()
    assert told(feed.take(*ALL)) == [AGAIN] * 4
    assert reads == [], "what was known of the whole feed still holds"


# --- an entry that changes ----------------------------------------------------------------------


def test_a_count_of_comments_is_read_and_is_no_change(feed: Feed, reads: list[str]) -> None:
    feed.take(entry(0, more=comments(3)), *ALL[1:])
    for count in (4, 5):
        reads.clear()
        changed = entry(0, more=comments(count))
        assert told(feed.take(changed, *ALL[1:])) == [AGAIN] * 4
        assert set(reads) == {"guid 0 x"}
        reads.clear()
        assert told(feed.take(changed, *ALL[1:])) == [AGAIN] * 4
        assert reads == [], "the newest form is the known one"
    reads.clear()
    feed.take(entry(0, more=comments(3)), *ALL[1:])
    assert set(reads) == {"guid 0 x"}, "an older form is not remembered"
    assert len(feed.of(0).versions) == 1
    assert feed.counts()["duplicate"] == 20


def test_a_text_that_changes_and_changes_back(feed: Feed) -> None:
    corrected = entry(0, text="A corrected text.")
    feed.take(*ALL)
    assert told(feed.take(corrected, *ALL[1:]))[0] == ("update", "text_changed")
    assert told(feed.take(corrected, *ALL[1:])) == [AGAIN] * 4
    (back, *_) = feed.take(*ALL)
    assert (back.reason, back.flags) == ("text_changed", ("reverted",))
    assert told(feed.take(*ALL)) == [AGAIN] * 4


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Harbour bridge to be replaced", "Harbour Bridge to be Replaced"),
        ("Harbour bridge", "“Harbour bridge”"),
        ("Harbour bridge (3 comments)", "Harbour bridge (17 comments)"),
        ("港口大桥ＡＢＣ", "港口大桥abc"),
    ],
)
def test_a_title_that_only_looks_otherwise(first: str, second: str, feed: Feed) -> None:
    """It is one article and one title; the answer says what the feed says now, each time."""
    shown = [first, first, second, second, second, first, first]
    for title in shown:
        (answer, *_) = feed.take(entry(0, title=title), *ALL[1:])
        assert answer.item.title == title
    assert told([answer]) == [AGAIN]
    assert len(feed.sightings()) == 4


def test_a_title_set_aside_is_not_the_one_in_force(feed: Feed) -> None:
    """One fetch lists an entry twice, in two spellings; whatever comes later is answered in its own."""
    plain, loud = entry(0, title="Harbour bridge"), entry(0, title="HARBOUR BRIDGE", text="Words of another kind.")
    feed.take(plain, *ALL[1:])
    feed.take(loud, plain, *ALL[1:])
    for entries in (
        ALL[1:],
        [entry(0, title="HARBOUR BRIDGE"), *ALL[1:]],
        [entry(0, title="HARBOUR BRIDGE"), *ALL[1:]],
    ):
        answers = feed.take(*entries)
    assert answers[0].item.title == "HARBOUR BRIDGE"
    (answer, *_) = feed.take(entry(0, title="HARBOUR BRIDGE"), *ALL[1:])
    assert answer.item.title == "HARBOUR BRIDGE"


# --- entries that come and go -------------------------------------------------------------------


def test_an_entry_that_leaves_and_returns_is_looked_at(feed: Feed, reads: list[str]) -> None:
    feed.take(*ALL)
    feed.take(*ALL[1:])
    reads.clear()
    assert told(feed.take(*ALL)) == [AGAIN] * 4
    assert set(reads) == {"guid 0 x"}
    assert feed.of(0).runs == ((1, 1), (3, 3))
    assert feed.of(0).times == 2
    assert feed.of(1).runs == ((1, 3),)
    reads.clear()
    assert told(feed.take(*ALL)) == [AGAIN] * 4
    assert reads == []


def test_the_older_form_of_an_entry_returns(feed: Feed) -> None:
    """Under another title it is another sighting; its digest is known, and it is still a change back."""
    renamed = entry(0, title="Council wants a new bridge")
    feed.take(*ALL)
    assert told(feed.take(renamed, *ALL[1:]))[0] == ("update", "title_changed")
    assert told(feed.take(renamed, *ALL[1:])) == [AGAIN] * 4
    (back, *_) = feed.take(*ALL)
    assert (back.outcome.value, back.reason, back.flags) == ("update", "title_changed", ("reverted",))
    assert told(feed.take(*ALL)) == [AGAIN] * 4
    assert {record.title for record in feed.library.records()} == set(TITLES)


def test_what_was_not_current_may_become_so(feed: Feed, reads: list[str]) -> None:
    """One article is listed under two addresses; when the one in force leaves, the other one takes over."""
    plain = ALL[0].replace("https://news.example/0", "http://news.example/0")
    for _ in range(3):
        feed.take(ALL[0], plain, *ALL[1:])
    (record,) = [r for r in feed.library.records() if r.url.endswith("/0")]
    left = plain if record.url.startswith("https") else ALL[0]
    reads.clear()
    assert told(feed.take(left, *ALL[1:])) == [AGAIN] * 4
    assert set(reads) == {"guid 0 x"}, "it was not current, so more may follow from it"
    (after,) = [r for r in feed.library.records() if r.url.endswith("/0")]
    assert after.id == record.id
    assert after.url != record.url


def test_an_entry_that_is_listed_twice(feed: Feed, reads: list[str]) -> None:
    assert sorted(told(feed.take(ALL[0], *ALL))) == sorted([NEW] * 4 + [AGAIN])
    assert feed.counts() == {"new": 4, "update": 0, "duplicate": 0, "review": 0}
    reads.clear()
    for hour in (2, 3):
        assert told(feed.take(ALL[0], *ALL)) == [AGAIN] * 5
        assert (feed.of(0).times, feed.of(0).runs) == (hour, ((1, hour),))
        assert feed.counts()["duplicate"] == 4 * (hour - 1), "an entry counts once in a fetch"
    assert reads == []


def test_two_entries_with_one_identity_are_always_looked_at(feed: Feed, reads: list[str]) -> None:
    """They differ in their texts only, so one says what the article is and the other one is set aside."""
    newer = entry(0, text="The newer text.").replace("05:00", "05:30")
    answers = feed.take(newer, *ALL)
    assert sorted(told(answers)) == sorted([NEW] * 4 + [("duplicate", "listed_twice")])
    for _ in range(3):
        reads.clear()
        assert told(feed.take(newer, *ALL)) == [AGAIN] * 5
        assert set(reads) == {"guid 0 x"}
    assert len(feed.of(0).versions) == 2
    (record,) = [r for r in feed.library.records() if r.url.endswith("/0")]
    assert feed.library.explainer.item_as_arrived(record.current_version_id).summary == "The newer text."


def test_two_entries_become_one_and_two_again(feed: Feed) -> None:
    newer = entry(0, text="The newer text.").replace("05:00", "05:30")
    feed.take(newer, *ALL)
    for entries in (ALL, [newer, *ALL[1:]], [newer, *ALL], ALL):
        answers = feed.take(*entries)
        assert {outcome for outcome, _ in told(answers)} <= {"duplicate", "update"}
        assert told(feed.take(*entries)) == [AGAIN] * len(entries)
    assert len(list(feed.library.records())) == 4


# --- other ways in ------------------------------------------------------------------------------


def test_items_of_a_program_are_known_by_a_digest_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    derived: list[str] = []
    original: Callable[..., Any] = seenbefore.blocking.derive_text

    def noted(item: Item, *args: Any) -> Any:
        derived.append(item.guid)
        return original(item, *args)

    monkeypatch.setattr("seenbefore.engine.arrival.derive_text", noted)
    with seenbefore.open(":memory:") as db:
        for hour in range(4):
            common = {"source": "s", "fetch_id": str(hour), "observed_at": f"2026-03-01T0{hour}:00:00Z"}
            items = [{**common, "guid": f"g{n}", "title": TITLES[n], "content": "Text."} for n in range(4)]
            derived.clear()
            answers = db.see_many(items)
            assert [a.item.guid for a in answers] == [f"g{n}" for n in range(4)]
            assert bool(derived) == (hour == 0)
    assert told(answers) == [AGAIN] * 4


@pytest.mark.parametrize(
    "field",
    [{"title": "Another title"}, {"content": "Another text."}, {"published": "2026-03-02"}, {"ids": {"doi": "10.1/a"}}],
)
def test_an_item_that_says_anything_else_is_no_repeat(field: dict[str, Any]) -> None:
    with seenbefore.open(":memory:") as db:
        for hour in range(2):
            item = {"source": "s", "fetch_id": str(hour), "observed_at": f"2026-03-01T0{hour}:00:00Z"}
            item |= {"guid": "g", "title": TITLES[0], "content": "Text."}
            db.see(item)
        found = db.see({**item, "fetch_id": "2", "observed_at": "2026-03-01T02:00:00Z", **field})
        (sighting, *_) = db.explain("r1").sightings
        stored = {(k.kind, k.value) for s in db.explain("r1").sightings for k in s.keys}
    if "ids" in field:
        assert ("id", "doi:10.1/a") in stored
    elif "published" in field:
        assert len(sighting.versions) == 2
    else:
        assert found.outcome.value == "update"
