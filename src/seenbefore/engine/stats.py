"""What a store holds, in numbers; and stored decisions as they read today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..decisionjson import format_id, parse_id
from ..errors import NotFound
from ..model import Decision, Event, Outcome, Record, ReviewState, Source, Status
from ..stores.base import Store, Unit
from ..urls.source import source_identity

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over everything stored. Repeats are no decisions; they are counted in ``times_seen``."""

    decisions: dict[tuple[str, str, str], int]
    records: dict[str, int]
    sightings: int
    times_seen: int
    reviews_waiting: int
    sources: tuple[Source, ...]
    last_seq: int

    def to_json(self) -> dict[str, object]:
        """Return the counts as one mapping."""
        return {
            "sources": [
                {
                    "source_id": format_id("s", source.id),
                    "name": source.name,
                    "fetches": source.last_fetch_no,
                    "traits": sorted(source.traits),
                }
                for source in self.sources
            ],
            "decisions": [
                {"source": source, "outcome": outcome, "reason": reason, "count": count}
                for (source, outcome, reason), count in sorted(self.decisions.items())
            ],
            "records": self.records,
            "sightings": self.sightings,
            "times_seen": self.times_seen,
            "reviews_waiting": self.reviews_waiting,
            "last_seq": self.last_seq,
        }


def collect_stats(store: Store) -> Stats:
    """Return the counts over everything stored, read on one snapshot."""
    with store.reading() as unit:
        states: Counter[str] = Counter({status.value: 0 for status in Status})
        sightings = times = 0
        for page in iter_pages(unit):
            states.update(record.status.value for record in page)
            found = unit.records.get_sightings([record.id for record in page])
            sightings += len(found)
            times += sum(sighting.times for sighting in found)
        waiting = [r for r in unit.reviews.find_reviews() if r.state is ReviewState.WAITING]
        return Stats(
            decisions=unit.journal.count_decisions(),
            records=dict(states),
            sightings=sightings,
            times_seen=times,
            reviews_waiting=len(waiting),
            sources=tuple(unit.sources.list_sources()),
            last_seq=unit.journal.last_seq(),
        )


def iter_pages(unit: Unit) -> Iterator[list[Record]]:
    """Yield all records, merged ones included, by ascending id and some hundred at a time."""
    after = 0
    while page := unit.records.find_records(limit=_PAGE, after=after):
        yield page
        after = page[-1].id


def last_record_id(store: Store) -> int:
    """Return the greatest record id, 0 for an empty store, without reading the records between."""
    with store.reading() as unit:
        low, high = 0, 1
        while unit.records.find_records(limit=1, after=high - 1):
            low, high = high, high * 2
        while low + 1 < high:
            middle = (low + high) // 2
            if unit.records.find_records(limit=1, after=middle - 1):
                low = middle
            else:
                high = middle
        return low


def find_decisions(
    store: Store, outcome: Outcome | None, source: str | None, since: datetime | None, limit: int | None
) -> list[Decision]:
    """Return stored decisions, newest last, with merged records answered by their survivors.

    ``source`` is a name or an id (``s3``); ``limit`` keeps the newest ones. Raises NotFound.
    """
    with store.reading() as unit:
        names: list[str | None] = [None] if source is None else [*_spellings(unit, source)]
        found = [
            decision
            for name in names
            for decision in unit.journal.find_decisions(outcome=outcome, source=name, since=since, limit=limit)
        ]
        found.sort(key=lambda decision: decision.seq or 0)
        return follow_merges(unit, found[-limit:] if limit else found)


def get_decision(store: Store, decision_id: int) -> Decision:
    """Return a stored decision, with merged records answered by their survivors. Raises NotFound."""
    with store.reading() as unit:
        return follow_merges(unit, [unit.journal.get_decision(decision_id)])[0]


def _spellings(unit: Unit, source: str) -> list[str]:
    """The names under which decisions of a source were stored: its addresses may be spelled differently."""
    known = parse_id(source)
    if known is not None and known[0] == "s":
        wanted = unit.sources.get_source(known[1])
    else:
        found = unit.sources.find_source(source_identity(source))
        if found is None:
            raise NotFound(source)
        wanted = found
    names = {name for name, _, _ in unit.journal.count_decisions()}
    stored = {name: unit.sources.find_source(source_identity(name)) for name in names}
    return sorted(name for name, owner in stored.items() if owner and owner.id == wanted.id)


def follow_merges(unit: Unit, decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions with merged records replaced by their survivors, flagged ``moved``."""
    ids = {i for d in decisions for i in (d.record_number, d.matched.record_number if d.matched else None) if i}
    survivor = {
        record.id: record.survivor_id
        for part in _chunks(sorted(ids))
        for record in unit.records.find_records(part)
        if record.status is Status.MERGED and record.survivor_id
    }
    return [_followed(decision, survivor) for decision in decisions] if survivor else list(decisions)


def _followed(decision: Decision, survivor: dict[int, int]) -> Decision:
    matched = decision.matched
    if decision.record_number not in survivor and (matched is None or matched.record_number not in survivor):
        return decision

    def followed(number: int | None) -> int | None:
        return survivor.get(number, number) if number else number

    return replace(
        decision,
        record_number=followed(decision.record_number),
        matched=matched and replace(matched, record_number=followed(matched.record_number)),
        flags=tuple(dict.fromkeys((*decision.flags, "moved"))),
    )


def find_event(store: Store, event_id: int) -> Event | None:
    """Return the stored event, read from the journal page by page, or None."""
    after = 0
    with store.reading() as unit:
        while entries := unit.journal.read(after, _PAGE):
            for entry in entries:
                if entry.event is not None and entry.event.number == event_id:
                    return entry.event
            after = entries[-1].seq
    return None


def _chunks(ids: Sequence[int]) -> Iterable[Sequence[int]]:
    return (ids[start : start + _PAGE] for start in range(0, len(ids), _PAGE))
