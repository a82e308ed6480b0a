"""The append-only log of decisions and events, and the consumers' positions, in SQLite."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

from ..errors import NotFound
from ..model import Decision, Event, ItemRef, Match, Outcome
from .base import Entry
from .rows import evidence_from_json, evidence_json, text_time, texts_from_json, time_text, to_json
from .session import Row, Session

DECISION_COLUMNS = (
    "seq, external_id, source, guid, original_url, title, outcome, reason, record_id, matched_record_id,"
    " matched_external_id, matched_url, matched_title, changed, flags, evidence, rules_version,"
    " policy_version, extractor_version, decided_at, deliver, old_version_id, new_version_id"
)
_DECISION = f"SELECT id, {DECISION_COLUMNS} FROM decisions"

_EVENT = """
SELECT e.id, e.seq, e.event, e.survivor_id, e.cause, e.happened_at, e.detail,
    (SELECT json_group_array(record_id) FROM
        (SELECT record_id FROM event_records WHERE event_id = e.id ORDER BY position))
FROM events AS e
"""


class SqliteJournal:
    """See ``base.Journal``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_decision(
        self,
        decision: Decision,
        *,
        deliver: bool = True,
        old_version_id: int | None = None,
        new_version_id: int | None = None,
    ) -> Decision:
        """Append; return the decision with its id and seq."""
        seq = self._next_seq("decision")
        values = (seq, *decision_values(decision), deliver, old_version_id or None, new_version_id or None)
        marks = ", ".join("?" * len(values))
        decision_id = self._session.insert(f"INSERT INTO decisions ({DECISION_COLUMNS}) VALUES ({marks})", values)
        return replace(decision, seq=seq, number=decision_id)

    def add_event(self, event: Event) -> Event:
        """Append; return the event with its id and seq."""
        seq = self._next_seq("event")
        event_id = self._session.insert(
            "INSERT INTO events (seq, event, survivor_id, cause, happened_at, detail) VALUES (?, ?, ?, ?, ?, ?)",
            (
                seq,
                event.event,
                event.survivor_number,
                event.cause,
                time_text(event.happened_at),
                to_json(dict(event.detail)),
            ),
        )
        self._session.many(
            "INSERT INTO event_records (record_id, event_id, position) VALUES (?, ?, ?)",
            [(record_id, event_id, position) for position, record_id in enumerate(event.record_numbers)],
        )
        return replace(event, seq=seq, number=event_id)

    def _next_seq(self, entry: str) -> int:
        return self._session.insert("INSERT INTO journal (entry) VALUES (?)", (entry,))

    def read(self, after_seq: int, limit: int) -> list[Entry]:
        """Return entries with a greater seq, ascending, delivered or not."""
        window = (after_seq, limit)
        decisions = self._session.rows(f"{_DECISION} WHERE seq > ? ORDER BY seq LIMIT ?", window)
        events = self._session.rows(f"{_EVENT} WHERE e.seq > ? ORDER BY e.seq LIMIT ?", window)
        entries = [_decision_entry(row) for row in decisions]
        entries += [Entry(row[1], None, _event(row)) for row in events]
        return sorted(entries, key=lambda entry: entry.seq)[:limit]

    def get_decision(self, decision_id: int) -> Decision:
        """Return the decision; raises NotFound."""
        row = self._session.row(f"{_DECISION} WHERE id = ?", (decision_id,))
        if row is None:
            raise NotFound(f"d{decision_id}")
        return _decision(row)

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
        wanted: dict[str, object | None] = {
            "record_id = ?": record_id,
            "outcome = ?": outcome,
            "source = ?": source,
            "decided_at >= ?": None if since is None else time_text(since),
        }
        conditions = [condition for condition, value in wanted.items() if value is not None]
        parameters = [value for value in wanted.values() if value is not None]
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = self._session.rows(
            f"{_DECISION}{where} ORDER BY seq DESC LIMIT ?", (*parameters, -1 if limit is None else limit)
        )
        return [_decision(row) for row in reversed(rows)]

    def get_event(self, event_id: int) -> Event:
        """Return the event; raises NotFound."""
        row = self._session.row(f"{_EVENT} WHERE e.id = ?", (event_id,))
        if row is None:
            raise NotFound(f"m{event_id}")
        return _event(row)

    def find_events(self, record_id: int | None = None, *, limit: int | None = None) -> list[Event]:
        """Return events by ascending seq; with ``limit`` the newest ones."""
        sql, parameters = _EVENT, [-1 if limit is None else limit]
        if record_id is not None:
            sql += " WHERE e.id IN (SELECT event_id FROM event_records WHERE record_id = ?)"
            parameters.insert(0, record_id)
        rows = self._session.rows(f"{sql} ORDER BY e.seq DESC LIMIT ?", parameters)
        return [_event(row) for row in reversed(rows)]

    def last_seq(self) -> int:
        """Return the newest seq, 0 when the journal is empty."""
        row = self._session.row("SELECT max(seq) FROM journal")
        return (row[0] if row else None) or 0

    def get_cursor(self, consumer: str) -> int | None:
        """Return how far the consumer has acknowledged; None when it is unknown."""
        row = self._session.row("SELECT seq FROM cursors WHERE consumer = ?", (consumer,))
        return row[0] if row else None

    def set_cursor(self, consumer: str, seq: int) -> None:
        """Store the position; it may move back, which replays."""
        self._session.run(
            "INSERT INTO cursors (consumer, seq) VALUES (?, ?) ON CONFLICT (consumer) DO UPDATE SET seq = excluded.seq",
            (consumer, seq),
        )

    def count_decisions(self) -> dict[tuple[str, str, str], int]:
        """Return the number of decisions per (source, outcome, reason)."""
        rows = self._session.rows(
            "SELECT source, outcome, reason, count(*) FROM decisions GROUP BY source, outcome, reason"
        )
        return {(source, outcome, reason): count for source, outcome, reason, count in rows}


