"""Taking rules of one's own out of force: what is undone, what falls apart, who is asked, and what stays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from seenbefore.engine.rollback import roll_back
from seenbefore.errors import CannotActivate, InvalidInput, NotFound

from .own_packs import DROP, ROBOTS, SLUG, STORY, WHALES, OwnRules, dated, pack_text, url

WIDER = SLUG.replace('"/{year}/{month}/{day}/{slug}"', '"/{year}/{month}/{day}/{slug}", "/story/{slug}"')


@pytest.fixture(params=["memory", "sqlite"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OwnRules]:
    made = OwnRules(":memory:" if request.param == "memory" else str(tmp_path / "news.db"), tmp_path)
    yield made
    assert made.library.check().problems == []
    made.library.close()


def other(number: int, **fields: Any) -> dict[str, Any]:
    """An entry that no rule of these tests is about."""
    title = f"Another story of number {'one two three four five'.split()[number - 1]}"
    return {"source": "o", "guid": f"o{number}", "url": f"https://other.example/{number}", "title": title, **fields}


def cut_off(own: OwnRules, pages: int) -> None:
    """Roll v1 back, and leave after so many pages of one record."""
    library, engine = own.library, own.library.engine
    for _ in islice(roll_back(library.store, engine.rules, engine.policy, own.clock, 1, page=1), pages):
        pass


# --- what came meanwhile ------------------------------------------------------------------------


def test_what_joined_by_the_key_gets_a_record_of_its_own_and_waits(own: OwnRules) -> None:
    own.see(dated(2))
    own.activate(pack_text())
    assert own.see(dated(3), dated(4)) == ["duplicate/new_address r1"] * 2
    plan = own.rules.plan_rollback("v1")
    assert (plan.steps, plan.blocked, plan.record_ids) == ((), (), (1,))
    done = own.roll_back("v1")
    assert own.guids() == {"r1": {"g2"}, "r2": {"g3"}, "r3": {"g4"}}
    assert own.waiting() == {(1, 2), (1, 3)}
    assert (done.reformed.split, done.reformed.reviews) == (2, 2)
    assert own.labels() == 0
    assert own.see(dated(3), dated(2)) == ["duplicate/seen_again r2", "duplicate/seen_again r1"]


def test_what_else_holds_the_two_together_stays(own: OwnRules) -> None:
    own.see(dated(2))
    own.activate(pack_text())
    own.see(dated(3, redirects=[[url(3), url(2)]]))
    own.roll_back("v1")
    assert own.guids() == {"r1": {"g2", "g3"}}
    assert own.waiting() == set()


def test_a_later_item_goes_home_with_the_merge_that_is_undone(own: OwnRules) -> None:
    own.see(dated(2), dated(3))
    own.activate(pack_text())
    own.see(dated(3, source="b", guid="b3"))
    own.roll_back("v1")
    assert own.together() == {frozenset(("g2",)), frozenset(("g3", "b3"))}


def test_a_merge_on_top_blocks_and_the_records_fall_apart_all_the_same(own: OwnRules) -> None:
    own.see(dated(2), dated(3), other(1, title=ROBOTS))
    own.activate(pack_text())
    own.see(other(1, title=ROBOTS, redirects=[["https://other.example/1", url(3)]], observed_at="2024-03-01"))
    assert own.together() == {frozenset(("g2", "g3", "o1"))}
    plan = own.rules.plan_rollback("v1")
    assert plan.steps == ()
    assert [(b.event.event_id, b.reason) for b in plan.blocked] == [
        ("m1", "m2 came later and touches the same records; undo m2 first")
    ]
    own.roll_back("v1")
    assert own.together() == {frozenset(("g2",)), frozenset(("g3", "o1"))}
    assert len(own.waiting()) == 1
    assert own.labels() == 0


def test_what_people_did_meanwhile_stays(own: OwnRules) -> None:
    own.see(dated(2), dated(3), *map(other, (1, 2, 3, 4)))
    own.activate(pack_text())
    own.library.label("r3", "r4", "same", author="ann")
    own.library.label("r5", "r6", "same", author="ann")
    own.library.undo(own.events_of("merged")[-1], author="ann")
    own.library.label("r2", "r5", "different", author="ann")
    before, labels = own.together(), own.labels()
    own.roll_back("v1")
    assert own.together() == before - {frozenset(("g2", "g3"))} | {frozenset(("g2",)), frozenset(("g3",))}
    assert own.labels() == labels


def test_a_merge_that_a_person_undid_stays_undone(own: OwnRules) -> None:
    own.see(dated(2), dated(3))
    own.activate(pack_text())
    own.library.undo("m1", author="ann")
    labels = own.labels()
    plan = own.rules.plan_rollback("v1")
    assert (plan.steps, plan.blocked) == ((), ())
    own.roll_back("v1")
    assert own.together() == {frozenset(("g2",)), frozenset(("g3",))}
    assert own.labels() == labels == 1
    assert own.events() == ["merged r2 r1", "undone r2 r1"]


def test_a_question_that_the_rules_raised_goes_with_them(own: OwnRules) -> None:
    own.see(dated(2), dated(3, title=WHALES))
    own.activate(pack_text(), force="a test")
    assert own.waiting() == {(1, 2)}
    own.roll_back("v1")
    assert own.waiting() == set()


def test_a_question_of_another_rollback_stays(own: OwnRules) -> None:
    """v2 was taken back while v1 was in force; what v2 had joined waits for a person, with or without v1."""
    own.activate(pack_text(DROP))
    own.activate(pack_text(STORY, "other"))
    story = "https://news.example/story/7"
    own.see(dated(2, url=f"{story}?cid=1"), dated(3, url=f"{story}/robots?cid=2"))
    assert own.guids() == {"r1": {"g2", "g3"}}
    own.roll_back("v2")
    assert own.waiting() == {(1, 2)}
    own.roll_back("v1")
    assert own.waiting() == {(1, 2)}


def test_what_was_in_dispute_only_by_the_rules_is_one_again(own: OwnRules) -> None:
    """Under the rule a third one had their address, too, and waited beside one of them."""
    page = "https://news.example/a"
    own.see(dated(2, url=page), dated(3, url=page, title=WHALES, source="b"))
    assert own.guids() == {"r1": {"g2", "g3"}}
    own.activate(pack_text(DROP))
    own.see(dated(4, url=f"{page}?cid=1", title="Notes from the harbor"))
    assert len(own.guids()) == 3
    own.roll_back("v1")
    assert own.together() == {frozenset(("g2", "g3")), frozenset(("g4",))}


# --- one pack after the other -------------------------------------------------------------------


def test_the_older_one_is_in_force_again(own: OwnRules) -> None:
    own.activate(pack_text())
    own.see(dated(2), dated(3), dated(4, url="https://news.example/story/robots-that-fold-laundry"))
    assert own.together() == {frozenset(("g2", "g3")), frozenset(("g4",))}
    rows = own.rows()
    own.activate(pack_text(WIDER, version=2))
    assert own.together() == {frozenset(("g2", "g3", "g4"))}
    with pytest.raises(CannotActivate, match="v2 came later and holds the same pack; take v2 back first"):
        own.rules.plan_rollback("v1")
    own.roll_back("v2")
    assert own.rows() == rows
    rules = own.rules.current()
    assert [pack.version for pack in rules.packs if pack.own] == [1]
    assert own.see(dated(5))[0] == "duplicate/new_address r1"
    own.roll_back("v1")
    assert [pack for pack in own.rules.current().packs if pack.own] == []
    assert len(own.together()) == 4


def test_packs_are_taken_back_in_any_order(own: OwnRules) -> None:
    story = "https://news.example/story/7"
    own.see(dated(2), dated(3), dated(4, url=story, title=WHALES), dated(5, url=f"{story}/w", title=WHALES))
    rows = own.rows()
    own.activate(pack_text())
    own.activate(pack_text(STORY, "other"))
    assert own.together() == {frozenset(("g2", "g3")), frozenset(("g4", "g5"))}
    own.roll_back("v1")
    assert own.together() == {frozenset(("g2",)), frozenset(("g3",)), frozenset(("g4", "g5"))}
    own.roll_back("v2")
    assert own.rows() == rows


def test_the_same_text_may_come_again(own: OwnRules) -> None:
    own.see(dated(2), dated(3))
    own.activate(pack_text())
    own.roll_back("v1")
    assert own.activate(pack_text()).version.version_id == "v2"
    assert own.together() == {frozenset(("g2", "g3"))}
    own.roll_back("v2")
    assert len(own.guids()) == 2


def test_what_is_refused(own: OwnRules) -> None:
    own.activate(pack_text())
    with pytest.raises(NotFound):
        own.rules.plan_rollback("v2")
    with pytest.raises(NotFound):
        own.roll_back("v2")
    with pytest.raises(InvalidInput, match="look like v12"):
        own.rules.plan_rollback("r1")
    own.roll_back("v1")
    for again in (own.rules.plan_rollback, own.roll_back):
        with pytest.raises(CannotActivate, match="v1: it is taken back already"):
            again("v1")


# --- cut off ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pages", range(1, 9))
def test_what_was_cut_off_ends_as_if_it_had_not_been(own: OwnRules, pages: int) -> None:
    """It does not put together again what it took apart itself."""
    own.see(dated(2), dated(3))
    own.activate(pack_text())
    own.see(dated(4), dated(5), dated(6))
    cut_off(own, pages)
    state = own.rules.versions()[0].state
    if state == "rolling_back":
        assert own.rules.current().get("mine-slug") is None
        with pytest.raises(CannotActivate, match=r"taking v1 back was cut off.*rollback v1 --apply"):
            own.activate(pack_text())
        own.roll_back("v1")
    assert own.together() == {frozenset((f"g{day}",)) for day in range(2, 7)}
    assert len(own.waiting()) == 3
    assert own.labels() == 0
    assert sum(event.startswith("undone") for event in own.events()) == 1


def test_another_change_of_rules_stops_a_rollback(tmp_path: Path) -> None:
    own = OwnRules(str(tmp_path / "news.db"), tmp_path)
    own.activate(pack_text())
    own.see(*(dated(day) for day in range(2, 5)))
    steps = own.rules.roll_back("v1")
    next(steps)
    second = own.open()
    *_, _ = second.rules.activate(own.file(pack_text(STORY, "other"), "other.toml"))
    second.close()
    with pytest.raises(CannotActivate, match="give the same command again"):
        list(steps)
    own.roll_back("v1")
    assert len(own.guids()) == 3
    assert own.library.check().problems == []
    own.library.close()
