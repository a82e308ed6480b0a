"""What became of labeled pairs of entries once all snapshots of their feeds were taken in.

An entry of a pair is an item at one place: in that snapshot, under that guid, link and title. It is found by
the answer that the snapshot got, and followed through its sighting to the record that holds it in the end,
since records merge and split on the way.

A pair is *found* when two entries of one article are in one record, and *wrong* when two articles are. It
is *in review* when the records wait for a person, or were sent to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from ..model import Decision, Outcome, ReviewState, Sighting
from ..stores.base import Identity, Unit
from ..text.titles import clean_title
from ..urls.source import source_identity
from ..wiring import SeenBefore
from .gold import MERGED, GoldEntry, GoldRow, Place
from .interval import wilson_interval

_PAGE = 500


class Became(StrEnum):
    """What became of a pair."""

    ONE = "one record"
    REVIEW = "in review"
    TWO = "two records"
    LOST = "not found"


@dataclass(frozen=True, slots=True)
class GoldResult:
    """A labeled pair and what became of it."""

    row: GoldRow
    became: Became

    @property
    def missed(self) -> bool:
        """One article, but neither in one record nor before a person."""
        return self.row.is_same and self.became is Became.TWO

    @property
    def wrong(self) -> bool:
        """Two articles in one record."""
        return self.row.expect is Outcome.NEW and self.became is Became.ONE and not self.row.may_merge

    @property
    def silent(self) -> bool:
        """A pair for a person that was joined without asking, although nobody calls that right."""
        return self.row.expect is Outcome.REVIEW and self.became is Became.ONE and not self.row.may_merge

    @property
    def right(self) -> bool:
        """Whether it is what the label expects."""
        if self.row.is_same:
            return self.became is Became.ONE
        return self.became is (Became.TWO if self.row.expect is Outcome.NEW else Became.REVIEW)


@dataclass(frozen=True, slots=True)
class GoldReport:
    """All labeled pairs with what became of them."""

    results: tuple[GoldResult, ...]

    def count(self, *expect: Outcome, became: Became | None = None) -> int:
        """Return how many pairs expect one of these answers, and (where given) became that."""
        return sum(r.row.expect in expect and became in (None, r.became) for r in self.results)

    @property
    def same(self) -> int:
        """Pairs that are one article."""
        return self.count(*MERGED)

    @property
    def found(self) -> int:
        """Those of them in one record."""
        return self.count(*MERGED, became=Became.ONE)

    @property
    def found_or_reviewed(self) -> int:
        """Those of them in one record or before a person."""
        return self.found + self.count(*MERGED, became=Became.REVIEW)

    @property
    def different(self) -> int:
        """Pairs that are two articles."""
        return self.count(Outcome.NEW)

    @property
    def wrong_merges(self) -> int:
        """Those of them in one record."""
        return sum(r.wrong for r in self.results)

    @property
    def silent_merges(self) -> int:
        """Pairs for a person that were joined without asking."""
        return sum(r.silent for r in self.results)

    @property
    def not_found(self) -> int:
        """Pairs of which an entry was not found among what was taken in; they count as nothing else."""
        return sum(r.became is Became.LOST for r in self.results)

    @property
    def review_rows(self) -> dict[str, int]:
        """What became of the pairs that a person should look at."""
        names = {"reviewed": Became.REVIEW, "merged": Became.ONE, "apart": Became.TWO}
        return {name: self.count(Outcome.REVIEW, became=became) for name, became in names.items()}

    def by_kind(self) -> dict[str, GoldReport]:
        """Return a report per kind of pair, in alphabetical order."""
        kinds = sorted({r.row.kind for r in self.results})
        return {kind: GoldReport(tuple(r for r in self.results if r.row.kind == kind)) for kind in kinds}

    @property
    def rates(self) -> dict[str, tuple[int, int]]:
        """Hits, and of how many pairs; those that were not found can tell neither."""

        def judged(*expect: Outcome) -> int:
            return self.count(*expect) - self.count(*expect, became=Became.LOST)

        return {
            "found": (self.found, judged(*MERGED)),
            "found_or_reviewed": (self.found_or_reviewed, judged(*MERGED)),
            "wrong_merges": (self.wrong_merges, judged(Outcome.NEW)),
            "silent_merges": (self.silent_merges, judged(Outcome.REVIEW)),
        }

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % intervals of the rates."""
        return {name: wilson_interval(hits, of) for name, (hits, of) in self.rates.items()}

    def failures(self) -> dict[str, list[GoldRow]]:
        """Return the pairs that are wrong, silent, missed, or not found, the gravest first."""
        return {
            "wrong": [r.row for r in self.results if r.wrong],
            "silent": [r.row for r in self.results if r.silent],
            "missed": [r.row for r in self.results if r.missed],
            "not_found": [r.row for r in self.results if r.became is Became.LOST],
        }

    def to_json(self) -> dict[str, object]:
        """Return the counts, their intervals, and the ids of the pairs that went wrong."""
        return {
            "pairs": len(self.results),
            "found": self.found,
            "found_or_reviewed": self.found_or_reviewed,
            "same": self.same,
            "wrong_merges": self.wrong_merges,
            "different": self.different,
            "silent_merges": self.silent_merges,
            "review_rows": self.review_rows,
            "not_found_rows": self.not_found,
            "intervals": self.intervals,
            "rows": {name: [row.id for row in rows] for name, rows in self.failures().items()},
            "by_kind": {kind: part._by_outcome() for kind, part in self.by_kind().items()},
        }

    def _by_outcome(self) -> dict[str, int]:
        became = {b.name.lower(): sum(r.became is b for r in self.results) for b in Became}
        return {"pairs": len(self.results), "right": sum(r.right for r in self.results), **became}


