"""Repeats in fetches that came late or were interrupted: nothing is lost, and nothing is counted twice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from seenbefore.errors import IngestError
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.faults import FailingStatements
from seenbefore.testing.streams import picture

from .one_feed import AGAIN, ALL, NEW, START, Feed, note_reads, told


@pytest.fixture(params=["memory", "sqlite"])
def feed(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Feed]:
    store: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "news.db")
    yield Feed(store, tmp_path)
    store.close()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Guids of the entries that were read since the list was last cleared."""
    return note_reads(monkeypatch)


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
            made.take_alone(*many(known), hour=1)
        return made, store

    fetch = many(17)
    smooth, store = prepare()
    counter = FailingStatements()
    store._hook = counter
    smooth.take_alone(*fetch, hour=2)
    store._hook = None
    expected = picture(store), smooth.sightings(), smooth.counts(), smooth.journal()
    smooth.take_alone(*fetch, hour=3)
    after = picture(store), smooth.sightings(), smooth.counts()
    store.close()
    assert counter.count > 30
    for number in range(1, counter.count + 1, 11):
        broken, store = prepare()
        store._hook = FailingStatements(number)
        with pytest.raises(IngestError) as caught:
            broken.take_alone(*fetch, hour=2)
        assert caught.value.retryable
        store._hook = None
        answers = broken.take_alone(*fetch, hour=2)
        assert len(answers) == 17
        assert (picture(store), broken.sightings(), broken.counts(), broken.journal()) == expected, number
        assert told(broken.take_alone(*fetch, hour=2)) == [AGAIN] * 17
        assert told(broken.take_alone(*fetch, hour=3)) == [AGAIN] * 17
        assert (picture(store), broken.sightings(), broken.counts()) == after, number
        store.close()


def test_a_fetch_that_was_interrupted_and_never_completed(tmp_path: Path, reads: list[str]) -> None:
    """What the next fetch lists was there before, or not: either way nothing is lost and nothing comes twice."""
    with closing(SqliteStore(tmp_path / "news.db")) as store:
        feed = Feed(store, tmp_path, unit_size=5)
        feed.take_alone(*many(17), hour=1)
        changed = many(17, text="Corrected. ")
        counter = FailingStatements()
        with closing(store.scratch_copy()) as copy:
            copy._hook = counter
            Feed(copy, tmp_path, unit_size=5).take_alone(*changed, hour=2)
        store._hook = FailingStatements(counter.count // 2)
        with pytest.raises(IngestError):
            feed.take_alone(*changed, hour=2)
        store._hook = None
        answers = feed.take_alone(*changed, hour=3)
        assert {outcome for outcome, _ in told(answers)} <= {"update", "duplicate"}
        assert 0 < sum(outcome == "update" for outcome, _ in told(answers)) < 17
        assert feed.counts()["update"] == 17
        assert told(feed.take_alone(*changed, hour=4)) == [AGAIN] * 17
        reads.clear()
        assert told(feed.take_alone(*changed, hour=5)) == [AGAIN] * 17
        assert reads == []
