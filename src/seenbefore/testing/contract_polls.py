"""Polled addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import StoreError
from ..polling.state import PollResult, PollState
from ..stores.base import Unit
from .builders import at
from .contract_base import ContractBase, assert_raises, assert_refused


def a_poll(name: str, hours: float = 0, **fields: Any) -> PollState:
    """Return the state of a feed after a poll that went well.

    >>> a_poll("one").identity, a_poll("one", failures=2).failures
    ('one.example/feed', 2)
    """
    address = f"https://{name}.example/feed"
    made = PollState(f"{name}.example/feed", address, address, PollResult(at(hours), "ok", status=200), 900.0, at(9))
    return replace(made, **fields)


class PollsContract(ContractBase):
    """The role ``polls``."""

    def test_a_state_comes_back_whole(self) -> None:
        """Every field of it and of its result; the one before is replaced."""
        with self.unit() as unit:
            assert unit.polls.find_state("a.example/feed") is None
            assert unit.polls.list_states() == []
            assert unit.polls.list_results("a.example/feed") == []
            result = PollResult(at(1), "status", "the server is busy: 満員", 503, 1.25, 1, 2, 3, 4)
            full = PollState(
                "例え.example/feed?x=1", "https://例え.example/feed?x=1", "News", result, 1125.5, at(3),
                '"e-1"', "Tue, 01 Dec 2026 02:00:00 GMT", "https://b.example/feed", 7, at(4),
            )  # fmt: skip
            unit.polls.save(a_poll("b"), 5)
            unit.polls.save(full, 5)
            assert unit.polls.find_state(full.identity) == full
            assert unit.polls.list_states() == [a_poll("b"), full]
            plain = replace(full, next_at=None, hold_until=None, etag="", last=replace(result, at=at(2)))
            unit.polls.save(plain, 5)
            assert unit.polls.find_state(full.identity) == plain
            assert unit.polls.list_results(full.identity) == [result, plain.last]

    def test_results_are_bounded(self) -> None:
        """The newest stay, in order; those of other addresses are not counted; at least one stays."""
        with self.unit() as unit:
            unit.polls.save(a_poll("other"), 3)
            for hours in range(6):
                unit.polls.save(a_poll("a", hours), 3)
            assert [r.at for r in unit.polls.list_results("a.example/feed")] == [at(3), at(4), at(5)]
            assert len(unit.polls.list_results("other.example/feed")) == 1
            unit.polls.save(a_poll("a", 7), 0)
            assert [r.at for r in unit.polls.list_results("a.example/feed")] == [at(7)]

    def test_what_makes_no_sense_is_refused(self) -> None:
        """Nameless addresses and outcomes, counts below zero; nothing of the unit is stored then."""
        with self.store() as store:
            good = a_poll("a")
            for wrong in (
                replace(good, identity=""),
                replace(good, failures=-1),
                replace(good, interval_s=-1.0),
                replace(good, last=replace(good.last, outcome="")),
                replace(good, last=replace(good.last, new=-1)),
                replace(good, last=replace(good.last, seconds=-0.5)),
            ):
                assert_refused(store, StoreError, _save(wrong))
            naive = replace(good, last=replace(good.last, at=at().replace(tzinfo=None)))

            def write() -> None:
                with store.unit() as unit:
                    unit.polls.save(naive, 3)

            assert_raises(StoreError, write)
            with store.reading() as unit:
                assert unit.polls.list_states() == []
                assert unit.polls.list_results(good.identity) == []

    def test_polls_are_not_written_while_reading(self) -> None:
        """And a failing unit takes state and result back."""
        with self.store() as store:
            with store.unit() as unit:
                unit.polls.save(a_poll("a"), 3)

            def write() -> None:
                with store.reading() as unit:
                    unit.polls.save(a_poll("a", 2), 3)

            assert_raises(StoreError, write)
            assert_refused(store, StoreError, _both)
            with store.reading() as unit:
                assert unit.polls.find_state("a.example/feed") == a_poll("a")
                assert len(unit.polls.list_results("a.example/feed")) == 1

    def test_a_scratch_copy_has_the_polls(self) -> None:
        """Writing to it leaves the store alone."""
        with self.store() as store:
            with store.unit() as unit:
                unit.polls.save(a_poll("a"), 3)
            copy = store.scratch_copy()
            try:
                with copy.unit() as unit:
                    assert unit.polls.list_states() == [a_poll("a")]
                    unit.polls.save(a_poll("a", 2), 3)
            finally:
                copy.close()
            with store.reading() as unit:
                assert unit.polls.list_states() == [a_poll("a")]


def _save(state: PollState) -> Callable[[Unit], object]:
    return lambda unit: unit.polls.save(state, 3)


def _both(unit: Unit) -> None:
    unit.polls.save(a_poll("a", 5), 3)
    unit.polls.save(replace(a_poll("b"), identity=""), 3)