# --- scoring ------------------------------------------------------------------------------------


def score_gold(db: SeenBefore, rows: Sequence[GoldRow], answers: Mapping[Place, Sequence[Decision]]) -> GoldReport:
    """Return what became of the pairs in a store that took their snapshots in with these answers."""
    with db.store.reading() as unit:
        live = _live_records(unit)
        reviewed = _reviewed_pairs(unit, live)
        results = []
        for row in rows:
            a, b = (_find_record(unit, entry, answers.get(entry.place, ()), live) for entry in (row.a, row.b))
            if a is None or b is None:
                became = Became.LOST
            elif a == b:
                became = Became.ONE
            else:
                became = Became.REVIEW if frozenset((a, b)) in reviewed else Became.TWO
            results.append(GoldResult(row, became))
    return GoldReport(tuple(results))


def _live_records(unit: Unit) -> dict[int, int]:
    """Every record id → the record that it is part of now."""
    live: dict[int, int] = {}
    after = 0
    while page := unit.records.find_records(limit=_PAGE, after=after):
        live |= {record.id: record.survivor_id or record.id for record in page}
        after = page[-1].id
    return live


def _reviewed_pairs(unit: Unit, live: Mapping[int, int]) -> set[frozenset[int]]:
    """Pairs of live records that a decision sent to a person, or that wait for one."""
    pairs = set()
    for decision in unit.journal.find_decisions(outcome=Outcome.REVIEW):
        matched = decision.matched.record_number if decision.matched else None
        if decision.record_number and matched:
            pairs.add(frozenset((live[decision.record_number], live[matched])))
    for review in unit.reviews.find_reviews():
        if review.state is ReviewState.WAITING:
            pairs.add(frozenset((live[review.record_id], live[review.other_id])))
    return pairs


def _find_record(unit: Unit, entry: GoldEntry, answers: Iterable[Decision], live: Mapping[int, int]) -> int | None:
    """The record that holds an entry in the end; None when its snapshot did not list it.

    Guid, address and title name one sighting nearly always. Where they name several (a page that repeats
    itself), time, date and the answer of the snapshot say which one.
    """
    named = [decision for decision in answers if entry.is_named_by(decision.item)]
    source = unit.sources.find_source(source_identity(named[0].item.source)) if named else None
    if source is None:
        return None
    identities = {Identity(source.id, d.item.guid, d.item.original_url, clean_title(d.item.title)) for d in named}
    rows = [row for found in unit.records.find_seen(list(identities)).values() for row in found]
    if len({row.record_id for row in rows}) > 1:
        ids = {row.sighting_id for row in rows}
        sightings = [s for s in unit.records.get_sightings({row.record_id for row in rows}) if s.id in ids]
        return _choose(sightings, entry, {live.get(d.record_number or 0) for d in named}).record_id
    return rows[0].record_id if rows else None


def _choose(sightings: Sequence[Sighting], entry: GoldEntry, answered: set[int | None]) -> Sighting:
    def dated(sighting: Sighting) -> bool:
        dates = [version.published_at for version in sighting.versions]
        return any((int(at.timestamp()) if at else None) == entry.published for at in dates)

    def present(sighting: Sighting) -> bool:
        return sighting.first_seen_at <= taken_at <= sighting.last_seen_at

    taken_at = datetime.fromtimestamp(int(Path(entry.file).stem.rpartition("_")[2]), UTC)
    for test in (present, dated, lambda sighting: sighting.record_id in answered):
        sightings = [sighting for sighting in sightings if test(sighting)] or sightings
    return sightings[0]
