"""What a source teaches over time: hubs, feed-wide guids, recurring titles, boilerplate, counters, slots."""

from __future__ import annotations

from typing import Any

import pytest

HUB = "https://n.example/hub"
TITLES = (
    "Harbour bridge to be replaced",
    "Whales return to the bay",
    "Opera reopens on Friday",
    "First tuna sold",
)


def told(*decisions: Any) -> list[tuple[str, str]]:
    return [(d.outcome.value, d.reason) for d in decisions]


def entry(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "guid": f"guid {number} of it",
        "url": f"https://n.example/{number}",
        "title": TITLES[number],
        **fields,
    }


def trust(db: Any, source: str = "s1") -> dict[tuple[str, str], str]:
    return {(t.kind, t.value): t.reason for t in db.library.source(source).trust}


# --- hubs ---------------------------------------------------------------------------------------


def test_a_hub_in_one_fetch_is_switched_off_and_recorded(db: Any) -> None:
    answers = db.fetch(1, *(entry(n, url=HUB) for n in range(3)))
    assert sorted(told(*answers)) == [("new", "first_seen"), ("new", "shared_key"), ("new", "shared_key")]
    assert trust(db) == {
        ("url", HUB): "different_titles_in_one_fetch",
        ("url_near", "n.example/hub"): "different_titles_in_one_fetch",
    }
    assert told(*db.fetch(2, entry(3, url=HUB))) == [("new", "shared_key")]
    assert told(*db.fetch(3, *(entry(n, url=HUB) for n in range(4)))) == [("duplicate", "seen_again")] * 4


def test_a_hub_over_time_is_switched_off_at_the_third_title(db: Any) -> None:
    answers = [db.fetch(n + 1, entry(n, url=HUB))[0] for n in range(4)]
    assert told(*answers)[0] == ("new", "first_seen")
    assert told(*answers)[1] == ("review", "same_link_other_title")
    assert told(*answers)[2:] == [("new", "shared_key")] * 2
    assert trust(db)["url", HUB] == "unlike_titles_over_time"


@pytest.mark.parametrize(
    "titles",
    [
        ("Bridge to be replaced soon", "Bridge to be replaced sooner"),
        ("市政府宣布港口大桥将于明年三月开工重建", "市政府宣布港口大桥将于明年三月开工重建了"),
    ],
)
def test_earlier_joins_are_taken_apart_and_nothing_is_announced(titles: tuple[str, str], db: Any) -> None:
    one, other = ({"url": HUB, "title": title} for title in titles)
    db.fetch(1, one)
    assert told(*db.fetch(2, other)) == [("update", "title_changed")]
    assert len(db.titles()) == 1
    announced = db.delivered()
    db.fetch(3, one, other)
    assert sorted(db.titles().values()) == sorted(titles)
    assert db.delivered() == [*announced, "split"]
    event = db.library.event("m1")
    assert (event.event, event.record_ids, event.cause) == ("split", ("r1", "r2"), "lost_trust")
    assert told(*db.fetch(4, one, other)) == [("duplicate", "seen_again")] * 2


def test_a_hub_of_one_source_is_none_elsewhere(db: Any) -> None:
    db.fetch(1, *(entry(n, url=HUB) for n in range(2)))
    assert trust(db)
    db.see("planet.example", **entry(2, url=HUB))
    assert trust(db, "s2") == {}


# --- guids --------------------------------------------------------------------------------------


def test_a_feed_wide_guid_identifies_nothing(db: Any) -> None:
    def same(n: int) -> dict[str, Any]:
        return entry(n, guid="https://n.example/feed-id")

    answers = db.fetch(1, *(same(n) for n in range(3)))
    assert sorted(told(*answers)) == [("new", "first_seen"), ("new", "shared_key"), ("new", "shared_key")]
    assert ("guid", "https://n.example/feed-id") in trust(db)
    assert told(*db.fetch(2, same(0), same(1), same(3)))[2] == ("new", "shared_key")
    assert sorted(db.titles().values()) == sorted(TITLES)


def test_a_reused_guid_is_a_new_article(db: Any, texts: Any) -> None:
    db.fetch(1, entry(0, content=texts.bridge))
    again = entry(1, guid="guid 0 of it", content=texts.whales)
    (found,) = db.fetch(2, again)
    assert told(found) == [("new", "reused_guid")]
    assert "guid_equal" in [evidence.kind for evidence in found.evidence]
    assert told(*db.fetch(3, again)) == [("duplicate", "seen_again")]
    assert told(*db.fetch(4, entry(0, content=texts.bridge))) == [("duplicate", "seen_again")]


def counted(number: int, count: int, title: str | None = None) -> dict[str, Any]:
    url = f"https://n.example/{number}"
    return {"guid": f"{url}#{count}", "url": url, "title": title or TITLES[number]}


def test_a_counter_is_learnt_from_three_pairs_with_equal_titles(db: Any) -> None:
    db.fetch(1, *(counted(n, 0) for n in range(4)))
    assert told(*db.fetch(2, counted(0, 1), counted(1, 1))) == [("duplicate", "new_guid")] * 2
    assert db.library.source("s1").source.traits == frozenset()
    db.fetch(3, counted(2, 1))
    assert db.library.source("s1").source.traits == {"guid_counter"}
    changed = db.fetch(4, counted(3, 1, "Second tuna sold as well, and for more"))
    assert told(*changed) == [("update", "title_changed")]
    assert len(db.titles()) == 4


