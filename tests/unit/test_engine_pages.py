"""Rules that need a history: slugs that are corrected or stand in two sections, titles and pages that return."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from seenbefore.text.titles import title_key

TITLE = "How we built our harbour bridge"
BUILT, OURS = "how-we-built-our-harbour-bridge", "we-built-our-harbour-bridge"
OTHER = "https://n.example/other"


def told(*decisions: Any) -> list[tuple[str, str]]:
    return [(d.outcome.value, d.reason) for d in decisions]


def day(number: float) -> str:
    return (datetime(2026, 3, 1, 9, tzinfo=UTC) + timedelta(days=number)).isoformat()


def post(slug: str = BUILT, **fields: Any) -> dict[str, Any]:
    url = f"https://n.example/blog/{slug}"
    return {"guid": url, "url": url, "title": TITLE, "published": day(0), **fields}


def filler(number: int) -> dict[str, Any]:
    """An entry that has nothing to do with the others."""
    name = ("Whales return", "Opera reopens", "First tuna sold", "Lighthouse gets a keeper")[number]
    url = f"https://n.example/{number}"
    return {"guid": url, "url": url, "title": name, "published": day(number)}


def trust(db: Any) -> dict[tuple[str, str], str]:
    return {(t.kind, t.value): t.reason for t in db.library.source("s1").trust}


# --- corrected slugs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "slugs"),
    [
        (TITLE, (BUILT, OURS)),
        (TITLE, (OURS, BUILT)),
        ("港の橋の架け替えを決定", ("港の橋-の-架け替え-決定", "港の橋-架け替え-決定")),
        ("港口大桥的重建决定公布", ("港口-大桥-的-重建-决定", "港口-大桥-重建-决定")),
    ],
)
def test_an_entry_under_a_corrected_slug(title: str, slugs: tuple[str, str], db: Any) -> None:
    old, new = (post(slug, title=title) for slug in slugs)
    assert told(*db.fetch(1, filler(0), old)) == [("new", "first_seen")] * 2
    db.fetch(2, filler(0), old)
    _, found = db.fetch(3, filler(0), new)
    assert told(found) == [("duplicate", "new_address")]
    assert {e.kind: e.value for e in found.evidence if e.kind == "took_its_place"} == {"took_its_place": True}
    assert list(db.titles().values()).count(title) == 1
    assert told(*db.fetch(4, filler(0), new)) == [("duplicate", "seen_again")] * 2
    assert db.delivered() == ["first_seen", "first_seen"]


def test_side_by_side_they_are_two_and_one_after_a_gap_as_well(db: Any) -> None:
    assert told(*db.fetch(1, post(), post(OURS))) != [("new", "first_seen"), ("duplicate", "new_address")]
    assert len(db.titles()) == 2
    db.fetch(2, post(guid="later", url="https://n.example/later/built-our-harbour", title="Built our harbour"))
    assert len(db.titles()) == 3


def test_a_gap_takes_nobodys_place(db: Any) -> None:
    db.fetch(1, filler(0), post())
    db.fetch(2, filler(0))
    _, found = db.fetch(3, filler(0), post(OURS))
    assert found.outcome.value in ("new", "review")
    assert len(db.titles()) == 3


def test_the_old_slug_comes_back_beside_the_new_one(db: Any) -> None:
    """What was joined because one took the other's place is taken apart when they stand side by side."""
    db.fetch(1, filler(0), post())
    assert told(db.fetch(2, filler(0), post(OURS))[1]) == [("duplicate", "new_address")]
    assert len(db.titles()) == 2
    db.fetch(3, filler(0), post(OURS), post())
    assert len(db.titles()) == 3
    assert "split" in db.delivered()
    assert set(told(*db.fetch(4, filler(0), post(OURS), post()))) == {("duplicate", "seen_again")}


def test_the_old_slug_returns_alone(db: Any) -> None:
    db.fetch(1, filler(0), post())
    db.fetch(2, filler(0), post(OURS))
    _, found = db.fetch(3, filler(0), post())
    assert found.outcome.value == "duplicate"
    assert len(db.titles()) == 2


@pytest.mark.parametrize(
    ("slug", "fields"),
    [
        (f"{BUILT}-tuesday", {}),
        (f"{BUILT}-part-two", {}),
        (f"not-{BUILT}", {}),
        (OURS, {"published": day(7)}),
        (OURS, {"published": None}),
        (OURS, {"title": "How we built our harbour bridge?"}),
    ],
)
@pytest.mark.parametrize("back", [False, True])
def test_what_takes_a_place_may_be_another_article(back: bool, slug: str, fields: dict[str, Any], db: Any) -> None:
    first, second = post(), {k: v for k, v in post(slug, **fields).items() if v is not None}
    if back and "published" in fields:
        return  # an older date is the true date
    first, second = (second, first) if back else (first, second)
    db.fetch(1, filler(0), first)
    _, found = db.fetch(2, filler(0), second)
    assert found.outcome.value in ("new", "review")
    assert len(db.titles()) == 3


def test_a_late_fetch_takes_nobodys_place(db: Any) -> None:
    """Its number follows that of the newest fetch, its time does not: nothing left when it came."""
    db.fetch(5, filler(0), post())
    (_, found) = db.fetch(4, filler(0), post(OURS))
    assert found.outcome.value in ("new", "review")
    assert "late" in found.flags
    db.fetch(6, filler(0), post())
    assert len(db.titles()) == 3


