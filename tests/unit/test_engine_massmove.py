"""A feed that comes back under new names is one decision, and only such a feed is."""

from __future__ import annotations

from typing import Any

import pytest

TOPICS = "harbour bridge|opera house|city council|tram line|old library|fish market|night bus|water tower".split("|")
TOPICS_JA = "港の橋の架け替え|市立図書館の再開|路面電車の延伸|夜行バスの新路線|給水塔の保存活動|魚市場の移転計画".split(
    "|"
)


def listing(host: str, topics: list[str], *, day: int = 1, tail: str = "reopens next spring", **more: Any) -> list[Any]:
    return [
        {
            "guid": f"{host}-{n}",
            "url": f"https://{host}.example/{host[0]}/{n}00{n}",
            "title": f"{topic} {tail}".strip(),
            "published": f"2026-03-{day:02}T0{n}:00:00Z",
            **more,
        }
        for n, topic in enumerate(topics)
    ]


def reasons(answers: Any) -> set[tuple[str, str]]:
    return {(answer.outcome.value, answer.reason) for answer in answers}


def events(db: Any) -> list[Any]:
    return [change.event for change in db.library.changes("test") if change.event is not None]


@pytest.mark.parametrize(("topics", "tail"), [(TOPICS, "reopens next spring"), (TOPICS_JA, "について発表")])
def test_a_feed_that_moves_is_one_decision(db: Any, topics: list[str], tail: str) -> None:
    first = db.fetch(1, *listing("old", topics, tail=tail))
    moved = db.fetch(2, *listing("new", topics, tail=tail))
    assert reasons(moved) == {("duplicate", "moved_with_feed")}
    assert {a.record_id for a in moved} == {a.record_id for a in first}
    (event,) = events(db)
    assert event.event == "mass_change"
    assert set(event.record_ids) == {a.record_id for a in first}
    assert reasons(db.fetch(3, *listing("new", topics, tail=tail))) == {("duplicate", "seen_again")}


def test_what_is_new_in_the_same_fetch_stays_new(db: Any) -> None:
    db.fetch(1, *listing("old", TOPICS))
    extra = {"guid": "new-x", "url": "https://new.example/x", "title": "A zoo for the northern district"}
    answers = db.fetch(2, *listing("new", TOPICS), extra)
    assert [a.reason for a in answers].count("moved_with_feed") == len(TOPICS)
    assert answers[-1].outcome.value == "new"


def test_the_join_holds_when_an_entry_is_edited_later(db: Any) -> None:
    first = db.fetch(1, *listing("old", TOPICS))
    db.fetch(2, *listing("new", TOPICS))
    edited = listing("new", TOPICS)
    edited[3]["title"] = "Tram line reopens next summer instead"
    answers = db.fetch(3, *edited)
    assert (answers[3].outcome.value, answers[3].record_id) == ("update", first[3].record_id)
    assert [a.record_id for a in answers] == [a.record_id for a in first]


def test_a_weekly_schedule_is_no_move(db: Any) -> None:
    """Every title returns at once, but each for another day: nothing says that it is the same thing."""
    db.fetch(1, *listing("old", TOPICS, day=1))
    assert "moved_with_feed" not in {a.reason for a in db.fetch(2, *listing("new", TOPICS, day=8))}
    assert events(db) == []


def test_a_few_entries_under_new_names_are_no_move(db: Any) -> None:
    before = listing("old", TOPICS)
    db.fetch(1, *before)
    after = before[4:] + listing("new", TOPICS)[:4]
    assert "moved_with_feed" not in {a.reason for a in db.fetch(2, *after)}


def test_titles_that_are_not_unique_are_left_to_the_usual_rules(db: Any) -> None:
    db.fetch(1, *listing("old", TOPICS))
    twice = [
        *listing("new", TOPICS),
        *[{**e, "guid": f"b{n}", "url": f"https://new.example/b/{n}"} for n, e in enumerate(listing("new", TOPICS))],
    ]
    assert "moved_with_feed" not in {a.reason for a in db.fetch(2, *twice)}


def test_texts_about_something_else_are_not_moved(db: Any, texts: Any) -> None:
    db.fetch(1, *listing("old", TOPICS, content=texts.bridge))
    assert "moved_with_feed" not in {a.reason for a in db.fetch(2, *listing("new", TOPICS, content=texts.whales))}


def test_a_large_feed_is_one_event_whatever_the_size_of_units(db_with: Any) -> None:
    db = db_with()
    db.library.engine.unit_size = 3
    db.fetch(1, *listing("old", TOPICS))
    assert reasons(db.fetch(2, *listing("new", TOPICS))) == {("duplicate", "moved_with_feed")}
    assert [event.event for event in events(db)] == ["mass_change"]
