"""Promise 4 of the design: the same sightings end in the same records, whatever the order they came in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seenbefore.engine.engine import Engine
from seenbefore.model import Item
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.streams import Fetched, Picture, picture, streams, with_fetch_ids

RULES = load_rules()
POLICY = load_policy()
SEARCH = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def run(fetches: Iterable[Sequence[Item]], store: Store | None = None, unit_size: int = 500) -> Picture:
    store = store or MemoryStore()
    engine = Engine(store, RULES, POLICY, FrozenClock(), unit_size)
    for items in fetches:
        if items:
            engine.see_many(items)
    found = picture(store)
    store.close()
    return found


@SEARCH
@given(streams(), st.randoms(use_true_random=False))
def test_order_inside_a_fetch_does_not_matter(stream: list[Fetched], random: object) -> None:
    fetches = with_fetch_ids(stream)
    shuffled = [list(items) for items in fetches]
    for items in shuffled:
        random.shuffle(items)  # type: ignore[attr-defined]
    assert run(fetches) == run(shuffled)


@SEARCH
@given(streams())
def test_interleaving_of_sources_does_not_matter(stream: list[Fetched]) -> None:
    fetches = with_fetch_ids(stream)
    by_source = [items for _, part in groupby(sorted(fetches, key=_source), key=_source) for items in part]
    other_way = [
        items for _, part in groupby(sorted(fetches, key=_source, reverse=True), key=_source) for items in part
    ]
    assert run(fetches) == run(by_source) == run(other_way)


def _source(items: Sequence[Item]) -> str:
    return items[0].source if items else ""


@SEARCH
@given(streams(size=5), st.integers(1, 3))
def test_cut_into_units_does_not_matter(stream: list[Fetched], unit_size: int) -> None:
    fetches = with_fetch_ids(stream)
    assert run(fetches) == run(fetches, unit_size=unit_size)


@SEARCH
@given(streams())
def test_twice_in_a_row_changes_nothing_and_says_so(stream: list[Fetched]) -> None:
    store = MemoryStore()
    engine = Engine(store, RULES, POLICY, FrozenClock())
    fetches = [items for items in with_fetch_ids(stream) if items]
    for items in fetches:
        engine.see_many(items)
    before = picture(store)
    for items in fetches:
        answers = engine.see_many(items)
        assert {(a.outcome.value, a.reason) for a in answers} == {("duplicate", "seen_again")}
    assert picture(store) == before


@SEARCH
@given(streams())
def test_single_items_may_come_in_any_units(stream: list[Fetched]) -> None:
    items = [item for fetch in stream for item in fetch.items]
    assert run([items]) == run([[item] for item in items])


@settings(SEARCH, max_examples=25)
@given(streams())
def test_stores_agree(stream: list[Fetched]) -> None:
    fetches = with_fetch_ids(stream)
    assert run(fetches) == run(fetches, SqliteStore(":memory:"))


@SEARCH
@given(streams(size=6), st.sampled_from([1, 500]))
def test_the_short_ways_end_where_the_long_one_does(stream: list[Fetched], unit_size: int) -> None:
    """Digests and items that meet nothing only save time: records, answers and deliveries are the same."""
    fetches = [items for items in with_fetch_ids(stream) if items]
    short = told(fetches, unit_size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("seenbefore.engine.observe.Observer.look_ahead", lambda *_: None)
        patch.setattr("seenbefore.engine.fetchplan.digest_item", lambda _: b"")
        patch.setattr("seenbefore.engine.ingest.digest_item", lambda _: b"")
        assert told(fetches, unit_size) == short


def told(fetches: Iterable[Sequence[Item]], unit_size: int) -> tuple[Picture, list[object]]:
    """The picture of the store, and what was answered for each item."""
    store = MemoryStore()
    engine = Engine(store, RULES, POLICY, FrozenClock(), unit_size)
    answers: list[object] = []
    for items in fetches:
        for decision in engine.see_many(items):
            if decision.number is None:  # an unchanged repeat; only the long way says more
                answers.append((decision.outcome, decision.reason))
                continue
            facts = [(fact.kind, fact.value) for fact in decision.evidence]
            matched = decision.matched and (decision.matched.record_number, decision.matched.title)
            answers.append((decision.outcome, decision.reason, decision.flags, decision.changed, matched, facts))
    return picture(store), answers
