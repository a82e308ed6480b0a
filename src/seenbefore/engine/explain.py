"""Why something was decided, and why (or why not) two records are the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..compare import compare_sightings
from ..errors import NotFound
from ..model import (
    Comparison,
    Decision,
    Event,
    Item,
    Record,
    Related,
    Relation,
    Review,
    Sighting,
    Source,
    Status,
    Trust,
    Verdict,
)
from ..policy import Policy
from ..stores.base import Store, Unit
from ..urls import url_keys
from .context import Context
from .rulebook import RuleSource, rules_at

_ORDER = {Relation.DIFFERENT: 1, Relation.SAME: 0, Relation.REVIEW: 2, Relation.UNRELATED: 3}


@dataclass(frozen=True, slots=True)
class RecordStory:
    """A record with everything that led to it and to those that were merged into it.

    ``asked_id`` differs from ``record.id`` when it is one of these. ``related`` are the records
    that a person called related to it.
    """

    asked_id: int
    record: Record
    sightings: tuple[Sighting, ...]
    decisions: tuple[Decision, ...]
    events: tuple[Event, ...]
    reviews: tuple[Review, ...]
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceStory:
    """A source with what is trusted there."""

    source: Source
    trust: tuple[Trust, ...]


@dataclass(frozen=True, slots=True)
class PairStory:
    """The most telling comparison between two records, and whether they are one."""

    first: Record
    second: Record
    same_record: bool
    comparison: Comparison
    sightings: tuple[Sighting, Sighting] | None


class Explainer:
    """Reads a store for people."""

    def __init__(self, store: Store, rules: RuleSource, policy: Policy) -> None:
        self._store = store
        self._rules = rules
        self._policy = policy

    def record(self, record_id: int) -> RecordStory:
        """Return the story of a record; a merged one answers with its survivor. Raises NotFound."""
        with self._store.reading() as unit:
            record = live_record(unit, record_id)
            ids = [record.id, *unit.merges.find_merged([record.id])]
            decisions = [d for i in ids for d in unit.journal.find_decisions(record_id=i)]
            events = {e.number: e for i in ids for e in unit.journal.find_events(i)}
            sightings = unit.records.get_sightings([record.id])
            return RecordStory(
                record_id,
                record,
                tuple(sightings),
                tuple(sorted(decisions, key=lambda d: d.seq or 0)),
                tuple(events[i] for i in sorted(events, key=lambda i: i or 0)),
                tuple(unit.reviews.find_reviews(ids)),
                find_related(unit, record.id, sightings),
            )

    def decision(self, decision_id: int) -> Decision:
        """Return a stored decision. Raises NotFound."""
        with self._store.reading() as unit:
            return unit.journal.get_decision(decision_id)

    def item_as_arrived(self, version_id: int) -> Item:
        """Return the item a version was made from, untouched. Raises NotFound."""
        with self._store.reading() as unit:
            return unit.records.get_item(version_id)

    def source(self, source_id: int) -> SourceStory:
        """Return a source and its trust switches. Raises NotFound."""
        with self._store.reading() as unit:
            return SourceStory(unit.sources.get_source(source_id), tuple(unit.sources.find_trust(source_id)))

    def find_by_url(self, url: str) -> list[int]:
        """Return the live records that any key of the address leads to, ascending."""
        with self._store.reading() as unit:
            addresses = [key.address for key in url_keys(url, rules_at(self._rules, unit))]
            found = unit.records.find_record_ids(addresses)
            return sorted({record_id for ids in found.values() for record_id in ids})

    def pair(self, a: int, b: int) -> PairStory:
        """Return why two records are the same, or why not. Raises NotFound."""
        with self._store.reading() as unit:
            first, second = live_record(unit, a), live_record(unit, b)
            context = Context(unit, self._rules, self._policy)
            sightings = unit.records.get_sightings({first.id, second.id})
            for sighting in sightings:
                context.know(sighting.source_id)
            if first.id == second.id:
                pairs = [(x, y) for i, x in enumerate(sightings) for y in sightings[i + 1 :]]
            else:
                own = [s for s in sightings if s.record_id == first.id]
                pairs = [(x, y) for x in own for y in sightings if y.record_id == second.id]
            return self._most_telling(context, first, second, pairs)

    def _most_telling(
        self, context: Context, first: Record, second: Record, pairs: Iterable[tuple[Sighting, Sighting]]
    ) -> PairStory:
        compared = [(compare_sightings(x, y, self._policy, context.distrust, context.traits), x, y) for x, y in pairs]
        if not compared:
            nothing = Comparison(Relation.SAME, "seen_again", 0, ())
            return PairStory(first, second, first.id == second.id, nothing, None)
        best = min(compared, key=lambda c: (_ORDER[c[0].relation], c[0].rank, c[1].id, c[2].id))
        return PairStory(first, second, first.id == second.id, best[0], (best[1], best[2]))


def find_related(unit: Unit, record_id: int, sightings: Iterable[Sighting]) -> tuple[Related, ...]:
    """Return the records that a person called related to this one and that are still another, by id."""
    own = {sighting.id for sighting in sightings}
    labels = [label for label in unit.reviews.find_labels(own) if label.verdict is Verdict.RELATED]
    homes = unit.audit.find_homes(s for label in labels for s in (label.sighting_a, label.sighting_b))
    since: dict[int, Related] = {}
    for label in labels:
        other = homes[label.sighting_b if label.sighting_a in own else label.sighting_a].record_id
        if other != record_id:
            since[other] = Related(record_id, other, "person", label.labeled_at)
    return tuple(since[other] for other in sorted(since))


def live_record(unit: Unit, record_id: int) -> Record:
    """Return the record, or its survivor when it was merged. Raises NotFound."""
    found = unit.records.find_records([record_id])
    if not found:
        raise NotFound(f"r{record_id}")
    record = found[0]
    if record.status is Status.MERGED and record.survivor_id is not None:
        return live_record(unit, record.survivor_id)
    return record
