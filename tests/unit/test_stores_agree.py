"""The memory store and the SQLite store answer alike, whatever is done to them in whatever order."""

from __future__ import annotations

from contextlib import ExitStack, closing
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from seenbefore.errors import StoreError
from seenbefore.model import Key, Redirect, Sighting, Strength
from seenbefore.stores.base import Touch, Unit
from seenbefore.stores.hosts import Hosts, key_host
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.runs import add_to_runs, in_runs
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.builders import a_key, a_sighting, at
from seenbefore.testing.contract_base import add_article
from seenbefore.testing.contract_redirects import a_redirect
from seenbefore.urls import identify

NUMBERS = st.integers(1, 12)
TOUCHES = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 5), st.none() | st.sampled_from(["a", "b"])), max_size=12
)
KEYS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(list(Strength))), max_size=3)
STEPS = st.lists(st.dictionaries(st.integers(1, 3), KEYS, min_size=1, max_size=3), max_size=6)
LABELS = st.sampled_from(["www", "www2", "m", "wap", "a", "b", "-", "0", "a-b", "com", "wwwx"])
NAMES = st.lists(LABELS, min_size=1, max_size=4).map(".".join)
ADDRESSES = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "u@", "u:p@", "a.com@", "a.com:80@x@"]),
    NAMES,
    st.sampled_from(["", ":80", ":8"]),
    st.sampled_from(["", "/", "/a.com", "/@a.com", "?a.com/", "#@a.com", "/~", "0/", "/\U0010ffff"]),
)
STARTS = st.sampled_from(
    [("url", "http://"), ("url", "https://"), ("url_near", ""), ("url", ""), ("url", "https:/"), ("title", "https://")]
)
WEB_KEYS = st.builds(
    lambda start, address, scope: a_key(start[1] + address, start[0], Strength.NEAR, scope),
    STARTS, ADDRESSES, st.sampled_from(["", "", "literal", "7"]),
)  # fmt: skip
REDIRECTS = st.lists(st.builds(a_redirect, st.sampled_from("abcd"), st.sampled_from("abcd")), max_size=5)


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


@given(
    st.lists(st.lists(WEB_KEYS, max_size=6, unique_by=lambda key: key.address), min_size=1, max_size=4),
    st.lists(NAMES | NAMES.map("*.{}".format), max_size=3),
)
def test_records_on_hosts(keys: list[list[Key]], hosts: list[str]) -> None:
    """The index leads to the same records as looking at every key."""
    found = []
    for store in (MemoryStore(), SqliteStore(":memory:")):
        with closing(store), store.unit() as unit:
            ids = [add_article(unit, number)[0].id for number, _ in enumerate(keys, 1)]
            unit.records.set_keys(dict(zip(ids, keys, strict=True)))
            found.append(unit.packs.find_records_on(hosts))
    wanted = Hosts(hosts)
    expected = [
        n for n, several in zip(ids, keys, strict=True) if any(key_host(k.kind, k.value) in wanted for k in several)
    ]
    assert found == [expected, expected]


@given(st.lists(st.sampled_from(["www", "www2", "www17", "m", "mobile", "amp", "sp", "wap"]), max_size=4))
def test_a_host_is_found_by_the_name_that_rules_know_it_by(labels: list[str]) -> None:
    """Stores know no rules, so the labels that a near key leaves out are written down twice."""
    host = ".".join([*labels, "example.jp"])
    assert identify(f"https://{host}/a").near == "example.jp/a"
    assert host in Hosts(["example.jp"])
    assert f"shop.{host}" not in Hosts(["example.jp"])


@given(st.lists(REDIRECTS, max_size=4))
def test_redirects(calls: list[list[Redirect]]) -> None:
    answers = []
    for store in (MemoryStore(), SqliteStore(":memory:")):
        with closing(store), store.unit() as unit:
            added = [unit.redirects.add_redirects(call) for call in calls]
            found = unit.redirects.find_redirects(f"https://news.example/{name}" for name in "abcde")
            answers.append((added, found, unit.redirects.list_redirects(), unit.redirects.count_redirects()))
    assert answers[0] == answers[1]
    assert sum(answers[0][0]) == answers[0][3] == len({(r.start_key, r.target_key) for call in calls for r in call})
