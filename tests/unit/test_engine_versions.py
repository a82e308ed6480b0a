"""One record over time: what is an update, what is none, and which text stays current."""

from __future__ import annotations

from typing import Any

import pytest

TITLE, RETITLED = "Harbour bridge to be replaced", "Council wants a new one"
WALL = "Please enable JavaScript to read this page."


def told(*decisions: Any) -> list[tuple[str, str]]:
    return [(d.outcome.value, d.reason) for d in decisions]


def article(**fields: Any) -> dict[str, Any]:
    return {"guid": "1", "url": "https://n.example/1", "title": TITLE, **fields}


def current_text(db: Any) -> str:
    (record,) = db.library.records()
    item = db.library.explainer.item_as_arrived(record.current_version_id)
    return item.content or item.summary


# --- updates ------------------------------------------------------------------------------------


def test_an_update_moves_the_date_of_the_content_and_not_of_the_publication(db: Any, at: Any) -> None:
    db.fetch(1, article(published="2026-02-01T00:00:00Z"))
    (update,) = db.fetch(3, article(title=RETITLED, published="2026-02-03T00:00:00Z"))
    assert (update.changed, update.matched.title) == (("title",), TITLE)
    (record,) = db.library.records()
    assert (record.title, record.content_updated_at) == (RETITLED, at(3))
    assert record.first_published_at.isoformat() == "2026-02-01T00:00:00+00:00"
    (change,) = [c for c in db.library.changes("x") if c.decision and c.decision.outcome.value == "update"]
    old, new = (db.library.explainer.item_as_arrived(v).title for v in (change.old_version_id, change.new_version_id))
    assert (old, new) == (TITLE, RETITLED)


def test_a_return_is_an_update_and_flagged(db: Any, texts: Any) -> None:
    contents = [texts.bridge, texts.bridge + " Corrected.", texts.bridge, texts.bridge + " Corrected."]
    answers = [db.fetch(day, article(content=content))[0] for day, content in enumerate(contents)]
    assert told(*answers) == [("new", "first_seen"), *[("update", "text_changed")] * 3]
    assert [answer.flags for answer in answers] == [(), (), ("reverted",), ("reverted",)]
    titles = [db.fetch(day, article(title=t, content=contents[-1]))[0] for day, t in enumerate((RETITLED, TITLE), 5)]
    assert told(*titles) == [("update", "title_changed")] * 2
    assert [answer.flags for answer in titles] == [(), ("reverted",)]


@pytest.mark.parametrize(
    "fields",
    [
        {"published": "2026-03-09T00:00:00Z"},
        {"modified": "2026-03-09T00:00:00Z"},
        {"title": f"  {TITLE.upper()} (7 comments)"},
        {"content": "<p>The vote is on Tuesday, at the town hall.</p><p>12 comments</p>"},
        {"url": "https://www.n.example/1/?utm_source=rss"},
        {"authors": ["Somebody"]},
    ],
)
def test_what_is_no_change(fields: dict[str, Any], db: Any) -> None:
    base = article(content="The vote is on Tuesday, at the town hall.", published="2026-03-01T00:00:00Z")
    db.fetch(1, base)
    (found,) = db.fetch(2, {**base, **fields})
    assert found.outcome.value == "duplicate"
    assert db.delivered() == ["first_seen"]
    (record,) = db.library.records()
    assert record.content_updated_at is None


def test_a_flapping_address_causes_no_storm(db: Any) -> None:
    both = article(), article(url="http://n.example/1")
    answers = [db.fetch(day, both[day % 2])[0] for day in range(6)]
    assert told(*answers) == [
        ("new", "first_seen"),
        ("duplicate", "new_address"),
        *[("duplicate", "seen_again")] * 4,
    ]
    assert db.delivered() == ["first_seen"]


def test_two_outlets_do_not_flip_each_other(db: Any, texts: Any) -> None:
    db.fetch(1, article(content=texts.bridge))
    for day in (2, 4, 6):
        copy = article(title=RETITLED, content="COPY. " + texts.bridge, observed_at=None)
        copy.pop("observed_at")
        (theirs,) = db.fetch(day, copy, source="planet.example")
        (ours,) = db.fetch(day + 1, article(content=texts.bridge))
        assert (theirs.outcome.value, ours.reason) == ("duplicate", "seen_again")
    assert db.delivered() == ["first_seen"]


def test_a_change_at_another_source_is_secondary(db: Any) -> None:
    db.fetch(1, article(), source="https://n.example/feed")
    db.fetch(2, article(), source="planet.example")
    (found,) = db.fetch(3, article(title=RETITLED), source="planet.example")
    assert (told(found), found.flags) == ([("update", "title_changed")], ("secondary",))
    assert db.titles() == {"r1": TITLE}


