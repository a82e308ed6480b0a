"""Polled addresses and what became of the attempts, in SQLite."""

from __future__ import annotations

from ..polling.state import PollResult, PollState
from .rows import optional_text_time, optional_time_text, text_time, time_text
from .session import Row, Session

_RESULT = "at, outcome, reason, status, seconds, new, updated, duplicate, review"
_STATE = "address, source, interval_s, next_at, etag, last_modified, moved_to, failures, hold_until"

_ADD_RESULT = f"INSERT INTO poll_results (identity, {_RESULT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_PUT_STATE = f"""
INSERT OR REPLACE INTO polls (identity, last_result_id, {_STATE}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_TRIM = """
DELETE FROM poll_results WHERE identity = ?1 AND id NOT IN
    (SELECT id FROM poll_results WHERE identity = ?1 ORDER BY id DESC LIMIT ?2)
"""
_JOINED = ", ".join(f"r.{column}" for column in _RESULT.split(", "))
_FIND = f"SELECT p.identity, {_STATE}, {_JOINED} FROM polls AS p JOIN poll_results AS r ON r.id = p.last_result_id"


class SqlitePolls:
    """See ``base_polls.Polls``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def save(self, state: PollState, keep: int) -> None:
        """Store the state and its last result; of all results of the address the newest ``keep`` stay."""
        last = state.last
        counts = (last.new, last.update, last.duplicate, last.review)
        at = time_text(last.at)
        result = (state.identity, at, last.outcome, last.reason, last.status, last.seconds, *counts)
        result_id = self._session.insert(_ADD_RESULT, result)
        times = (optional_time_text(state.next_at), optional_time_text(state.hold_until))
        place = (state.identity, result_id, state.address, state.source, state.interval_s, times[0])
        self._session.run(
            _PUT_STATE, (*place, state.etag, state.last_modified, state.moved_to, state.failures, times[1])
        )
        self._session.run(_TRIM, (state.identity, max(1, keep)))

    def find_state(self, identity: str) -> PollState | None:
        """Return the newest state of the address, or None."""
        row = self._session.row(f"{_FIND} WHERE p.identity = ?", (identity,))
        return _state(row) if row else None

    def list_states(self) -> list[PollState]:
        """Return all states by identity."""
        return [_state(row) for row in self._session.rows(f"{_FIND} ORDER BY p.identity")]

    def list_results(self, identity: str) -> list[PollResult]:
        """Return what became of the last attempts, the oldest first."""
        rows = self._session.rows(f"SELECT {_RESULT} FROM poll_results WHERE identity = ? ORDER BY id", (identity,))
        return [_result(row) for row in rows]


def _state(row: Row) -> PollState:
    identity, address, source, interval_s, next_at, etag, last_modified, moved_to, failures, hold_until, *last = row
    return PollState(
        identity,
        address,
        source,
        _result(tuple(last)),
        interval_s,
        optional_text_time(next_at),
        etag,
        last_modified,
        moved_to,
        failures,
        optional_text_time(hold_until),
    )


def _result(row: Row) -> PollResult:
    at, *rest = row
    return PollResult(text_time(at), *rest)
