"""The pure half of merging: plans that lose nothing, pictures that tell what came later, words that keep it so."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from seenbefore.cluster import cluster_sightings
from seenbefore.errors import StoreError
from seenbefore.merging.holding import hold, keep_apart
from seenbefore.merging.images import difference, put_back, stands
from seenbefore.merging.own_store import carry_out
from seenbefore.merging.plan import Derived, MergePlan, find_losses, plan_merge, plan_split, rearrange
from seenbefore.merging.undoing import judge_undo
from seenbefore.model import Comparison, Event, Relation, Review, ReviewState, Status, Strength, Verdict
from seenbefore.stores.base_merges import Placed, RecordRow, Snapshot
from seenbefore.stores.memory import MemoryStore
from seenbefore.testing.builders import a_key, a_record, a_sighting, an_event, at
from seenbefore.testing.contract_base import add_article

ROW = RecordRow.of(a_record(1))
MERGED = ROW._replace(status=Status.MERGED)


def placed(record_id: int, version: int = 1) -> Placed:
    return Placed(record_id, 1, 1, version, 1)


def waiting(a: int, b: int, hours: float = 0, state: ReviewState = ReviewState.WAITING) -> Review:
    return Review(a, b, None, state, at(hours))


def keys(*places: tuple[int, str], strength: Strength = Strength.STRONG) -> dict[Any, Any]:
    found = [(record_id, a_key(value, strength=strength)) for record_id, value in places]
    return {(record_id, key.address): key for record_id, key in found}


def before_merge() -> Snapshot:
    """r5 and r7 with what hangs off them: sightings, keys, an older redirect, reviews; r9 is beside them."""
    reviews = [waiting(5, 7), waiting(9, 7, 1), waiting(4, 7, 2, ReviewState.DIFFERENT)]
    return Snapshot(
        records={5: ROW, 7: ROW, 9: ROW, 3: MERGED._replace(survivor_id=7)},
        sightings={1: placed(5), 2: placed(7), 3: placed(7), 4: placed(9)},
        keys=keys((5, "five"), (7, "seven"), (9, "nine")),
        reviews={(min(r.record_id, r.other_id), max(r.record_id, r.other_id)): r for r in reviews},
    )


def merge(before: Snapshot, **more: Any) -> MergePlan:
    derived = Derived({5: ROW._replace(title="Both")}, {5: [a_key("five"), a_key("seven")]})
    return plan_merge(before, 5, (7,), derived, **more)


# --- plans --------------------------------------------------------------------------------------


def test_a_merge_gathers_everything_that_hangs_off_the_record_that_goes() -> None:
    plan = merge(before_merge())
    after = plan.after
    assert plan.moves == {2: (7, 5), 3: (7, 5)}
    assert {s: p.record_id for s, p in after.sightings.items()} == {1: 5, 2: 5, 3: 5, 4: 9}
    assert (after.records[5].title, after.records[7].status, after.records[7].survivor_id) == ("Both", "merged", 5)
    assert after.records[3].survivor_id == 5, "older redirects stay flat"
    assert set(after.keys) == set(keys((5, "five"), (5, "seven"), (9, "nine")))
    assert {pair: r.state.value for pair, r in after.reviews.items()} == {
        (5, 7): "merged",
        (7, 9): "merged",
        (5, 9): "waiting",
        (4, 7): "different",
    }
    assert after.reviews[5, 9] == replace(before_merge().reviews[7, 9], record_id=9, other_id=5)
    assert list(find_losses(plan.before, plan.after)) == []


def test_a_pair_that_the_survivor_has_already_is_not_asked_twice() -> None:
    known = waiting(5, 9, 0, ReviewState.RELATED)
    before = replace(before_merge(), reviews={**before_merge().reviews, (5, 9): known})
    after = merge(before).after
    assert (after.reviews[5, 9], after.reviews[7, 9].state) == (known, ReviewState.MERGED)


def test_a_person_decided_on_the_pair() -> None:
    after = merge(before_merge(), judged={(5, 7): ReviewState.SAME}).after
    assert after.reviews[5, 7].state is ReviewState.SAME


def test_a_split_makes_a_record_of_a_pointer() -> None:
    before = Snapshot(
        records={5: ROW, 8: MERGED._replace(survivor_id=5)},
        sightings={1: placed(5), 2: placed(5)},
        keys=keys((5, "one"), (5, "two")),
    )
    derived = Derived({5: ROW, 8: ROW}, {5: [a_key("one")], 8: [a_key("two")]})
    opened = {(5, 8): waiting(8, 5)}
    plan = plan_split(before, 8, {2: 8}, derived, opened)
    assert plan.record_ids == (5, 8)
    assert plan.moves == {2: (5, 8)}
    assert plan.after.records[8] == ROW
    assert plan.after.reviews == opened
    assert list(find_losses(plan.before, plan.after)) == []


@pytest.mark.parametrize(
    ("broken", "lost"),
    [
        ({"sightings": {1: placed(5), 2: placed(5), 4: placed(9)}}, "1 sighting"),
        ({"sightings": {4: placed(9)}}, "3 sightings"),
        ({"keys": keys((5, "five"), (9, "nine"))}, "a key"),
        ({"keys": keys((5, "five"), (7, "seven"), (9, "nine"))}, "what is left in a merged record"),
        ({"keys": keys((5, "five"), (5, "seven"), (9, "nine"), (9, "five"))}, "the single holder of a strong key"),
        ({"reviews": {(7, 9): waiting(7, 9)}}, "a review that waits"),
    ],
)
def test_a_plan_that_loses_something_is_found_out(broken: dict[str, Any], lost: str) -> None:
    plan = merge(before_merge())
    assert lost in list(find_losses(plan.before, replace(plan.after, **broken)))


def test_broken_rows_are_found_out() -> None:
    plan = merge(before_merge())
    chain = {**plan.after.records, 3: MERGED._replace(survivor_id=7)}
    assert list(find_losses(plan.before, replace(plan.after, records=chain))) == ["a flat redirect"]
    empty = {**plan.after.records, 3: ROW}
    assert list(find_losses(plan.before, replace(plan.after, records=empty))) == ["every sighting of a live record"]


def test_keys_that_two_records_share_are_near_and_no_loss() -> None:
    near = keys((5, "five"), (9, "five"), strength=Strength.NEAR)
    before = replace(before_merge(), keys=near)
    after = rearrange(before, {}, {}, Derived(keys={9: [a_key("five", strength=Strength.NEAR)]}))
    assert after.keys == near
    assert list(find_losses(before, after)) == []


def test_a_plan_that_loses_something_is_not_carried_out() -> None:
    store = MemoryStore()
    with store.unit() as unit:
        records = [add_article(unit, number)[0].id for number in (1, 2)]
    event = Event(None, None, "merged", tuple(records), records[0], "label", at())

    def lose() -> None:
        with store.unit() as unit:
            before = unit.merges.snapshot(records)
            plan = MergePlan(tuple(records), before, replace(before, sightings={}))
            carry_out(unit, plan, event)

    with pytest.raises(StoreError, match="merged of r1, r2 would lose 2 sightings"):
        lose()
    with store.reading() as unit:
        assert unit.journal.last_seq() == 0


# --- pictures -----------------------------------------------------------------------------------


def pictures() -> tuple[Snapshot, Snapshot, Snapshot]:
    """Before, after, and the rows as they stand now: nothing came since."""
    plan = merge(before_merge())
    return (*difference(plan.before, plan.after, plan.record_ids), plan.after)


def test_pictures_hold_what_differs_and_all_of_the_records_at_stake() -> None:
    before, after, _ = pictures()
    assert before.records.keys() == after.records.keys() == {3, 5, 7}
    assert before.sightings.keys() == after.sightings.keys() == {1, 2, 3}
    assert set(before.keys) == set(keys((7, "seven")))
    assert set(after.keys) == set(keys((5, "seven")))
    assert (set(before.reviews), set(after.reviews)) == ({(5, 7), (7, 9)}, {(5, 7), (7, 9), (5, 9)})


def test_what_stands_is_put_back() -> None:
    before, after, current = pictures()
    assert stands(current, before, after)
    assert put_back(current, before, after) == before_merge()


@pytest.mark.parametrize(
    "changed",
    [
        {"sightings": {1: placed(5), 2: placed(5), 3: placed(5), 4: placed(9), 6: placed(5)}},
        {"sightings": {1: placed(5), 2: placed(5, version=9), 3: placed(5), 4: placed(9)}},
        {"sightings": {1: placed(5), 2: placed(9), 3: placed(5), 4: placed(9)}},
        {"records": {5: ROW._replace(status=Status.REJECTED), 7: MERGED._replace(survivor_id=5)}},
        {"keys": keys((5, "five"), (5, "seven"), (9, "nine"), strength=Strength.NEAR)},
        {"reviews": {(5, 9): waiting(5, 9, 1, ReviewState.DIFFERENT)}},
    ],
)
def test_whatever_came_since_is_noticed(changed: dict[str, Any]) -> None:
    before, after, current = pictures()
    assert not stands(replace(current, **changed), before, after)


def test_what_happens_beside_it_is_none_of_its_business() -> None:
    before, after, current = pictures()
    beside = {**current.sightings, 4: placed(9, version=9), 8: placed(9)}
    assert stands(replace(current, sightings=beside, keys={**current.keys, **keys((9, "more"))}), before, after)


def split_pictures() -> tuple[Snapshot, Snapshot, Snapshot]:
    before = Snapshot(records={5: ROW, 8: MERGED._replace(survivor_id=5)}, sightings={1: placed(5), 2: placed(5)})
    plan = plan_split(before, 8, {2: 8}, Derived({5: ROW, 8: ROW}))
    return (*difference(plan.before, plan.after, plan.record_ids), plan.after)


@pytest.mark.parametrize(
    "leaning", [{"reviews": {(8, 9): waiting(8, 9)}}, {"records": {5: ROW, 8: ROW, 4: MERGED._replace(survivor_id=8)}}]
)
def test_what_leans_on_a_record_that_goes_is_noticed(leaning: dict[str, Any]) -> None:
    before, after, current = split_pictures()
    assert stands(current, before, after)
    assert not stands(replace(current, **leaning), before, after)


# --- whether an event can be undone -------------------------------------------------------------


def numbered(*records: int, number: int, event: str = "merged", **fields: Any) -> Event:
    return replace(an_event(*records, event=event, **fields), number=number)


def test_states_of_an_event() -> None:
    first, second = numbered(1, 2, number=1), numbered(1, 3, number=2, event="split")
    undone = numbered(1, 3, number=3, event="undone", detail={"undoes": "m2"})
    label = numbered(1, 9, number=4, event="label")
    everything = [first, second, undone, label]
    assert judge_undo(first, [first, label], kept=True).state == "undoable"
    assert judge_undo(first, [first], kept=False).state == "not_kept"
    assert (judge_undo(first, [first, second], kept=True).by or first).event_id == "m2"
    assert judge_undo(first, everything, kept=True).state == "undoable", "what blocked it is undone"
    assert judge_undo(second, everything, kept=True) == replace(
        judge_undo(second, everything, kept=True), state="undone", by=undone
    )
    for event in (undone, label):
        assert judge_undo(event, everything, kept=False).state == "no_move"


def test_the_newest_that_stands_in_the_way_is_named() -> None:
    events = [numbered(1, n, number=n) for n in (2, 3, 4)]
    assert judge_undo(events[0], events, kept=True).reason.endswith("undo m4 first")


# --- what keeps it so ---------------------------------------------------------------------------

SAME_BY_LINK = Comparison(Relation.SAME, "url", 5, (), frozenset({("url", "", "https://n.example/1")}))
APART = Comparison(Relation.DIFFERENT, "same_fetch", 50, ())


def members(count: int) -> list[Any]:
    return [a_sighting(record_id=1, source_id=1, number=number, id=number + 1) for number in range(count)]


def linked(count: int) -> dict[tuple[int, int], Comparison]:
    return dict.fromkeys(combinations(range(count), 2), SAME_BY_LINK)


@pytest.mark.parametrize("sides", [[{0, 1}, {2, 3}], [{0}, {1, 2, 3}], [{0, 3}, {1}, {2}], [{0, 1, 2, 3}]])
@pytest.mark.parametrize("conflict", [(), ((0, 1),), ((0, 1), (1, 2), (2, 3))])
def test_sides_are_held(sides: list[set[int]], conflict: tuple[tuple[int, int], ...]) -> None:
    """Whatever the facts say: each side is one cluster, and no two of them are one."""
    pairs = {**linked(4), **dict.fromkeys(conflict, APART)}
    said = hold(members(4), pairs, {}, sides)
    assert set(cluster_sightings(members(4), pairs, said).clusters) == set(map(frozenset, sides))


def test_what_holds_by_itself_needs_no_word() -> None:
    by_guid = Comparison(Relation.SAME, "guid", 4, ())
    said = hold(members(3), {**linked(3), (0, 1): by_guid}, {}, [{0, 1}, {2}])
    assert said == {(0, 2): Verdict.DIFFERENT, (1, 2): Verdict.DIFFERENT}


def test_what_was_said_already_is_not_said_again() -> None:
    said = hold(members(2), linked(2), {(0, 1): Verdict.DIFFERENT}, [{0}, {1}])
    assert said == {}


def test_an_earlier_verdict_is_replaced() -> None:
    assert hold(members(2), linked(2), {(0, 1): Verdict.SAME}, [{0}, {1}]) == {(0, 1): Verdict.DIFFERENT}
    assert hold(members(2), linked(2), {(0, 1): Verdict.DIFFERENT}, [{0, 1}]) == {(0, 1): Verdict.SAME}


def test_cannot_links_are_bounded_and_the_telling_ones_come_first() -> None:
    pairs = {(1, 5): SAME_BY_LINK}
    said = keep_apart(pairs, {(0, 4): Verdict.SAME}, [{0, 1, 2}, {3, 4, 5}], limit=3)
    assert list(said) == [(0, 4), (1, 5), (0, 3)]
