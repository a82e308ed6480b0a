"""Feeds that say the same again: what is read, what is answered, what is noted, and when the short way is not taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.engine import Engine
from seenbefore.engine.group import Group
from seenbefore.engine.job import Committed, JobOptions, run_job
from seenbefore.errors import IngestError
from seenbefore.model import Decision, Item, Sighting
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.sources.entry import EntryReader
from seenbefore.sources.feed import read_feed
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements
from seenbefore.testing.streams import picture
from seenbefore.wiring import SeenBefore

RULES, POLICY = load_rules(), load_policy()
START = datetime(2026, 3, 1, 6, tzinfo=UTC)
SOURCE = "https://news.example/feed"
TITLES = ["Harbour bridge to be replaced", "港口大桥将要重建", "港の橋を架け替え", "Whales return to the bay"]


def entry(number: int, title: str = "", text: str = "", more: str = "", guid: str = "") -> str:
    return (
        f"<item><guid>{guid or f'guid {number} x'}</guid><link>https://news.example/{number}</link>"
        f"<title>{title or TITLES[number]}</title><description>{text or f'Text of article {number}.'}</description>"
        f"<pubDate>Sun, 01 Mar 2026 05:0{number}:00 GMT</pubDate>{more}</item>"
    )


def comments(count: int) -> str:
    return f"<slash:comments xmlns:slash='http://purl.org/rss/1.0/modules/slash/'>{count}</slash:comments>"


ALL = [entry(n) for n in range(4)]


class Feed:
    """One feed file that is taken in again and again, each time an hour later, unless told otherwise."""

    def __init__(self, store: Store, folder: Path, unit_size: int = 500) -> None:
        self.store = store
        self.engine = Engine(store, RULES, POLICY, FrozenClock(START + timedelta(days=30)), unit_size)
        self.library = SeenBefore(store, RULES, POLICY, FrozenClock(START + timedelta(days=30)))
        self.path = folder / "feed.xml"
        self.hour = 0

    def write(self, *entries: str) -> None:
        built = f"<lastBuildDate>{START + timedelta(hours=self.hour)}</lastBuildDate>"
        self.path.write_text(f"<rss><channel>{built}{''.join(entries)}</channel></rss>", encoding="utf-8")

    def take(self, *entries: str, hour: int | None = None) -> list[Decision]:
        """Write the file and take it in; the answers in the order of the entries."""
        self.hour = self.hour + 1 if hour is None else hour
        if entries:
            self.write(*entries)
        options = JobOptions(SOURCE, START + timedelta(hours=self.hour), two_processes=False)
        steps = list(run_job(self.engine, [str(self.path)], options))
        assert all(isinstance(step, Committed) for step in steps)
        return [answer.decision for step in steps if isinstance(step, Committed) for answer in step.answers]

    def take_unread(self, *entries: str, hour: int) -> list[Decision]:
        """Take a fetch in without a run around it: only what the engine asks of the store is asked."""
        self.write(*entries)
        at = START + timedelta(hours=hour)
        found = read_feed(self.path.read_bytes(), source=SOURCE, observed_at=at, default_name="feed")
        items = found.items
        places = range(len(items))
        group = Group(
            found.fetch_id, items, places, whole=True, digests=items.digests, source_name=SOURCE, at=found.observed_at
        )
        answers = dict(answer for unit in self.engine.ingest([group]) for answer in unit)
        return [answers[place] for place in places]

    def sightings(self) -> dict[str, Sighting]:
        with self.store.reading() as unit:
            found = unit.records.get_sightings(record.id for record in unit.records.find_records())
        return {f"{s.guid} {s.original_url} {s.clean_title}": s for s in found}

    def of(self, number: int) -> Sighting:
        (found,) = [s for s in self.sightings().values() if s.original_url.endswith(f"/{number}")]
        return found

    def counts(self) -> dict[str, int]:
        """What the days count in all."""
        with self.store.reading() as unit:
            days = unit.counts.find_days()
        return {name: sum(getattr(day, name) for day in days) for name in ("new", "update", "duplicate", "review")}

    def journal(self) -> int:
        with self.store.reading() as unit:
            return unit.journal.last_seq()


@pytest.fixture(params=["memory", "sqlite"])
def feed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Feed]:
    store: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "news.db")
    made = Feed(store, tmp_path)
    yield made
    store.close()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Guids of the entries that were read since the list was last cleared."""
    seen: list[str] = []
    original = EntryReader.read

    def noted(self: EntryReader, *args: Any) -> Item | None:
        item = original(self, *args)
        seen.append(item.guid if item else "")
        return item

    monkeypatch.setattr(EntryReader, "read", noted)
    return seen


