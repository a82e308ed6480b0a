"""Whatever feeds do and people say: a store that only the engine has written has nothing for `check` to find."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seenbefore.engine.audit import check_store
from seenbefore.engine.engine import Engine
from seenbefore.engine.label import label_pair
from seenbefore.model import Item, Status, Verdict
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.streams import Fetched, streams, with_fetch_ids

RULES, POLICY = load_rules(), load_policy()
SEARCH = settings(
    max_examples=settings().max_examples * 6 // 10, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def found(store: Store) -> list[str]:
    """What a check finds."""
    return [f"{p.code} {p.where}: {p.message}" for p in check_store(store, RULES, POLICY).problems]


def take_in(store: Store, fetches: Iterable[Sequence[Item]], unit_size: int = 500) -> Store:
    engine = Engine(store, RULES, POLICY, FrozenClock(), unit_size)
    for items in fetches:
        if items:
            engine.see_many(items)
    return store


@SEARCH
@given(streams(size=5), st.integers(1, 5))
def test_fetches_in_units_of_any_size(stream: list[Fetched], unit_size: int) -> None:
    assert found(take_in(MemoryStore(), with_fetch_ids(stream), unit_size)) == []


@SEARCH
@given(streams(), st.randoms(use_true_random=False))
def test_fetches_that_come_late_and_twice(stream: list[Fetched], order: random.Random) -> None:
    fetches = with_fetch_ids(stream)
    order.shuffle(fetches)
    assert found(take_in(take_in(MemoryStore(), fetches), fetches)) == []


@SEARCH
@given(streams(), st.randoms(use_true_random=False))
def test_items_that_are_fetches_of_their_own_among_fetches(stream: list[Fetched], order: random.Random) -> None:
    mixed = [list(fetch.items) if order.random() < 0.5 else list(ids) for fetch, ids in _both(stream)]
    assert found(take_in(MemoryStore(), mixed)) == []


def _both(stream: Sequence[Fetched]) -> Iterable[tuple[Fetched, tuple[Item, ...]]]:
    return zip(stream, with_fetch_ids(stream), strict=True)


@SEARCH
@given(streams(), st.randoms(use_true_random=False), st.lists(st.sampled_from(Verdict), max_size=4))
def test_verdicts_between_fetches(stream: list[Fetched], chance: random.Random, verdicts: list[Verdict]) -> None:
    store = MemoryStore()
    fetches = with_fetch_ids(stream)
    for place, items in enumerate(fetches):
        take_in(store, [items])
        if place < len(verdicts):
            _label(store, chance, verdicts[place])
    assert found(store) == []


def _label(store: Store, chance: random.Random, verdict: Verdict) -> None:
    with store.reading() as unit:
        live = [record.id for record in unit.records.find_records() if record.status is not Status.MERGED]
    if len(live) > 1:
        one, other = chance.sample(live, 2)
        label_pair(store, RULES, POLICY, FrozenClock()(), one, other, verdict, "Aiko")


@settings(SEARCH, max_examples=15)
@given(streams(size=5))
def test_stores_agree(stream: list[Fetched]) -> None:
    """In a file there is more to check, but nothing more to find."""
    fetches = with_fetch_ids(stream)
    memory, sqlite = (take_in(store, fetches) for store in (MemoryStore(), SqliteStore(":memory:")))
    mine, theirs = (check_store(store, RULES, POLICY) for store in (memory, sqlite))
    assert (mine.records, mine.entries, mine.counts) == (theirs.records, theirs.entries, theirs.counts)
    sqlite.close()
