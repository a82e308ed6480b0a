"""Which records a merge or a split connects: what decisions named then, and where it is now."""

from __future__ import annotations

from collections.abc import Iterator

from ..audit.problem import Problem
from ..errors import NotFound
from ..model import Decision, Event, Outcome, Record, Sighting
from ..stores.base import Unit
from ..text.titles import clean_title

UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, NotFound)
"""What reading a row raises that was written by something else."""

_PARTING = ("split", "undone")
_MOVING = ("merged", *_PARTING)
"""Events after which sightings stand in another record; others, such as a verdict, only name records."""

_LONGEST_CHAIN = 20
_MOST_RELATIVES = 1000


class Kinship:
    """Follows merges and splits on one snapshot. Merged records must be noted before they are asked for."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._survivors: dict[int, int] = {}

    def live(self, record_id: int) -> int:
        """Return where a record leads; a redirect that is not flat is followed, one in a circle is left."""
        for _ in range(_LONGEST_CHAIN):
            if record_id not in self._survivors:
                break
            record_id = self._survivors[record_id]
        return record_id

    def is_merged(self, record_id: int) -> bool:
        """Return whether the record is a pointer now."""
        return record_id in self._survivors

    def are_kin(self, one: int, other: int) -> bool:
        """Return whether both lead to one live record, or merges and splits connect them."""
        return self.live(one) == self.live(other) or other in self._relatives(one)

    def _relatives(self, record_id: int) -> set[int]:
        """All records that events connect with this one by moving sightings."""
        found, queue = {record_id}, [record_id]
        while queue and len(found) < _MOST_RELATIVES:
            for event in self._events(queue.pop()):
                if event.event in _MOVING:
                    fresh = set(event.record_numbers) - found
                    found |= fresh
                    queue += sorted(fresh)
        return found

    def _events(self, record_id: int) -> list[Event]:
        try:
            return self._unit.journal.find_events(record_id)
        except UNREADABLE:  # which the check of the journal reports
            return []

    def decisions(self, record_id: int) -> list[Decision]:
        """Return the decisions on a record, none where one of them cannot be read."""
        try:
            return self._unit.journal.find_decisions(record_id=record_id)
        except UNREADABLE:
            return []

    def check_merged(self, record: Record) -> Iterator[Problem]:
        """Note where a merged record leads; yield a problem when no event tells of its merge."""
        self._survivors[record.id] = record.survivor_id or 0
        for event in self._events(record.id):
            taken_over = event.survivor_number not in (None, record.id)
            if event.event in ("merged", "undone") and taken_over:  # undone: a split was taken back
                return
        yield Problem("event_merged", f"r{record.id}", "it was merged, and no event says so")

    def check_event(self, event: Event) -> Iterator[Problem]:
        """Yield a problem when what an event says was merged is live, and nothing later took it apart."""
        if event.event != "merged":
            return
        for record_id in sorted(set(event.record_numbers) - {event.survivor_number}):
            if not self.is_merged(record_id) and not self._taken_back(event, record_id):
                yield Problem("event_merged", event.event_id or "", f"it merged r{record_id}, which is live")

    def _taken_back(self, event: Event, record_id: int) -> bool:
        later = (e for e in self._events(record_id) if (e.seq or 0) > (event.seq or 0))
        return any(e.event in _PARTING for e in later)

    def is_told_elsewhere(self, record_id: int) -> bool:
        """Return whether something of the record was announced while it was part of another one."""
        sightings = self._unit.records.get_sightings([record_id])
        mine = {_named(s) for s in sightings}
        return any(
            (d.item.guid, d.item.original_url, clean_title(d.item.title)) in mine
            for relative in sorted(self._relatives(record_id))
            for d in self.decisions(relative)
            if d.outcome is not Outcome.DUPLICATE
        )


def _named(sighting: Sighting) -> tuple[str, str, str]:
    return (sighting.guid, sighting.original_url, sighting.clean_title)
