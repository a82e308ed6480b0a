"""Records that meet: bridging items, redirects, other sources, conflicts, and what people say of a pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from seenbefore.errors import InvalidInput, NotFound
from seenbefore.model import ReviewState, Status, Strength

TITLE, OTHER = "Harbour bridge to be replaced", "Whales return to the bay"


def told(*decisions: Any) -> list[tuple[str, str]]:
    return [(d.outcome.value, d.reason) for d in decisions]


def entry(number: int, **fields: Any) -> dict[str, Any]:
    return {"guid": f"guid {number} of it", "url": f"https://n.example/{number}", "title": TITLE, **fields}


def rows(db: Any) -> dict[int, tuple[str, int | None]]:
    with db.library.store.reading() as unit:
        return {r.id: (r.status.value, r.survivor_id) for r in unit.records.find_records()}


# --- bridging -----------------------------------------------------------------------------------


def bridge(a: int, b: int) -> dict[str, Any]:
    """An item at address ``a`` that redirects to address ``b``."""
    ends = [f"https://n.example/{a}", f"https://n.example/{b}"]
    return entry(a, redirects=[ends])


def test_a_bridging_item_merges_two_records_inside_its_unit(db: Any) -> None:
    for number, source in ((1, "a.example"), (2, "b.example")):
        db.see(source, **entry(number, title=f"A story of {source}"))
    announced = db.delivered()
    found = db.see("a.example", **bridge(1, 2) | {"title": "A story of a.example"})
    assert found.outcome.value == "duplicate"
    assert rows(db) == {1: ("merged", 2), 2: ("active", None)} or rows(db) == {
        1: ("active", None),
        2: ("merged", 1),
    }
    assert db.delivered() == [*announced, "merged"]
    (event,) = [c.event for c in db.library.changes("x") if c.event]
    assert (set(event.record_ids), event.survivor_id) == ({"r1", "r2"}, found.record_id)


def test_redirects_between_merged_records_stay_flat(db: Any) -> None:
    for number in (1, 2, 3):
        db.see(f"s{number}.example", **entry(number, title=f"A story of number {number}"))
    db.see("s1.example", **bridge(1, 2) | {"title": "A story of number 1"})
    db.see("s3.example", **bridge(3, 1) | {"title": "A story of number 3"})
    live = [record_id for record_id, (status, _) in rows(db).items() if status == "active"]
    assert len(live) == 1
    assert {survivor for status, survivor in rows(db).values() if status == "merged"} == set(live)
    assert db.delivered().count("merged") == 2
    for number in (1, 2, 3):
        assert db.library.explain(f"r{number}").record.id == live[0]


def test_a_delivery_names_the_survivor(db: Any) -> None:
    for number in (1, 2):
        db.see(f"s{number}.example", **entry(number, title=f"A story of number {number}"))
    found = db.see("s1.example", **bridge(1, 2) | {"title": "A story of number 1"})
    gone = {"r1", "r2"} - {found.record_id}
    changes = [c for c in db.library.changes("x") if c.decision]
    assert {c.decision.record_id: c.superseded_by for c in changes} == {
        found.record_id: None,
        gone.pop(): found.record_id,
    }


def test_a_bridge_over_conflicting_dois_merges_nothing(db: Any) -> None:
    for number, doi in ((1, "10.1/a"), (2, "10.1/b")):
        db.see(f"s{number}.example", **entry(number, title=f"A story of number {number}", ids={"doi": doi}))
    db.see("s3.example", **bridge(1, 2) | {"title": "A story of number 3"})
    assert [status for status, _ in rows(db).values()].count("merged") == 0
    assert len(db.titles()) == 2


def test_a_short_link_leads_to_its_article(db: Any) -> None:
    db.see("n.example", **entry(1))
    short = {"guid": "s x", "url": "https://sho.rt/x", "title": "Read this"}
    assert told(db.see("planet.example", **short)) == [("new", "first_seen")]
    found = db.see(
        "list",
        **short,
        redirects=[
            ["https://sho.rt/x", "https://hop.example/x"],
            ["https://hop.example/x", "https://n.example/1"],
        ],
    )
    assert told(found) == [("duplicate", "redirected")]
    assert len(db.titles()) == 1


def test_a_canonical_link_is_a_claim_and_joins_nothing(db: Any) -> None:
    db.see("n.example", **entry(1))
    found = db.see("planet.example", guid="x", url="https://p.example/x", title=OTHER, canonical="https://n.example/1")
    assert told(found) == [("new", "first_seen")]


# --- conflicts ----------------------------------------------------------------------------------


def test_a_conflict_of_dois_holds_against_every_other_fact(db: Any, texts: Any) -> None:
    db.fetch(1, entry(1, ids={"doi": "10.1/a"}, content=texts.bridge))
    (found,) = db.fetch(2, entry(1, ids={"doi": "10.1/b"}, content=texts.bridge, title="Harbour bridge is replaced"))
    assert told(found) == [("new", "id_conflict")]
    assert (found.evidence[0].kind, found.evidence[0].supports.value) == ("id_conflict", "no")


def test_a_conflict_of_media_holds_against_equal_texts(db: Any, texts: Any) -> None:
    def episode(number: int) -> dict[str, Any]:
        media = [{"url": f"https://m.example/{number}.mp3"}]
        return entry(number, title="Harbour talk", content=texts.bridge, enclosures=media)

    assert told(*db.fetch(1, episode(1)), *db.fetch(2, episode(2))) == [
        ("new", "first_seen"),
        ("new", "different"),
    ]
    assert told(*db.fetch(3, episode(1) | {"guid": "other x", "url": "https://n.example/9"}))[0][0] == "duplicate"


def test_an_image_never_meets_an_article(db: Any) -> None:
    db.see(**entry(1))
    picture = {"kind": "image", "guid": "guid 1 of it", "url": "https://n.example/1"}
    assert told(db.see(**picture), db.see(**picture)) == [("new", "first_seen"), ("duplicate", "seen_again")]
    assert db.see(**picture | {"url": "https://n.example/1?utm_source=x", "guid": ""}).outcome.value == "duplicate"
    assert len(db.titles()) == 2


# --- other sources ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "expected", "records"),
    [
        ("duplicate", ("duplicate", "same_text"), 1),
        ("review", ("review", "same_text_elsewhere"), 2),
        ("related", ("new", "different"), 2),
    ],
)
@pytest.mark.parametrize("name", ["bridge", "bridge_zh", "bridge_ja"])
def test_the_same_text_elsewhere(
    name: str, choice: str, expected: tuple[str, str], records: int, db_with: Any, texts: Any
) -> None:
    db = db_with(across_sources={"same_text": choice})
    db.see("n.example", **entry(1, content=getattr(texts, name)))
    copy = entry(2, url="https://p.example/x", title=OTHER, content=getattr(texts, name))
    found = db.see("planet.example", **copy)
    assert told(found) == [expected]
    assert len(db.titles()) == records
    assert "text_equal" in [evidence.kind for evidence in found.evidence]
    assert found.policy_version == "test"


def test_guids_mean_nothing_elsewhere(db: Any) -> None:
    db.see("n.example", guid="1", title=TITLE, url="https://n.example/1")
    assert told(db.see("p.example", guid="1", title=OTHER, url="https://p.example/1")) == [("new", "first_seen")]


# --- reviews and verdicts -----------------------------------------------------------------------

SAME_DATE = {"published": "2026-03-01T09:00:00Z"}


def open_pair(db: Any) -> None:
    db.fetch(1, entry(1, **SAME_DATE))
    (found,) = db.fetch(2, entry(2, **SAME_DATE))
    assert (told(found), found.record_id, found.matched.record_id) == ([("review", "title_and_date")], "r2", "r1")


def reviews(db: Any) -> list[tuple[int, int, ReviewState]]:
    with db.library.store.reading() as unit:
        return [(r.record_id, r.other_id, r.state) for r in unit.reviews.find_reviews()]


def test_a_review_is_a_record_of_its_own(db: Any) -> None:
    open_pair(db)
    assert reviews(db) == [(2, 1, ReviewState.WAITING)]
    assert told(*db.fetch(3, entry(1, **SAME_DATE), entry(2, **SAME_DATE))) == [("duplicate", "seen_again")] * 2
    assert db.delivered() == ["first_seen", "title_and_date"]


def test_the_keys_of_a_waiting_pair_are_near_for_both(db: Any) -> None:
    url = "https://n.example/1"
    db.fetch(1, entry(1))
    assert told(*db.fetch(2, entry(2, url=url, title=OTHER))) == [("review", "same_link_other_title")]
    with db.library.store.reading() as unit:
        assert unit.records.find_record_ids([("url", "", url)]) == {("url", "", url): [1, 2]}
    with db.library.store.reading() as unit:
        keys = [key for s in unit.records.get_sightings([1, 2]) for key in s.keys if key.kind == "url"]
    assert {key.strength for key in keys} == {Strength.STRONG}, "the sightings keep what they said"
    third = db.see("planet.example", url=url, title="A comment on it")
    assert third.outcome.value in ("new", "review"), "a disputed address takes no side"


def test_same_merges(db: Any) -> None:
    open_pair(db)
    live = db.library.label("r1", "r2", "same", author="me")
    assert live[0] == live[1]
    assert reviews(db)[0][2] is ReviewState.SAME
    assert db.delivered() == ["first_seen", "title_and_date", "merged", "label"]
    assert told(*db.fetch(3, entry(1, **SAME_DATE), entry(2, **SAME_DATE))) == [("duplicate", "seen_again")] * 2
    assert len(db.titles()) == 1


@pytest.mark.parametrize("verdict", ["different", "related"])
def test_different_and_related_keep_apart(verdict: str, db: Any) -> None:
    open_pair(db)
    assert db.library.label("r1", "r2", verdict) == ("r1", "r2")
    assert reviews(db)[0][2] is ReviewState(verdict)
    assert db.delivered() == ["first_seen", "title_and_date", "label"]
    (event,) = [c.event for c in db.library.changes("x") if c.event]
    assert (event.cause, event.record_ids, event.survivor_id) == (verdict, ("r1", "r2"), None)
    assert told(*db.fetch(3, entry(1, **SAME_DATE), entry(2, **SAME_DATE))) == [("duplicate", "seen_again")] * 2
    assert len(db.titles()) == 2


def test_different_outranks_equal_texts_to_come(db: Any, texts: Any) -> None:
    open_pair(db)
    db.library.label("r1", "r2", "different")
    db.fetch(3, entry(1, content=texts.bridge, **SAME_DATE))
    db.fetch(4, entry(2, content=texts.bridge, **SAME_DATE))
    assert len(db.titles()) == 2


def test_same_may_follow_different(db: Any) -> None:
    open_pair(db)
    db.library.label("r1", "r2", "different")
    db.library.label("r1", "r2", "same")
    assert len(db.titles()) == 1


def test_a_third_record_is_found_through_a_verdict(db: Any) -> None:
    open_pair(db)
    db.library.label("r1", "r2", "same")
    assert db.see("planet.example", **entry(1)).record_id == db.see("list", **entry(2)).record_id


def test_what_a_verdict_needs(db: Any) -> None:
    open_pair(db)
    for a, b, verdict, error in (
        ("r1", "r9", "same", NotFound),
        ("r1", "d1", "same", InvalidInput),
        ("r1", "r2", "perhaps", InvalidInput),
        ("r1", "r1", "same", InvalidInput),
    ):
        with pytest.raises(error):
            db.library.label(a, b, verdict)
    assert reviews(db) == [(2, 1, ReviewState.WAITING)]


@pytest.mark.parametrize(("verdict", "released"), [("different", True), ("related", True), ("same", False)])
def test_held_reviews_are_released_by_a_verdict(verdict: str, released: bool, db_with: Any) -> None:
    db = db_with(delivery={"hold_review": True})
    open_pair(db)
    assert db.delivered() == ["first_seen"]
    db.library.label("r1", "r2", verdict)
    changes = list(db.library.changes("x"))
    assert [c.released for c in changes].count(True) == int(released)
    if released:
        assert changes[-1].decision.record_id == "r2"
        assert db.library.change_to_json(changes[-1])["outcome"] == "new"
    else:
        assert [c.event.event for c in changes if c.event] == ["merged", "label"]
        assert [c.decision.reason for c in changes if c.decision] == ["first_seen"]


def test_a_pair_waits_whichever_of_its_items_came_first(db: Any) -> None:
    db.fetch(1, entry(1, **SAME_DATE))
    db.see("planet.example", guid="x", url="https://n.example/2", title="A comment on it")
    db.fetch(2, entry(2, **SAME_DATE))
    assert [state for _, _, state in reviews(db)] == [ReviewState.WAITING]


# --- rejected records ---------------------------------------------------------------------------


def test_a_rejected_record_stays_comparable_and_silent(db: Any) -> None:
    db.fetch(1, entry(1))
    with db.library.store.unit() as unit:
        (record,) = unit.records.find_records([1])
        unit.records.update_record(replace(record, status=Status.REJECTED))
    announced = db.delivered()
    elsewhere = db.see("planet.example", **entry(1))
    assert (told(elsewhere)[0][0], elsewhere.flags, elsewhere.record_id) == ("duplicate", ("rejected",), "r1")
    (changed,) = db.fetch(3, entry(1, title="Council wants a new one"))
    assert "rejected" in changed.flags
    assert db.delivered() == announced, "changes are stored, not delivered"
    (kept,) = db.library.records()
    assert (kept.status, kept.title) == (Status.REJECTED, "Council wants a new one")


def test_a_match_with_a_rejected_record_is_a_duplicate(db: Any) -> None:
    db.fetch(1, entry(1))
    with db.library.store.unit() as unit:
        (record,) = unit.records.find_records([1])
        unit.records.update_record(replace(record, status=Status.REJECTED))
    (changed,) = db.fetch(3, entry(1, title="Council wants a new one"))
    assert (changed.outcome.value, changed.flags) == ("duplicate", ("rejected",))


# --- consumers ----------------------------------------------------------------------------------


def test_history_is_known_and_never_announced(db: Any) -> None:
    (old,) = db.library.see_many([{"source": "s", **entry(1)}], history=True)
    assert (told(old), old.flags) == ([("new", "first_seen")], ("history",))
    assert db.delivered() == []
    db.see("s", **entry(1, title="Council wants a new one"))
    assert db.delivered() == ["title_changed"]


def test_a_cursor_moves_by_acknowledgement_only(db: Any) -> None:
    for number in range(3):
        db.see(**entry(number, title=f"A story of number {number}"))
    changes = list(db.library.changes("reader"))
    assert [c.seq for c in changes] == sorted(c.seq for c in changes)
    assert list(db.library.changes("reader")) == changes
    db.library.ack("reader", changes[0].seq)
    assert list(db.library.changes("reader")) == changes[1:]
    assert list(db.library.changes("later", from_now=True)) == []
    for seq in (-1, 99):
        with pytest.raises(InvalidInput):
            db.library.ack("reader", seq)
    with pytest.raises(InvalidInput):
        list(db.library.changes(" "))


# --- pages that others lead to, pictures --------------------------------------------------------


def test_a_consent_page_joins_nothing(db: Any, texts: Any) -> None:
    stories = ((TITLE, texts.bridge), (OTHER, texts.whales))
    answers = [
        db.see(
            f"s{n}.example",
            **entry(n, title=title, content=text, final_url="https://consent.example/collect"),
        )
        for n, (title, text) in enumerate(stories)
    ]
    assert told(*answers)[1][0] != "duplicate"


def test_images_meet_by_address_alone(db: Any) -> None:
    picture = {"kind": "image", "url": "https://n.example/1.jpg"}
    db.see(**picture, title="The old bridge")
    assert told(db.see(**picture, title="Whales, seen from the pier")) == [("update", "title_changed")]
    assert len(db.titles()) == 1
