"""Fetches: which of several entries wins, what a late one may do, and when an item counts as seen."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.errors import InvalidItem
from seenbefore.testing.clock import FrozenClock

TITLE = "Harbour bridge to be replaced"


def told(*decisions: Any) -> list[tuple[str, str]]:
    return [(d.outcome.value, d.reason) for d in decisions]


def article(**fields: Any) -> dict[str, Any]:
    return {"guid": "1", "url": "https://n.example/1", "title": TITLE, **fields}


# --- the winner of a fetch ----------------------------------------------------------------------

THREE = [
    article(summary="None of them."),
    article(summary="Nine in Tokyo.", published="2026-03-01T09:00:00+09:00"),
    article(summary="One in London.", published="2026-03-01T01:00:00Z"),
]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_newest_published_wins_wherever_it_stands_in_the_file(order: tuple[int, ...], db: Any) -> None:
    """Nine in the morning in Tokyo is midnight in London, and no date is the oldest one."""
    answers = db.fetch(1, *(THREE[i] for i in order))
    by_entry = dict(zip(order, told(*answers), strict=True))
    assert by_entry[2] == ("new", "first_seen")
    assert by_entry[0] == by_entry[1] == ("duplicate", "listed_twice")
    (record,) = db.library.records()
    assert db.library.explainer.item_as_arrived(record.current_version_id).summary == "One in London."
    assert record.content_updated_at is None
    assert db.delivered() == ["first_seen"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_equal_dates_go_by_address(order: tuple[int, int], db: Any) -> None:
    entries = [article(url=f"https://{host}.n.example/1", published="2026-03-01", summary=host) for host in ("a", "b")]
    db.fetch(1, *(entries[i] for i in order))
    (record,) = db.library.records()
    assert record.url == "https://a.n.example/1"


def test_the_losers_stay_readable(db: Any) -> None:
    db.fetch(1, *THREE)
    (record,) = db.library.records()
    texts = [v.fingerprint.text for s in db.library.explain(f"r{record.id}").sightings for v in s.versions]
    assert sorted(texts) == ["Nine in Tokyo.", "None of them.", "One in London."]


def test_the_same_fetch_again_is_answered_from_what_is_stored(db: Any, texts: Any) -> None:
    entries = [
        article(content=texts.bridge),
        article(guid="2", url="https://n.example/2", title="Whales return"),
    ]
    db.fetch(1, *entries)
    delivered = db.delivered()
    for _ in range(2):
        assert told(*db.fetch(1, *reversed(entries))) == [("duplicate", "seen_again")] * 2
    assert db.delivered() == delivered


def test_answers_come_in_input_order(db: Any) -> None:
    entries = [article(guid=str(n), url=f"https://n.example/{n}", title=f"Story of the number {n}") for n in (3, 1, 2)]
    assert [answer.item.guid for answer in db.fetch(1, *entries)] == ["3", "1", "2"]


@pytest.mark.parametrize("name", ["https://news.example/feed", "http://www.news.example/feed/"])
def test_addresses_of_one_source(name: str, db: Any) -> None:
    db.fetch(1, article(url=""))
    assert told(*db.fetch(2, article(url=""), source=name)) == [("duplicate", "seen_again")]
    assert db.fetch(3, article(url=""), source="https://other.example/feed")[0].outcome.value == "new"


def test_a_long_fetch_is_cut_and_nothing_is_lost(db: Any) -> None:
    """1,200 entries; the first and the last share guid and link under two titles: still two articles."""
    entries = [
        article(
            guid=f"guid {n} x",
            url=f"https://n.example/{n}",
            title=f"The story called {n}",
            published=f"20{n % 90 + 10}-01-01",
        )
        for n in range(1198)
    ]
    twins = [
        article(guid="twin", url="https://n.example/twin", title="First of two", published="2099-01-01"),
        article(guid="twin", url="https://n.example/twin", title="Second of two"),
    ]
    answers = db.fetch(1, twins[0], *entries, twins[1])
    assert len(answers) == 1200
    assert sorted(told(answers[0], answers[-1])) == [("new", "first_seen"), ("new", "shared_key")]
    assert set(told(*db.fetch(2, *entries, *twins))) == {("duplicate", "seen_again")}
    assert len(db.titles()) == 1200


# --- late ---------------------------------------------------------------------------------------


def test_a_late_fetch_changes_nothing_current(db: Any, texts: Any) -> None:
    db.fetch(5, article(content=texts.bridge, published="2026-03-01"))
    before = list(db.library.records())
    late = [
        *db.fetch(3, article(title="An older title of it", content=texts.bridge, published="2026-03-03")),
        *db.fetch(2, article(content=texts.bridge + " An older text.", published="2026-03-01")),
        *db.fetch(1, article(guid="2", url="https://n.example/2", title="Only in the old fetch")),
    ]
    assert told(*late) == [("duplicate", "late"), ("duplicate", "late"), ("new", "first_seen")]
    assert [answer.flags for answer in late] == [("late",)] * 3
    after = list(db.library.records())
    assert (after[0].title, after[0].current_version_id) == (before[0].title, before[0].current_version_id)
    assert after[0].last_seen_at == before[0].last_seen_at
    assert told(*db.fetch(6, article(content=texts.bridge, published="2026-03-01"))) == [("duplicate", "seen_again")]


def test_a_late_fetch_changes_no_trust(db: Any) -> None:
    db.fetch(5, article())
    db.fetch(3, article(title="Quite another title"), article(title="And a third one of all"))
    assert db.library.source("s1").trust == ()
    assert told(*db.fetch(6, article(title="The fourth of these titles"))) == [("update", "title_changed")]


def test_a_late_text_is_kept_and_never_current(db: Any, texts: Any) -> None:
    db.fetch(5, article(content=texts.bridge))
    db.fetch(3, article(content=texts.whales))
    story = db.library.explain("r1")
    assert {v.fingerprint.text for s in story.sightings for v in s.versions} == {texts.bridge, texts.whales}
    (record,) = db.library.records()
    assert db.library.explainer.item_as_arrived(record.current_version_id).content == texts.bridge


def test_late_is_a_matter_of_one_source(db: Any) -> None:
    db.fetch(5, article())
    assert told(*db.fetch(3, article(), source="planet.example")) == [("duplicate", "other_source")]


# --- items that are fetches of their own --------------------------------------------------------


def test_an_older_observation_is_late(db: Any) -> None:
    db.see(**article(observed_at="2026-03-05T00:00:00Z"))
    old = db.see(**article(title="An older title of it", observed_at="2026-03-04T00:00:00Z"))
    assert told(old) == [("duplicate", "late")]
    assert db.titles() == {"r1": TITLE}


def test_one_moment_twice(db: Any, texts: Any) -> None:
    at = {"observed_at": "2026-03-05T00:00:00Z"}
    assert told(db.see(**article(content=texts.bridge, **at)), db.see(**article(content=texts.bridge, **at))) == [
        ("new", "first_seen"),
        ("duplicate", "seen_again"),
    ]
    (sighting,) = db.library.explain("r1").sightings
    assert len(sighting.versions) == 1
    assert told(db.see(**article(content=texts.bridge + " More.", **at))) == [("update", "text_changed")]
    assert told(db.see(**article(content=texts.bridge, **at))) == [("duplicate", "seen_again")], "known at this moment"


def test_the_later_one_of_a_call_wins(db: Any) -> None:
    titles = [TITLE, "Council wants a new one", "Work starts in March"]
    answers = db.library.see_many([{"source": "s", **article(title=title)} for title in titles])
    assert told(*answers) == [("new", "first_seen"), ("update", "title_changed"), ("update", "title_changed")]
    assert db.titles() == {"r1": titles[-1]}


def test_sources_may_take_turns_in_a_call(db: Any) -> None:
    items = [{"source": source, **article(guid=source)} for source in ("a", "b", "a", "b")]
    assert told(*db.library.see_many(items)) == [
        ("new", "first_seen"),
        ("duplicate", "other_source"),
        ("duplicate", "seen_again"),
        ("duplicate", "seen_again"),
    ]


# --- items that name little ---------------------------------------------------------------------


def test_a_title_is_enough(db: Any) -> None:
    assert told(db.see(title=TITLE), db.see(title=TITLE), db.see(title="Whales return")) == [
        ("new", "first_seen"),
        ("duplicate", "seen_again"),
        ("new", "first_seen"),
    ]


def test_a_guid_is_enough(db: Any) -> None:
    assert told(db.see(guid="1"), db.see(guid="1"), db.see(guid="2")) == [
        ("new", "first_seen"),
        ("duplicate", "seen_again"),
        ("new", "first_seen"),
    ]


def test_an_empty_title_is_no_new_title(db: Any) -> None:
    db.fetch(1, article())
    assert db.fetch(2, article(title=""))[0].outcome.value == "duplicate"


def test_a_title_that_was_missing_once(db: Any) -> None:
    db.fetch(1, article())
    db.fetch(2, article(title=""))
    assert db.titles() == {"r1": TITLE}
    assert told(*db.fetch(3, article())) == [("duplicate", "seen_again")]


@pytest.mark.parametrize("fields", [{}, {"summary": "Only a summary."}])
def test_an_item_that_names_nothing(fields: dict[str, str], db: Any) -> None:
    with pytest.raises(InvalidItem, match="item"):
        db.see(**fields)


def test_a_bad_item_is_told_before_anything_is_stored(db: Any) -> None:
    with pytest.raises(InvalidItem, match="item 2"):
        db.library.see_many([{"source": "s", **article()}, {"source": "s"}])
    assert db.titles() == {}
    with pytest.raises(InvalidItem, match="source"):
        db.library.see(seenbefore.Item(source=" ", title=TITLE))


# --- flags --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "flags"),
    [
        ({"posted_at": "2026-03-01T00:00:00Z", "published": "2026-01-01T00:00:00Z"}, ("old_news",)),
        ({"posted_at": "2026-01-20T00:00:00Z", "published": "2026-01-01T00:00:00Z"}, ()),
        ({"posted_at": "2026-01-31T00:00:00Z", "published": "2026-01-01T00:00:00Z"}, ()),
        ({"posted_at": "2026-01-31T00:00:01Z", "published": "2026-01-01T00:00:00Z"}, ("old_news",)),
        ({"posted_at": "2026-01-01T00:00:00Z", "published": "2026-03-01T00:00:00Z"}, ()),
        ({"posted_at": "2026-03-01T00:00:00Z"}, ()),
        ({"url": "https://n.example/1?access_token=3f9ac1d27be84c55"}, ("secret_in_url",)),
        ({"url": "http://[bad"}, ("literal_url",)),
    ],
)
def test_flags(fields: dict[str, str], flags: tuple[str, ...], db: Any) -> None:
    assert db.see(**article(**fields)).flags == flags


def test_old_news_is_a_flag_and_decides_nothing(db_with: Any) -> None:
    """The same article shared at once and again long after: one record, told as old the second time."""
    db = db_with(dates={"old_news_days": 2})
    story = article(published="2026-01-01T00:00:00Z")
    first = db.see(**story, posted_at="2026-01-02T00:00:00Z")
    again = db.see("https://planet.example/feed", **story, posted_at="2026-01-04T00:00:01Z")
    assert (first.flags, again.flags) == ((), ("old_news",))
    assert (again.outcome, again.record_id) == ("duplicate", first.record_id)


def test_the_original_address_is_kept_to_the_letter(db: Any) -> None:
    url = "HTTP://user:pw@WWW.N.example:80/1/?utm_source=x#top"
    assert db.see(**article(url=url)).item.original_url == url
    (record,) = db.library.records()
    assert record.url == url


# --- peek ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"title": "Council wants a new one"},
        {"guid": "2", "url": "https://n.example/2", "title": "Whales return"},
        {"guid": "2"},
        {"url": "http://n.example/1"},
        {"guid": "2", "title": "Whales return"},
    ],
)
def test_peek_says_what_see_would_and_writes_nothing(fields: dict[str, str], db: Any) -> None:
    db.see(**article())
    delivered = db.delivered("a")
    item = {"source": "https://news.example/feed", **article(**fields)}
    peeked = db.library.peek(item)
    assert (peeked.decision_id, peeked.seq) == (None, None)
    assert db.delivered("b") == delivered
    seen = db.library.see(item)
    assert (peeked.outcome, peeked.reason, peeked.changed, peeked.flags) == (
        seen.outcome,
        seen.reason,
        seen.changed,
        seen.flags,
    )
    if seen.outcome.value in ("new", "review"):
        assert peeked.record_id is None


def test_peek_into_nothing(db: Any) -> None:
    assert told(db.library.peek({"source": "s", **article()})) == [("new", "first_seen")]
    assert db.titles() == {}
    with pytest.raises(InvalidItem):
        db.library.peek(seenbefore.Item(source="s"))


# --- known to be wrong --------------------------------------------------------------------------


def test_an_image_beside_an_article(db: Any) -> None:
    db.see(url="https://n.example/1", title=TITLE)
    assert told(db.see(kind="image", url="https://n.example/1", title=TITLE)) == [("new", "first_seen")]


def test_a_late_title_moves_no_date(db: Any) -> None:
    db.fetch(5, article())
    db.fetch(3, article(title="An older title of it"))
    (record,) = db.library.records()
    assert record.content_updated_at is None


def test_what_a_completed_fetch_did_not_list_is_a_fetch_of_its_own(db: Any, tmp_path: Path) -> None:
    """Only a whole list completes a fetch id; then nothing more can have stood beside what it lists."""
    listed = article(source="news", fetch_id="f1", observed_at="2026-03-01T00:00:00Z")
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(listed), encoding="utf-8")
    list(db.library.ingest([path]))
    later = {**listed, "title": "Council wants a new one", "observed_at": "2026-03-02T00:00:00Z"}
    assert told(db.library.see(later)) == [("update", "title_changed")]
    assert db.library.source("s1").trust == ()


def test_a_fetch_sent_in_pieces_stays_open(db: Any) -> None:
    """Neither ``see`` nor ``see_many`` can know that a fetch is whole: its entries may come in several calls."""
    db.fetch(1, article())
    assert told(*db.fetch(1, article(title="Council wants a new one"))) == [("new", "shared_key")]
    assert {trust.reason for trust in db.library.source("s1").trust} == {"different_titles_in_one_fetch"}


@pytest.mark.parametrize("url", ["https://n.example/", "https://n.example/blog"])
def test_untitled_entries_on_one_link(url: str, db: Any, texts: Any) -> None:
    answers = db.fetch(1, *({"url": url, "content": text} for text in (texts.bridge, texts.whales, texts.opera)))
    assert [answer.outcome.value for answer in answers] == ["new"] * 3


def test_weekly_entries_without_guid_on_one_link(db: Any, texts: Any) -> None:
    weeks = [("2026-03-01", texts.bridge), ("2026-03-08", texts.whales), ("2026-03-15", texts.opera)]
    entries = [
        {"url": "https://n.example/blog", "title": "Weekly notes", "content": c, "published": d} for d, c in weeks
    ]
    assert [answer.outcome.value for answer in db.fetch(1, *entries)] == ["new"] * 3


def test_another_doi_under_the_same_title(db: Any) -> None:
    db.see(url="https://n.example/1", title=TITLE, ids={"doi": "10.1/a"})
    assert told(db.see(url="https://n.example/1", title=TITLE, ids={"doi": "10.1/b"})) == [("new", "id_conflict")]


def test_the_clock_stands_in_for_a_missing_time() -> None:
    clock = FrozenClock()
    with seenbefore.open(":memory:", clock=clock) as library:
        library.see({"source": "s", **article()})
        (record,) = library.records()
    assert record.first_seen_at < clock.now
