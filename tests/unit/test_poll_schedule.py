from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seenbefore.polling.schedule import (
    JITTER,
    LONGEST_BACK_OFF_S,
    MAX_AGE_CAP_S,
    Limits,
    back_off,
    freshness,
    next_state,
    should_ask,
)
from seenbefore.polling.state import PollResult, PollState

AT = datetime(2026, 1, 1, tzinfo=UTC)
LIMITS = Limits(900, 7200)
OUTCOMES = st.sampled_from(
    ["ok", "unchanged", "timeout", "status", "not_found", "gone", "refused", "list", "not_a_feed"]
)


def after(before: PollState | None, outcome: str, new: int = 0, **more: float) -> PollState:
    at = (before.next_at or before.last.at + timedelta(days=1)) if before else AT
    result = PollState("a.example/feed", "a", "a", PollResult(at, outcome, new=new), 0.0, at)
    return next_state(before, result, LIMITS, **more)  # type: ignore[arg-type]


def wait(state: PollState) -> float:
    assert state.next_at is not None
    return (state.next_at - state.last.at).total_seconds()


@given(st.lists(st.tuples(OUTCOMES, st.integers(0, 3), st.floats(0, 1e9), st.none() | st.floats(0, 1e9)), max_size=30))
def test_whatever_happens_the_limits_hold(steps: list[tuple[str, int, float, float | None]]) -> None:
    state: PollState | None = None
    for outcome, new, fresh_s, retry_after in steps:
        state = after(state, outcome, new, fresh_s=fresh_s, retry_after=retry_after)  # type: ignore[arg-type]
        assert LIMITS.shortest_s <= state.interval_s <= LIMITS.longest_s
        assert (state.failures == 0) is state.last.is_good
        if outcome == "gone":
            assert state.next_at is None
            assert not state.is_due(AT + timedelta(days=9999))
            continue
        if state.last.is_good:
            assert LIMITS.shortest_s <= wait(state) <= max(LIMITS.longest_s, MAX_AGE_CAP_S)
            assert state.hold_until is None
        else:
            assert 0 < wait(state) <= LONGEST_BACK_OFF_S


@given(st.text(max_size=20), st.integers(1, 200))
def test_back_off_is_bounded_and_the_same_each_time(name: str, failures: int) -> None:
    waited = back_off(name, failures)
    assert waited == back_off(name, failures)
    assert 300 * (1 - JITTER) <= waited <= LONGEST_BACK_OFF_S


def test_sources_of_one_outage_spread() -> None:
    waits = [back_off(f"h{n}.example/feed", 1) for n in range(200)]
    assert max(waits) - min(waits) > 50
    assert len(set(waits)) > 190


def test_failures_leave_the_interval_alone() -> None:
    state = after(after(after(None, "ok", 1), "unchanged"), "unchanged")
    failed = after(after(state, "timeout"), "timeout")
    assert failed.interval_s == state.interval_s
    assert wait(after(failed, "unchanged")) == state.interval_s * 1.25


def test_a_source_that_wakes_up_is_soon_polled_often() -> None:
    state = after(None, "ok")
    for _ in range(20):
        state = after(state, "unchanged")
    assert wait(state) == 7200
    for _ in range(3):
        state = after(state, "ok", 2)
    assert wait(state) == 900


@pytest.mark.parametrize(
    ("control", "age", "expected"),
    [
        ("max-age=600", "", 600),
        ("public, s-maxage=60, max-age=600", "", 60),
        ("MAX-AGE = 600", "90", 510),
        ('max-age="600"', "", 600),
        ("max-age=60", "600", 0),
        ("no-store, max-age=600", "", 0),
        ("private", "", 0),
        ("x-max-age=600", "", 0),
        ("max-age=-5", "", 0),
        ("max-age=99999999999999999999", "", 9_999_999_999),
        ("max-age=600", "１２", 600),
    ],
)
def test_freshness(control: str, age: str, expected: float) -> None:
    assert freshness({"cache-control": control, "age": age}) == expected


def test_what_is_asked() -> None:
    failed = after(after(None, "ok"), "timeout")
    soon = failed.last.at + timedelta(seconds=1)
    later = failed.last.at + timedelta(days=2)
    assert should_ask(None, AT, due_only=True, force=False)
    assert not should_ask(failed, soon, due_only=False, force=False)
    assert should_ask(failed, soon, due_only=True, force=True)
    assert should_ask(failed, later, due_only=True, force=False)
    good = after(None, "ok")
    assert should_ask(good, AT, due_only=False, force=False)
    assert not should_ask(good, AT, due_only=True, force=False)