def told(answers: Sequence[Decision]) -> list[tuple[str, str]]:
    return [(a.outcome.value, a.reason) for a in answers]


AGAIN, NEW = ("duplicate", "seen_again"), ("new", "first_seen")


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


# --- late, interrupted --------------------------------------------------------------------------


def test_a_late_fetch_of_known_entries(feed: Feed, reads: list[str]) -> None:
    feed.take(*ALL, hour=5)
    feed.take(*ALL, hour=7)
    before = feed.sightings()
    reads.clear()
    assert told(feed.take(*ALL, hour=6)) == [AGAIN] * 4
    assert reads == []
    assert feed.sightings() == before, "it moves nothing"
    assert feed.counts()["duplicate"] == 8, "and is counted on its day"
    assert told(feed.take(hour=6)) == [AGAIN] * 4
    assert feed.counts()["duplicate"] == 8, "once"
    assert told(feed.take(*ALL, hour=8)) == [AGAIN] * 4
    assert feed.of(0).last_seen_at == START + timedelta(hours=8)


def test_a_late_fetch_of_an_unknown_entry(feed: Feed) -> None:
    feed.take(*ALL[1:], hour=5)
    answers = feed.take(*ALL, hour=4)
    assert told(answers) == [NEW, AGAIN, AGAIN, AGAIN]
    assert answers[0].flags == ("late",)
    assert told(feed.take(*ALL, hour=6)) == [AGAIN] * 4


def many(count: int, text: str = "") -> list[str]:
    return [
        f"<item><guid>g{n}</guid><link>https://news.example/{n}</link><title>Story of number {n}</title>"
        f"<description>{text}Text {n}.</description></item>"
        for n in range(count)
    ]


@pytest.mark.parametrize("known", [0, 13, 17])
def test_an_interrupted_fetch_is_taken_up_again(known: int, tmp_path: Path) -> None:
    """At each statement: what was committed stands, the next call completes it, and all is as it would have been."""

    def prepare() -> tuple[Feed, SqliteStore]:
        store = SqliteStore(":memory:")
        made = Feed(store, tmp_path, unit_size=5)
        if known:
            made.take_unread(*many(known), hour=1)
        return made, store

    fetch = many(17)
    smooth, store = prepare()
    counter = FailingStatements()
    store._hook = counter
    smooth.take_unread(*fetch, hour=2)
    store._hook = None
    expected = picture(store), smooth.sightings(), smooth.counts(), smooth.journal()
    smooth.take_unread(*fetch, hour=3)
    after = picture(store), smooth.sightings(), smooth.counts()
    store.close()
    assert counter.count > 30
    for number in range(1, counter.count + 1, 11):
        broken, store = prepare()
        store._hook = FailingStatements(number)
        with pytest.raises(IngestError) as caught:
            broken.take_unread(*fetch, hour=2)
        assert caught.value.retryable
        store._hook = None
        answers = broken.take_unread(*fetch, hour=2)
        assert len(answers) == 17
        assert (picture(store), broken.sightings(), broken.counts(), broken.journal()) == expected, number
        assert told(broken.take_unread(*fetch, hour=2)) == [AGAIN] * 17
        assert told(broken.take_unread(*fetch, hour=3)) == [AGAIN] * 17
        assert (picture(store), broken.sightings(), broken.counts()) == after, number
        store.close()


def test_a_fetch_that_was_interrupted_and_never_completed(tmp_path: Path, reads: list[str]) -> None:
    """What the next fetch lists was there before, or not: either way nothing is lost and nothing comes twice."""
    with closing(SqliteStore(tmp_path / "news.db")) as store:
        feed = Feed(store, tmp_path, unit_size=5)
        feed.take_unread(*many(17), hour=1)
        changed = many(17, text="Corrected. ")
        counter = FailingStatements()
        with closing(store.scratch_copy()) as copy:
            copy._hook = counter
            Feed(copy, tmp_path, unit_size=5).take_unread(*changed, hour=2)
        store._hook = FailingStatements(counter.count // 2)
        with pytest.raises(IngestError):
            feed.take_unread(*changed, hour=2)
        store._hook = None
        answers = feed.take_unread(*changed, hour=3)
        assert {outcome for outcome, _ in told(answers)} <= {"update", "duplicate"}
        assert 0 < sum(outcome == "update" for outcome, _ in told(answers)) < 17
        assert feed.counts()["update"] == 17
        assert told(feed.take_unread(*changed, hour=4)) == [AGAIN] * 17
        reads.clear()
        assert told(feed.take_unread(*changed, hour=5)) == [AGAIN] * 17
        assert reads == []


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