def test_nobody_takes_the_place_of_a_late_entry(db: Any) -> None:
    db.fetch(5, filler(0))
    db.fetch(4, filler(0), post())
    (_, found) = db.fetch(6, filler(0), post(OURS))
    assert found.outcome.value in ("new", "review")
    assert len(db.titles()) == 3


def test_in_the_other_source_nobody_takes_a_place(db: Any) -> None:
    db.fetch(1, post())
    (found,) = db.fetch(2, post(OURS), source=OTHER)
    assert found.outcome.value == "new"


# --- two sections -------------------------------------------------------------------------------


def in_section(section: str, **fields: Any) -> dict[str, Any]:
    url = f"https://n.example/{section}/{BUILT}"
    return {"guid": url, "url": url, "title": TITLE, "published": "2026-03-01", **fields}


@pytest.mark.parametrize("order", [("news", "research"), ("research", "news"), ("ニュース", "研究"), ("新闻", "研究")])
def test_two_feeds_of_a_site(order: tuple[str, str], db: Any) -> None:
    db.fetch(1, in_section(order[0]), filler(0))
    found, _ = db.fetch(2, in_section(order[1], published="2026-03-01T18:30:00Z"), filler(1), source=OTHER)
    assert told(found) == [("duplicate", "other_source")]
    assert [e.kind for e in found.evidence][:2] == ["slug_equal", "title_equal"]
    assert len(db.titles()) == 3


def test_far_dates_wait_for_a_person_and_a_text_decides_later(db: Any, texts: Any) -> None:
    db.fetch(1, in_section("news"))
    (found,) = db.fetch(2, in_section("research", published="2026-02-01"), source=OTHER)
    assert told(found) == [("review", "same_slug")]
    assert len(db.titles()) == 2
    db.fetch(3, in_section("news", content=texts.bridge))
    db.fetch(4, in_section("research", published="2026-02-01", content=texts.bridge), source=OTHER)
    assert len(db.titles()) == 1


def test_unlike_texts_of_one_column_keep_two_sections_apart(db: Any, texts: Any) -> None:
    db.fetch(1, in_section("north", content=texts.bridge))
    (found,) = db.fetch(2, in_section("south", content=texts.whales), source=OTHER)
    assert told(found)[0][0] == "new"


def test_a_feed_that_lists_both_sections_lists_two(db: Any) -> None:
    answers = db.fetch(1, in_section("news"), in_section("research"))
    assert sorted(told(*answers)) == [("new", "first_seen"), ("review", "same_slug")]
    assert set(told(*db.fetch(2, in_section("news"), in_section("research")))) == {("duplicate", "seen_again")}


# --- titles that return -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "title", ["All systems are operating normally", "所有系统均已恢复正常运行", "すべての設備は正常に動作しています"]
)
def test_a_status_page_that_repeats_itself(title: str, db: Any) -> None:
    """Without guid, on the front page, every few weeks: from the third time on its title names nothing."""
    status = [{"url": "https://n.example/", "title": title, "published": day(20 * n)} for n in range(5)]
    answers = [db.fetch(20 * n + 1, entry)[0] for n, entry in enumerate(status)]
    assert told(*answers[:2]) == [("new", "shared_key"), ("review", "repeated_title")]
    assert trust(db)["title", title_key(title)] == "title_returns"
    assert {a.outcome.value for a in answers[2:]} == {"new"}
    assert told(*db.fetch(90, status[4])) == [("duplicate", "seen_again")]
    assert len(db.titles()) == 5


def test_a_title_that_returned_once_is_still_one(db: Any) -> None:
    for n in range(2):
        db.fetch(20 * n + 1, {"url": "https://n.example/", "title": TITLE, "published": day(20 * n)})
    assert ("title", title_key(TITLE)) not in trust(db)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_title_returns_in_any_order_within_a_fetch(order: tuple[int, ...], db: Any) -> None:
    status = [{"url": "https://n.example/", "title": TITLE, "published": day(20 * n)} for n in range(3)]
    db.fetch(1, *(status[n] for n in order))
    assert trust(db)["title", title_key(TITLE)] == "title_returns"
    assert len(db.titles()) == 3


# --- a page that is announced again -------------------------------------------------------------


def test_a_page_that_serves_one_show_after_the_other(db: Any) -> None:
    def show(title: str, number: int) -> dict[str, Any]:
        return {"guid": f"show {number} x", "url": "https://n.example/now", "title": title, "published": day(number)}

    assert told(*db.fetch(1, show("Harbour bridges of the north", 0))) == [("new", "first_seen")]
    assert told(*db.fetch(2, show("Whales in old prints", 1))) == [("review", "same_link_other_title")], (
        "a new headline?"
    )
    assert told(*db.fetch(9, show("Opera costumes", 9))) == [("new", "shared_key")]
    assert len(db.titles()) == 3


def test_a_headline_that_is_rewritten_keeps_its_guid(db: Any) -> None:
    page = {"guid": "show", "url": "https://n.example/now"}
    db.fetch(1, {**page, "title": "Harbour bridges of the north", "published": day(0)})
    found = db.fetch(9, {**page, "title": "Whales in old prints", "published": day(9)})
    assert told(*found) == [("update", "title_changed")]
