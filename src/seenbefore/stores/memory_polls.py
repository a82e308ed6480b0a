"""Polled addresses and what became of the attempts, in memory."""

from __future__ import annotations

from ..polling.state import PollResult, PollState
from .memory_tables import Transaction


class MemoryPolls:
    """See ``base_polls.Polls``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def save(self, state: PollState, keep: int) -> None:
        """Store the state and its last result; of all results of the address the newest ``keep`` stay."""
        transaction, tables, last = self._transaction, self._transaction.tables, state.last
        transaction.check(bool(state.identity and last.outcome), "a polled address and an outcome have names")
        counts = (last.new, last.update, last.duplicate, last.review, last.status, last.seconds)
        transaction.check(min(*counts, state.failures, state.interval_s) >= 0, "counts and seconds are 0 or more")
        transaction.check_times(last.at, state.next_at, state.hold_until)
        results = (*tables.poll_results.get(state.identity, ()), last)
        transaction.put(tables.polls, state.identity, state)
        transaction.put(tables.poll_results, state.identity, results[-max(1, keep) :])

    def find_state(self, identity: str) -> PollState | None:
        """Return the newest state of the address, or None."""
        return self._transaction.tables.polls.get(identity)

    def list_states(self) -> list[PollState]:
        """Return all states by identity."""
        polls = self._transaction.tables.polls
        return [polls[identity] for identity in sorted(polls)]

    def list_results(self, identity: str) -> list[PollResult]:
        """Return what became of the last attempts, the oldest first."""
        return list(self._transaction.tables.poll_results.get(identity, ()))