def decision_values(decision: Decision) -> tuple[object, ...]:
    """Return DECISION_COLUMNS of a decision from external_id to decided_at."""
    item, matched = decision.item, decision.matched
    return (
        item.external_id,
        item.source,
        item.guid,
        item.original_url,
        item.title,
        decision.outcome,
        decision.reason,
        decision.record_number,
        matched.record_number if matched else None,
        matched.external_id if matched else None,
        matched.url if matched else None,
        matched.title if matched else None,
        to_json(decision.changed),
        to_json(decision.flags),
        evidence_json(decision.evidence),
        decision.rules_version,
        decision.policy_version,
        decision.extractor_version,
        time_text(decision.decided_at),
    )


def _decision(row: Row) -> Decision:
    return Decision(
        number=row[0],
        seq=row[1],
        item=ItemRef(*row[2:7]),
        outcome=Outcome(row[7]),
        reason=row[8],
        record_number=row[9],
        matched=None if row[10] is None else Match(*row[10:14]),
        changed=texts_from_json(row[14]),
        flags=texts_from_json(row[15]),
        evidence=evidence_from_json(row[16]),
        rules_version=row[17],
        policy_version=row[18],
        extractor_version=row[19],
        decided_at=text_time(row[20]),
    )


def _decision_entry(row: Row) -> Entry:
    deliver, old_version_id, new_version_id = row[21:24]
    return Entry(row[1], _decision(row), None, old_version_id, new_version_id, bool(deliver))


def _event(row: Row) -> Event:
    event_id, seq, event, survivor_id, cause, happened_at, detail, record_ids = row
    return Event(
        seq=seq,
        number=event_id,
        event=event,
        record_numbers=tuple(json.loads(record_ids)),
        survivor_number=survivor_id,
        cause=cause,
        happened_at=text_time(happened_at),
        detail=json.loads(detail),
    )
