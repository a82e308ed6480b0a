"""Joining: the most certain first, never over a cannot-link, and the same in every order."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seenbefore.cluster import Clustering, cluster_sightings
from seenbefore.model import Comparison, Relation, Sighting, Verdict

URL = ("url", "", "https://n.example/a")
GUID = ("guid", "s", "1")
Pairs = dict[tuple[int, int], Comparison]


def same(reason: str = "url", rank: int = 5, via: frozenset[Any] = frozenset()) -> Comparison:
    return Comparison(Relation.SAME, reason, rank, (), via)


def apart(via: frozenset[Any] = frozenset()) -> Comparison:
    return Comparison(Relation.DIFFERENT, "same_fetch", 50, (), via)


def review(via: frozenset[Any] = frozenset()) -> Comparison:
    return Comparison(Relation.REVIEW, "near_address", 50, (), via)


@pytest.fixture(scope="module")
def some(seen: Any) -> list[Sighting]:
    return [seen(guid=str(n), title=f"Story {n}") for n in range(6)]


def clusters(found: Clustering) -> set[frozenset[int]]:
    return set(found.clusters)


def test_joins_are_transitive(some: list[Sighting]) -> None:
    found = cluster_sightings(some[:4], {(0, 1): same(), (1, 2): same()})
    assert clusters(found) == {frozenset({0, 1, 2}), frozenset({3})}
    assert (found.waiting, found.refused) == ((), ())


def test_nothing_to_join(some: list[Sighting]) -> None:
    assert clusters(cluster_sightings([], {})) == set()
    assert clusters(cluster_sightings(some[:2], {})) == {frozenset({0}), frozenset({1})}


def test_a_cannot_link_holds_against_joins_by_way_of_others(some: list[Sighting]) -> None:
    pairs = {(0, 1): same(rank=1), (1, 2): same(rank=5), (0, 2): apart()}
    found = cluster_sightings(some[:3], pairs)
    assert clusters(found) == {frozenset({0, 1}), frozenset({2})}
    assert found.refused == ((1, 2),), "the less certain join is the one that is refused"
    turned = {(0, 1): same(rank=5), (1, 2): same(rank=1), (0, 2): apart()}
    assert clusters(cluster_sightings(some[:3], turned)) == {frozenset({0}), frozenset({1, 2})}


def test_a_cannot_link_holds_between_grown_clusters(some: list[Sighting]) -> None:
    pairs = {(0, 1): same(), (0, 2): same(), (3, 4): same(), (1, 4): apart(), (2, 3): same(rank=8)}
    found = cluster_sightings(some[:5], pairs)
    assert clusters(found) == {frozenset({0, 1, 2}), frozenset({3, 4})}
    assert found.refused == ((2, 3),)


def test_peoples_verdicts_outrank_everything(some: list[Sighting]) -> None:
    assert clusters(cluster_sightings(some[:2], {(0, 1): same(rank=1)}, {(0, 1): Verdict.DIFFERENT})) == {
        frozenset({0}),
        frozenset({1}),
    }
    assert clusters(cluster_sightings(some[:2], {(0, 1): apart()}, {(0, 1): Verdict.SAME})) == {frozenset({0, 1})}
    assert clusters(cluster_sightings(some[:2], {}, {(0, 1): Verdict.SAME})) == {frozenset({0, 1})}


def test_different_is_a_cannot_link_and_related_is_none(some: list[Sighting]) -> None:
    pairs = {(0, 1): same(), (1, 2): same(), (0, 2): same()}
    assert len(cluster_sightings(some[:3], pairs, {(0, 2): Verdict.DIFFERENT}).clusters) == 2
    assert len(cluster_sightings(some[:3], pairs, {(0, 2): Verdict.RELATED}).clusters) == 1
    assert len(cluster_sightings(some[:3], {(0, 2): same()}, {(0, 2): Verdict.RELATED}).clusters) == 3


def test_a_verdict_is_made_before_any_other_join(some: list[Sighting]) -> None:
    pairs = {(0, 1): same(rank=1), (0, 2): apart()}
    found = cluster_sightings(some[:3], pairs, {(1, 2): Verdict.SAME})
    assert clusters(found) == {frozenset({0}), frozenset({1, 2})}


def test_a_review_waits_until_the_pair_is_one_anyway(some: list[Sighting]) -> None:
    waiting = cluster_sightings(some[:3], {(0, 1): review(), (1, 2): same()})
    assert waiting.waiting == ((0, 1),)
    joined = cluster_sightings(some[:3], {(0, 1): review(), (1, 2): same(), (0, 2): same()})
    assert joined.waiting == ()
    answered = cluster_sightings(some[:2], {(0, 1): review()}, {(0, 1): Verdict.RELATED})
    assert answered.waiting == ()


def test_a_disputed_key_joins_nothing(some: list[Sighting]) -> None:
    """While a pair waits, the address that both share does not pull a third sighting to either side."""
    via = frozenset({URL})
    pairs = {(0, 1): review(via), (1, 2): same(via=via), (0, 2): same(via=via)}
    assert len(cluster_sightings(some[:3], pairs).clusters) == 3
    kept_apart = {(0, 1): apart(via), (1, 2): same(via=via)}
    assert len(cluster_sightings(some[:3], kept_apart).clusters) == 3
    different = cluster_sightings(some[:3], {(0, 1): same(via=via), (1, 2): same(via=via)}, {(0, 1): Verdict.DIFFERENT})
    assert len(different.clusters) == 3


def test_another_key_or_a_text_joins_over_a_disputed_one(some: list[Sighting]) -> None:
    via = frozenset({URL})
    with_guid = {(0, 1): review(via), (1, 2): same("guid", 4, frozenset({URL, GUID}))}
    assert clusters(cluster_sightings(some[:3], with_guid)) == {frozenset({0}), frozenset({1, 2})}
    by_text = {(0, 1): review(via), (1, 2): same("text_equal", 3)}
    assert clusters(cluster_sightings(some[:3], by_text)) == {frozenset({0}), frozenset({1, 2})}


def test_a_dispute_that_other_facts_settle_is_none(some: list[Sighting]) -> None:
    """0 and 1 wait for a person over one address, but their texts make them one through 2."""
    via = frozenset({URL})
    pairs = {
        (0, 1): review(via),
        (0, 2): same("text_equal", 3),
        (1, 2): same("text_equal", 3),
        (1, 3): same(via=via),
    }
    assert clusters(cluster_sightings(some[:4], pairs)) == {frozenset({0, 1, 2, 3})}


def test_a_verdict_of_same_lifts_a_dispute(some: list[Sighting]) -> None:
    via = frozenset({URL})
    pairs = {(0, 1): review(via), (1, 2): same(via=via)}
    found = cluster_sightings(some[:3], pairs, {(0, 1): Verdict.SAME})
    assert clusters(found) == {frozenset({0, 1, 2})}


def _as_sightings(found: Clustering, sightings: list[Sighting]) -> set[frozenset[str]]:
    return {frozenset(sightings[i].guid for i in cluster) for cluster in found.clusters}


def _reordered(pairs: Pairs, order: tuple[int, ...]) -> Pairs:
    place = {old: new for new, old in enumerate(order)}
    return {(min(place[a], place[b]), max(place[a], place[b])): c for (a, b), c in pairs.items()}


def test_the_order_of_sightings_does_not_matter(some: list[Sighting]) -> None:
    via = frozenset({URL})
    pairs = {
        (0, 1): same(via=via),
        (1, 2): same(via=via),
        (0, 2): apart(),
        (2, 3): review(via),
        (3, 4): same("guid", 4),
        (0, 4): same("text_equal", 3),
        (1, 4): apart(frozenset({GUID})),
    }
    expected = _as_sightings(cluster_sightings(some[:5], pairs), some[:5])
    for order in permutations(range(5)):
        moved = [some[i] for i in order]
        assert _as_sightings(cluster_sightings(moved, _reordered(pairs, order)), moved) == expected


@settings(max_examples=150)
@given(data=st.data())
def test_any_pairs_in_any_order(data: st.DataObject, some: list[Sighting]) -> None:
    kinds = st.sampled_from(
        [
            None,
            same(),
            same("guid", 4),
            same("url", 5, frozenset({URL})),
            same("url", 5, frozenset({GUID})),
            apart(),
            apart(frozenset({URL})),
            review(frozenset({URL})),
            review(frozenset({GUID})),
        ]
    )
    every = [(a, b) for a in range(6) for b in range(a + 1, 6)]
    pairs = {pair: c for pair in every if (c := data.draw(kinds)) is not None}
    verdicts = {p: v for p in every[:3] if (v := data.draw(st.sampled_from([None, *Verdict]))) is not None}
    found = cluster_sightings(some, pairs, verdicts)
    assert sorted(i for cluster in found.clusters for i in cluster) == list(range(6))
    for pair, comparison in pairs.items():
        if comparison.relation is Relation.DIFFERENT and verdicts.get(pair) is not Verdict.SAME:
            assert not any(set(pair) <= cluster for cluster in found.clusters)
    order = tuple(data.draw(st.permutations(range(6))))
    moved = [some[i] for i in order]
    place = {old: new for new, old in enumerate(order)}
    turned = {(min(place[a], place[b]), max(place[a], place[b])): v for (a, b), v in verdicts.items()}
    again = cluster_sightings(moved, _reordered(pairs, order), turned)
    assert _as_sightings(again, moved) == _as_sightings(found, some)