def test_a_learnt_counter_joins_what_one_fetch_lists_under_two_titles(db: Any) -> None:
    db.fetch(1, *(counted(n, 0) for n in range(4)))
    two = counted(3, 0), counted(3, 1, "Second tuna sold as well, and for more")
    assert told(*db.fetch(2, *two)) == [("duplicate", "seen_again"), ("new", "same_fetch")]
    assert len(db.titles()) == 5
    announced = db.delivered()
    db.fetch(3, *(counted(n, 1) for n in range(3)))
    assert len(db.titles()) == 4, "what waited for the counter is joined when it is learnt"
    assert db.delivered() == [*announced, "merged"]


def test_two_pairs_are_too_few(db: Any) -> None:
    db.fetch(1, *(counted(n, 0) for n in range(3)))
    db.fetch(2, counted(0, 1), counted(1, 1))
    assert told(*db.fetch(3, counted(2, 0), counted(2, 1, "A tuna was sold there instead"))) == [
        ("duplicate", "seen_again"),
        ("new", "same_fetch"),
    ]


def test_a_feed_wide_guid_over_time_identifies_nothing(db: Any) -> None:
    answers = [db.fetch(n + 1, entry(n, guid="https://n.example/feed-id"))[0] for n in range(4)]
    assert told(*answers)[0] == ("new", "first_seen")
    assert told(*answers)[2:] == [("new", "shared_key")] * 2
    assert ("guid", "https://n.example/feed-id") in trust(db)


# --- titles and texts ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "suffix"),
    [("Open thread of the week", ""), ("每周闲聊与公开讨论", "_zh"), ("今週の雑談スレッド", "_ja")],
)
def test_a_recurring_title_corroborates_nothing(title: str, suffix: str, db: Any, texts: Any) -> None:
    for day, name in enumerate(("bridge", "whales")):
        (found,) = db.fetch(day, entry(day, title=title, content=getattr(texts, name + suffix)))
        assert found.outcome.value == "new"
    assert list(trust(db).values()) == ["unlike_texts_under_one_title"]
    assert told(*db.fetch(3, entry(2, title=title, published="2026-03-01"))) == [("new", "shared_key")]
    (found,) = db.fetch(4, entry(3, title=title, url="http://n.example/2", published="2026-03-02"))
    assert told(found) == [("review", "near_address")]
    assert "title_recurs" in [evidence.kind for evidence in found.evidence]


def test_a_text_under_three_titles_is_boilerplate(db: Any, texts: Any) -> None:
    same_second = {"content": texts.market, "published": "2026-03-01T09:00:00Z"}
    answers = [db.fetch(n + 1, entry(n, **same_second))[0] for n in range(4)]
    assert told(answers[1]) == [("update", "title_changed")]
    assert sorted(db.titles().values()) == sorted(TITLES), "earlier joins by this text are taken apart"
    assert list(trust(db).values()) == ["unlike_titles_on_one_text"]
    assert "split" in db.delivered()
    elsewhere = db.see("planet.example", guid="x", url="https://planet.example/1", title="Fish", content=texts.market)
    assert told(elsewhere) == [("new", "first_seen")]


# --- links that name nothing --------------------------------------------------------------------


def status(day: int, **fields: Any) -> dict[str, Any]:
    return {
        "url": "https://n.example/",
        "title": "All systems normal",
        "published": f"2026-03-{day:02d}",
        **fields,
    }


def test_a_status_page_repeats_its_title(db: Any) -> None:
    assert told(*db.fetch(1, status(1))) == [("new", "shared_key")]
    assert told(*db.fetch(2, status(2))) == [("duplicate", "seen_again")], "within two days it is the same notice"
    (later,) = db.fetch(20, status(20))
    assert told(later) == [("review", "repeated_title")]
    assert told(*db.fetch(21, status(20))) == [("duplicate", "seen_again")]
    assert [len(db.library.explain(r).sightings) for r in db.titles()] == [1, 1]


def test_the_same_text_is_the_same_notice_after_any_time(db: Any, texts: Any) -> None:
    db.fetch(1, status(1, content=texts.bridge))
    assert db.fetch(20, status(20, content=texts.bridge))[0].outcome.value == "duplicate"
    assert len(db.titles()) == 1


def test_a_guid_names_one_thing_at_any_date(db: Any) -> None:
    db.fetch(1, status(1, guid="notice"))
    assert told(*db.fetch(20, status(20, guid="notice"))) == [("duplicate", "seen_again")]


def test_a_home_page_joins_no_two_articles(db: Any) -> None:
    for day, title in enumerate(TITLES[:3], 1):
        (found,) = db.fetch(day, {"guid": title, "url": "https://n.example/", "title": title})
        assert told(found) == [("new", "shared_key")]


# --- bounds -------------------------------------------------------------------------------------


def test_a_bound_is_told(db_with: Any, texts: Any) -> None:
    db = db_with(bounds={"max_bucket": 2, "max_component": 400})
    answers = [
        db.see(
            f"s{n}.example",
            guid="1",
            url=f"https://s{n}.example/{n}",
            title="The title of every one of them",
            content=c,
        )
        for n, c in enumerate((texts.bridge, texts.whales, texts.opera, texts.market))
    ]
    assert [answer.flags for answer in answers] == [(), (), (), ("bound_hit",)]
    assert "bound_hit" in [evidence.kind for evidence in answers[-1].evidence]


def test_a_component_has_a_bound(db_with: Any) -> None:
    db = db_with(bounds={"max_bucket": 60, "max_component": 3})
    answers = [db.see(f"s{n}.example", guid="1", url="https://n.example/1", title=f"Copy {n}") for n in range(5)]
    assert [answer.outcome.value for answer in answers] == ["new", *["duplicate"] * 4]
    assert "bound_hit" in answers[-1].flags