def test_a_summary_and_a_full_text_do_not_flip_each_other(db: Any, texts: Any) -> None:
    db.fetch(1, article(summary=texts.bridge[:120]))
    (fuller,) = db.fetch(2, article(content=texts.bridge))
    assert (told(fuller), fuller.changed) == ([("update", "fuller_text")], ("representation",))
    answers = [
        db.fetch(day, article(**fields))[0]
        for day, fields in (
            (3, {"summary": texts.bridge[:120]}),
            (4, {"content": texts.bridge}),
            (5, {"summary": texts.bridge[:120]}),
        )
    ]
    assert told(*answers) == [("duplicate", "seen_again")] * 3


# --- poor captures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "poor"),
    [
        ("bridge", WALL),
        ("bridge", "Read on."),
        ("bridge_zh", "登录后即可阅读这篇文章。"),
        ("bridge_ja", "続きはこちらから"),
    ],
)
def test_a_poor_capture_keeps_the_old_text(name: str, poor: str, db: Any, texts: Any) -> None:
    text = getattr(texts, name)
    db.fetch(1, article(content=text))
    assert told(*db.fetch(2, article(content=poor))) == [("duplicate", "poor_capture")]
    assert current_text(db) == text
    assert told(*db.fetch(3, article(content=text))) == [("duplicate", "seen_again")]
    assert db.delivered() == ["first_seen"]
    stored = [v.fingerprint.text for s in db.library.explain("r1").sightings for v in s.versions]
    assert len(stored) >= 2, "the capture is kept"


def test_a_poor_first_capture_is_replaced(db: Any, texts: Any) -> None:
    db.fetch(1, article(content=WALL))
    assert told(*db.fetch(2, article(content=texts.bridge))) == [("update", "text_changed")]
    assert current_text(db) == texts.bridge


def test_a_poor_capture_brings_no_title_of_its_own(db: Any, texts: Any) -> None:
    db.fetch(1, article(content=texts.bridge))
    assert told(*db.fetch(2, article(title="Just a moment, please", content=WALL))) == [("duplicate", "poor_capture")]
    assert db.titles() == {"r1": TITLE}


def test_a_second_poor_capture_does_not_take_over(db: Any, texts: Any) -> None:
    db.fetch(1, article(content=texts.bridge))
    db.fetch(2, article(content=WALL))
    assert told(*db.fetch(3, article(content="Enable JavaScript and cookies to continue."))) == [
        ("duplicate", "poor_capture")
    ]
    assert current_text(db) == texts.bridge


def test_a_poor_capture_moves_no_date(db: Any, texts: Any) -> None:
    for day, content in enumerate((texts.bridge, WALL, texts.bridge), 1):
        db.fetch(day, article(content=content))
    (record,) = db.library.records()
    assert record.content_updated_at is None


def test_the_first_text_of_a_known_title_is_told(db: Any, texts: Any) -> None:
    db.fetch(1, article())
    assert told(*db.fetch(2, article(content=texts.bridge))) == [("update", "fuller_text")]


# --- published again ----------------------------------------------------------------------------

SLUG = "https://techcrunch.com/2026/03/{:02d}/harbour-bridge-to-be-replaced/"


def posted(day: int, **fields: Any) -> dict[str, Any]:
    return article(guid=f"posted {day} x", url=SLUG.format(day), published=f"2026-03-{day:02d}", **fields)


def test_a_dated_path_is_a_repost_once_and_never_a_storm(db: Any, texts: Any, at: Any) -> None:
    db.fetch(1, posted(1, content=texts.bridge))
    (again,) = db.fetch(4, posted(4, content=texts.bridge))
    assert (told(again), again.changed) == ([("update", "reposted")], ("url", "published"))
    (record,) = db.library.records()
    assert record.url == SLUG.format(4)
    assert record.first_published_at.isoformat().startswith("2026-03-01")
    assert len(db.library.explain(SLUG.format(1))) == 1, "the old address stays a key"
    answers = [db.fetch(day, posted(which, content=texts.bridge))[0] for day, which in ((5, 1), (6, 4), (7, 1))]
    assert told(*answers) == [("duplicate", "seen_again")] * 3


def test_another_story_under_the_same_slug_is_none(db: Any, texts: Any) -> None:
    db.fetch(1, posted(1, content=texts.bridge))
    assert db.fetch(4, posted(4, title="Whales return", content=texts.whales))[0].outcome.value == "new"


def test_a_repost_moves_the_date_of_the_content(db: Any, texts: Any, at: Any) -> None:
    db.fetch(1, posted(1, content=texts.bridge))
    db.fetch(4, posted(4, content=texts.bridge))
    (record,) = db.library.records()
    assert record.content_updated_at == at(4)


# --- flash and full text ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("review", ("review", "flash_then_full")), ("update", ("update", "flash_then_full"))],
)
def test_a_flash_and_its_full_text(choice: str, expected: tuple[str, str], db_with: Any, texts: Any) -> None:
    db = db_with(across_sources={"flash_then_full": choice})
    flash = article(content=texts.bridge[:90], published="2026-03-01T06:00:00Z")
    full = article(guid="2 x", url="https://n.example/2", content=texts.bridge, published="2026-03-01T09:00:00Z")
    db.fetch(1, flash)
    assert told(*db.fetch(2, full)) == [expected]
    assert len(db.titles()) == (2 if choice == "review" else 1)
