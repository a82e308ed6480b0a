"""The memory store and the SQLite store answer alike, whatever is done to them in whatever order."""

from __future__ import annotations

from contextlib import ExitStack, closing
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from seenbefore.errors import StoreError
from seenbefore.model import Key, Sighting, Strength
from seenbefore.stores.base import Touch, Unit
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.runs import add_to_runs, in_runs
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.builders import a_key, a_sighting, at
from seenbefore.testing.contract_base import add_article

NUMBERS = st.integers(1, 12)
TOUCHES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 5), st.none() | st.sampled_from(["a", "b"])), max_size=12
)
KEYS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(list(Strength))), max_size=3)
STEPS = st.lists(st.dictionaries(st.integers(1, 3), KEYS, min_size=1, max_size=3), max_size=6)


def _touched(unit: Unit, touches: list[tuple[int, int, str | None]], size: int) -> list[Sighting]:
    record, sighting_id, _ = add_article(unit)
    bare = a_sighting(record.id, record.primary_source_id, 2, runs=(), last_fetch_no=0)
    other_id = unit.records.add_sighting(bare)
    several = [
        Touch(each, no, no or hours, at(hours), None if key is None else (a_key(key),))
        for no, hours, key in touches
        for each in (sighting_id, other_id)
    ]
    for start in range(0, len(several), size):
        unit.records.touch(several[start : start + size])
    return unit.records.get_sightings([record.id])


@given(TOUCHES, st.integers(1, 30))
def test_touches(touches: list[tuple[int, int, str | None]], size: int) -> None:
    """Also: however the touches are cut into calls."""
    with (
        closing(MemoryStore()) as memory,
        closing(SqliteStore(":memory:")) as sqlite,
        memory.unit() as ours,
        sqlite.unit() as theirs,
    ):
        assert _touched(ours, touches, 1) == _touched(theirs, touches, size)


@given(STEPS)
def test_keys(steps: list[dict[int, list[tuple[str, Strength]]]]) -> None:
    """Both take or both refuse a step, and a refused step leaves both as they were."""
    with ExitStack() as stack:
        stores = [stack.enter_context(closing(store)) for store in (MemoryStore(), SqliteStore(":memory:"))]
        for store in stores:
            with store.unit() as unit:
                for number in (1, 2, 3):
                    add_article(unit, number)
        for step in steps:
            keys = {
                record_id: [a_key(value, strength=strength) for value, strength in several]
                for record_id, several in step.items()
            }
            memory, sqlite = (_try_keys(store, keys) for store in stores)
            assert memory == sqlite


def _try_keys(store: MemoryStore | SqliteStore, keys: dict[int, list[Key]]) -> tuple[bool, object]:
    refused = False
    try:
        with store.unit() as unit:
            unit.records.set_keys(keys)
    except StoreError:
        refused = True
    with store.reading() as unit:
        return refused, unit.records.find_record_ids([a_key(value).address for value in "abc"])


@given(st.lists(NUMBERS))
def test_runs_hold_exactly_the_numbers_put_in(numbers: list[int]) -> None:
    runs: tuple[tuple[int, int], ...] = ()
    for number in numbers:
        runs = add_to_runs(runs, number)
    assert {number for number in range(14) if in_runs(runs, number)} == set(numbers)
    assert all(left[1] + 1 < right[0] for left, right in pairwise(runs))
