"""What a store holds, in numbers; and stored decisions as they read today."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from ..decisionjson import format_id, parse_id
from ..errors import NotFound
from ..mix import MixWarning, find_mix_warnings
from ..model import DayCount, Decision, Event, Outcome, Record, ReviewState, Source, Status
from ..policy import StatsPolicy
from ..polling.state import PollState
from ..stores.base import Store, Unit
from ..urls.source import source_identity

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts over everything stored, or what of it belongs to one source.

    ``decisions`` are those of the journal; ``totals`` (per source) and ``days`` (per source and day, the newest
    ones) count items, unchanged repeats among the duplicates. ``records``, ``sightings``, ``times_seen`` and
    ``reviews_waiting`` are always those of the whole store. ``polls`` are the addresses that are polled. ``pages``
    counts pages that were opened by (outcome, what was read) of the newest attempt, over the whole store.
    """

    decisions: dict[tuple[str, str, str], int]
    records: Mapping[str, int]
    sightings: int
    times_seen: int
    reviews_waiting: int
    sources: tuple[Source, ...]
    last_seq: int
    totals: Mapping[int, DayCount]
    days: tuple[DayCount, ...]
    warnings: tuple[MixWarning, ...]
    polls: tuple[PollState, ...] = ()
    pages: Mapping[tuple[str, str], int] = field(default_factory=dict)

    def name(self, source_id: int) -> str:
        """Return the name of one of the sources."""
        return next((source.name for source in self.sources if source.id == source_id), f"s{source_id}")

    def to_json(self) -> dict[str, object]:
        """Return the counts as one mapping."""
        return {
            "sources": [
                {
                    "source_id": format_id("s", source.id),
                    "name": source.name,
                    "fetches": source.last_fetch_no,
                    "traits": sorted(source.traits),
                    **_numbers(self.totals.get(source.id, _NOTHING)),
                }
                for source in self.sources
            ],
            "days": [
                {"source_id": format_id("s", c.source_id), "day": c.day.isoformat(), **_numbers(c)} for c in self.days
            ],
            "warnings": [
                {
                    "code": w.code,
                    "source_id": format_id("s", w.source_id),
                    "source": self.name(w.source_id),
                    "day": w.day.isoformat(),
                    "message": w.message,
                }
                for w in self.warnings
            ],
            "polls": [_poll(state) for state in self.polls],
            "pages": [
                {"outcome": outcome, "representation": what or None, "count": count}
                for (outcome, what), count in sorted(self.pages.items())
            ],
            "decisions": [
                {"source": source, "outcome": outcome, "reason": reason, "count": count}
                for (source, outcome, reason), count in sorted(self.decisions.items())
            ],
            "records": dict(self.records),
            "sightings": self.sightings,
            "times_seen": self.times_seen,
            "reviews_waiting": self.reviews_waiting,
            "last_seq": self.last_seq,
        }


_NOTHING = DayCount(0, date.min)


def _numbers(count: DayCount) -> dict[str, int]:
    return {"new": count.new, "update": count.update, "duplicate": count.duplicate, "review": count.review}


def _poll(state: PollState) -> dict[str, object]:
    last = state.last
    return {
        "url": state.address,
        "source": state.source,
        "outcome": last.outcome,
        "reason": last.reason,
        "status": last.status or None,
        "at": last.at.isoformat(),
        "seconds": round(last.seconds, 3),
        "new": last.new,
        "update": last.update,
        "duplicate": last.duplicate,
        "review": last.review,
        "failures": state.failures,
        "interval_s": round(state.interval_s),
        "next_at": state.next_at and state.next_at.isoformat(),
        "moved_to": state.moved_to,
    }


def _polls_of(unit: Unit, wanted: Source | None) -> tuple[PollState, ...]:
    """The polled addresses, or those whose items belong to one source."""
    states = unit.polls.list_states()
    if wanted is None:
        return tuple(states)
    found = {name: unit.sources.find_source(source_identity(name)) for name in {state.source for state in states}}
    return tuple(state for state in states if (owner := found[state.source]) and owner.id == wanted.id)


def collect_stats(store: Store, policy: StatsPolicy, *, days: int = 7, source: str | None = None) -> Stats:
    """Return the counts, read on one snapshot; ``source`` is a name, an address or an id (``s3``).

    The last ``days`` days are counted back from the newest one that is stored. Raises NotFound.
    """
    with store.reading() as unit:
        wanted = _find_source(unit, source) if source is not None else None
        decisions = unit.journal.count_decisions()
        if wanted is not None:
            names = set(_spellings(unit, wanted))
            decisions = {key: count for key, count in decisions.items() if key[0] in names}
        counted = unit.counts.find_days()
        newest = max((count.day for count in counted), default=date.min)
        since = newest - timedelta(days=min(days - 1, (newest - date.min).days))
        shown = [count for count in counted if wanted is None or count.source_id == wanted.id]
        stored = unit.counts.count_stored()
        return Stats(
            decisions=decisions,
            records=stored.records,
            sightings=stored.sightings,
            times_seen=stored.times_seen,
            reviews_waiting=stored.reviews_waiting,
            sources=(wanted,) if wanted is not None else tuple(unit.sources.list_sources()),
            last_seq=unit.journal.last_seq(),
            totals=_totals(shown),
            days=tuple(count for count in shown if count.day >= since),
            warnings=tuple(
                warning
                for warning in find_mix_warnings(counted, since, policy)
                if wanted is None or warning.source_id == wanted.id
            ),
            polls=_polls_of(unit, wanted),
            pages=unit.pages.count_captures(),
        )


def _totals(counts: Iterable[DayCount]) -> dict[int, DayCount]:
    """All days of each source together, under its newest day."""
    totals: dict[int, DayCount] = {}
    for count in counts:
        so_far = totals.get(count.source_id, DayCount(count.source_id, count.day))
        totals[count.source_id] = so_far.plus(count)
    return totals


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


def find_asked(store: Store) -> list[tuple[str, str]]:
    """Return pairs of records that wait for a person although no item opened them: after a verdict or a rollback."""
    with store.reading() as unit:
        waiting = [r for r in unit.reviews.find_reviews() if r.state is ReviewState.WAITING and r.decision_id is None]
    return [(f"r{review.record_id}", f"r{review.other_id}") for review in waiting]


def find_decisions(
    store: Store, outcome: Outcome | None, source: str | None, since: datetime | None, limit: int | None
) -> list[Decision]:
    """Return stored decisions, newest last, with merged records answered by their survivors.

    ``source`` is a name or an id (``s3``); ``limit`` keeps the newest ones. Raises NotFound.
    """
    with store.reading() as unit:
        names: list[str | None] = [None] if source is None else [*_spellings(unit, _find_source(unit, source))]
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


def _find_source(unit: Unit, source: str) -> Source:
    known = parse_id(source)
    if known is not None and known[0] == "s":
        return unit.sources.get_source(known[1])
    found = unit.sources.find_source(source_identity(source))
    if found is None:
        raise NotFound(source)
    return found


def _spellings(unit: Unit, wanted: Source) -> list[str]:
    """The names under which decisions of a source were stored: its addresses may be spelled differently."""
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


def get_event(store: Store, event_id: int) -> Event:
    """Return the stored event. Raises NotFound."""
    with store.reading() as unit:
        return unit.journal.get_event(event_id)


def _chunks(ids: Sequence[int]) -> Iterable[Sequence[int]]:
    return (ids[start : start + _PAGE] for start in range(0, len(ids), _PAGE))
