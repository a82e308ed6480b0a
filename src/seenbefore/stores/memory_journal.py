"""The append-only log of decisions and events, and the consumers' positions, in memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from ..errors import NotFound
from ..model import Decision, Event, Outcome
from .base import Entry
from .memory_tables import Transaction
from .rows import to_json


class MemoryJournal:
    """See ``base.Journal``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add_decision(
        self,
        decision: Decision,
        *,
        deliver: bool = True,
        old_version_id: int | None = None,
        new_version_id: int | None = None,
    ) -> Decision:
        """Append; return the decision with its id and seq."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.need(tables.records, decision.record_number, "record")
        transaction.need(tables.records, decision.matched.record_number if decision.matched else None, "record")
        old, new = old_version_id or None, new_version_id or None
        transaction.need(tables.items, old, "version")
        transaction.need(tables.items, new, "version")
        transaction.check_times(decision.decided_at)
        seq, decision_id = transaction.next_id("seq"), transaction.next_id("decision")
        stored = replace(decision, seq=seq, number=decision_id)
        transaction.put(tables.entries, seq, Entry(seq, stored, None, old, new, deliver))
        transaction.put(tables.decision_seqs, decision_id, seq)
        return stored

    def add_event(self, event: Event) -> Event:
        """Append; return the event with its id and seq."""
        transaction, tables = self._transaction, self._transaction.tables
        for record_id in (*event.record_numbers, event.survivor_number):
            transaction.need(tables.records, record_id, "record")
        transaction.check_times(event.happened_at)
        seq, event_id = transaction.next_id("seq"), transaction.next_id("event")
        transaction.put(tables.entries, seq, Entry(seq, None, _copy(replace(event, seq=seq, number=event_id))))
        transaction.put(tables.event_seqs, event_id, seq)
        return replace(event, seq=seq, number=event_id)

    def read(self, after_seq: int, limit: int) -> list[Entry]:
        """Return entries with a greater seq, ascending, delivered or not."""
        entries = self._transaction.tables.entries
        wanted = range(max(after_seq, 0) + 1, min(self.last_seq(), max(after_seq, 0) + limit) + 1)
        found = (entries[seq] for seq in wanted)
        return [replace(entry, event=_copy(entry.event)) if entry.event else entry for entry in found]

    def get_decision(self, decision_id: int) -> Decision:
        """Return the decision; raises NotFound."""
        tables = self._transaction.tables
        seq = tables.decision_seqs.get(decision_id)
        decision = None if seq is None else tables.entries[seq].decision
        if decision is None:
            raise NotFound(f"d{decision_id}")
        return decision

    def find_decisions(
        self,
        *,
        record_id: int | None = None,
        outcome: Outcome | None = None,
        source: str | None = None,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> list[Decision]:
        """Return decisions by ascending seq; with ``limit`` the newest ones."""
        found = [
            decision
            for decision in self._decisions()
            if (record_id is None or decision.record_number == record_id)
            and (outcome is None or decision.outcome == outcome)
            and (source is None or decision.item.source == source)
            and (since is None or decision.decided_at >= since)
        ]
        return found if limit is None else found[max(len(found) - limit, 0) :]

    def _decisions(self) -> Iterator[Decision]:
        for entry in self._transaction.tables.entries.values():
            if entry.decision is not None:
                yield entry.decision

    def get_event(self, event_id: int) -> Event:
        """Return the event; raises NotFound."""
        tables = self._transaction.tables
        seq = tables.event_seqs.get(event_id)
        event = None if seq is None else tables.entries[seq].event
        if event is None:
            raise NotFound(f"m{event_id}")
        return _copy(event)

    def find_events(self, record_id: int | None = None, *, limit: int | None = None) -> list[Event]:
        """Return events by ascending seq; with ``limit`` the newest ones."""
        entries = self._transaction.tables.entries
        events = [entries[seq].event for seq in self._transaction.tables.event_seqs.values()]
        found = [e for e in events if e is not None and (record_id is None or record_id in e.record_numbers)]
        return [_copy(event) for event in (found if limit is None else found[max(len(found) - limit, 0) :])]

    def last_seq(self) -> int:
        """Return the newest seq, 0 when the journal is empty."""
        return self._transaction.tables.last_ids.get("seq", 0)

    def get_cursor(self, consumer: str) -> int | None:
        """Return how far the consumer has acknowledged; None when it is unknown."""
        return self._transaction.tables.cursors.get(consumer)

    def set_cursor(self, consumer: str, seq: int) -> None:
        """Store the position; it may move back, which replays."""
        self._transaction.check(seq >= 0, "a position is 0 or more")
        self._transaction.put(self._transaction.tables.cursors, consumer, seq)

    def count_decisions(self) -> dict[tuple[str, str, str], int]:
        """Return the number of decisions per (source, outcome, reason)."""
        return dict(
            Counter((decision.item.source, str(decision.outcome), decision.reason) for decision in self._decisions())
        )


def _copy(event: Event) -> Event:
    """The detail as a value of its own, so that nobody changes what is stored."""
    return replace(event, detail=json.loads(to_json(dict(event.detail))))
