"""``check``: everything that must hold of a store, on one snapshot and page by page.

The rules are in ``audit``; here they get their facts. Besides a page of records or decisions, only one
byte per record and the ranges of fetch numbers per source are kept in memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..audit.journal import Place, Written, check_decision, check_event
from ..audit.keys import HeldKey, check_keys
from ..audit.problem import Problem
from ..audit.records import check_live, check_merged
from ..audit.sightings import Repeated, check_sighting, check_slots
from ..audit.sources import SourceFacts, check_source, number_runs
from ..errors import StoreBusy, StoreError
from ..model import Outcome, Record, Sighting, Status
from ..policy import Policy
from ..stores.base import Entry, Identity, Store, Unit
from .auditpairs import check_labels, check_review, check_review_decision
from .context import Context
from .kinship import UNREADABLE, Kinship
from .rulebook import RuleSource

_PAGE = 500
_ABSENT, _TOLD, _UNTOLD = 0, 1, 2

Progress = Callable[[int, int], None]
"""Called with how many records and journal entries are done, and how many there are."""


@dataclass(slots=True)
class Report:
    """What a check found. ``counts`` has every code; ``problems`` the first ones of each.

    ``under_other_policy`` counts records that were derived under another policy than the one in force;
    their fields cannot be told right or wrong.
    """

    records: int = 0
    entries: int = 0
    under_other_policy: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_clean(self) -> bool:
        """Whether nothing is broken."""
        return not self.counts

    def to_json(self) -> dict[str, object]:
        """Return the report as one mapping."""
        return {
            "clean": self.is_clean,
            "records": self.records,
            "entries": self.entries,
            "under_other_policy": self.under_other_policy,
            "counts": dict(sorted(self.counts.items())),
            "problems": [{"code": p.code, "where": p.where, "message": p.message} for p in self.problems],
        }


def check_store(
    store: Store, rules: RuleSource, policy: Policy, *, limit: int | None = None, progress: Progress | None = None
) -> Report:
    """Return what is broken in a store, with at most ``limit`` problems of each code in full.

    Raises:
        StoreBusy: the store could not be read because another process holds it.
    """
    report = Report()
    for problem in iter_problems(store, rules, policy, report, progress or (lambda done, total: None)):
        report.counts[problem.code] += 1
        if limit is None or report.counts[problem.code] <= limit:
            report.problems.append(problem)
    return report


def iter_problems(
    store: Store, rules: RuleSource, policy: Policy, report: Report, progress: Progress
) -> Iterator[Problem]:
    """Yield every problem; a file that cannot be read to the end is one more."""
    try:
        with store.reading() as unit:
            yield from _Auditor(unit, Context(unit, rules, policy), report, progress).run()
    except StoreBusy:
        raise
    except StoreError as error:
        yield Problem("unreadable", "file", f"the check could not go on: {error}")


class _Auditor:
    """The check of one snapshot, in the order: file, sources, records, journal, and what needs both."""

    def __init__(self, unit: Unit, context: Context, report: Report, progress: Progress) -> None:
        self._unit = unit
        self._context = context
        self._report = report
        self._progress = progress
        self._sources: dict[int, SourceFacts] = {}
        self._kinship = Kinship(unit)
        self._heard = bytearray()
        self._written: Counter[Outcome] = Counter()

    def run(self) -> Iterator[Problem]:
        """Yield all problems."""
        unit = self._unit
        for flaw in unit.audit.integrity():
            yield Problem(flaw.code, flaw.where, flaw.message)
        yield from self._check_sources()
        last_record, last_seq = unit.counts.count_stored().last_record_id, unit.journal.last_seq()
        total = last_record + last_seq
        self._heard = bytearray(last_record + 1)
        for start in range(0, last_record, _PAGE):
            yield from self._check_records(range(start + 1, min(start + _PAGE, last_record) + 1))
            self._progress(min(start + _PAGE, last_record), total)
        for start in range(0, last_seq, _PAGE):
            yield from self._check_entries(start, min(start + _PAGE, last_seq))
            self._progress(last_record + min(start + _PAGE, last_seq), total)
        yield from self._check_told()
        for review in unit.reviews.find_reviews():
            yield from check_review(review, self._kinship)
        yield from self._check_counters(last_seq)

    # --- sources --------------------------------------------------------------------------------

    def _check_sources(self) -> Iterator[Problem]:
        sources = self._unit.sources
        for source in sources.list_sources():
            found, fetches = sources.find_source(source.identity), self._unit.audit.list_fetches(source.id)
            yield from check_source(source, found.id if found else None, fetches)
            distrust = frozenset((trust.kind, trust.value) for trust in sources.find_trust(source.id))
            self._sources[source.id] = SourceFacts(source, number_runs([fetch.no for fetch in fetches]), distrust)
            self._context.know(source.id)

    # --- records --------------------------------------------------------------------------------

    def _check_records(self, record_ids: range) -> Iterator[Problem]:
        """Check a page; where a row of it cannot be read, record by record, so that the others are checked."""
        try:
            page = self._load(record_ids)
        except UNREADABLE as error:
            if len(record_ids) == 1:
                yield Problem("unreadable", f"r{record_ids[0]}", f"{type(error).__name__}: {error}")
                return
            for record_id in record_ids:
                yield from self._check_records(range(record_id, record_id + 1))
            return
        yield from self._check_page(page)

    def _load(self, record_ids: range) -> _Page:
        unit = self._unit
        records = unit.records.find_records(record_ids)
        sightings = unit.records.get_sightings(record_ids)
        survivors = {r.survivor_id for r in records if r.survivor_id is not None}
        rows = unit.records.find_seen(list(dict.fromkeys(_identity(s) for s in sightings)))
        repeated = {
            seen.sighting_id: Repeated(seen.version_id, seen.text_hash, seen.published_at, seen.published_raw)
            for found in rows.values()
            for seen in found
        }
        keys = unit.audit.get_keys(record_ids)
        return _Page(
            records=records,
            sightings=_by_record(sightings),
            survivors={r.id: r for r in unit.records.find_records(survivors)},
            keys={r: [HeldKey(*stored) for stored in several] for r, several in keys.items()},
            repeated=repeated,
            slots={identity: [seen.slot for seen in found] for identity, found in rows.items()},
        )

    def _check_page(self, page: _Page) -> Iterator[Problem]:
        self._report.records += len(page.records)
        for record in page.records:
            sightings, keys = page.sightings.get(record.id, []), page.keys.get(record.id, [])
            if record.status is Status.MERGED:
                survivor = page.survivors.get(record.survivor_id or 0)
                yield from check_merged(record, survivor, len(sightings), len(keys))
                yield from self._kinship.check_merged(record)  # and notes where it leads
                continue
            self._heard[record.id] = _UNTOLD
            yield from self._check_fields(record, sightings)
            yield from check_keys(record.id, sightings, keys, self._sources)
            for sighting in sightings:
                facts = self._sources.get(sighting.source_id)
                if facts is not None:
                    yield from check_sighting(sighting, facts, page.repeated.get(sighting.id))
        everything = [sighting for several in page.sightings.values() for sighting in several]
        for sighting in everything:
            slots = page.slots.get(_identity(sighting), [])
            if slots and sighting.slot == min(slots):  # so that each identity is looked at once
                yield from check_slots(f"r{sighting.record_id}, sighting {sighting.id}", slots)
        yield from check_labels(self._unit, self._context, everything)

    def _check_fields(self, record: Record, sightings: Sequence[Sighting]) -> Iterator[Problem]:
        problems = list(check_live(record, sightings, self._context.is_poor))
        if any(p.code == "record_fields" for p in problems) and self._is_under_other_policy(record.id):
            self._report.under_other_policy += 1
            problems = [p for p in problems if p.code != "record_fields"]
        yield from problems

    def _is_under_other_policy(self, record_id: int) -> bool:
        """Whether the record may have been derived under other limits: its decisions say which."""
        mine = self._context.policy.version
        return any(decision.policy_version != mine for decision in self._kinship.decisions(record_id))

    # --- journal --------------------------------------------------------------------------------

    def _check_entries(self, after: int, last: int) -> Iterator[Problem]:
        """Check the entries in (after, last]; where one cannot be read, one by one."""
        try:
            entries = [e for e in self._unit.journal.read(after, last - after) if e.seq <= last]
        except UNREADABLE as error:
            if last - after == 1:
                yield Problem("unreadable", f"seq {last}", f"{type(error).__name__}: {error}")
                return
            for seq in range(after + 1, last + 1):
                yield from self._check_entries(seq - 1, seq)
            return
        self._report.entries += len(entries)
        for seq in sorted(set(range(after + 1, last + 1)) - {entry.seq for entry in entries}):
            yield Problem("journal_gap", f"seq {seq}", "neither a decision nor an event stands there")
        yield from self._check_decisions([entry for entry in entries if entry.decision is not None])
        for entry in entries:
            if entry.event is not None:
                yield from check_event(entry.event)
                yield from self._kinship.check_event(entry.event)

    def _check_decisions(self, entries: Sequence[Entry]) -> Iterator[Problem]:
        named = {v for entry in entries for v in (entry.old_version_id, entry.new_version_id) if v}
        homes = self._unit.audit.find_version_homes(named)
        places = {v: Place(h.record_id, h.guid, h.original_url, h.clean_title) for v, h in homes.items()}
        for entry in entries:
            decision = entry.decision
            assert decision is not None
            written = Written(decision, entry.old_version_id, entry.new_version_id, places)
            yield from check_decision(written, self._kinship.are_kin)
            yield from check_review_decision(self._unit, decision, self._kinship)
            self._written[decision.outcome] += 1
            if decision.outcome is not Outcome.DUPLICATE:
                self._hear(decision.record_number)
                home = homes.get(entry.new_version_id or 0)
                self._hear(home.record_id if home else None)

    def _hear(self, record_id: int | None) -> None:
        """Note that something of a record was delivered, or would have been but for ``--history``."""
        live = self._kinship.live(record_id) if record_id else None
        if live is not None and live < len(self._heard) and self._heard[live] == _UNTOLD:
            self._heard[live] = _TOLD

    def _check_told(self) -> Iterator[Problem]:
        for record_id, heard in enumerate(self._heard):
            if heard == _UNTOLD and not self._kinship.is_told_elsewhere(record_id):
                yield Problem("never_delivered", f"r{record_id}", "no decision ever announced anything of it")

    # --- counters -------------------------------------------------------------------------------

    def _check_counters(self, last_seq: int) -> Iterator[Problem]:
        for consumer, seq in self._unit.audit.list_cursors().items():
            if seq > last_seq:
                yield Problem("cursor", f"consumer {consumer}", f"it has read {seq}, the journal ends at {last_seq}")
        if self._report.entries < last_seq:
            return  # what is missing of the journal is told already, and was counted by day
        counted: Counter[Outcome] = Counter()
        for day in self._unit.counts.find_days():
            counted.update({Outcome.NEW: day.new, Outcome.UPDATE: day.update, Outcome.REVIEW: day.review})
        for outcome, count in counted.items():
            if count > self._written[outcome]:
                message = f"{count} {outcome.value} by day, {self._written[outcome]} in the journal"
                yield Problem("daily_counts", "all days", message)


@dataclass(frozen=True, slots=True)
class _Page:
    """Everything that is asked about a page of records, read in a few statements."""

    records: list[Record]
    sightings: Mapping[int, list[Sighting]]
    survivors: Mapping[int, Record]
    keys: Mapping[int, list[HeldKey]]
    repeated: Mapping[int, Repeated]
    slots: Mapping[Identity, list[int]]


def _by_record(sightings: Iterable[Sighting]) -> dict[int, list[Sighting]]:
    found: dict[int, list[Sighting]] = {}
    for sighting in sightings:
        found.setdefault(sighting.record_id, []).append(sighting)
    return found


def _identity(sighting: Sighting) -> Identity:
    return Identity(sighting.source_id, sighting.guid, sighting.original_url, sighting.clean_title, sighting.kind)
