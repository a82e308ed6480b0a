"""Which records a feed holds, in which order, and under which ids."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

import seenbefore
from seenbefore.errors import InvalidInput, NotFound
from seenbefore.model import Status

from .conftest import TEXTS

FEED = "https://news.example/feed"
TITLES = {"bridge": "Harbor bridge to be replaced", "whales": "Whales return to the bay", "opera": "Opera reopens"}


def story(name: str, day: int, **fields: Any) -> dict[str, Any]:
    """An entry about one of the texts, published on a day of March 2026."""
    common = {"guid": name, "url": f"https://news.example/{name}", "title": TITLES[name]}
    return common | {"content": getattr(TEXTS, name), "published": f"2026-03-{day:02}T08:00:00Z"} | fields


def feed(library: seenbefore.SeenBefore, **options: Any) -> dict[str, Any]:
    """The feed as JSON."""
    found: dict[str, Any] = json.loads(b"".join(library.export_feed("json", **options)))
    return found


def titles(library: seenbefore.SeenBefore, **options: Any) -> list[str]:
    return [item["title"] for item in feed(library, **options)["items"]]


def ids(library: seenbefore.SeenBefore, **options: Any) -> dict[str, str]:
    """Ids by title."""
    return {item["title"]: item["id"] for item in feed(library, **options)["items"]}


def set_status(library: seenbefore.SeenBefore, number: int, status: Status) -> None:
    with library.store.unit() as unit:
        (record,) = unit.records.find_records([number])
        unit.records.update_record(replace(record, status=status))


@pytest.fixture
def news(db: Any) -> seenbefore.SeenBefore:
    """Three articles of one fetch, the opera published last."""
    db.fetch(20, story("bridge", 2), story("opera", 9), story("whales", 5))
    library: seenbefore.SeenBefore = db.library
    return library


# --- which and in which order -------------------------------------------------------------------


def test_what_changed_last_stands_first(news: seenbefore.SeenBefore, db: Any) -> None:
    assert titles(news) == [TITLES["opera"], TITLES["whales"], TITLES["bridge"]]
    db.fetch(21, story("bridge", 2, content=TEXTS.market))
    assert titles(news) == [TITLES["bridge"], TITLES["opera"], TITLES["whales"]]


def test_the_limit_keeps_the_newest(news: seenbefore.SeenBefore) -> None:
    assert titles(news, limit=2) == [TITLES["opera"], TITLES["whales"]]
    assert len(titles(news, limit=0)) == 3


def test_a_hundred_entries_are_enough_unless_told_otherwise(db: Any) -> None:
    entries = [{"guid": f"g{n}", "url": f"https://n.example/{n:03}", "title": f"Number {n}"} for n in range(120)]
    db.fetch(1, *entries)
    assert len(titles(db.library)) == 100
    assert len(set(ids(db.library, limit=0).values())) == 120


def test_since_counts_the_last_change(news: seenbefore.SeenBefore, db: Any) -> None:
    assert titles(news, since=datetime(2026, 3, 5, 8, tzinfo=UTC)) == [TITLES["opera"], TITLES["whales"]]
    db.fetch(21, story("bridge", 2, content=TEXTS.market))
    assert titles(news, since=datetime(2026, 3, 20, tzinfo=UTC)) == [TITLES["bridge"]]


def test_a_source_has_what_was_seen_there(news: seenbefore.SeenBefore, db: Any) -> None:
    db.fetch(21, story("whales", 5, guid="w", url="https://planet.example/w"), source="planet")
    db.fetch(22, {"guid": "own", "title": "Only at the planet", "url": "https://planet.example/own"}, source="planet")
    for name in ("planet", "s2"):
        assert titles(news, source=name) == ["Only at the planet", TITLES["whales"]]
        assert titles(news, source=name, limit=1) == ["Only at the planet"]
    assert titles(news, source="http://www.news.example/feed/", limit=2) == [TITLES["opera"], TITLES["whales"]]
    assert feed(news, source="planet")["title"] == "planet"


def test_rejected_and_merged_records_are_not_in_it(news: seenbefore.SeenBefore) -> None:
    set_status(news, 1, Status.REJECTED)
    news.label("r2", "r3", "same")
    assert len(titles(news)) == 1
    assert titles(news)[0] != TITLES["bridge"]


def test_what_waits_for_a_verdict_is_in_it_unless_it_is_held_back(db_with: Any) -> None:
    item = {"source": "s", "title": "Visitors in May", "published": "2026-06-01T07:00:00Z"}
    for hold, listed in ((False, 2), (True, 1)):
        library = db_with(delivery={"hold_review": hold}).library
        first = library.see(item | {"url": "https://stats.example/1"})
        second = library.see(item | {"url": "https://stats.example/2"})
        assert second.outcome.value == "review"
        assert len(titles(library)) == listed
        library.label(first.record_id, second.record_id, "different")
        assert len(titles(library)) == 2


# --- the same again -----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["atom", "json", "rss"])
def test_an_unchanged_store_gives_the_same_bytes(news: seenbefore.SeenBefore, db: Any, form: str) -> None:
    before = b"".join(news.export_feed(form))
    assert b"".join(news.export_feed(form)) == before
    db.fetch(25, story("bridge", 2), story("opera", 9), story("whales", 5))
    assert b"".join(news.export_feed(form)) == before


def test_an_update_keeps_the_id(news: seenbefore.SeenBefore, db: Any) -> None:
    before = ids(news)
    db.fetch(21, story("bridge", 2, title="Harbor bridge will be replaced", content=TEXTS.bridge + " Now it is sure."))
    after = ids(news)
    assert after["Harbor bridge will be replaced"] == before[TITLES["bridge"]]


def test_another_primary_source_keeps_the_id(db: Any) -> None:
    db.fetch(1, story("bridge", 1, content=TEXTS.bridge), source="planet")
    before = ids(db.library)
    db.fetch(2, story("bridge", 1, content=TEXTS.bridge), source=FEED)
    found = feed(db.library)["items"]
    assert [source["name"] for source in found[0]["_seenbefore"]["sources"]] == [FEED, "planet"]
    assert found[0]["id"] == before[TITLES["bridge"]]


def test_a_late_arrival_keeps_the_id(news: seenbefore.SeenBefore, db: Any) -> None:
    before = ids(news)
    db.fetch(3, story("bridge", 2, url="https://news.example/bridge?page=1", guid="bridge"))
    assert ids(news) == before


def test_of_two_merged_entries_the_older_id_stays(db: Any) -> None:
    db.fetch(1, story("bridge", 1))
    db.fetch(2, story("opera", 9))
    before = ids(db.library)
    db.library.label("r1", "r2", "same")
    assert ids(db.library) == {TITLES["opera"]: before[TITLES["bridge"]]}


def test_what_is_split_off_gets_an_id_of_its_own(db: Any) -> None:
    hub = "https://news.example/live"
    one, other = ({"url": hub, "title": f"Bridge to be replaced {word}"} for word in ("soon", "sooner"))
    db.fetch(1, one)
    before = ids(db.library)
    db.fetch(2, other)
    assert list(ids(db.library).values()) == list(before.values())
    db.fetch(3, one, other)
    after = ids(db.library)
    assert after[one["title"]] == before[one["title"]]
    assert len(set(after.values())) == 2


def test_a_feed_names_itself_for_good(news: seenbefore.SeenBefore, db: Any) -> None:
    def feed_id(**options: Any) -> bytes:
        return b"".join(news.export_feed("atom", **options)).split(b"<id>")[1].split(b"</id>")[0]

    whole, part = feed_id(), feed_id(source=FEED)
    assert whole != part
    assert whole.startswith(b"urn:uuid:")
    db.fetch(21, {"guid": "new", "title": "Something new", "url": "https://news.example/new"})
    assert (feed_id(), feed_id(source=FEED)) == (whole, part)
    assert feed_id(url="https://me.example/clean.xml") == b"https://me.example/clean.xml"


def test_an_empty_store_gives_an_empty_feed(db: Any) -> None:
    assert feed(db.library)["items"] == []
    assert b"<updated>1970-01-01T00:00:00Z</updated>" in b"".join(db.library.export_feed())


def test_the_feed_is_as_new_as_its_newest_entry(news: seenbefore.SeenBefore) -> None:
    head = b"".join(news.export_feed()).split(b"<entry")[0]
    assert b"<updated>2026-03-09T08:00:00Z</updated>" in head


# --- options ------------------------------------------------------------------------------------


def test_the_title_is_plain_text(news: seenbefore.SeenBefore) -> None:
    assert feed(news)["title"] == "seenbefore"
    assert feed(news, title=" Clean\n news\x07 ")["title"] == "Clean news"


@pytest.mark.parametrize(
    "options",
    [{"format": "opml"}, {"limit": -1}, {"url": "clean.xml"}, {"url": "https://ann:pw@me.example/"}],
)
def test_a_wrong_option_is_told_before_anything_is_written(db: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        db.library.export_feed(**options)


def test_an_unknown_source_is_told(news: seenbefore.SeenBefore) -> None:
    for name in ("nobody", "s99"):
        with pytest.raises(NotFound):
            news.export_feed(source=name)


def test_secrets_are_kept_back_and_counted(db: Any) -> None:
    db.fetch(1, story("bridge", 1, url="https://news.example/b?token=abc1"), source="https://u:pw@news.example/feed")
    export = db.library.export_feed("json")
    text = b"".join(export).decode()
    assert "abc1" not in text
    assert "pw" not in text
    assert export.left_out["secret"] >= 2
    everything = db.library.export_feed("json", with_secrets=True)
    assert "abc1" in b"".join(everything).decode()
    assert everything.left_out == {}


def test_progress_counts_entries(db: Any) -> None:
    db.fetch(1, story("bridge", 1), story("opera", 2))
    told: list[int] = []
    list(db.library.export_feed(progress=told.append))
    assert sum(told) == 2
