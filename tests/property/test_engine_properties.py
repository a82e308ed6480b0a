"""What must hold of every answer, whatever feeds do: searched by Hypothesis over streams of fetches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seenbefore import codes
from seenbefore.cluster import cluster_sightings
from seenbefore.compare import compare_sightings
from seenbefore.engine.context import Context
from seenbefore.engine.engine import Engine
from seenbefore.model import Comparison, Decision, Item, Outcome, Relation, Sighting, Verdict
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.streams import Fetched, picture, streams, with_fetch_ids
from seenbefore.text.titles import clean_title
from seenbefore.wiring import SeenBefore

RULES, POLICY = load_rules(), load_policy()
SEARCH = settings(
    max_examples=settings().max_examples * 3 // 10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
REASONS = {
    Outcome.NEW: codes.NEW_REASONS,
    Outcome.REVIEW: codes.REVIEW_REASONS,
    Outcome.DUPLICATE: codes.DUPLICATE_REASONS,
    Outcome.UPDATE: codes.UPDATE_REASONS,
}
ANNOUNCED = (Outcome.NEW, Outcome.UPDATE, Outcome.REVIEW)
Pairs = dict[tuple[int, int], Comparison]


def engine_on(store: Store) -> Engine:
    return Engine(store, RULES, POLICY, FrozenClock())


def singles(stream: Sequence[Fetched]) -> list[Item]:
    return [item for fetch in stream for item in fetch.items]


def take_in(stream: Sequence[Fetched]) -> tuple[MemoryStore, list[Decision]]:
    store = MemoryStore()
    engine = engine_on(store)
    answers = [answer for items in with_fetch_ids(stream) if items for answer in engine.see_many(items)]
    return store, answers


def compared(stream: Sequence[Fetched]) -> tuple[list[Sighting], Pairs, Pairs]:
    """The sightings that a stream leaves, and their comparisons in both directions."""
    store, _ = take_in(stream)
    with store.reading() as unit:
        sightings = unit.records.get_sightings(r.id for r in unit.records.find_records())
        context = Context(unit, RULES, POLICY)
        for source in unit.sources.list_sources():
            context.know(source.id)
    there, back = {}, {}
    for i, j in combinations(range(len(sightings)), 2):
        a, b = sightings[i], sightings[j]
        there[i, j] = compare_sightings(a, b, POLICY, context.distrust, context.traits)
        back[i, j] = compare_sightings(b, a, POLICY, context.distrust, context.traits)
    return sightings, there, back


# --- comparing and joining ----------------------------------------------------------------------


@SEARCH
@given(streams())
def test_comparing_is_symmetric(stream: list[Fetched]) -> None:
    _, there, back = compared(stream)
    for pair, one in there.items():
        other = back[pair]
        assert (one.relation, one.reason, one.rank, one.via) == (
            other.relation,
            other.reason,
            other.rank,
            other.via,
        )
        assert [(e.kind, e.supports) for e in one.evidence] == [(e.kind, e.supports) for e in other.evidence]


@SEARCH
@given(streams(), st.randoms(use_true_random=False), st.data())
def test_clusters_do_not_depend_on_order(stream: list[Fetched], shuffle: random.Random, data: st.DataObject) -> None:
    sightings, pairs, _ = compared(stream)
    verdicts = draw_verdicts(data, len(sightings))
    first = cluster_sightings(sightings, pairs, verdicts)
    order = list(range(len(sightings)))
    shuffle.shuffle(order)
    place = {old: new for new, old in enumerate(order)}

    def moved(pair: tuple[int, int]) -> tuple[int, int]:
        a, b = sorted((place[pair[0]], place[pair[1]]))
        return a, b

    renamed = [(moved(pair), comparison) for pair, comparison in pairs.items()]
    shuffle.shuffle(renamed)
    second = cluster_sightings(
        [sightings[old] for old in order], dict(renamed), {moved(pair): v for pair, v in verdicts.items()}
    )
    assert {frozenset(place[i] for i in c) for c in first.clusters} == set(second.clusters)
    assert {moved(pair) for pair in first.waiting} == set(second.waiting)


@SEARCH
@given(streams(), st.data())
def test_what_must_stay_apart_is_never_in_one_cluster(stream: list[Fetched], data: st.DataObject) -> None:
    sightings, pairs, _ = compared(stream)
    verdicts = draw_verdicts(data, len(sightings))
    apart = {pair for pair, c in pairs.items() if c.relation is Relation.DIFFERENT}
    apart |= {pair for pair, verdict in verdicts.items() if verdict is Verdict.DIFFERENT}
    apart -= {pair for pair, verdict in verdicts.items() if verdict is Verdict.SAME}
    clustering = cluster_sightings(sightings, pairs, verdicts)
    assert sorted(i for c in clustering.clusters for i in c) == list(range(len(sightings)))
    for cluster in clustering.clusters:
        assert not apart & set(combinations(sorted(cluster), 2))


def draw_verdicts(data: st.DataObject, size: int) -> dict[tuple[int, int], Verdict]:
    """What people may have said of some of the pairs."""
    pairs = list(combinations(range(size), 2))
    if not pairs:
        return {}
    return data.draw(st.dictionaries(st.sampled_from(pairs), st.sampled_from(Verdict), max_size=3))


# --- answers ------------------------------------------------------------------------------------


@SEARCH
@given(streams())
def test_peek_answers_what_see_will_and_writes_nothing(stream: list[Fetched]) -> None:
    store = MemoryStore()
    engine = engine_on(store)
    for item in singles(stream):
        before = everything(store)
        peeked = engine.peek(item)
        assert everything(store) == before
        assert (peeked.decision_id, peeked.seq) == (None, None)
        seen = engine.see(item)
        assert told(peeked) == told(seen)


@SEARCH
@given(streams(size=1))
def test_peek_answers_for_a_fetch_of_one_item(stream: list[Fetched]) -> None:
    engine = engine_on(MemoryStore())
    for items in with_fetch_ids(stream):
        for item in items:
            assert told(engine.peek(item)) == told(engine.see(item))


def told(decision: Decision) -> tuple[object, ...]:
    matched = decision.matched
    return (decision.outcome, decision.reason, decision.changed, matched, decision.flags)


def everything(store: Store) -> tuple[object, ...]:
    with store.reading() as unit:
        sources = [(s, unit.sources.find_trust(s.id)) for s in unit.sources.list_sources()]
        records = unit.records.find_records()
        return sources, records, unit.records.get_sightings(r.id for r in records), unit.journal.last_seq()


@SEARCH
@given(streams())
def test_the_same_item_twice_is_seen_again(stream: list[Fetched]) -> None:
    store = MemoryStore()
    engine = engine_on(store)
    for item in singles(stream):
        engine.see(item)
        before = picture(store)
        again = engine.see(item)
        assert (again.outcome, again.reason) == (Outcome.DUPLICATE, "seen_again")
        assert (again.decision_id, again.seq) == (None, None)
        assert picture(store) == before


@SEARCH
@given(streams(size=6))
def test_every_code_is_listed(stream: list[Fetched]) -> None:
    store, answers = take_in(stream)
    for answer in answers:
        assert answer.reason in REASONS[answer.outcome]
        assert {e.kind for e in answer.evidence} <= codes.EVIDENCE_KINDS.keys()
        assert set(answer.flags) <= codes.FLAGS.keys()
    with store.reading() as unit:
        events = {entry.event.event for entry in unit.journal.read(0, 10_000) if entry.event}
        trust = {t.reason for source in unit.sources.list_sources() for t in unit.sources.find_trust(source.id)}
    assert events <= codes.EVENTS.keys()
    assert trust <= codes.TRUST_REASONS.keys()


@SEARCH
@given(streams())
def test_answers_keep_their_shape(stream: list[Fetched]) -> None:
    """What a decision promises to whoever reads it: which fields go with which outcome."""
    _, answers = take_in(stream)
    for answer in answers:
        assert answer.record_id is not None
        assert (answer.matched is None) == (answer.outcome is Outcome.NEW)
        if answer.outcome is Outcome.REVIEW:
            assert answer.matched is not None
            assert answer.matched.record_id != answer.record_id
        assert bool(answer.changed) == (answer.outcome is Outcome.UPDATE)
        assert (answer.decision_id is None) == (answer.seq is None) == (answer.reason == "seen_again")


# --- delivery -----------------------------------------------------------------------------------


@SEARCH
@given(streams())
def test_no_record_is_kept_from_consumers(stream: list[Fetched]) -> None:
    """Joined, split or merged on the way: something of every live record was delivered."""
    store, _ = take_in(stream)
    db = SeenBefore(store, RULES, POLICY, FrozenClock())
    items = [change.decision.item for change in db.changes("c") if change.decision]
    told = {(item.guid, item.original_url, clean_title(item.title)) for item in items}
    records = list(db.records())
    with store.reading() as unit:
        for record in records:
            sightings = unit.records.get_sightings([record.id])
            assert any((s.guid, s.original_url, s.clean_title) in told for s in sightings), record


@SEARCH
@given(streams(), st.data())
def test_every_announced_decision_reaches_a_consumer_once_and_in_order(
    stream: list[Fetched], data: st.DataObject
) -> None:
    store, answers = take_in(stream)
    db = SeenBefore(store, RULES, POLICY, FrozenClock())
    freed = [c.seq for c in db.changes("all") if c.decision and c.decision.reason == "taken_apart"]
    expected = sorted([*freed, *(a.seq for a in answers if a.outcome in ANNOUNCED and a.seq is not None)])
    assert list(decided(db)) == expected
    assert list(decided(db)) == expected, "reading moved the cursor"
    seqs = [change.seq for change in db.changes("c")]
    assert seqs == sorted(set(seqs))
    if seqs:
        done = data.draw(st.sampled_from(seqs))
        db.ack("c", done)
        assert list(decided(db)) == [seq for seq in expected if seq > done]
        db.ack("c", seqs[-1])
        assert list(db.changes("c")) == []
        assert [change.seq for change in db.changes("another")] == seqs


def decided(db: SeenBefore) -> Iterator[int]:
    return (change.seq for change in db.changes("c") if change.decision is not None)


@SEARCH
@given(streams())
def test_history_announces_nothing(stream: list[Fetched]) -> None:
    store = MemoryStore()
    engine = engine_on(store)
    for items in with_fetch_ids(stream):
        if items:
            assert all("history" in a.flags or a.decision_id is None for a in engine.see_many(items, history=True))
    db = SeenBefore(store, RULES, POLICY, FrozenClock())
    assert list(db.changes("c")) == []
    assert picture(store) == picture(take_in(stream)[0])
