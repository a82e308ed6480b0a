"""What a consumer gets: decisions and events after its cursor, at least once and in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InvalidInput
from ..ids import format_id
from ..model import Decision, Event, Outcome, Record, ReviewState, Status
from ..stores.base import Entry, Store, Unit

_PAGE = 500
_ANNOUNCED = (Outcome.NEW, Outcome.UPDATE, Outcome.REVIEW)


@dataclass(frozen=True, slots=True)
class Change:
    """One delivery. ``superseded_by`` names the survivor when the decision's record was merged since.

    For updates ``old`` and ``new`` are version ids; ``released`` marks a held review that a person
    told apart, which is delivered as new.
    """

    seq: int
    decision: Decision | None = None
    event: Event | None = None
    superseded_by: str | None = None
    old_version_id: int | None = None
    new_version_id: int | None = None
    released: bool = False


class Changes:
    """Reads the journal for consumers."""

    def __init__(self, store: Store, *, hold_review: bool = False) -> None:
        self._store = store
        self._hold_review = hold_review

    def read(self, consumer: str, *, from_now: bool = False) -> Iterator[Change]:
        """Yield everything after the consumer's cursor, without moving it.

        A new consumer starts at the beginning, or with ``from_now`` behind what is stored now.
        """
        after = self._position(consumer, from_now)
        while True:
            with self._store.reading() as unit:
                entries = unit.journal.read(after, _PAGE)
                changes = [change for entry in entries if (change := self._change(unit, entry)) is not None]
            yield from changes
            if len(entries) < _PAGE:
                return
            after = entries[-1].seq

    def ack(self, consumer: str, seq: int) -> None:
        """Move the consumer's cursor behind ``seq``.

        Raises:
            InvalidInput: ``seq`` is negative or greater than anything stored.
        """
        with self._store.unit() as unit:
            last = unit.journal.last_seq()
            if not 0 <= seq <= last:
                raise InvalidInput(f"cannot acknowledge {seq}: the journal ends at {last}", f"consumer {consumer}")
            unit.journal.set_cursor(consumer, seq)

    def _position(self, consumer: str, from_now: bool) -> int:
        if not consumer.strip():
            raise InvalidInput("a consumer needs a name", "changes")
        with self._store.reading() as unit:
            cursor, last = unit.journal.get_cursor(consumer), unit.journal.last_seq()
        if cursor is not None:
            return cursor
        start = last if from_now else 0
        with self._store.unit() as unit:
            unit.journal.set_cursor(consumer, start)
        return start

    def _change(self, unit: Unit, entry: Entry) -> Change | None:
        if entry.event is not None:
            if entry.event.detail.get("history"):
                return None
            return self._event_change(unit, entry, entry.event)
        decision = entry.decision
        if decision is None or not entry.deliver or decision.outcome not in _ANNOUNCED:
            return None
        record_id = decision.record_number
        if decision.outcome is Outcome.REVIEW and self._hold_review:
            return None
        return Change(
            seq=entry.seq,
            decision=decision,
            superseded_by=_survivor(unit, record_id),
            old_version_id=entry.old_version_id,
            new_version_id=entry.new_version_id,
        )

    def _event_change(self, unit: Unit, entry: Entry, event: Event) -> Change:
        """An event; a verdict that tells a held review apart releases its item."""
        if not self._hold_review or event.event != "label":
            return Change(seq=entry.seq, event=event)
        for review in unit.reviews.find_reviews(event.record_numbers):
            judged = {review.record_id, review.other_id} == set(event.record_numbers)
            if judged and review.decision_id and review.state in (ReviewState.DIFFERENT, ReviewState.RELATED):
                decision = unit.journal.get_decision(review.decision_id)
                return Change(seq=entry.seq, decision=decision, event=event, released=True)
        return Change(seq=entry.seq, event=event)


def _survivor(unit: Unit, record_id: int | None) -> str | None:
    if record_id is None:
        return None
    found: list[Record] = unit.records.find_records([record_id])
    if found and found[0].status is Status.MERGED:
        return format_id("r", found[0].survivor_id)
    return None
